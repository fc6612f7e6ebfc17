"""Applying events one by one or together gives the same match, and the same position at every earlier ply."""

from hypothesis import given
from hypothesis import strategies as st

from connectk.play.events import Declined, DrawOffered, Dropped, Event, Extended, Redone, Swapped, TakenBack
from connectk.play.match import SNAPSHOT_INTERVAL_MOVES, Match, MatchSetup, Seat, TimeControl
from connectk.play.match_cache import LiveMatch
from connectk.play.protocols import RecordedEvent
from connectk.rules import Position, Variant

WIDE = Variant(20, 20, 20)


def new(control: TimeControl | None, discs: int) -> Match:
    seats = Seat("Ann", holder="a"), Seat("Ann", holder="a")
    setup = MatchSetup(Position.start(WIDE), *seats, control=control, swap=True, swap_discs=discs)
    return Match.new("1", setup, 0.0)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Match, list[Event]]:
    """Sequences of drops with offers between them. Some drops are taken back and played again."""
    match = made = new(draw(st.sampled_from([None, TimeControl(60, 1)])), draw(st.sampled_from([1, 3])))
    events: list[Event] = []
    for kind in draw(st.lists(st.sampled_from("ddddddsebro"), max_size=300)):
        at = match.turn_began + draw(st.sampled_from([0.0, 0.25, 3.0]))
        side = match.position.side_to_move
        if kind == "b" and match.ply > match.first_ply_to_keep:
            event: Event = TakenBack(draw(st.integers(match.first_ply_to_keep, match.ply - 1)), at)
        elif kind == "r" and match.undone:
            event = Redone(draw(st.integers(match.ply + 1, match.ply + len(match.undone))), at)
        elif kind == "s" and match.can_swap:
            event = Swapped(side, at)
        elif kind == "e" and match.can_extend:
            event = Extended(side, at)
        elif kind == "o":
            event = Declined(side, at) if match.offer else DrawOffered(side, at)
        else:
            event = Dropped(side, draw(st.sampled_from(match.position.legal_columns)), at)
        events.append(event)
        match = match.after(event)
    return made, events


@given(histories())
def test_after_all_equals_after_each(history):
    made, events = history
    match = made
    for event in events:
        match = match.after(event)
    assert made.after_all(events) == match
    for ply in {0, SNAPSHOT_INTERVAL_MOVES - 1, SNAPSHOT_INTERVAL_MOVES, match.ply // 2, match.ply}:
        board = Position.start(WIDE)
        for column in match.moves[:ply]:
            board = board.drop(column)
        assert match.at_ply(ply) == board


@given(histories())
def test_a_loaded_match_has_every_idempotency_key(history):
    """A match from the store has the same keys as one that stayed in memory."""
    made, events = history
    recorded = [RecordedEvent(event, f"k{n}") for n, event in enumerate(events) if isinstance(event, Dropped)]
    kept = {id(item.event): item for item in recorded}
    everything = [kept.get(id(event), RecordedEvent(event)) for event in events]
    slowly = LiveMatch(made)
    for item in everything:
        slowly.add(item)
    loaded = LiveMatch.played(made, everything)
    assert (loaded.match, loaded.keys, loaded.recent) == (slowly.match, slowly.keys, slowly.recent)
