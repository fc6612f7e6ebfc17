"""Round robins: the order in which pairs play, and tie-breaks for players with equal points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

GamePoints = tuple[int, int, float, float]  # two players and the points of each


def round_robin_pairs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs, round by round. The order comes from the circle method: the first player keeps its seat, and the other
    players rotate."""
    seats: list[int | None] = [*numbers, *([None] if len(numbers) % 2 else [])]
    for _ in range(len(seats) - 1):
        for one, other in zip(seats[: len(seats) // 2], reversed(seats[len(seats) // 2 :]), strict=True):
            if one is not None and other is not None:
                yield one, other
        seats = [seats[0], seats[-1], *seats[1:-1]]


def direct_encounter(games: Iterable[GamePoints], points: Mapping[int, float]) -> dict[int, float]:
    """For each player, the points from games against players with the same total number of points."""
    found = dict.fromkeys(points, 0.0)
    for one, other, gained, theirs in games:
        if points[one] == points[other]:
            found[one] += gained
            found[other] += theirs
    return found


def sonneborn_berger(games: Iterable[GamePoints], points: Mapping[int, float]) -> dict[int, float]:
    """The Sonneborn-Berger score of each player: the points of all opponents that the player beat, plus half the points
    of all opponents with whom the player drew."""
    found = dict.fromkeys(points, 0.0)
    for one, other, gained, theirs in games:
        found[one] += gained * points[other]
        found[other] += theirs * points[one]
    return found


def is_annulled(played: int, due: int) -> bool:
    """Whether all games of a leaving player are annulled, because the player has played fewer than half of the `due`
    games."""
    return played == 0 or 2 * played < due
