"""Converts arrays and their element types between the core, NumPy, PyTorch and JAX."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    AnyArray = NDArray[Any]
    BoolArray = NDArray[np.bool_]
    Int8Array = NDArray[np.int8]
    Int64Array = NDArray[np.int64]
    Uint64Array = NDArray[np.uint64]
else:  # NumPy is optional; these names are only read by type checkers
    AnyArray = BoolArray = Int8Array = Int64Array = Uint64Array = Any

PYTHON_TYPES = {bool: "bool", int: "int64", float: "float64"}
TORCH_PREFIX, BFLOAT16 = "torch.", "bfloat16"


class StepResult(NamedTuple):
    """The result of `Boards.step`: the outcome, the open columns and the planes of each game. The properties of
    `Boards` with the same names describe them."""

    outcome: Int8Array
    legal: BoolArray
    planes: Any


def dtype_name(dtype: Any) -> str:
    """The name of an element type. The type may be given as a name, as a Python type, or as a type of NumPy, PyTorch or
    JAX."""
    if isinstance(dtype, type) and dtype in PYTHON_TYPES:
        return PYTHON_TYPES[dtype]
    name = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", None) or getattr(dtype, "name", str(dtype))
    name = str(name).removeprefix(TORCH_PREFIX).rstrip("_")
    if name == BFLOAT16 and not is_pytorch(dtype):
        raise TypeError("NumPy has no bfloat16: give torch.bfloat16, or an array of yours as out")
    return name


def is_pytorch(dtype: Any) -> bool:
    """Whether this is one of PyTorch's element types."""
    return type(dtype).__module__.partition(".")[0] == "torch"


def require_mutable(out: Any) -> None:
    """Refuse arrays of JAX. They are immutable, although their memory appears to be writable."""
    if type(out).__module__.partition(".")[0] in ("jax", "jaxlib"):
        raise TypeError("out is an array of JAX, which cannot be written to")


def as_array(made: Any, dtype: Any = None) -> AnyArray:
    """The memory of the core as a NumPy array, or as a memoryview if NumPy is not installed. Nothing is copied.

    If `dtype` is a type of PyTorch, the result is a PyTorch tensor.
    """
    if is_pytorch(dtype):
        tensor: AnyArray = import_module("torch").from_dlpack(made)
        return tensor
    try:
        import numpy as np
    except ImportError:
        view: Any = memoryview(made)
        return view  # type: ignore[no-any-return]
    return np.asarray(made)
