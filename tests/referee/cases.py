"""Game files for the tests: some are written here, and strategies make others."""

from __future__ import annotations

from hypothesis import strategies as st

HEADER = "7 6 4"
FIRST_WINS = "1 2 1 2 1 2 1"  # the seventh move stands on line 8
SECOND_WINS = "1 2 1 2 1 2 3 2"


def game_file(moves: str, header: str = HEADER, end: str = "\n") -> bytes:
    """A header and the moves, one on each line."""
    return "".join(line + end for line in [header, *moves.split()]).encode("ascii")


SIZES = st.one_of(st.integers(1, 9), st.sampled_from([20, 64, 65, 10**9, 2**32 - 1, 2**64 - 1, 2**64, 10**40]))
RUNS = st.one_of(st.integers(1, 5), st.sampled_from([8, 70, 10**9, 10**40]))
LINE_ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])
NUMBER_FORMATS = st.sampled_from(["{}", "{}", "{}", "{}", " {}", "{}\t", "0{}", "00000000000000000000{}"])


@st.composite
def game_files(draw: st.DrawFn) -> bytes:
    """Valid files with a few neighbouring columns, so that lines and full columns are common."""
    width, height, run = draw(SIZES), draw(SIZES), draw(RUNS)
    left = draw(st.sampled_from([1, 8, 98, width - 3, width // 2, 10**39 - 2]))
    near = st.integers(max(1, left), max(1, left) + draw(st.integers(0, 8)))
    column = near.map(lambda number: min(number, width)) if draw(st.booleans()) else near
    moves = draw(st.lists(column, max_size=draw(st.sampled_from([8, 42, 150]))))
    form, end = draw(NUMBER_FORMATS), draw(LINE_ENDS)
    text = end.join([f"{width} {height} {run}", *map(form.format, moves)])
    return (text + draw(st.sampled_from(["", end]))).encode("ascii")


@st.composite
def mutated_game_files(draw: st.DrawFn) -> bytes:
    """Files with a few bytes changed, removed or inserted."""
    data = bytearray(draw(game_files()))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        cut = draw(st.integers(0, 2))
        put = st.one_of(
            st.sampled_from([b"\n", b"\r", b" ", b"\t", b"0", b"9", b"-", b"\0", b"\n\n"]), st.binary(max_size=2)
        )
        data[at : at + cut] = draw(put)
    return bytes(data)
