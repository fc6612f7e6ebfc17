"""PNG and GIF files are read again and show the drawn cells."""

import io
import subprocess
import sys

import pytest
from PIL import Image, ImageSequence

from connectk.drawing import DEFAULT_PICTURE_PIXELS, draw_gif, draw_png, raster
from connectk.drawing.board import BoardLayout, board_of
from connectk.drawing.measures import DISC_PLATE_RADIUS, DISC_RADIUS, DISC_RIM_WIDTH
from connectk.drawing.palette import LIGHT_COLOURS, rgb
from connectk.drawing.shapes import Picture, Text
from connectk.rules import Cell, Game, Position, Variant

WON = [3, 4, 3, 4, 3, 4, 3]
NAMES = ("frame", "hole", "hole-shade", "first", "second")
FRAME, HOLE, SHADE, FIRST, SECOND = (rgb(LIGHT_COLOURS[name]) for name in NAMES)
FACE = (DISC_PLATE_RADIUS + DISC_RADIUS - DISC_RIM_WIDTH) / 2  # on a disc's raised edge


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def frames_of(data: bytes) -> list[Image.Image]:
    """Each frame as a viewer shows it."""
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(io.BytesIO(data)))]


def face_of(image: Image.Image, board: BoardLayout, cell: Cell) -> tuple[int, ...]:
    """The colour of a cell at a place left of its middle, where no mark is."""
    (x, y), scale = board.middle(cell), image.width / board.width
    return image.getpixel((round(scale * (x - FACE)), round(scale * y)))


def is_nearly(pixel: tuple[int, ...], colour: tuple[int, ...]) -> bool:
    """Whether two colours are the same within the precision of 256 colours."""
    return max(abs(a - b) for a, b in zip(pixel, colour, strict=True)) <= 8


def is_hole(pixel: tuple[int, ...]) -> bool:
    """Whether a colour is between the shade at the top of a hole and the light at its bottom."""
    return all(min(a, b) - 8 <= c <= max(a, b) + 8 for a, b, c in zip(SHADE, HOLE, pixel, strict=True))


@pytest.mark.parametrize("size", [64, 333, DEFAULT_PICTURE_PIXELS])
@pytest.mark.parametrize("variant", ["7x6x4", "20x3x4"])
def test_a_png_shows_the_discs(variant, size):
    position = Position.from_moves("1,2", Variant.parse(variant))
    image, board = opened(draw_png(position, size)), board_of(position)
    assert max(image.size) == size
    if size > 100:
        halfway = round(image.width / board.width * board.frame_height / 2)
        assert is_nearly(image.getpixel((2, halfway)), FRAME)
        assert is_nearly(face_of(image, board, Cell(0, 0)), FIRST)
        assert is_nearly(face_of(image, board, Cell(1, 0)), SECOND)
        assert is_hole(face_of(image, board, Cell(0, 1)))


def test_a_gif_plays_the_game_and_ends_like_the_png():
    """The GIF shows the empty board, a frame for each disc, and the winning line at the end."""
    game, board = Game(moves=WON), board_of(Position.start())
    frames = frames_of(draw_gif(game))
    assert len(frames) == 1 + 7 + 1
    assert is_nearly(face_of(frames[1], board, Cell(3, 0)), FIRST)
    assert is_hole(face_of(frames[1], board, Cell(4, 0)))
    assert is_nearly(face_of(frames[2], board, Cell(4, 0)), SECOND)
    assert distance(frames[0], opened(draw_png(Position.start()))) < 1
    assert distance(frames[-1], opened(draw_png(game.position))) < 1


def distance(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures: from 0 to 255 for each colour channel, summed over the channels."""
    from PIL import ImageChops, ImageStat

    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean)


def test_a_move_of_a_gif_is_one_cell():
    """Each move of a GIF stores only the area of its cell, and so adds only a few bytes."""
    image = Image.open(io.BytesIO(draw_gif(Game(moves=WON))))
    tiles = []
    for number in range(1, 8):
        image.seek(number)
        left, top, right, bottom = image.dispose_extent or (0, 0, *image.size)
        tiles.append(max(right - left, bottom - top))
    assert max(tiles) <= DEFAULT_PICTURE_PIXELS / 7


def test_a_large_board_is_drawn_whole_and_a_huge_one_in_part():
    assert max(opened(draw_png(Position.start(Variant(100, 100, 4)))).size) == DEFAULT_PICTURE_PIXELS
    huge = Game(Variant(10**9, 10**9, 4), [5, 10**9 - 1, 6])
    assert len(frames_of(draw_gif(huge))) >= 2


def test_without_pillow_a_sentence_says_what_to_install():
    """Without Pillow, a sentence says what to install. The test runs in a process in which Pillow cannot be
    imported."""
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
    """Finnish and Swedish letters are never drawn as boxes. Without a font that has them, they lose their dots and
    rings."""

    def written(words: str) -> bytes:
        raster._font.cache_clear()
        return raster.write_png(Picture(100, 40, "", (Text(5, 30, words, 24, "ink"),)), 100)

    assert len({written(words) for words in ("ä", "ö", "å")}) == 3 or not has_a_font()
    monkeypatch.setattr(raster, "FALLBACK_FONT_FILES", ())
    assert written("ä") == written("å") == written("a")


def has_a_font() -> bool:
    raster._font.cache_clear()
    return isinstance(raster._font(10, False).path, str)
