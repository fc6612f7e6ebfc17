"""Makes a dataset: samples distinct positions from games, solves every column, and writes shards, card and checksums.

The same recipe always gives the same files, for any number of processes and after any interruption. Each game depends
only on its number. Positions are taken in the order of the games, and only if they are new. The shards do not depend on
how the work is divided.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Literal, get_args

from connectk.cluster import PartsFolder, Pool, run_job
from connectk.cluster.files import Folder
from connectk.cluster.tables import from_parquet, require_pyarrow
from connectk.dataset.finished import DatasetResult, FinishedDataset, finish
from connectk.dataset.mix import KINDS_OF_PLAY, Mix, Play
from connectk.dataset.splits import Splits
from connectk.dataset.worker_tasks import SampledGames, SampledPositions
from connectk.errors import BadDataset, SearchStopped
from connectk.rules import CLASSIC, Variant
from connectk.solver.solver import require_supported
from connectk.watch import Progress, Stop, in_stage

DATASET_FORMAT = 2
MAX_BARREN_GAMES = 2000  # after more games in a row without a new position, a kind of play is exhausted
MIN_GAMES_PER_BATCH = 16
DEFAULT_MIX, DEFAULT_SPLITS = Mix(), Splits()
Balance = Literal["none", "ply"]
BALANCES: tuple[Balance, ...] = get_args(Balance)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that determines the content of a dataset."""

    variant: Variant = CLASSIC
    positions: int = 1_000_000
    mix: Mix = DEFAULT_MIX
    seed: int = 1
    min_discs: int = 0
    shard: int = 100_000  # the number of positions in one file
    splits: Splits = DEFAULT_SPLITS
    planes: bool = False  # whether each row also has its planes
    balance: Balance = "none"  # "ply": equally many positions with each number of discs, as far as possible

    def __post_init__(self) -> None:
        if self.balance not in BALANCES:
            raise BadDataset("error.BadDataset.balance", balance=self.balance, known=", ".join(BALANCES))

    def facts(self) -> dict[str, Any]:
        texts = {"variant": str(self.variant), "mix": str(self.mix), "splits": str(self.splits)}
        return asdict(self) | texts | {"format": DATASET_FORMAT}


def make_dataset(
    recipe: Recipe, out: str, pool: Pool, *, stop: Stop | None = None, progress: Progress | None = None
) -> DatasetResult:
    """Make, resume or grow a dataset in the folder `out`, which may be a URL. A complete dataset is only verified.

    A complete dataset of the same recipe with fewer positions grows: its files stay, and files with new positions are
    added. A stop raises `SearchStopped`, and the next call resumes the work. `progress` reports two stages, "drawing"
    and "solving".
    """
    require_pyarrow("datasets")
    require_supported(recipe.variant)
    folder = Folder(out)
    folder.make()
    before = FinishedDataset.read(folder)
    before.require_related(recipe.facts())
    if before.positions >= recipe.positions:
        return before.verified()
    plan = recipe.facts() | {"grown_from": before.steps}
    with PartsFolder(Folder(folder.path("drawing.parts")), plan) as drawn:
        chosen = _draw(recipe, before, pool, drawn, stop, in_stage("drawing", progress))
        with PartsFolder(Folder(folder.path("solving.parts")), plan) as solved:
            positions = SampledPositions(recipe.variant, chosen, recipe.splits, recipe.planes)
            run_job(pool, [positions], solved, stop=stop, progress=in_stage("solving", progress))
            if any(solved.gaps(0, positions.length)):
                raise SearchStopped(())
            made = finish(folder, recipe.variant, plan, before, solved)
            solved.remove()
        drawn.remove()
    return made


def _draw(
    recipe: Recipe,
    before: FinishedDataset,
    pool: Pool,
    parts: PartsFolder,
    stop: Stop | None,
    progress: Progress | None,
) -> list[tuple[str, Play]]:
    """The moves and the kind of play of all newly sampled positions, in random order. No position is the mirror image
    of another."""
    seen, plays = before.contents()
    chosen: list[tuple[str, Play]] = []
    owed = 0
    for play, quota in recipe.mix.quotas(recipe.positions).items():
        missing = max(0, quota - plays[play])
        wanted = missing + (owed if quota else 0)
        found = _draw_from(play, wanted, recipe, pool, parts, seen, stop, progress) if wanted else []
        owed += missing - len(found)
        chosen += [(moves, play) for moves in found]
    order = f"{recipe.seed} order" if not before.steps else f"{recipe.seed} order after {before.positions}"
    random.Random(order).shuffle(chosen)
    return chosen


