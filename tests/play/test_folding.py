"""A match after many events is the same however they are put together, and however far one looks back."""

from hypothesis import given
from hypothesis import strategies as st

from connectk.play.events import Declined, DrawOffered, Dropped, Event, Redone, TakenBack
from connectk.play.live import LiveMatch
from connectk.play.match import SNAPSHOT_INTERVAL_MOVES, Match, Seat, Setup, TimeControl
from connectk.play.protocols import Recorded
from connectk.rules import Position, Variant

WIDE = Variant(20, 20, 20)


def new(control: TimeControl | None) -> Match:
    seats = Seat("Ann", holder="a"), Seat("Ann", holder="a")
    return Match.new("1", Setup(Position.start(WIDE), *seats, control=control), 0.0)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Match, list[Event]]:
    """Drops, some of them taken back and played again, with offers between."""
    match = made = new(draw(st.sampled_from([None, TimeControl(60, 1)])))
    events: list[Event] = []
    for kind in draw(st.lists(st.sampled_from("dddddddbro"), max_size=300)):
        at = match.turn_began + draw(st.sampled_from([0.0, 0.25, 3.0]))
        side = match.position.side_to_move
        if kind == "b" and match.moves:
            event: Event = TakenBack(draw(st.integers(0, match.ply - 1)), at)
        elif kind == "r" and match.undone:
            event = Redone(draw(st.integers(match.ply + 1, match.ply + len(match.undone))), at)
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
    """As if it had been in memory all the time."""
    made, events = history
    recorded = [Recorded(event, f"k{n}") for n, event in enumerate(events) if isinstance(event, Dropped)]
    kept = {id(item.event): item for item in recorded}
    everything = [kept.get(id(event), Recorded(event)) for event in events]
    slowly = LiveMatch(made)
    for item in everything:
        slowly.add(item)
    loaded = LiveMatch.played(made, everything)
    assert (loaded.match, loaded.keys, loaded.recent) == (slowly.match, slowly.keys, slowly.recent)
