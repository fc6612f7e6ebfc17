"""Compares the core on other processors with this machine: all scores and node counts are the same.

`tests/native/core_report.cpp` is compiled for this machine and, with `ziglang` from PyPI, for two others. For
WebAssembly there are no exceptions, no threads and no mmap, and `wasmtime` from PyPI runs it. For 64-bit ARM, qemu runs
it. For Windows and macOS, the core of the package must compile, with its threads.
"""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
CORE_SOURCES = sorted(
    [
        *NATIVE.glob("memory.cpp"),
        *(
            f
            for part in ("solver", "players", "referee")
            for f in (NATIVE / part).rglob("*.cpp")
            if f.stem != "bindings"
        ),
    ]
)
REPORT_SOURCE = ROOT / "tests/native/core_report.cpp"
FLAGS = ["-std=c++20", "-O1", f"-I{NATIVE}"]
SMALLEST_BUILD_FLAGS = ["-fno-exceptions", "-DCONNECTK_NO_THREADS"]
ZIG_COMPILER = [sys.executable, "-m", "ziglang", "c++"]
CPU_FLAGS = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
QEMU = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")

pytestmark = pytest.mark.deep  # each compiles the core anew, and the compiler takes 400 MB: `make test-deep` gets it
needs_zig = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="no ziglang here")


def build(compiler: list[str], program: Path, *more: str) -> Path:
    subprocess.run(
        [*compiler, *FLAGS, *more, *map(str, [REPORT_SOURCE, *CORE_SOURCES]), "-o", str(program)], check=True
    )
    return program


def printed(command: list[str]) -> list[str]:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.fixture(scope="module")
def report_here(tmp_path_factory) -> list[str]:
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler here")
    return printed([str(build(["c++"], tmp_path_factory.mktemp("here") / "report", *SMALLEST_BUILD_FLAGS))])


def test_words_of_128_bits_need_no_compiler_support(report_here, tmp_path):
    """If the compiler has no 128-bit numbers, the core uses two words with carries and searches the same tree."""
    program = build(["c++"], tmp_path / "report", *SMALLEST_BUILD_FLAGS, "-DCONNECTK_NO_INT128")
    assert printed([str(program)]) == report_here


@pytest.mark.skipif("avx2" not in CPU_FLAGS, reason="no vectors of 256 bits here")
@pytest.mark.parametrize("compiler", [["c++"], pytest.param(ZIG_COMPILER, marks=needs_zig)], ids=["c++", "zig"])
def test_a_core_built_for_newer_processors_says_the_same(compiler, report_here, tmp_path):
    """A core that is compiled for newer processors gives the same answers. In the package, only the searches are
    compiled for them."""
    assert printed([str(build(compiler, tmp_path / "report", *SMALLEST_BUILD_FLAGS, "-mavx2"))]) == report_here


@needs_zig
@pytest.mark.skipif(importlib.util.find_spec("wasmtime") is None, reason="no wasmtime here")
def test_web_assembly_says_the_same(report_here, tmp_path):
    """The core gives the same answers in WebAssembly, where it detects that there are no threads."""
    program = build(ZIG_COMPILER, tmp_path / "report.wasm", "-fno-exceptions", "-target", "wasm32-wasi")
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
def test_arm_says_the_same(report_here, tmp_path):
    program = build(
        ZIG_COMPILER, tmp_path / "report", *SMALLEST_BUILD_FLAGS, "-target", "aarch64-linux-musl", "-static"
    )
    assert printed([str(QEMU), str(program)]) == report_here


@needs_zig
@pytest.mark.parametrize("target", ["x86_64-windows-gnu", "aarch64-macos"])
def test_other_systems_compile(target, tmp_path):
    for source in CORE_SOURCES:
        command = [*ZIG_COMPILER, *FLAGS, "-target", target, "-c", str(source), "-o", str(tmp_path / "object.o")]
        subprocess.run(command, check=True)
