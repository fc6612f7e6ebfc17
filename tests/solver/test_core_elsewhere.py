"""The search on other processors: the same scores and the same node counts as here, to the last one.

`tests/native/search_report.cpp` is compiled here and, with `ziglang` from PyPI, for WebAssembly (no exceptions, no
threads, no mmap; run by `wasmtime` from PyPI) and for 64-bit ARM (run by qemu). For Windows and macOS it must compile.
"""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
SEARCH = [NATIVE / "memory.cpp", NATIVE / "solver/searcher.cpp", *sorted((NATIVE / "solver/instances").glob("*.cpp"))]
REPORT = ROOT / "tests/native/search_report.cpp"
FLAGS = ["-std=c++20", "-O1", "-fno-exceptions", f"-I{NATIVE}"]
ZIG = [sys.executable, "-m", "ziglang", "c++"]
QEMU = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")

pytestmark = pytest.mark.deep  # each compiles the search anew, and the compiler takes 400 MB: `make test-deep` gets it
needs_zig = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="no ziglang here")


def build(compiler: list[str], program: Path, *more: str) -> Path:
    subprocess.run([*compiler, *FLAGS, *more, *map(str, [REPORT, *SEARCH]), "-o", str(program)], check=True)
    return program


def printed(command: list[str]) -> list[str]:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.fixture(scope="module")
def report_here(tmp_path_factory) -> list[str]:
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler here")
    return printed([str(build(["c++"], tmp_path_factory.mktemp("here") / "report"))])


def test_words_of_128_bits_need_no_compiler_support(report_here, tmp_path):
    """Two words with carries by hand, for compilers without 128-bit numbers, search the same."""
    program = build(["c++"], tmp_path / "report", "-DCONNECTK_NO_INT128")
    assert printed([str(program)]) == report_here


@needs_zig
@pytest.mark.skipif(importlib.util.find_spec("wasmtime") is None, reason="no wasmtime here")
def test_web_assembly_searches_the_same(report_here, tmp_path):
    program = build(ZIG, tmp_path / "report.wasm", "-target", "wasm32-wasi")
    assert run_web_assembly(program, tmp_path / "output") == report_here


def run_web_assembly(program: Path, output: Path) -> list[str]:
    import wasmtime

    engine = wasmtime.Engine()
    linker, store, config = wasmtime.Linker(engine), wasmtime.Store(engine), wasmtime.WasiConfig()
    config.stdout_file = str(output)
    store.set_wasi(config)
    linker.define_wasi()
    instance = linker.instantiate(store, wasmtime.Module.from_file(engine, str(program)))
    instance.exports(store)["_start"](store)
    return output.read_text(encoding="utf-8").splitlines()


@needs_zig
@pytest.mark.skipif(QEMU is None, reason="no qemu-user here")
def test_arm_searches_the_same(report_here, tmp_path):
    program = build(ZIG, tmp_path / "report", "-target", "aarch64-linux-musl", "-static")
    assert printed([str(QEMU), str(program)]) == report_here


@needs_zig
@pytest.mark.parametrize("target", ["x86_64-windows-gnu", "aarch64-macos"])
def test_other_systems_compile(target, tmp_path):
    for source in SEARCH:
        command = [*ZIG, *FLAGS, "-target", target, "-c", str(source), "-o", str(tmp_path / "object.o")]
        subprocess.run(command, check=True)
