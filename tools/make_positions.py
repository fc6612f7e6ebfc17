"""Chooses and solves the positions that `connectk measure` uses on 7x6x4: python tools/make_positions.py

Each third of a game gives the same number of positions. Half of the games are random. In the other half level 4 plays,
but one disc in six is random. The same seed gives the same positions.
"""

import random
from pathlib import Path

from connectk.envs.scored_positions import draw_questions, random_legal_column, write_question
from connectk.players import Clock, load_player
from connectk.rules import CLASSIC, Position

POSITIONS_FILE = Path(__file__).parent.parent / "src/connectk/envs/positions/7x6x4.txt"
POSITIONS_PER_PHASE, SEED, RANDOM_DROPS = 200, 2026, 6
PLY_RANGES = [range(14), range(14, 28), range(28, 40)]  # later positions leave hardly any choice


def like_a_person(position: Position, lots: random.Random) -> int:
    if lots.randrange(RANDOM_DROPS) == 0:
        return random_legal_column(position, lots)
    return load_player("level:4", lots.getrandbits(32)).choose(position, Clock()).column


def main() -> None:
    lots = random.Random(SEED)
    plies = [part[index % len(part)] for part in PLY_RANGES for index in range(POSITIONS_PER_PHASE // 2)]
    lines = {}
    for choose in (random_legal_column, like_a_person):
        for moves, question in draw_questions(CLASSIC, plies, choose, lots):
            lines[question.position] = write_question(moves, question)
    ordered = sorted(lines, key=lambda position: position.ply)
    header = f"# moves, and the exact score of each column; python tools/make_positions.py, seed {SEED}"
    POSITIONS_FILE.write_text("\n".join([header, *(lines[position] for position in ordered)]) + "\n", encoding="utf-8")
    print(f"{len(ordered)} positions in {POSITIONS_FILE.name}")


if __name__ == "__main__":
    main()
