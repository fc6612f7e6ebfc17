"""Two people do random things in a match with the swap rule or a three-disc start, and the server and both pages
agree."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from connectk.notation import write_start
from connectk.play import ruling
from connectk.play.events import Event, Extended, RematchMade, Swapped
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.play.refusals import Refusal
from connectk.play.service import _rematch_of
from connectk.rules import CLASSIC, Position, Side

PEOPLE = ("ann", "bob")
FAIR_START = "1o.2x.3x"


@dataclass
class Client:
    """The knowledge of one person's page: the events that it has received, and the sides that follow from them."""

    sides: frozenset[Side]
    seen: int = 0
    is_connected: bool = True

    def receive(self, event: Event, seq: int) -> None:
        if not self.is_connected:
            return
        assert seq == self.seen + 1
        self.seen = seq
        if isinstance(event, Swapped | Extended):
            self.sides = frozenset(side.other for side in self.sides)


@dataclass
class Table:
    """A match, the events so far, and both people's pages."""

    match: Match
    events: list[Event] = field(default_factory=list)
    pages: dict[str, Client] = field(default_factory=dict)


def seat_at(match: Match) -> Table:
    return Table(match, pages={name: Client(match.sides_held_by(name)) for name in PEOPLE})


class SwapMachine(RuleBasedStateMachine):
    """Two people drop, swap, take back, resign and play again. Sometimes they lose their connection."""

    now = 0.0

    @initialize(discs=st.sampled_from([1, 3]), control=st.sampled_from([None, TimeControl(30, 2)]))
    def begin(self, discs: int, control: TimeControl | None) -> None:
        seats = (Seat(name, holder=name) for name in PEOPLE)
        setup = MatchSetup(Position.start(CLASSIC), *seats, control=control, swap=True, swap_discs=discs)
        self.table = seat_at(Match.new("1", setup, self.now))

    def decide(self, who: str, order: str, *facts: object) -> None:
        """Make a request. A refused request changes nothing."""
        match, self.now = self.table.match, self.now + 0.5
        sides = match.sides_held_by(who)
        assert sides
        try:
            event = getattr(ruling, order)(match, sides, *facts, self.now)
        except Refusal:
            return
        if event is not None:
            self.happen(event)

    def happen(self, event: Event) -> None:
        table, before = self.table, self.table.match
        table.match = before.after(event)
        table.events.append(event)
        for page in table.pages.values():
            page.receive(event, table.match.seq)
        if isinstance(event, RematchMade):
            self.check_rematch(before, _rematch_of(before, event).after)

    def check_rematch(self, before: Match, after: Match) -> None:
        """Check that the person who did not begin the first match begins the rematch. The rematch has the swap rule
        again, unless it has a fair start."""
        began = before.setup.first.holder
        assert after.seat(Side.SECOND).holder == began
        assert after.exchanges == 0
        if after.setup.start.ply:
            assert write_start(after.setup.start) == FAIR_START
            assert not after.setup.swap
        else:
            assert (after.setup.swap, after.setup.swap_discs) == (before.setup.swap, before.setup.swap_discs)
        self.table = seat_at(after)

    @rule(who=st.sampled_from(PEOPLE), column=st.integers(0, 6))
    def drop(self, who: str, column: int) -> None:
        match, self.now = self.table.match, self.now + 0.5
        side = ruling.seat_to_play(match, match.sides_held_by(who))
        if column not in match.position.legal_columns:
            return
        try:
            event = ruling.drop(match, side, column, match.ply, self.now)
        except Refusal:
            return
        assert who == match.seat(match.turn).holder
        self.happen(event)

    @rule(who=st.sampled_from(PEOPLE), order=st.sampled_from(["swap", "extend", "swap", "extend", "offer_draw"]))
    def choose(self, who: str, order: str) -> None:
        self.decide(who, order)

    @rule(who=st.sampled_from(PEOPLE), to_ply=st.none() | st.integers(0, 8))
    def take_back(self, who: str, to_ply: int | None) -> None:
        self.decide(who, "take_back", to_ply)

    @rule(who=st.sampled_from(PEOPLE), order=st.sampled_from(["accept", "rematch"]))
    def agree(self, who: str, order: str) -> None:
        self.decide(who, order, "next")

    @rule(who=st.sampled_from(PEOPLE))
    @precondition(lambda self: self.table.match.ply > 6)
    def resign(self, who: str) -> None:
        self.decide(who, "resign")

    @rule(who=st.sampled_from(PEOPLE))
    def ask_for_a_fair_start(self, who: str) -> None:
        match, self.now = self.table.match, self.now + 0.5
        with suppress(Refusal):
            if event := ruling.rematch(match, match.sides_held_by(who), "next", self.now, FAIR_START):
                self.happen(event)

    @rule(seconds=st.floats(0, 20))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        if self.table.match.is_overdue(self.now):
            self.happen(ruling.call_time(self.table.match, self.now))

    @rule(who=st.sampled_from(PEOPLE))
    def lose_connection(self, who: str) -> None:
        self.table.pages[who].is_connected = False

    @rule(who=st.sampled_from(PEOPLE))
    def reconnect(self, who: str) -> None:
        """The page gets its sides at the last event that it knows, and then the events that it missed."""
        page, match = self.table.pages[who], self.table.match
        page.is_connected = True
        page.sides = match.sides_at(page.seen, match.sides_held_by(who))
        for seq, event in enumerate(self.table.events[page.seen :], page.seen + 1):
            page.receive(event, seq)

    @invariant()
    def everybody_has_one_seat_and_knows_it(self) -> None:
        match = self.table.match
        assert {seat.holder for seat in match.seats} == set(PEOPLE)
        for name, page in self.table.pages.items():
            if page.is_connected:
                assert page.sides == match.sides_held_by(name)

    @invariant()
    def a_choice_is_offered_once_to_whoever_did_not_place(self) -> None:
        match = self.table.match
        assert match.exchanges <= (1 if match.setup.swap_discs == 1 else 2)
        if match.can_swap:
            assert match.turn is match.position.side_to_move is Side.SECOND
            assert match.swapped_at is None

    @invariant()
    def the_stored_events_give_the_same_match(self) -> None:
        new = Match.new(self.table.match.id, self.table.match.setup, self.table.match.created)
        assert new.after_all(self.table.events) == self.table.match


SwapMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestSwapMachine = SwapMachine.TestCase
