"""Pairs the rounds of a Swiss tournament. Each possible pair has a cost, and the round is the perfect matching with the
lowest total cost.

High costs avoid, from the most important on: a difference of more than two between a player's games as first and as
second, a second bye, a rematch, and a bye for a strong player. Lower costs avoid pairs with unequal points, and three
games in a row on the same side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from connectk.rules import Side

MAX_SIDE_DIFFERENCE = 2  # between a player's games as first and as second
LOPSIDED_COST, SECOND_BYE_COST, REMATCH_COST = 10**10, 10**9, 10**8  # so far apart that a larger cost decides first
REST_COST, BYE_POINT_COST = 10**6, 10**4
POINTS_COST, RUN_COST, SIDE_DIFFERENCE_COST, REPEATED_SIDE_COST = 100, 800, 30, 5
ALL_PAIRS_PLAYERS = 64  # with more players, only pairs near each other in the table are tried first
NEAR_PLAYERS = 48

SwissPair = tuple[int, int]  # first moves first


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """A player before a round: the points, the opponents so far, and the sides in the games so far, in the order of the
    games."""

    number: int
    points: float = 0.0
    met: tuple[int, ...] = ()
    sides: tuple[Side, ...] = ()
    byes: int = 0
    rests_first: bool = False  # a computer player, which gets a bye before any person does

    @property
    def side_difference(self) -> int:
        """The number of the player's games as first, minus the number of the player's games as second."""
        return 2 * self.sides.count(Side.FIRST) - len(self.sides)


@dataclass(frozen=True, slots=True)
class SwissRound:
    """The pairs of a round, and the player with a bye if there is one. The first player of each pair moves first."""

    pairs: tuple[SwissPair, ...]
    bye: int | None = None


def pair_swiss_round(players: Iterable[SwissPlayer]) -> SwissRound:
    """Pair the next round. The pairs at the top of the table come first. The same players always get the same pairs."""
    table = sorted(players, key=lambda player: (-player.points, player.number))
    places = _matched(table, NEAR_PLAYERS) if len(table) > ALL_PAIRS_PLAYERS else None
    places = places or _matched(table, len(table))
    bye = next((table[place].number for place, other in places if other == len(table)), None)
    pairs = (order_sides(table[place], table[other]) for place, other in places if other < len(table))
    return SwissRound(tuple((one.number, other.number) for one, other in pairs), bye)


def _matched(table: Sequence[SwissPlayer], reach: int) -> list[tuple[int, int]]:
    """The pairs with the lowest total cost, as places in the table; empty if it is impossible to pair all players.

    The two places of a pair differ by at most `reach`. If the number of players is odd, one more place is added at the
    end of the table. The player paired with that place has a bye.
    """
    edges = [*_pair_costs(table, reach), *(_bye_costs(table) if len(table) % 2 else ())]
    return match_at_least_cost(len(table) + len(table) % 2, edges)


def match_at_least_cost(count: int, costs: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The pairs with the lowest total cost in which each of `count` places occurs exactly once. Empty if there are no
    such pairs. `costs` lists the possible pairs, each with its cost."""
    import rustworkx

    edges = list(costs)
    if not edges:
        return []
    dearest = max(cost for _, _, cost in edges)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * count)
    graph.add_edges_from([(one, other, dearest - cost) for one, other, cost in edges])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    whole = len(matching) == count // 2
    return sorted((min(pair), max(pair)) for pair in matching) if whole else []


def _pair_costs(table: Sequence[SwissPlayer], reach: int) -> Iterator[tuple[int, int, int]]:
    for place, one in enumerate(table):
        for below, other in enumerate(table[place + 1 : place + 1 + reach], start=place + 1):
            yield place, below, pair_cost(one, other)


def pair_cost(one: SwissPlayer, other: SwissPlayer) -> int:
    """The cost of a game between two players. A rematch, a difference of points and repeated sides add to the cost."""
    points = round(2 * (one.points - other.points))
    cost = POINTS_COST * points**2 + REMATCH_COST * one.met.count(other.number)
    return cost + _side_cost(*order_sides(one, other))


def _bye_costs(table: Sequence[SwissPlayer]) -> Iterator[tuple[int, int, int]]:
    """The cost of a bye for each player. A bye costs least for the players with the fewest byes. Among them, it costs
    less for computer players than for people, and less for players lower in the table."""
    fewest = min(player.byes for player in table)
    for place, player in enumerate(table):
        again = SECOND_BYE_COST * (player.byes - fewest)
        standing = BYE_POINT_COST * round(2 * player.points) + len(table) - place
        yield place, len(table), again + standing + (0 if player.rests_first else REST_COST)


def order_sides(one: SwissPlayer, other: SwissPlayer) -> tuple[SwissPlayer, SwissPlayer]:
    """The two players in the order of their sides. The player who has had fewer games as first gets the first side.

    If both have had equally many, it is the player who was second in the last round in which their sides differed.
    """
    if one.side_difference != other.side_difference:
        return (one, other) if one.side_difference < other.side_difference else (other, one)
    for mine, theirs in zip(reversed(one.sides), reversed(other.sides), strict=False):
        if mine != theirs:
            return (one, other) if mine is Side.SECOND else (other, one)
    low, high = (one, other) if one.number < other.number else (other, one)
    return (low, high) if (low.number + high.number) % 2 else (high, low)


def _side_cost(first: SwissPlayer, second: SwissPlayer) -> int:
    return _cost_of_side(first, Side.FIRST) + _cost_of_side(second, Side.SECOND)


def _cost_of_side(player: SwissPlayer, side: Side) -> int:
    difference = abs(player.side_difference + (1 if side is Side.FIRST else -1))
    lopsided = LOPSIDED_COST if difference > MAX_SIDE_DIFFERENCE else 0
    running = RUN_COST if player.sides[-2:] == (side, side) else 0
    repeated = REPEATED_SIDE_COST if player.sides[-1:] == (side,) else 0
    return lopsided + running + repeated + SIDE_DIFFERENCE_COST * difference**2
