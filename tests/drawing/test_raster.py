"""PNG and GIF: read again, they show the cells that were drawn."""

import io
import subprocess
import sys

import pytest
from PIL import Image, ImageSequence

from connectk.drawing import DEFAULT_PIXELS, draw_gif, draw_png, raster
from connectk.drawing.board import Board, board_of
from connectk.drawing.measures import RADIUS, RIM, RING, RING_WIDTH
from connectk.drawing.palette import LIGHT, rgb
from connectk.drawing.shapes import Picture, Text
from connectk.rules import Cell, Game, Position, Variant

WON = [3, 4, 3, 4, 3, 4, 3]
FRAME, HOLE, FIRST, SECOND = (rgb(LIGHT[name]) for name in ("frame", "hole", "first", "second"))
FACE = (RADIUS - RIM + RING + RING_WIDTH / 2) / 2  # between the first player's ring and the rim


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def frames_of(data: bytes) -> list[Image.Image]:
    """Each frame as the viewer sees it."""
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(io.BytesIO(data)))]


def face_of(image: Image.Image, board: Board, cell: Cell) -> tuple[int, ...]:
    """The colour of a cell, left of its middle where no mark is."""
    (x, y), scale = board.middle(cell), image.width / board.width
    return image.getpixel((round(scale * (x - FACE)), round(scale * y)))


@pytest.mark.parametrize("size", [64, 333, DEFAULT_PIXELS])
@pytest.mark.parametrize("variant", ["7x6x4", "20x3x4"])
def test_a_png_shows_the_discs(variant, size):
    position = Position.from_moves("1,2", Variant.parse(variant))
    image, board = opened(draw_png(position, size)), board_of(position)
    assert max(image.size) == size
    if size > 100:
        assert image.getpixel((image.width // 2, 2)) == FRAME
        assert face_of(image, board, Cell(0, 0)) == FIRST
        assert face_of(image, board, Cell(1, 0)) == SECOND
        assert face_of(image, board, Cell(0, 1)) == HOLE


def test_a_gif_plays_the_game_and_ends_like_the_png():
    """The empty board, a frame for each disc, and the winning line at the end."""
    game, board = Game(moves=WON), board_of(Position.start())
    frames = frames_of(draw_gif(game))
    assert len(frames) == 1 + 7 + 1
    assert face_of(frames[1], board, Cell(3, 0)) == FIRST
    assert face_of(frames[1], board, Cell(4, 0)) == HOLE
    assert face_of(frames[2], board, Cell(4, 0)) == SECOND
    assert distance(frames[0], opened(draw_png(Position.start()))) < 1
    assert distance(frames[-1], opened(draw_png(game.position))) < 1


def distance(one: Image.Image, other: Image.Image) -> float:
    """How far two pictures differ, on the mean, in steps of 255."""
    from PIL import ImageChops, ImageStat

    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean)


def test_a_move_of_a_gif_is_one_cell():
    """Only the last frame, with the line, is larger; so a longer game costs a few bytes a move."""
    image = Image.open(io.BytesIO(draw_gif(Game(moves=WON))))
    tiles = []
    for number in range(1, 8):
        image.seek(number)
        left, top, right, bottom = image.dispose_extent or (0, 0, *image.size)
        tiles.append(max(right - left, bottom - top))
    assert max(tiles) <= DEFAULT_PIXELS / 7


def test_a_large_board_is_drawn_whole_and_a_huge_one_in_part():
    assert max(opened(draw_png(Position.start(Variant(100, 100, 4)))).size) == DEFAULT_PIXELS
    huge = Game(Variant(10**9, 10**9, 4), [5, 10**9 - 1, 6])
    assert len(frames_of(draw_gif(huge))) >= 2


def test_without_pillow_a_sentence_says_what_to_install():
    """In a process of its own, where Pillow cannot be imported."""
    program = (
        "import sys; sys.modules['PIL'] = None\n"
        "from connectk import Position; from connectk.drawing import draw_png, draw_svg\n"
        "draw_svg(Position.start())\n"
        "try: draw_png(Position.start())\n"
        "except Exception as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "pip install 'connectk[pictures]'" in said


def test_letters_of_finnish_and_swedish_are_never_boxes(monkeypatch):
    """By a font of the system, or without their dots and rings where there is none."""

    def written(words: str) -> bytes:
        raster._font.cache_clear()
        return raster.write_png(Picture(100, 40, "", (Text(5, 30, words, 24, "ink"),)), 100)

    assert len({written(words) for words in ("ä", "ö", "å")}) == 3 or not has_a_font()
    monkeypatch.setattr(raster, "FONTS", ())
    assert written("ä") == written("å") == written("a")


def has_a_font() -> bool:
    raster._font.cache_clear()
    return isinstance(raster._font(10, False).path, str)
