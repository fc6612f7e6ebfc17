"""The example that learns does run, and draws its curve."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent.parent / "examples/learn_to_play.py"


def test_a_moment_of_learning(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not part of the dev extra: pip install torch")
    curve = tmp_path / "curve.svg"
    words = ["--minutes", "0.05", "--cores", "1", "--games", "4", "--curve", str(curve)]
    done = subprocess.run([sys.executable, EXAMPLE, *words], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert "against greedy" in done.stdout
    assert curve.read_text(encoding="utf-8").startswith("<svg")
