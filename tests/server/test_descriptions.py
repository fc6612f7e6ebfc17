"""The messages that are sent match their generated descriptions."""

import importlib.util
import json
from inspect import iscoroutinefunction
from pathlib import Path
from typing import get_args

import pytest
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from connectk.play.events import MATCH_EVENT_NAMES
from connectk.play.ruling import REMATCH_OFFERS
from connectk.rules import EndReason
from connectk.server import schemas, views
from connectk.server.description import json_schemas, members, socket_description
from tests.server.clients import INVITED, Socket, act, bearer, drop, make

TOOL = Path(__file__).parents[2] / "tools" / "make_descriptions.py"
SERVER_MESSAGE = TypeAdapter(schemas.ServerMessage)


def test_the_written_descriptions_are_up_to_date():
    """The generated descriptions are up to date. If this test fails, run `python tools/make_descriptions.py`."""
    spec = importlib.util.spec_from_file_location("make_descriptions", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for path, text in tool.files().items():
        assert path.read_text(encoding="utf-8") == text, path.name


def test_the_socket_is_described_with_all_that_is_said_there(client):
    described = client.get("/api/asyncapi.json").json()
    assert described == json.loads(json.dumps(socket_description()))
    assert set(members(schemas.ClientMessage)) <= set(described["components"]["schemas"]) <= set(json_schemas())


@pytest.mark.parametrize("name", ["asyncapi", "openapi"])
def test_every_reference_of_a_description_leads_somewhere(client, name):
    described = client.get(f"/api/{name}.json").json()

    def look(value):
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                found = described
                for part in value["$ref"].removeprefix("#/").split("/"):
                    found = found[part]
            value = list(value.values())
        for item in value if isinstance(value, list) else ():
            look(item)

    look(described)


def test_every_event_has_a_message():
    assert set(views.EVENT_VIEWS) == set(MATCH_EVENT_NAMES)
    described_events = [name for kind in members(schemas.EventMessage) for name in _names(getattr(schemas, kind))]
    assert sorted(described_events) == sorted(MATCH_EVENT_NAMES.values())


def _names(kind):
    field = TypeAdapter(kind).json_schema()["properties"]["event"]
    return field.get("enum") or [field["const"]]


def test_what_is_said_on_the_socket_has_the_shape_that_is_described(client):
    """Every message of a whole visit over the socket matches its description, without unknown fields."""
    made = make(client, second=INVITED, clock={"seconds": 600})
    match_id = made["match"]["id"]
    joined = client.post(f"/api/matches/{match_id}/join", json={"invitation": made["invitation"]}).json()
    with Socket(client, match_id, made["secret"], after=0) as socket:
        messages = [socket.welcome]
        drop(client, match_id, made["secret"], 3, 0)
        act(client, match_id, made["secret"], "take-back", {})
        act(client, match_id, joined["secret"], "accept")
        act(client, match_id, made["secret"], "offer-draw")
        act(client, match_id, joined["secret"], "decline")
        act(client, match_id, made["secret"], "resign")
        act(client, match_id, made["secret"], "rematch")
        act(client, match_id, joined["secret"], "accept")
        for message in ({"type": "ping", "id": 1}, {"type": "hint"}, {"type": "resign"}, {"type": "analyse"}):
            answer, events = socket.ask(message)
            messages += [*events, answer]
    kinds = {(message["type"], message.get("event")) for message in messages}
    assert {"welcome", "event", "pong", "hint", "refused", "analysis"} <= {kind for kind, _ in kinds}
    assert {"joined", "dropped", "take_back_asked", "taken_back", "ended", "rematch_made"} <= {
        name for _, name in kinds
    }
    for message in messages:
        assert SERVER_MESSAGE.dump_python(SERVER_MESSAGE.validate_python(message), mode="json") == message
    assert client.get(f"/api/matches/{match_id}/events", headers=bearer(made["secret"])).status_code == 200


@pytest.mark.parametrize("kind", ["reason", "offer"])
def test_names_on_the_wire_are_those_of_the_rules(kind):
    names = {"reason": [reason.value for reason in EndReason], "offer": ["take_back", "draw", *REMATCH_OFFERS]}[kind]
    assert sorted(get_args({"reason": schemas.ReasonName, "offer": schemas.OfferName}[kind])) == sorted(names)


def test_no_route_waits_for_a_thread(client):
    """All routes are coroutines. FastAPI runs a plain function in a thread, which gets little time while the server is
    busy."""
    routes = [route for route in client.server.config.loaded_app.routes if isinstance(route, APIRoute)]
    calls = {call for route in routes for call in calls_of(route.dependant)}
    assert len(calls) > len(routes)
    assert not [call for call in calls if not (iscoroutinefunction(call) or iscoroutinefunction(type(call).__call__))]


def calls_of(dependant):
    yield dependant.call
    for part in dependant.dependencies:
        yield from calls_of(part)
