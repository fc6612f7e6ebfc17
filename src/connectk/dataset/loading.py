"""Loads a dataset for training: as NumPy arrays, PyTorch tensors, or a dataset of Hugging Face's `datasets`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal

from connectk.arrays import NO_SCORE, Boards
from connectk.cluster.files import Folder
from connectk.cluster.tables import from_parquet, require_pyarrow
from connectk.dataset.finished import DATA_FOLDER, FinishedDataset
from connectk.dataset.splits import SPLITS
from connectk.errors import BadDataset, MissingExtra

Form = Literal["numpy", "torch", "datasets"]
NO_RESULT = -128  # the result of a column that takes no disc
NULL_REPLACEMENTS = {
    "scores": NO_SCORE,
    "results": NO_RESULT,
}  # columns with nulls, and the values that replace the nulls
NUMBER_COLUMNS = ("bits", "ply", "score", "wdl", *NULL_REPLACEMENTS)


def load(path: str, split: str | None = None, form: Form = "numpy", *, planes: bool = True) -> Any:
    """The rows of a finished dataset, or of one split of it ("train", "validation" or "test").

    `form` "datasets" returns what `datasets.load_dataset` would: a `DatasetDict`, or the `Dataset` of one split. NumPy
    arrays and PyTorch tensors come in a dictionary with these keys:

        bits, ply, score, wdl
        scores, results     one for each column, -128 for a full column
        best                bool, one for each column
        planes              uint8, (positions, 2, height, width), unless `planes` is false
    """
    require_pyarrow("datasets")
    if form not in ("numpy", "torch", "datasets"):
        raise ValueError("form is 'numpy', 'torch' or 'datasets'")
    found = FinishedDataset.read(Folder(path))
    if not found.facts:
        raise BadDataset("error.BadDataset.absent", folder=path)
    files = [name for name in found.shards if split is None or name.startswith(f"{DATA_FOLDER}/{split}-")]
    if not files:
        known = ", ".join(known for known in SPLITS if any(f"/{known}-" in name for name in found.shards))
        raise BadDataset("error.BadDataset.split", split=split, known=known, folder=path)
    if form == "datasets":
        splits = _hugging_face(found, files)
        return splits if split is None else splits[split]
    arrays = _arrays(found, files, planes)
    return arrays if form == "numpy" else _tensors(arrays)


def _arrays(found: FinishedDataset, files: list[str], planes: bool) -> dict[str, Any]:
    try:
        import numpy as np
    except ImportError:
        raise MissingExtra("datasets", "arrays") from None
    import pyarrow as pa

    table = pa.concat_tables([from_parquet(found.folder.read(name)) for name in files]).combine_chunks()
    arrays = {name: _numbers(table[name], len(table), NULL_REPLACEMENTS.get(name)) for name in NUMBER_COLUMNS}
    arrays["best"] = (arrays["scores"] == arrays["score"][:, None]) & (arrays["scores"] != NO_SCORE)
    if planes:
        boards = Boards.from_bits(np.ascontiguousarray(arrays["bits"]), found.facts["variant"])
        arrays["planes"] = boards.planes()
    return arrays


def _numbers(column: Any, rows: int, filled: int | None) -> Any:
    """A column as an array of one or two dimensions. Nulls are replaced by `filled`."""
    import pyarrow as pa

    values = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    if not pa.types.is_fixed_size_list(values.type):
        return values.to_numpy()
    flat = values.flatten() if filled is None else values.flatten().fill_null(filled)
    return flat.to_numpy(zero_copy_only=False).reshape(rows, values.type.list_size)


def _tensors(arrays: dict[str, Any]) -> dict[str, Any]:
    try:
        torch = import_module("torch")
    except ImportError:
        raise BadDataset("error.BadDataset.package", package="torch") from None
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}


def _hugging_face(found: FinishedDataset, files: list[str]) -> Any:
    try:
        datasets = import_module("datasets")
    except ImportError:
        raise BadDataset("error.BadDataset.package", package="datasets") from None
    by_split = {
        split: [found.folder.path(name) for name in files if name.startswith(f"{DATA_FOLDER}/{split}-")]
        for split in SPLITS
    }
    return datasets.load_dataset("parquet", data_files={split: names for split, names in by_split.items() if names})
