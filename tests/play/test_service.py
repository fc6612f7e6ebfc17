"""The one door: what it lets through, what it stores, whom it tells, without any network or database."""

import asyncio

import pytest

from connectk.play.attendant import Attendant, Move
from connectk.play.events import Dropped
from connectk.play.match import Seat, Setup, TimeControl
from connectk.play.protocols import LocalFeed, Recorded
from connectk.play.refusals import Busy, NotYourTurn, StalePly, ThinkingFailed
from connectk.play.service import MatchService
from connectk.rules import EndReason, Position, Side
from tests.play.memory import MemoryStore

BOTH = {Side.FIRST, Side.SECOND}
PEOPLE = Setup(Position.start(), Seat("Ann"), Seat("Bob"))
COMPUTER = Setup(Position.start(), Seat("Ann"), Seat("C", player="random"))


class Told(LocalFeed):
    """A feed that notes what was stored when it was told."""

    def __init__(self, store: MemoryStore) -> None:
        super().__init__()
        self.listen(lambda match_id, seq, _: self.heard.append((seq, len(store.events.get(match_id or "", ())))))
        self.heard: list[tuple[int, int]] = []


def test_everyone_is_told_after_it_is_stored_and_only_then():
    async def use():
        store = MemoryStore()
        feed = Told(store)
        service = MatchService(store, feed)
        match = (await service.create(PEOPLE, mine=BOTH)).match
        for ply in range(5):
            await service.drop(match.id, Side(ply % 2), ply, ply)
        with pytest.raises(NotYourTurn):
            await service.drop(match.id, Side.FIRST, 0, 5)
        assert feed.heard == [(seq, seq) for seq in range(6)]

    asyncio.run(use())


def test_another_process_was_quicker():
    """The door looks again, and answers for the match as it is now."""

    async def use():
        store = MemoryStore()
        service = MatchService(store, LocalFeed())
        match = (await service.create(PEOPLE, mine=BOTH)).match
        store.events[match.id].append(Recorded(Dropped(Side.FIRST, 3, 1.0)))
        with pytest.raises(StalePly):
            await service.drop(match.id, Side.FIRST, 2, 0)
        receipt = await service.drop(match.id, Side.SECOND, 3, 1)
        assert receipt.match.moves == (3, 3)

    asyncio.run(use())


def test_a_drop_goes_on_when_the_one_who_asked_has_left():
    """Cancelled half-way: it is stored and told all the same, never one without the other."""

    async def use():
        store = MemoryStore()
        gate = asyncio.Event()
        append = store.append

        async def slow_append(change):
            await gate.wait()
            await append(change)

        store.append = slow_append
        feed = Told(store)
        service = MatchService(store, feed)
        match = (await service.create(PEOPLE, mine=BOTH)).match
        asking = asyncio.ensure_future(service.drop(match.id, Side.FIRST, 3, 0))
        await asyncio.sleep(0.01)
        asking.cancel()
        gate.set()
        await asyncio.sleep(0.01)
        assert feed.heard == [(0, 0), (1, 1)]
        assert (await service.get(match.id)).moves == (3,)

    asyncio.run(use())


def attended(think, setup=COMPUTER):
    """A service whose computer player thinks like this."""
    service = MatchService(MemoryStore(), LocalFeed())
    failures = []
    return service, Attendant(service, think, lambda match, error: failures.append(error)), failures, setup


def test_a_computer_player_uses_the_same_door():
    async def think(match_id, player, position, left):
        return Move(position.legal_columns[0], {"score": 1})

    async def use():
        service, attendant, _, setup = attended(think)
        match = (await service.create(setup, mine={Side.FIRST})).match
        await service.drop(match.id, Side.FIRST, 3, 0)
        await asyncio.sleep(0.02)
        assert (await service.get(match.id)).moves == (3, 0)
        await attendant.close()

    asyncio.run(use())


def test_what_a_player_thought_about_another_board_is_not_played():
    """Taken back and played differently while it thinks: the thought is stopped and a new one begins."""

    async def use():
        seen = []

        async def think(match_id, player, position, left):
            seen.append(position)
            await asyncio.sleep(0.05)
            return Move(6)

        service, attendant, _, setup = attended(think)
        match = (await service.create(setup, mine={Side.FIRST})).match
        await service.drop(match.id, Side.FIRST, 3, 0)
        await asyncio.sleep(0.01)
        await service.take_back(match.id, {Side.FIRST})
        await service.drop(match.id, Side.FIRST, 2, 0)
        await asyncio.sleep(0.2)
        assert [position.last_drop.column for position in seen] == [3, 2]
        assert (await service.get(match.id)).moves == (2, 6)
        await attendant.close()

    asyncio.run(use())


@pytest.mark.parametrize("column", [99, None])
def test_a_player_that_fails_forfeits(column):
    async def think(match_id, player, position, left):
        if column is None:
            raise ValueError("no idea")
        return Move(column)

    async def use():
        service, attendant, failures, setup = attended(think)
        match = (await service.create(setup, mine={Side.FIRST})).match
        await service.drop(match.id, Side.FIRST, 3, 0)
        await asyncio.sleep(0.02)
        result = (await service.get(match.id)).result
        assert (result.winner, result.reason, len(failures)) == (Side.FIRST, EndReason.FORFEIT, 1)
        await attendant.close()

    asyncio.run(use())


@pytest.mark.parametrize(("failures", "moves"), [(2, (3, 0)), (3, (3,))])
def test_a_thinker_that_dies_is_asked_again_a_few_times(failures, moves):
    """A crash is not the player's fault at first; after three the match must not hang."""

    async def use():
        tries = []

        async def think(match_id, player, position, left):
            tries.append(left)
            if len(tries) <= failures:
                raise ThinkingFailed
            return Move(0)

        service, attendant, _, setup = attended(think)
        match = (await service.create(setup, mine={Side.FIRST})).match
        await service.drop(match.id, Side.FIRST, 3, 0)
        await asyncio.sleep(0.02)
        match = await service.get(match.id)
        assert match.moves == moves
        assert (match.result is None) == (failures == 2)
        await attendant.close()

    asyncio.run(use())


def test_a_player_waits_when_all_thinkers_are_busy():
    async def use():
        tries = []

        async def think(match_id, player, position, left):
            tries.append(left)
            if len(tries) == 1:
                raise Busy
            return Move(0)

        service, attendant, _, setup = attended(think)
        match = (await service.create(setup, mine={Side.FIRST})).match
        await service.drop(match.id, Side.FIRST, 3, 0)
        await asyncio.sleep(0.5)
        assert (await service.get(match.id)).moves == (3, 0)
        await attendant.close()

    asyncio.run(use())


def test_a_clock_runs_out_by_itself():
    async def use():
        service, attendant, _, _ = attended(None)
        clocked = Setup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(0.1))
        match = (await service.create(clocked, mine=BOTH)).match
        await asyncio.sleep(0.3)
        assert (await service.get(match.id)).result.reason is EndReason.TIME
        await attendant.close()

    asyncio.run(use())
