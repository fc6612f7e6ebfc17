"""An example evaluation: it counts discs near the centre, and neighbours of the same side."""


def evaluate(position, side):
    """The value of the position for `side`. A higher number is better."""
    discs = dict(position.discs())
    return sum(worth(cell, position, discs) * (1 if owner is side else -1) for cell, owner in discs.items())


def worth(cell, position, discs):
    """The worth of a disc: the number of columns between it and the nearest edge, plus the neighbours of its own
    side."""
    to_the_edge = min(cell.column, position.variant.width - 1 - cell.column)
    return to_the_edge + friends(cell, discs)


def friends(cell, discs):
    """The number of discs of the same side in the eight cells around this cell."""
    steps = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if (dc, dr) != (0, 0)]
    return sum(discs.get((cell.column + dc, cell.row + dr)) is discs[cell] for dc, dr in steps)
