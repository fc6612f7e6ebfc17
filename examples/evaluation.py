"""An evaluation to start from: discs near the centre, and neighbours of the same side."""


def evaluate(position, side):
    """How good the position is for `side`; more is better."""
    discs = dict(position.discs())
    return sum(worth(cell, position, discs) * (1 if owner is side else -1) for cell, owner in discs.items())


def worth(cell, position, discs):
    """A disc counts for the columns between it and the edge, and for each neighbour of its own side."""
    to_the_edge = min(cell.column, position.variant.width - 1 - cell.column)
    return to_the_edge + friends(cell, discs)


def friends(cell, discs):
    """How many of the eight cells around hold a disc of the same side."""
    steps = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if (dc, dr) != (0, 0)]
    return sum(discs.get((cell.column + dc, cell.row + dr)) is discs[cell] for dc, dr in steps)
