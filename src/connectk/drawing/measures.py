"""The sizes of a board's parts, in hundredths of a cell, shared with the page."""

from __future__ import annotations

from math import cos, pi, sin

CELL_SIZE = 100
PICTURE_PIXELS = 1200  # the longer side of a shared picture, in pixels
FRAME_MARGIN = 10  # of the frame around the cells
FRAME_CORNER_RADIUS = 26  # the radius of the frame's corners
DISC_RADIUS = 41  # of a hole, and of the disc that fills it
DISC_RIM_WIDTH = 3  # the width of a disc's darker edge
DISC_PLATE_RADIUS = 30  # the radius of the plate within a disc's raised edge
RING_RADIUS = 18  # the first player's mark: a ring of this radius ...
RING_WIDTH = 7  # ... and this width
STAR_RADIUS = 23  # the second player's mark: a star of this radius ...
STAR_EDGE_WIDTH = 3  # ... whose points a stroke of this width makes round
STAR_POINTS = tuple(
    (round(radius * sin(pi * i / 5), 1), round(-radius * cos(pi * i / 5), 1))
    for i in range(10)
    for radius in [STAR_RADIUS if i % 2 == 0 else 0.47 * STAR_RADIUS]
)
EMBOSS_SHIFT = 1.8  # how far below a mark its embossed edge is drawn
SHADE_HEIGHT = 3.5  # the height of the frame's shaded lower side, and of the shade at the top of a hole
GLINT_HEIGHT = 1.8  # the height of the light on the frame's upper edge, and at the bottom of a hole
WIN_RING_WIDTH = 9  # of the outline of a winning cell
WIN_LINK_WIDTH = 12  # of the links between the outlines of a line, which leave the discs' marks free ...
WIN_LINK_START = 43  # ... and begin this far from the middle of a cell, within its outline
DISC_NUMBER_RADIUS = 22  # the radius of a number on a disc ...
DISC_NUMBER_HEIGHT = 34  # ... and the height of its digit
COLUMN_NUMBER_HEIGHT = 25  # the height of a column's number ...
WIDE_BOARD_NUMBER_HEIGHT = 46  # ... and on a board of more than WIDE_BOARD_COLUMNS columns
WIDE_BOARD_COLUMNS = 12
MAX_NUMBERED_COLUMNS = 40  # on a wider board only every tenth column has a number

# The graph of a game, in its own units: its height, the distance of its line from the edges, and its dots' radius.
GRAPH_HEIGHT = 120
GRAPH_MARGIN = 10
GRAPH_DOT_RADIUS = 6
GRAPH_KNOB_RADIUS = 7
