"""A bot in Python. It looks two drops ahead, and then counts the lines that are still open.

connectk arena examples/bot_python.py greedy --games 20
"""

from connectk import Position, Side

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def choose(position):
    """The column with the best worst case."""
    return max(position.legal_columns, key=lambda column: worst_case(position.drop(column), position.side_to_move))


def swap(position):
    """Whether to take over the other side after the first disc, under the swap rule.

    The bot does so if the other side is worth more than its own side after its best drop.
    """
    return worth(position, position.side_to_move.other) > max(
        worth(position.drop(column), position.side_to_move) for column in position.legal_columns
    )


def worst_case(position, side):
    """The worth of the position for `side` after the opponent's best reply."""
    if position.outcome:
        return worth(position, side)
    return min(worth(position.drop(column), side) for column in position.legal_columns)


def worth(position: Position, side: Side) -> float:
    if position.outcome:
        return 0 if position.outcome.is_draw else 1000 if position.outcome.winner is side else -1000
    return open_lines(position, side) - open_lines(position, side.other)


def open_lines(position, side):
    """A score for the discs in lines that the opponent has not blocked: each such line counts the square of its
    discs."""
    return sum(discs_in(position, line, side) for line in lines(position.variant))


def discs_in(position, line, side):
    owners = [position.disc_at(column, row) for column, row in line]
    return 0 if side.other in owners else owners.count(side) ** 2


def lines(variant):
    cells = {(column, row) for column in range(variant.width) for row in range(variant.height)}
    for column, row in cells:
        for right, up in DIRECTIONS:
            line = [(column + right * step, row + up * step) for step in range(variant.run)]
            if line[-1] in cells:
                yield line
