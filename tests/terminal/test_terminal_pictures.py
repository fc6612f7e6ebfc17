"""Tests pictures in terminals. A picture is shown only if the terminal says that it supports pictures; otherwise the
board is drawn with characters. The program reads every answer of the terminal."""

import base64
import io
import re

import pytest
from PIL import Image

from connectk import Position
from connectk.drawing.board import picture_of
from connectk.terminal.pictures import Protocol, _may_ask, _protocol_of, sixels, write_picture
from tests.terminal.command import Terminal

KITTY, ITERM, NOTHING = "\x1b_Gi=31;OK\x1b\\", "\x1b]1337;ReportCellSize=17.0;8.0\x1b\\", ""
PLAIN_TERMINAL, SIXEL_TERMINAL = "\x1b[?1;2c", "\x1b[?62;4;22c"
DRAWN = "○ ○"
SOLVE = ["solve", "4455"]


@pytest.mark.parametrize(
    ("answer", "protocol"),
    [
        (KITTY + PLAIN_TERMINAL, Protocol.KITTY),
        (ITERM + SIXEL_TERMINAL, Protocol.ITERM),
        (SIXEL_TERMINAL, Protocol.SIXEL),
        (PLAIN_TERMINAL, None),
        ("\x1b[?64;41c", None),
        (NOTHING, None),
    ],
)
def test_the_answer_tells_what_the_terminal_can(answer, protocol):
    assert _protocol_of(answer.encode()) is protocol


def test_terminals_that_would_print_the_question_are_not_asked():
    assert _may_ask({"TERM": "xterm-256color"})
    assert not any(_may_ask({"TERM": name}) for name in ("dumb", "linux", "screen.xterm-256color"))
    assert not _may_ask({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"})
    assert not _may_ask({})


PICTURE = picture_of(Position.from_moves("4455"), paper=True)


def png_of(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data)))


def test_kitty_gets_a_png_in_pieces_of_at_most_4096():
    pieces = re.findall(rb"\x1b_G([^;]*);([^\x1b]*)\x1b\\", write_picture(PICTURE, 30, Protocol.KITTY))
    assert pieces[0][0].startswith(b"a=T,f=100,q=2,c=30,")
    assert [head[-1:] for head, _ in pieces] == [b"1"] * (len(pieces) - 1) + [b"0"]
    assert max(len(data) for _, data in pieces) <= 4096
    assert png_of(b"".join(data for _, data in pieces)).width > 400


def test_iterm_gets_the_same_png_in_one_piece():
    data = write_picture(PICTURE, 30, Protocol.ITERM)
    assert png_of(data.partition(b"width=30:")[2].removesuffix(b"\x07\n")).width > 400


def test_sixels_show_every_pixel_in_its_colour():
    """Decoding sixels as a terminal does gives every pixel in its colour."""
    image = Image.new("RGB", (9, 8), (255, 0, 0))
    image.paste((0, 0, 255), (2, 1, 8, 7))
    assert unsixel(b"".join(sixels(image))) == image


def unsixel(data: bytes) -> Image.Image:
    width, height = map(int, re.match(rb'"1;1;(\d+);(\d+)', data).groups())
    image, colours, colour, x, y = Image.new("RGB", (width, height)), {}, 0, 0, 0
    for define, number, repeat, sign in re.findall(rb"#(\d+;2;[\d;]+)|#(\d+)|(?:!(\d+))?([?-~$-])", data):
        if define:
            index, _, *parts = map(int, define.split(b";"))
            colours[index] = tuple(round(part * 255 / 100) for part in parts)
        elif number:
            colour = int(number)
        elif sign == b"$":
            x = 0
        elif sign == b"-":
            x, y = 0, y + 6
        else:
            count = int(repeat or 1)
            for across in range(x, x + count):
                for bit in range(6):
                    if (sign[0] - 63) >> bit & 1:
                        image.putpixel((across, y + bit), colours[colour])
            x += count
    return image


@pytest.fixture
def solved(tmp_path):
    """A function that runs `connectk solve` in a terminal with this answer to the program's question."""
    opened = []

    def run(answer, *words, **more):
        terminal = Terminal(tmp_path, command=[*SOLVE, *words], LANG="C.UTF-8", **more)
        opened.append(terminal)
        if answer:
            terminal.wait_for_bytes(b"\x1b[c")
            terminal.type(answer)
        assert terminal.end() == 0
        return terminal

    yield run
    for terminal in opened:
        terminal.close()


def test_a_terminal_that_can_gets_a_picture(solved):
    terminal = solved(KITTY + PLAIN_TERMINAL)
    assert b"\x1b_Ga=T,f=100" in terminal.seen
    assert DRAWN not in terminal.text
    assert terminal.is_sane


@pytest.mark.parametrize("how", [{"CONNECTK_PICTURES": "0"}, {"CONNECTK_PLAIN": "1"}, {"TERM": "linux"}])
def test_nobody_is_asked_who_cannot_or_does_not_want(solved, how):
    terminal = solved(NOTHING, **how)
    assert DRAWN in terminal.text
    assert b"\x1b_G" not in terminal.seen


def test_other_terminals_get_characters_and_no_answer_is_left(solved):
    terminal = solved(PLAIN_TERMINAL)
    assert DRAWN in terminal.text
    assert b"\x1b_Ga=T" not in terminal.seen
    assert b"?1;2c" not in terminal.seen, "the answer is not echoed"
    assert b"\r\x1b[K" in terminal.seen, "what a terminal prints of the question is erased"
