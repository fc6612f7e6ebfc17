"""`bench/why_whole.py` takes a board apart and goes on where it was stopped; what it writes is certified."""

import sys
from pathlib import Path

from connectk.rules import Position, Side, Variant
from connectk.why import Claim, Promise, check, parse_explanation

BENCH = str(Path(__file__).parents[2] / "bench")


def test_a_board_is_taken_apart_and_written_whole(tmp_path, monkeypatch, capsys):
    """With one board for each position none is explained at once; a second run looks for nothing again."""
    monkeypatch.syspath_prepend(BENCH)
    import why_whole

    known, saved = tmp_path / "known.jsonl", tmp_path / "holds.json"
    words = ["why_whole", "4x4x4", "--boards", "1", "--seconds", "5", "--file", str(known), "--save", str(saved)]
    monkeypatch.setattr(sys, "argv", words)
    why_whole.main()
    explanation = parse_explanation(saved.read_text(encoding="utf-8"))
    assert (explanation.position, explanation.claim) == (
        Position(Variant(4, 4, 4)),
        Claim(Side.SECOND, Promise.HOLDS),
    )
    assert explanation.size == 5
    assert check(explanation) > 100

    before = known.read_text(encoding="utf-8")
    monkeypatch.setattr(why_whole, "show", lambda *args, **kwargs: 1 / 0)
    why_whole.main()
    assert known.read_text(encoding="utf-8") == before
    assert "it holds" in capsys.readouterr().out
