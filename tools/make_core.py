"""Compiles the core for the page: `make core` writes src/connectk/web/core/connectk.wasm, and beside it the hash of all
that it was made from, so that a test can say when they no longer fit. Needs `ziglang` from PyPI, which brings a C++
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
PARTS = ("board", "players", "referee", "solver", "web")
FLAGS = ["-std=c++20", "-O3", "-fno-exceptions", "-fno-rtti", "-DNDEBUG", "-msimd128", "-mbulk-memory", f"-I{NATIVE}"]
TARGET = ["-target", "wasm32-wasi", "-mexec-model=reactor"]
SMALL = (
    "players",
    "referee",
    "web",
    "witness.cpp",
)  # size counts more than speed: their time is in few places, or they have a clock
LINK = ["-s", "-Wl,--gc-sections", "-Wl,-z,stack-size=1048576"]


def inputs() -> list[Path]:
    """Everything that the compiled file is made from."""
    files = [NATIVE / name for name in ("memory.cpp", "memory.hpp", "refuse.hpp", "watch.hpp", "witness.cpp")]
    files += [NATIVE / "witness.hpp", *(file for part in PARTS for file in (NATIVE / part).rglob("*.[ch]pp"))]
    return sorted(file for file in files if file.name not in ("bindings.cpp", "bindings.hpp"))


def fingerprint() -> str:
    """One hash of all inputs and of how they are compiled; line ends do not count."""
    parts = hashlib.sha256(json.dumps([FLAGS[:-1], TARGET, SMALL, LINK]).encode())
    for file in inputs():
        text = file.read_text(encoding="utf-8").encode()
        parts.update(f"{file.relative_to(NATIVE).as_posix()} {len(text)}\n".encode() + text)
    return parts.hexdigest()


def compile_core(output: Path) -> None:
    zig = [sys.executable, "-m", "ziglang", "c++"]
    sources = [file for file in inputs() if file.suffix == ".cpp" and file.name != "crowd.cpp"]
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for number, source in enumerate(sources):
            small = ["-Os"] if source.relative_to(NATIVE).parts[0] in SMALL else []
            objects.append(f"{folder}/{number}.o")
            subprocess.run([*zig, *FLAGS, *small, *TARGET, "-c", str(source), "-o", objects[-1]], check=True)
        subprocess.run([*zig, *TARGET, *LINK, *objects, "-o", str(output)], check=True)


if __name__ == "__main__":
    CORE.mkdir(exist_ok=True)
    compile_core(CORE / "connectk.wasm")
    (CORE / "connectk.json").write_text(json.dumps({"sources": fingerprint()}) + "\n")
