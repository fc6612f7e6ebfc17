"""Two people do random things over HTTP or over the socket, and the server answers by the rules."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from connectk.errors import ColumnFull, ColumnOutOfRange
from connectk.rules import Game, Side, Variant
from tests.server.clients import Socket, act, drop, look, make_for_two
from tests.strategies import variants


class OverHttp:
    """Sends drops as requests."""

    def __init__(self, client: Any, match_id: str, secrets: tuple[str, str]) -> None:
        self._client, self._id, self._secrets = client, match_id, secrets

    def drop(self, side: Side, column: int, ply: int, key: str | None) -> tuple[str, int | None]:
        headers = {"Idempotency-Key": key} if key else {}
        answer = drop(self._client, self._id, self._secrets[side.value], column, ply, **headers).json()
        return answer.get("reason", "done"), answer.get("seq")

    def act(self, side: Side, what: str) -> str:
        body = {} if what == "take-back" else None
        return str(act(self._client, self._id, self._secrets[side.value], what, body).json().get("reason", "done"))

    def close(self) -> None:
        pass


class OverSocket:
    """Sends requests as socket messages. Both sides listen, and both must get the same events."""

    def __init__(self, client: Any, match_id: str, secrets: tuple[str, str]) -> None:
        self._sockets = [Socket(client, match_id, secret, after=1) for secret in secrets]
        self._received: list[list[int]] = [[], []]

    def drop(self, side: Side, column: int, ply: int, key: str | None) -> tuple[str, int | None]:
        answer = self._ask(side, {"type": "drop", "column": column, "ply": ply, "key": key})
        return answer.get("reason", "done"), answer.get("seq")

    def act(self, side: Side, what: str) -> str:
        return str(self._ask(side, {"type": what.replace("-", "_")}).get("reason", "done"))

    def _ask(self, side: Side, message: dict[str, Any]) -> dict[str, Any]:
        answer, events = self._sockets[side.value].ask(message)
        self._received[side.value] += [event["seq"] for event in events]
        return answer

    def close(self) -> None:
        """Check that each side got every event once and in order."""
        for side, socket in zip(Side, self._sockets, strict=True):
            answer, events = socket.ask({"type": "ping"})
            assert answer["type"] == "pong"
            numbers = self._received[side.value] + [event["seq"] for event in events]
            assert numbers == list(range(2, 2 + len(numbers)))
            socket.close()


class TwoPeople(RuleBasedStateMachine):
    """A model of a match: its game, its open offer, and its result if it ended before the game was over on the
    board."""

    client: Any
    transport: Any

    @initialize(variant=variants(most=5))
    def begin(self, variant: Variant) -> None:
        shape = {"width": variant.width, "height": variant.height, "run": variant.run}
        self.id, *secrets = make_for_two(self.client, variant=shape)
        self.secrets = (secrets[0], secrets[1])
        self.way = self.transport(self.client, self.id, self.secrets)
        self.game, self.offer, self.ended, self.seq = Game(variant), None, False, 1
        self.keys: dict[tuple[Side, str], tuple[int, tuple[int, int]]] = {}

    def _expected(self, side: Side, column: int, ply: int) -> str:
        if self.ended or self.game.outcome:
            return "match_over"
        if ply != self.game.position.ply:
            return "stale"
        if side is not self.game.position.side_to_move:
            return "not_your_turn"
        try:
            self.game.position.drop(column)
        except ColumnFull:
            return "column_full"
        except ColumnOutOfRange:
            return "column_out_of_range"
        return "done"

    @rule(
        side=st.sampled_from(Side),
        column=st.integers(0, 6),
        late=st.sampled_from([0, 0, 0, 0, -1, 1]),
        key=st.sampled_from([None, None, "a", "b"]),
    )
    def try_to_drop(self, side: Side, column: int, late: int, key: str | None) -> None:
        ply = max(0, self.game.position.ply + late)
        self._drop(side, column, ply, key)

    @rule(choice=st.integers(0, 100))
    @precondition(lambda self: not self.ended and not self.game.outcome)
    def drop_well(self, choice: int) -> None:
        legal = self.game.position.legal_columns
        self._drop(self.game.position.side_to_move, legal[choice % len(legal)], self.game.position.ply, None)

    def _drop(self, side: Side, column: int, ply: int, key: str | None) -> None:
        used = self.keys.get((side, key)) if key else None
        answer, seq = self.way.drop(side, column, ply, key)
        if used:
            assert (answer, seq) == (("done", used[0]) if used[1] == (column, ply) else ("key_reused", None))
            return
        assert answer == self._expected(side, column, ply)
        if answer == "done":
            self.game.drop(column)
            self.seq, self.offer = self.seq + 1, None
            assert seq == self.seq
            if key:
                self.keys[side, key] = self.seq, (column, ply)

    @rule(side=st.sampled_from(Side))
    def take_back(self, side: Side) -> None:
        ply = self.game.position.ply
        target = ply - (1 if self.game.position.side_to_move is not side else 2)
        expected = (
            "match_over" if self.ended
            else "nothing_to_take_back" if target < 0
            else "already_offered" if self.offer
            else "done"
        )  # fmt: skip
        assert self.way.act(side, "take-back") == expected
        if expected == "done":
            self.offer, self.seq = (side, target), self.seq + 1

    @rule(side=st.sampled_from(Side), yes=st.booleans())
    def answer(self, side: Side, yes: bool) -> None:
        free = self.offer is None or (yes and self.offer[0] is side)
        assert self.way.act(side, "accept" if yes else "decline") == ("no_offer" if free else "done")
        if not free and self.offer:
            while yes and self.game.position.ply > self.offer[1]:
                self.game.undo()
            self.offer, self.seq = None, self.seq + 1

    @rule(side=st.sampled_from(Side), really=st.integers(0, 9))
    def resign(self, side: Side, really: int) -> None:
        if really:
            return
        over = self.ended or self.game.outcome
        assert self.way.act(side, "resign") == ("match_over" if over else "done")
        if not over:
            self.ended, self.offer, self.seq = True, None, self.seq + 1

    @invariant()
    def the_server_shows_the_same_game(self) -> None:
        if not hasattr(self, "game"):
            return
        seen = look(self.client, self.id, self.secrets[0])
        position = self.game.position
        assert (seen["moves"], seen["seq"]) == (list(self.game.moves), self.seq)
        assert seen["state"]["legal_columns"] == ([] if self.ended else list(position.legal_columns))
        assert (seen["state"]["result"] is not None) == bool(self.ended or self.game.outcome)

    def teardown(self) -> None:
        if hasattr(self, "way"):
            self.way.close()


@pytest.mark.parametrize("transport", [OverHttp, OverSocket])
@pytest.mark.parametrize("matches", [12, pytest.param(100, marks=pytest.mark.deep)])
def test_the_server_answers_as_the_rules_do(client, transport, matches):
    machine = type("Machine", (TwoPeople,), {"client": client, "transport": transport})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=matches, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
