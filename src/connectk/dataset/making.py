"""Making a dataset: sample distinct positions from games, solve every column, write shards, card and checksums.

The same recipe gives the same files: a game depends only on its number, the positions are the first distinct ones in
the order of the games, and the shards do not depend on how the work was cut. So the number of processes and of
interruptions does not matter.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from connectk.cluster import PartsFolder, Pool, run_job
from connectk.cluster.files import Folder
from connectk.cluster.tables import TableRows, from_parquet, require_pyarrow, write_parquet, write_shards
from connectk.dataset.card import CARD_FILE, Counts, write_card
from connectk.dataset.mix import PLAYS, Mix, Play
from connectk.dataset.work import Games, Positions, schema_of
from connectk.errors import BadDataset, JobMismatch, SearchStopped
from connectk.rules import CLASSIC, Variant
from connectk.solver.solver import require_supported
from connectk.watch import Progress, Stop, in_stage

DATASET_FORMAT = 1
FACTS_FILE, CHECKSUMS_FILE, DATA_FOLDER = "dataset.json", "SHA256SUMS", "data"
MAX_BARREN_GAMES = 2000  # in a row without a new position; then this kind of play is exhausted
MIN_GAMES = 16
DEFAULT_MIX = Mix()


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that determines the content of a dataset."""

    variant: Variant = CLASSIC
    positions: int = 1_000_000
    mix: Mix = DEFAULT_MIX
    seed: int = 1
    least_discs: int = 0
    shard: int = 100_000  # positions of one file

    def facts(self) -> dict[str, Any]:
        return asdict(self) | {"variant": str(self.variant), "mix": str(self.mix), "format": DATASET_FORMAT}


@dataclass(frozen=True, slots=True)
class MadeDataset:
    """The size of a dataset; `created` is false if it was complete before this call."""

    positions: int
    files: int
    created: bool = True


def make_dataset(
    recipe: Recipe, out: str, pool: Pool, *, stop: Stop | None = None, progress: Progress | None = None
) -> MadeDataset:
    """Make or resume a dataset in the folder `out`, which may be a URL; a complete one is only verified.

    A stop raises `SearchStopped`, and the next run resumes. `progress` reports two stages, "drawing" and "solving".
    """
    require_pyarrow("datasets")
    require_supported(recipe.variant)
    folder = Folder(out)
    folder.make()
    if FACTS_FILE in folder.names():
        return _check(folder, recipe)
    with PartsFolder(Folder(folder.path("drawing.parts")), recipe.facts()) as drawn:
        chosen = _draw(recipe, pool, drawn, stop, in_stage("drawing", progress))
        with PartsFolder(Folder(folder.path("solving.parts")), recipe.facts()) as solved:
            positions = Positions(recipe.variant, chosen)
            run_job(pool, [positions], solved, stop=stop, progress=in_stage("solving", progress))
            if any(solved.gaps(0, positions.length)):
                raise SearchStopped(())
            made = _finish(folder, recipe, solved)
            solved.remove()
        drawn.remove()
    return made


def _draw(
    recipe: Recipe, pool: Pool, parts: PartsFolder, stop: Stop | None, progress: Progress | None
) -> list[tuple[str, Play]]:
    """The moves and kind of play of all positions, shuffled; no two are mirror images of each other."""
    seen: set[bytes] = set()
    chosen: list[tuple[str, Play]] = []
    owed = 0
    for play, quota in recipe.mix.quotas(recipe.positions).items():
        wanted = quota + (owed if quota else 0)
        found = _draw_from(play, wanted, recipe, pool, parts, seen, stop, progress) if wanted else []
        owed += quota - len(found)
        chosen += [(moves, play) for moves in found]
    random.Random(f"{recipe.seed} order").shuffle(chosen)
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
    """The first `wanted` new positions of these games; fewer if there are no more."""
    games = MIN_GAMES + wanted // 8
    while True:
        lengths = [games if kind == play else 0 for kind in PLAYS]
        board = (recipe.seed, recipe.variant, recipe.least_discs)
        sources = [Games(kind, *board, length) for kind, length in zip(PLAYS, lengths, strict=True)]
        run_job(pool, sources, parts, stop=stop, progress=progress)
        if any(parts.gaps(PLAYS.index(play), games)):
            raise SearchStopped(())
        found, barren = _first_new(_drawn(parts, PLAYS.index(play), games), games, wanted, seen)
        if len(found) == wanted or barren:
            seen.update(found.values())
            return list(found)
        games = round(games * min(4, max(1.5, 1.1 * wanted / max(len(found), 1))))


def _drawn(parts: PartsFolder, source: int, games: int) -> Iterator[tuple[int, bytes, str]]:
    """The game number, key and moves of each sampled position, in the order of the games and without gaps."""
    for chunk in parts.chunks(source):
        if chunk.start < games:
            table = from_parquet(parts.folder.read(chunk.name))
            yield from zip(*(table[name].to_pylist() for name in ("game", "key", "moves")), strict=True)


def _first_new(
    drawn: Iterator[tuple[int, bytes, str]], games: int, wanted: int, seen: set[bytes]
) -> tuple[dict[str, bytes], bool]:
    """The moves and keys of new positions, and whether `MAX_BARREN_GAMES` games in a row had none."""
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
    return found, games - last > MAX_BARREN_GAMES


def _finish(folder: Folder, recipe: Recipe, solved: PartsFolder) -> MadeDataset:
    """Write shards, card and checksums; the facts file comes last and marks the dataset as complete."""
    counts, schema = Counts(), schema_of(recipe.variant, recipe.facts())
    rows = TableRows(counts.counting(solved.contents(1)))
    data = Folder(folder.path(DATA_FOLDER))
    files = list(
        write_shards(data, rows, "parquet", lambda file, some: write_parquet(file, some, schema), recipe.shard)
    )
    names = [f"{DATA_FOLDER}/{file.rpartition('/')[2]}" for file in files]
    folder.write(CARD_FILE, write_card(recipe.facts(), counts, len(names)).encode())
    sums = {name: _digest(folder, name) for name in [*names, CARD_FILE]}
    folder.write(CHECKSUMS_FILE, "".join(f"{digest}  {name}\n" for name, digest in sums.items()).encode())
    facts = recipe.facts() | {"made": counts.positions, "files": sums}
    folder.write(FACTS_FILE, (json.dumps(facts, indent=2) + "\n").encode())
    return MadeDataset(counts.positions, len(names))


def _digest(folder: Folder, name: str) -> str:
    return hashlib.sha256(folder.read(name)).hexdigest()


def _check(folder: Folder, recipe: Recipe) -> MadeDataset:
    """Verify a complete dataset: its recipe and the checksum of every file."""
    facts = json.loads(folder.read(FACTS_FILE))
    if any(facts.get(name) != value for name, value in recipe.facts().items()):
        raise JobMismatch(folder.place)
    for name, digest in facts["files"].items():
        if not _is_whole(folder, name, digest):
            raise BadDataset("error.BadDataset.damaged", file=folder.path(name), folder=folder.place)
    return MadeDataset(facts["made"], len(facts["files"]) - 1, created=False)


def _is_whole(folder: Folder, name: str, digest: str) -> bool:
    try:
        return _digest(folder, name) == digest
    except OSError:
        return False
