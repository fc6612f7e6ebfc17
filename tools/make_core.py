"""Compiles the core for the page: `make core` writes connectk.wasm, and analysis.wasm, the same with reviews and
explanations, which is loaded when somebody asks for one, into src/connectk/web/core, and beside them the hash of all
that each was made from, so that a test can say when they no longer fit. Needs `ziglang` from PyPI, which brings a C++
compiler for WebAssembly."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
NATIVE = ROOT / "native"
CORE = ROOT / "src/connectk/web/core"
# What each file is made from: folders and files of native/.
PARTS = ("board", "players", "referee", "solver", "web")
FILES = [f"{name}.{kind}" for name in ("helpers", "memory", "analysis/columns") for kind in ("cpp", "hpp")]
CONNECTK = (*PARTS, *FILES, "abort.cpp", "describe.hpp", "refuse.hpp", "watch.hpp")
PROGRAMS = {"connectk": CONNECTK, "analysis": (*CONNECTK, "analysis", "why")}
PLAIN_LOOPS = ["-fno-vectorize", "-fno-slp-vectorize"]  # vectors make the file larger and no search quicker
FLAGS = ["-std=c++20", "-O3", *PLAIN_LOOPS, "-fno-exceptions", "-fno-rtti", "-DNDEBUG", f"-I{NATIVE}"]
TARGET = ["-target", "wasm32-wasi", "-mcpu=generic+atomics+bulk_memory+simd128", "-mexec-model=reactor"]
# Size counts more than speed: their time is in few places, or they have a clock.
SMALL = ("analysis", "board", "players", "referee", "web")
# The page brings the memory, 8 to 512 MB as js/core/numbers.js has it, so that helpers can share it; each sets its own
# stack. Every browser that has the instructions named here makes such memory; not every page may hand it to a worker.
LINK = [
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
    """Everything that a compiled file is made from."""
    paths = [NATIVE / name for name in PROGRAMS[program]]
    files = [file for path in paths for file in (path.rglob("*.[ch]pp") if path.is_dir() else [path])]
    return sorted({file for file in files if file.name not in ("bindings.cpp", "bindings.hpp")})


def fingerprint(program: str) -> str:
    """One hash of all inputs and of how they are compiled; line ends do not count."""
    parts = hashlib.sha256(json.dumps([FLAGS[:-1], TARGET, SMALL, LINK]).encode())
    for file in inputs(program):
        text = file.read_text(encoding="utf-8").encode()
        parts.update(f"{file.relative_to(NATIVE).as_posix()} {len(text)}\n".encode() + text)
    return parts.hexdigest()


class Compiler:
    """Compiles each source once, whichever programs it is for."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.objects: dict[Path, str] = {}

    def link(self, program: str) -> None:
        sources = [file for file in inputs(program) if file.suffix == ".cpp" and file.name != "crowd.cpp"]
        self.zig(*LINK, *map(self.object_of, sources), "-o", str(CORE / f"{program}.wasm"))

    def object_of(self, source: Path) -> str:
        if source not in self.objects:
            small = ["-Os"] if source.relative_to(NATIVE).parts[0] in SMALL else []
            self.objects[source] = f"{self.folder}/{len(self.objects)}.o"
            self.zig(*FLAGS, *small, "-c", str(source), "-o", self.objects[source])
        return self.objects[source]

    def zig(self, *how: str) -> None:
        subprocess.run([sys.executable, "-m", "ziglang", "c++", *TARGET, *how], check=True)


if __name__ == "__main__":
    CORE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(folder)
        for program in PROGRAMS:
            compiler.link(program)
    (CORE / "connectk.json").write_text(json.dumps({program: fingerprint(program) for program in PROGRAMS}) + "\n")