def _draw_from(
    play: Play,
    wanted: int,
    recipe: Recipe,
    pool: Pool,
    parts: PartsFolder,
    seen: set[bytes],
    stop: Stop | None,
    progress: Progress | None,
) -> list[str]:
    """The moves of the first `wanted` new positions from games of this kind; fewer if the games contain no more."""
    games = MIN_GAMES_PER_BATCH + wanted // 8
    while True:
        lengths = [games if kind == play else 0 for kind in KINDS_OF_PLAY]
        board = (recipe.seed, recipe.variant, recipe.min_discs)
        sources = [SampledGames(kind, *board, length) for kind, length in zip(KINDS_OF_PLAY, lengths, strict=True)]
        run_job(pool, sources, parts, stop=stop, progress=progress)
        if any(parts.gaps(KINDS_OF_PLAY.index(play), games)):
            raise SearchStopped(())
        drawn = _drawn(parts, KINDS_OF_PLAY.index(play), games)
        first = _first_balanced if recipe.balance == "ply" else _first_new
        found, complete = first(drawn, games, wanted, seen)
        if complete:
            seen.update(found.values())
            return list(found)
        games = round(games * min(4, max(1.5, 1.1 * wanted / max(len(found), 1))))


def _drawn(parts: PartsFolder, source: int, games: int) -> Iterator[tuple[int, bytes, str]]:
    """Yields the game number, key and moves of each sampled position. They are in the order of the games, without
    gaps."""
    for chunk in parts.chunks(source):
        if chunk.start < games:
            table = from_parquet(parts.folder.read(chunk.name))
            yield from zip(*(table[name].to_pylist() for name in ("game", "key", "moves")), strict=True)


def _first_new(
    drawn: Iterator[tuple[int, bytes, str]], games: int, wanted: int, seen: set[bytes]
) -> tuple[dict[str, bytes], bool]:
    """Collect new positions. Returns their moves and keys, and whether the collection is complete.

    It is complete if it has `wanted` positions, or if more than `MAX_BARREN_GAMES` games in a row gave no new position.
    """
    found: dict[str, bytes] = {}
    keys: set[bytes] = set()
    last = 0
    for game, key, moves in drawn:
        if len(found) == wanted or game - last > MAX_BARREN_GAMES:
            break
        if key not in seen and key not in keys:
            keys.add(key)
            found[moves] = key
            last = game
    return found, len(found) == wanted or games - last > MAX_BARREN_GAMES


def _first_balanced(
    drawn: Iterator[tuple[int, bytes, str]], games: int, wanted: int, seen: set[bytes]
) -> tuple[dict[str, bytes], bool]:
    """Does the same as `_first_new`, but takes about equally many positions with each number of discs. The choice is
    limited to the positions of up to `wanted` games."""
    by_ply: dict[int, dict[str, bytes]] = {}
    keys: set[bytes] = set()
    last = 0
    for game, key, moves in drawn:
        if game >= games or game - last > MAX_BARREN_GAMES:
            break
        if key not in seen and key not in keys:
            keys.add(key)
            by_ply.setdefault(discs_in(key), {})[moves] = key
            last = game
    quotas = even_quotas({ply: len(found) for ply, found in by_ply.items()}, wanted)
    found = {moves: by_ply[ply][moves] for ply, quota in quotas.items() for moves in islice(by_ply[ply], quota)}
    settled = games >= wanted or max(quotas.values(), default=0) - min(quotas.values(), default=0) <= 1
    return found, (settled and len(found) == wanted) or games - last > MAX_BARREN_GAMES


def even_quotas(available: dict[int, int], wanted: int) -> dict[int, int]:
    """The number of positions to take for each number of discs, as equal as the available positions allow.

    The sum of the quotas is `wanted`, or all that is available.
    """
    quotas = dict.fromkeys(sorted(available), 0)
    for place, ply in enumerate(sorted(available, key=lambda ply: (available[ply], ply))):
        left = wanted - sum(quotas.values())
        quotas[ply] = min(available[ply], left // (len(available) - place))
    return quotas


def discs_in(key: bytes) -> int:
    """The number of discs in the position with this key. The second half of a key has the bits of all discs."""
    return int.from_bytes(key[len(key) // 2 :], "little").bit_count()
