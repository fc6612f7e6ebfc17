"""The learning examples run, draw their curves, and continue from a checkpoint."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_a_moment_of_learning(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not part of the dev extra: pip install torch")
    curve = tmp_path / "curve.svg"
    words = ["--minutes", "0.05", "--cores", "1", "--games", "4", "--curve", str(curve)]
    done = subprocess.run(
        [sys.executable, EXAMPLES / "learn_to_play.py", *words],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "against greedy" in done.stdout
    assert curve.read_text(encoding="utf-8").startswith("<svg")


def test_alphazero_learns_is_stopped_and_goes_on(tmp_path):
    """AlphaZero's second run continues the minutes and games of the first. At the end, the checkpoint plays against
    itself."""
    pytest.importorskip("torch", reason="PyTorch is not part of the dev extra: pip install torch")
    curve, saved = tmp_path / "curve.svg", tmp_path / "net.pt"

    def run(*words):
        command = [sys.executable, EXAMPLES / "alphazero.py", "--cores", "1", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    first = run("--minutes", "0.05", "--save", saved)
    second = run("--minutes", "0.1", "--save", saved, "--curve", curve)
    assert float(second[-1].split()[0]) >= float(first[-1].split()[0])
    assert len(second) < len(run("--minutes", "0.1"))  # what was measured before the stop is not measured again
    assert curve.read_text(encoding="utf-8").startswith("<svg")
    [line] = run("--play", saved, saved, "--games", "2")
    assert "of the points in 2 games" in line
