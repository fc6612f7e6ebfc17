"""The core on other processors: the same scores and the same node counts as here, to the last one.

`tests/native/core_report.cpp` is compiled here and, with `ziglang` from PyPI, for WebAssembly (no exceptions, no
threads, no mmap; run by `wasmtime` from PyPI) and for 64-bit ARM (run by qemu). For Windows and macOS the core must
compile as it is in the package, threads and all.
"""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
CORE = sorted(
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
REPORT = ROOT / "tests/native/core_report.cpp"
FLAGS = ["-std=c++20", "-O1", f"-I{NATIVE}"]
BARE = ["-fno-exceptions", "-DCONNECTK_NO_THREADS"]
ZIG = [sys.executable, "-m", "ziglang", "c++"]
PROCESSOR = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
QEMU = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")

pytestmark = pytest.mark.deep  # each compiles the core anew, and the compiler takes 400 MB: `make test-deep` gets it
needs_zig = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="no ziglang here")


def build(compiler: list[str], program: Path, *more: str) -> Path:
    subprocess.run([*compiler, *FLAGS, *more, *map(str, [REPORT, *CORE]), "-o", str(program)], check=True)
    return program


def printed(command: list[str]) -> list[str]:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.fixture(scope="module")
def report_here(tmp_path_factory) -> list[str]:
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler here")
    return printed([str(build(["c++"], tmp_path_factory.mktemp("here") / "report", *BARE))])


def test_words_of_128_bits_need_no_compiler_support(report_here, tmp_path):
    """Two words with carries by hand, for compilers without 128-bit numbers, search the same."""
    program = build(["c++"], tmp_path / "report", *BARE, "-DCONNECTK_NO_INT128")
    assert printed([str(program)]) == report_here


@pytest.mark.skipif("avx2" not in PROCESSOR, reason="no vectors of 256 bits here")
@pytest.mark.parametrize("compiler", [["c++"], pytest.param(ZIG, marks=needs_zig)], ids=["c++", "zig"])
def test_a_core_built_for_newer_processors_says_the_same(compiler, report_here, tmp_path):
    """All of it, not the searches alone as in the package: so do those who build it for their own machine."""
    assert printed([str(build(compiler, tmp_path / "report", *BARE, "-mavx2"))]) == report_here


@needs_zig
@pytest.mark.skipif(importlib.util.find_spec("wasmtime") is None, reason="no wasmtime here")
def test_web_assembly_says_the_same(report_here, tmp_path):
    """That there are no threads it finds out by itself."""
    program = build(ZIG, tmp_path / "report.wasm", "-fno-exceptions", "-target", "wasm32-wasi")
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
    program = build(ZIG, tmp_path / "report", *BARE, "-target", "aarch64-linux-musl", "-static")
    assert printed([str(QEMU), str(program)]) == report_here


@needs_zig
@pytest.mark.parametrize("target", ["x86_64-windows-gnu", "aarch64-macos"])
def test_other_systems_compile(target, tmp_path):
    for source in CORE:
        command = [*ZIG, *FLAGS, "-target", target, "-c", str(source), "-o", str(tmp_path / "object.o")]
        subprocess.run(command, check=True)
