"""Draws the positions that `connectk measure` asks about on 7x6x4, and solves them: python tools/make_positions.py

As many from each third of a game. Half of the games are random; in the others level 4 plays, with one disc in six at
random. The same seed draws the same positions.
"""

import random
from pathlib import Path

from connectk.envs.questions import at_random, draw, write_question
from connectk.players import Clock, load_player
from connectk.rules import CLASSIC, Position

TARGET = Path(__file__).parent.parent / "src/connectk/envs/positions/7x6x4.txt"
EACH, SEED, SLIPS = 200, 2026, 6
PLIES = [range(14), range(14, 28), range(28, 40)]  # beyond, hardly a choice is left


def like_a_person(position: Position, lots: random.Random) -> int:
    if lots.randrange(SLIPS) == 0:
        return at_random(position, lots)
    return load_player("level:4", lots.getrandbits(32)).choose(position, Clock()).column


def main() -> None:
    lots = random.Random(SEED)
    plies = [part[index % len(part)] for part in PLIES for index in range(EACH // 2)]
    lines = {}
    for choose in (at_random, like_a_person):
        for moves, question in draw(CLASSIC, plies, choose, lots):
            lines[question.position] = write_question(moves, question)
    ordered = sorted(lines, key=lambda position: position.ply)
    header = f"# moves, and the exact score of each column; python tools/make_positions.py, seed {SEED}"
    TARGET.write_text("\n".join([header, *(lines[position] for position in ordered)]) + "\n", encoding="utf-8")
    print(f"{len(ordered)} positions in {TARGET.name}")


if __name__ == "__main__":
    main()
