"""Compiles the core for the page: `make core` writes connectk.wasm and analysis.wasm to src/connectk/web/core.

analysis.wasm also contains reviews and explanations, and is loaded when the page needs them. connectk.json has a hash
of the sources of each file, by which a test finds files that are out of date. The tool needs `ziglang` from PyPI, a C++
compiler for WebAssembly.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
NATIVE_FOLDER = ROOT / "native"
CORE_FOLDER = ROOT / "src/connectk/web/core"
# The sources of each file: folders and files of native/.
PARTS = ("board", "players", "referee", "solver", "web")
SHARED_FILES = [f"{name}.{kind}" for name in ("helpers", "memory", "analysis/columns") for kind in ("cpp", "hpp")]
CONNECTK_SOURCES = (*PARTS, *SHARED_FILES, "abort.cpp", "describe.hpp", "throw_or_abort.hpp", "watch.hpp")
PROGRAMS = {"connectk": CONNECTK_SOURCES, "analysis": (*CONNECTK_SOURCES, "analysis", "why")}
NO_VECTOR_FLAGS = ["-fno-vectorize", "-fno-slp-vectorize"]  # vectors make the file larger, but the search no quicker
FLAGS = ["-std=c++20", "-O3", *NO_VECTOR_FLAGS, "-fno-exceptions", "-fno-rtti", "-DNDEBUG", f"-I{NATIVE_FOLDER}"]
TARGET_FLAGS = ["-target", "wasm32-wasi", "-mcpu=generic+atomics+bulk_memory+simd128", "-mexec-model=reactor"]
# The beginnings of paths that are compiled for size, because their speed matters little.
SIZE_OPTIMIZED_PARTS = (
    *("analysis/", "board/", "players/", "referee/", "web/"),
    *("why/coach", "why/naming", "why/plan", "why/steps"),
)
# The page creates the memory, so that helpers can share it: 8 to 512 MB, as in js/core/numbers.js. Each helper sets its
# own stack. Every browser with the instructions named here can create this memory, but not every page may share it with
# a worker.
LINK_FLAGS = [
    "-s",
    "-Wl,--gc-sections",
    "-Wl,-z,stack-size=2097152",
    "-Wl,--shared-memory",
    "-Wl,--import-memory",
    "-Wl,--export-memory",
    "-Wl,--initial-memory=8388608",
    "-Wl,--max-memory=536870912",
    "-Wl,--export=__stack_pointer",
]


def inputs(program: str) -> list[Path]:
    """All source files of a compiled file."""
    paths = [NATIVE_FOLDER / name for name in PROGRAMS[program]]
    files = [file for path in paths for file in (path.rglob("*.[ch]pp") if path.is_dir() else [path])]
    return sorted({file for file in files if file.name not in ("bindings.cpp", "bindings.hpp")})


def fingerprint(program: str) -> str:
    """A hash of all inputs and of the compiler's options. Line endings are normalized first."""
    parts = hashlib.sha256(json.dumps([FLAGS[:-1], TARGET_FLAGS, SIZE_OPTIMIZED_PARTS, LINK_FLAGS]).encode())
    for file in inputs(program):
        text = file.read_text(encoding="utf-8").encode()
        parts.update(f"{file.relative_to(NATIVE_FOLDER).as_posix()} {len(text)}\n".encode() + text)
    return parts.hexdigest()


class Compiler:
    """Compiles each source once, even if several programs need it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.objects: dict[Path, str] = {}

    def link(self, program: str) -> None:
        sources = [file for file in inputs(program) if file.suffix == ".cpp" and file.name != "solver_pool.cpp"]
        self.zig(*LINK_FLAGS, *map(self.object_of, sources), "-o", str(CORE_FOLDER / f"{program}.wasm"))

    def object_of(self, source: Path) -> str:
        if source not in self.objects:
            is_small = source.relative_to(NATIVE_FOLDER).as_posix().startswith(SIZE_OPTIMIZED_PARTS)
            small = ["-Os"] if is_small else []
            self.objects[source] = f"{self.folder}/{len(self.objects)}.o"
            self.zig(*FLAGS, *small, "-c", str(source), "-o", self.objects[source])
        return self.objects[source]

    def zig(self, *how: str) -> None:
        subprocess.run([sys.executable, "-m", "ziglang", "c++", *TARGET_FLAGS, *how], check=True)


if __name__ == "__main__":
    CORE_FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(folder)
        for program in PROGRAMS:
            compiler.link(program)
    (CORE_FOLDER / "connectk.json").write_text(
        json.dumps({program: fingerprint(program) for program in PROGRAMS}) + "\n"
    )
