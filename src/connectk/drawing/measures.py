"""The sizes of a board's parts, in hundredths of a cell, shared with the page."""

from __future__ import annotations

CELL = 100
PICTURE_PIXELS = 1200  # pixels of the longer side of a picture that is shared
MARGIN = 10  # of the frame around the cells
CORNER = 26  # the radius of the frame's corners
RADIUS = 41  # of a hole, and of the disc that fills it
RIM = 3  # how much of a disc its darker edge takes
RING = 26  # the first player's mark: a ring of this radius ...
RING_WIDTH = 6  # ... and this width
CORE = 16  # the second player's mark: a core of this radius
WON_WIDTH = 9  # of the outline of a winning cell and of the line through them
LINE_EDGE = 15  # of the darker stroke beneath that line
TAG = 22  # the radius of a number on a disc ...
TAG_LETTER = 34  # ... and the height of its digit
LETTER = 25  # the height of a column's number ...
LETTER_WIDE = 46  # ... and on a board of more than so many columns
WIDE_BOARD = 12
MAX_NUMBERED_COLUMNS = 40  # on a wider board only every tenth column has its number

# The graph of a game, in units of its own: its height, how far the line keeps from the edges, and the dots' radius.
GRAPH_HEIGHT = 120
GRAPH_EDGE = 10
GRAPH_DOT = 6
GRAPH_KNOB = 7
