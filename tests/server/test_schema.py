"""Sends requests of every shape that the OpenAPI description allows, and many that it does not.

No request causes a server error. The description names the status, type and shape of every answer."""

from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode, checks

from connectk.server.app import create_app
from tests.server.clients import bearer, make
from tests.server.serving import serving, settings_for

NOT_CALLED = ("/api/close",)
CHECKS = (
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
)
PATHS = sorted(set(create_app(settings_for("")).openapi()["paths"]) - set(NOT_CALLED))


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schema")
    with serving(settings_for(folder, analysis_seconds=0.05, move_seconds=0.05)) as client:
        made = make(client, second={"kind": "player", "player": "random"})
        schema = schemathesis.openapi.from_dict(without_tuples(client.get("/api/openapi.json").json()))
        schema.config.update(base_url=f"http://127.0.0.1:{client.port}")
        yield schema, made["match"]["id"], made["secret"]


def without_tuples(schema: Any) -> Any:
    """The same schema without `prefixItems`, which schemathesis turns into an invalid schema."""
    if isinstance(schema, list):
        return [without_tuples(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    same = {name: without_tuples(value) for name, value in schema.items()}
    if "prefixItems" in same:
        same["items"] = {"anyOf": same.pop("prefixItems")}
    return same


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("requests", [4, pytest.param(40, marks=pytest.mark.deep)])
def test_every_answer_is_one_that_is_described(api, path, mode, requests):
    schema, match_id, secret = api
    for operation in schema[path].values():

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=requests,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
            database=None,
        )
        def ask(case):
            if "match_id" in case.path_parameters and mode is GenerationMode.POSITIVE:
                case.path_parameters["match_id"], case.headers = match_id, bearer(secret)  # or else all are not found
            if "wait" in (case.query or {}) and mode is GenerationMode.POSITIVE:
                case.query["wait"] = 0.01  # it does wait, and longer than a caller here has patience
            case.validate_response(case.call(), checks=CHECKS)

        with suppress(Unsatisfiable):  # nothing can be wrong about a request without parameters
            ask()
