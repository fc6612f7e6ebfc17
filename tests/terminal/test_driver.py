"""Our driver shows the same as Textual's own with fewer bytes, and drops one disc for a held key."""

import re

from hypothesis import given
from hypothesis import strategies as st

from connectk.terminal.screen.driver import HeldKeys, shorten_styles

TOKEN_PATTERN = re.compile(r"\x1b\[([0-9;]*)m|(\x1b\[[0-9;]*H)|(.)", re.DOTALL)
INVISIBLE_ON_SPACES = "colour"


def codes(kind: int) -> st.SearchStrategy[str]:
    """The codes of a text colour (3) or a background colour (4), in each form that a terminal accepts."""
    number = st.integers(0, 7)
    return st.one_of(
        number.map(lambda n: f"{kind}{n}"),
        number.map(lambda n: f"{kind}8;5;{n}"),
        number.map(lambda n: f"{kind}8;2;{n};0;38"),
        number.map(lambda n: f"{kind + 6 if kind == 3 else 10}{n}"),
    )


styles = st.builds(
    lambda parts: f"\x1b[{';'.join(parts)}m",
    st.lists(st.one_of(codes(3), codes(4), st.sampled_from("147")), max_size=3),
)
pieces = st.one_of(styles, st.sampled_from(["\x1b[0m", "\x1b[3;4H", "  ", "a", "▄ b", "\n", "\x1b[?25l"]))


def seen(data: str) -> list[tuple[str, dict[str, str]]]:
    """Each character with its style, as a terminal shows it."""
    look: dict[str, str] = {}
    found = []
    for style, move, character in TOKEN_PATTERN.findall(data):
        if character:
            hidden = character == " " and not look.keys() - {"colour", "background"}
            found.append((character, {k: v for k, v in look.items() if not (hidden and k == INVISIBLE_ON_SPACES)}))
        elif move:
            found.append((move, {}))
        else:
            look = applied(look, style.split(";"))
    return found


def applied(look: dict[str, str], words: list[str]) -> dict[str, str]:
    look = dict(look)
    while words:
        count = {"5": 3, "2": 5}[words[1]] if words[0] in ("38", "48") else 1
        code, words = words[:count], words[count:]
        number = int(code[0] or 0)
        if number == 0:
            look.clear()
            continue
        kind = "colour" if number // 10 in (3, 9) else "background" if number // 10 in (4, 10) else code[0]
        look[kind] = ";".join(code)
        if code in (["39"], ["49"]):
            del look[kind]
    return look


@given(st.lists(pieces, max_size=12).map("".join))
def test_it_looks_the_same(data: str) -> None:
    short = shorten_styles(data)
    assert seen(short) == seen(data)
    assert seen(short + "a")[-1] == ("a", {}), "the next piece starts afresh"


def test_a_row_of_the_board_states_each_colour_once() -> None:
    blue, hole = "48;2;61;95;196", "38;2;14;16;22"
    row = f"\x1b[{blue}m  \x1b[0m\x1b[{hole};{blue}m▗▄▄▖\x1b[0m" * 7
    assert shorten_styles(row) == f"\x1b[{blue}m  \x1b[{hole}m▗▄▄▖" + "  ▗▄▄▖" * 6 + "\x1b[0m"


def test_a_held_key_drops_one_disc() -> None:
    """A held key drops one disc. Other keys may repeat without a limit."""
    held = HeldKeys()
    assert [held.is_repeat("4", at) for at in (1.0, 1.03, 1.06, 1.5)] == [False, True, True, False]
    assert not held.is_repeat("5", 1.51)
    assert [held.is_repeat("left", at) for at in (2.0, 2.03)] == [False, False]
