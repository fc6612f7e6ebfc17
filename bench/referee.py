"""Measures the speed of judging game files, beside a C program that only reads the same bytes and adds the numbers up.

python bench/referee.py           everything, with 100,000 files in a folder and one file of 100 MB python
bench/referee.py --quick   a tenth of that

All figures are processor times. Both programs run several rounds in turn, and the best round counts. A ratio is
connectk's time divided by the time of the C program.
"""

import random
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from connectk.referee import find_game_files, judge_bytes, judge_many, judge_plainly

IS_QUICK = "--quick" in sys.argv
REPETITIONS = 5
TARGET_SPEEDUP = 5.0
BYTE_SUM_SOURCE = r"""
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned long sum;

static void add_up(const char *bytes, size_t size) {
    unsigned long number = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = (unsigned char)bytes[i] - '0';
        if (digit < 10) number = number * 10 + digit;
        else sum += number, number = 0;
    }
    sum += number;
}

static size_t read_file(const char *path, char *into, size_t room) {
    FILE *file = fopen(path, "rb");
    setvbuf(file, NULL, _IONBF, 0);
    size_t size = fread(into, 1, room, file);
    fclose(file);
    return size;
}

int main(int count, char **arguments) {  /* a file: only adding up is timed; a folder: opening and reading too */
    clock_t start = clock();
    size_t room = 200000000;
    char *bytes = malloc(room), path[4096];
    DIR *folder = opendir(arguments[1]);
    if (!folder) {
        size_t size = read_file(arguments[1], bytes, room);
        start = clock();
        add_up(bytes, size);
    } else for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", arguments[1], entry->d_name);
        add_up(bytes, read_file(path, bytes, room));
    }
    printf("%.9f %lu\n", (double)(clock() - start) / CLOCKS_PER_SEC, sum);
}
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        add_up = build_add_up(folder)
        print(f"{'':40}{'million moves/s':>16}{'adding up':>12}{'ratio':>8}")
        for title, data in big_games():
            compare_bytes(title, data, add_up, folder)
        compare_plain_referee()
        compare_folder(folder, add_up)
        compare_start(folder)


def build_add_up(folder: Path) -> Path:
    source, program = folder / "add_up.c", folder / "add_up"
    source.write_text(BYTE_SUM_SOURCE, encoding="ascii")
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    subprocess.run([compiler, "-O3", "-o", program, source], check=True)
    return program


def big_games() -> Iterator[tuple[str, bytes]]:
    rng = random.Random(1)
    yield "1000x1000, run 4, 1,000,000 moves", drawn_game(1000, 1000, rng)
    yield "500x500, run 50, 250,000 moves", shuffled_game(500, 500, 50, rng)
    scattered = [rng.randint(1, 10**9) for _ in range(1_000_000)]
    yield "10^9 x 10^9, run 4, 1,000,000 moves", game_file_bytes(10**9, 10**9, 4, scattered)
    heights = 420 if IS_QUICK else 4200
    two_rows = drops_of_row(5000, 0) + drops_of_row(5000, 1)
    yield (
        f"one file of {heights // 42} MB, 5000 wide, run 4",
        game_file_bytes(5000, heights, 4, two_rows * (heights // 2)),
    )


def game_file_bytes(width: int, height: int, run: int, columns: list[int]) -> bytes:
    return "".join([f"{width} {height} {run}\n", *map("{}\n".format, columns)]).encode("ascii")


def side_of(column: int, row: int) -> int:
    """The owner of a cell in a pattern without four discs in a line: each row consists of pairs, and rows alternate."""
    return (column // 2 + row) % 2


def drawn_game(width: int, height: int, rng: random.Random) -> bytes:
    """A drawn game with the columns in random order. A few cells of the board may stay empty."""
    heights = [0] * width
    ready: tuple[list[int], list[int]] = ([], [])
    for column in range(width):
        ready[side_of(column, 0)].append(column)
    moves = []
    for ply in range(width * height):
        waiting = ready[ply % 2]
        if not waiting:
            break
        chosen = rng.randrange(len(waiting))
        waiting[chosen], waiting[-1] = waiting[-1], waiting[chosen]
        column = waiting.pop()
        moves.append(column + 1)
        heights[column] += 1
        if heights[column] < height:
            ready[side_of(column, heights[column])].append(column)
    return game_file_bytes(width, height, 4, moves)


def shuffled_game(width: int, height: int, run: int, rng: random.Random) -> bytes:
    moves = [column + 1 for column in range(width) for _ in range(height)]
    rng.shuffle(moves)
    return game_file_bytes(width, height, run, moves)


def drops_of_row(width: int, row: int) -> list[int]:
    """The drops of one row of the pattern, from the left. The players take turns."""
    first, second = ([column + 1 for column in range(width) if side_of(column, row) == side] for side in (0, 1))
    return [column for pair in zip(first, second, strict=True) for column in pair]


def compare_bytes(title: str, data: bytes, add_up: Path, folder: Path) -> None:
    path = folder / "game.txt"
    path.write_bytes(data)
    ours, theirs = best_in_turns(lambda: processor_time(lambda: judge_bytes(data)), lambda: c_time(add_up, path))
    verdict = judge_bytes(data)
    rates = [verdict.moves / 1e6 / seconds for seconds in (ours, theirs)]
    print(
        f"{title:40}{rates[0]:16.1f}{rates[1]:12.1f}{ours / theirs:8.2f}   code {verdict.code:d}{missed(ours, theirs)}"
    )


def compare_plain_referee() -> None:
    """Print the speed of the plain Python referee, measured on a smaller game."""
    data = drawn_game(100, 200, random.Random(2))
    plain, core = best_in_turns(
        lambda: processor_time(lambda: judge_plainly(data)), lambda: processor_time(lambda: judge_bytes(data))
    )
    faster = f"the core: {plain / core:.0f} times faster"
    print(f"{'plain Python referee, 20,000 moves':40}{0.02 / plain:16.2f}      ({faster})")


def compare_folder(folder: Path, add_up: Path) -> None:
    games = folder / "games"
    count = 10_000 if IS_QUICK else 100_000
    write_small_games(games, count)
    command = [Path(sys.executable).parent / "connectk", "judge", "--json", games]
    ours, theirs = best_in_turns(
        lambda: processor_time(lambda: sum(1 for _ in judge_many(list(find_game_files([str(games)]))))),
        lambda: c_time(add_up, games),
    )
    program = min(child_time(command) for _ in range(2))
    print(f"\n{f'{count:,} small files in a folder':40}{'files/s':>16}{'adding up':>12}{'ratio':>8}")
    for title, seconds in (("judge_many", ours), ("connectk judge --json", program)):
        print(
            f"{title:40}{count / seconds:16,.0f}{count / theirs:12,.0f}{seconds / theirs:8.2f}{missed(seconds, theirs)}"
        )


def write_small_games(folder: Path, count: int) -> None:
    folder.mkdir()
    rng = random.Random(3)
    columns = [column for column in range(1, 8) for _ in range(6)]
    for number in range(count):
        moves = rng.sample(columns, rng.randint(8, 42))
        (folder / f"{number:06}.txt").write_bytes(game_file_bytes(7, 6, 4, moves))


def compare_start(folder: Path) -> None:
    game = folder / "small.txt"
    game.write_bytes(game_file_bytes(7, 6, 4, [1, 2, 1, 2, 1, 2, 1]))
    connectz, nothing = best_in_turns(
        lambda: child_time([Path(sys.executable).parent / "connectz", game]),
        lambda: child_time([sys.executable, "-c", "pass"]),
        rounds=15,
    )
    limit = 2 * nothing + 0.030
    print(f"\nconnectz on a small file {1000 * connectz:.0f} ms, python -c pass {1000 * nothing:.0f} ms,", end=" ")
    print(f"limit {1000 * limit:.0f} ms" + ("" if connectz <= limit else "   MISSED"))


def missed(ours: float, theirs: float) -> str:
    return "" if ours <= TARGET_SPEEDUP * theirs else f"   MISSED {TARGET_SPEEDUP:.0f}"


def best_in_turns(
    ours: Callable[[], float], theirs: Callable[[], float], rounds: int = REPETITIONS
) -> tuple[float, float]:
    """The best times of both functions, measured in turn, so that a disturbance affects both."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def processor_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def c_time(program: Path, path: Path) -> float:
    return float(subprocess.run([program, path], capture_output=True, check=True).stdout.split()[0])


def child_time(command: list[object]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
