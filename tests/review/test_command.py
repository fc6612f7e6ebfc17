"""Tests `connectk review`: the input that it reads or refuses, and its output."""

from __future__ import annotations

import json
import re
import struct
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from connectk import Game, Side, Variant
from connectk.cli import app, main
from connectk.drawing import to_svg
from connectk.drawing.shapes import Holes, Text
from connectk.errors import ConnectkError
from connectk.notation import SavedGame, write_saved_game
from connectk.review import review_game
from connectk.review.picture import draw_review
from connectk.review.replay_page import write_replay_page
from connectk.texts import load_texts

GAME = "5634365742"
ENGLISH = load_texts("en")


def run(*arguments: str, given: str | None = None) -> str:
    done = CliRunner().invoke(app, ["review", *arguments], input=given, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def refused(*arguments: str) -> str:
    with pytest.raises(ConnectkError) as refusal:
        CliRunner().invoke(app, ["review", *arguments], catch_exceptions=False, standalone_mode=False)
    return str(refusal.value)


def test_a_move_string_is_reviewed() -> None:
    text = run(GAME)

    assert "First against second, 7x6x4: unfinished after 10 discs." in text
    assert "The turning point: move 10, the second player, column 2." in text
    assert "It lets the first player drop on top of it and make 4 in a row." in " ".join(text.split())


def test_every_way_to_write_a_game_gives_the_same_review(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    saved.write_text(write_saved_game(SavedGame(Game(Variant(), [int(c) - 1 for c in GAME]))))
    connect_z = "7 6 4\n" + "\n".join(GAME)
    (tmp_path / "game.txt").write_text(connect_z)

    reviews = [
        json.loads(run(source, "--json", given=given))
        for source, given in (
            (GAME, None),
            (",".join(GAME), None),
            (str(saved), None),
            (str(tmp_path / "game.txt"), None),
            ("-", connect_z),
            ("-", GAME + "\n"),
        )
    ]

    assert all(review["moves"] == reviews[0]["moves"] for review in reviews)
    assert reviews[0]["turning_point"] == 10
    assert reviews[0]["moves"][9]["label"] == "blunder"


def test_the_better_line_and_the_answer_stand_in_words_and_on_the_board() -> None:
    """The better line and the refutation are printed as moves, and as boards with numbered drops."""
    text = run(GAME)
    board = text[text.index("Before move 10:") :].splitlines()

    assert "One better way: 6" in text
    assert "One answer: 2." in text
    assert "One better way:" in board[0]
    assert "One answer:" in board[0]
    assert any("x . . 1" in line or "1" in line.split() for line in board[2:8])


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fi", "Käännekohta: siirto 10, toinen pelaaja, sarake 2."),
        ("sv", "Vändpunkten: drag 10, andra spelaren, kolumn 2."),
    ],
)
def test_the_command_speaks_the_reader_s_language(language: str, words: str) -> None:
    text = run(GAME, "--language", language)

    assert words in text
    assert not {"move", "column", "wins", "loses", "Better", "First"} & set(re.findall(r"\w+", text))


def test_for_the_ear_a_review_is_told_in_sentences() -> None:
    """With `--no-board`, a review has no graph, no table and no board."""
    text = run(GAME, "--no-board", "--language", "en")
    sentences = text.splitlines()

    assert "Move 10, the second player, column 2. Blunder: from" in text
    assert "The turning point: move 10, the second player, column 2." in text
    assert all(line[0].isupper() and line[-1] in ".…" for line in sentences), text
    assert not set("xo○●╭|") & set(re.sub(r"\w{2,}", "", text))


def test_the_picture_shows_both_lines_with_their_drops_numbered() -> None:
    """The picture of a review has two more boards with numbered drops, or only its own board if there is no blunder."""
    game, quiet = (Game(Variant(), [int(c) - 1 for c in moves]) for moves in (GAME, "4"))
    picture, other = (draw_review(SavedGame(reviewed), review_game(reviewed), ENGLISH) for reviewed in (game, quiet))
    words = [shape.words for shape in picture.shapes if isinstance(shape, Text)]
    boards = [shape for shape in picture.shapes if isinstance(shape, Holes) and shape.shift == 0]

    assert len(boards) == 3
    assert words[words.index("One better way:") + 8 : words.index("One answer:")] == list("123456789")
    assert words[words.index("One answer:") + 8 :] == ["1"]
    assert picture.height > max(board.y for board in boards) > other.height
    assert sum(isinstance(shape, Holes) and shape.shift == 0 for shape in other.shapes) == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Move 7 cannot be played. Column 4 is full, pick another."),
        ("fi", "Siirtoa 7 ei voi pelata. Sarake 4 on täynnä, valitse toinen."),
        ("sv", "Drag 7 går inte att spela. Kolumn 4 är full, välj en annan."),
    ],
)
def test_the_move_that_cannot_be_played_is_named_in_the_language_asked_for(
    language: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["connectk", "review", "44444444", "--language", language])
    with pytest.raises(SystemExit) as end:
        main()

    assert end.value.code == 2
    assert capsys.readouterr().err == f"connectk: {words}\n"


def test_a_saved_game_says_which_discs_were_given(tmp_path: Path) -> None:
    """Players are not blamed for the opening moves that the arena has chosen."""
    saved = SavedGame(Game(Variant(), [int(c) - 1 for c in GAME]), given=10)
    (tmp_path / "game.json").write_text(write_saved_game(saved))

    review = json.loads(run(str(tmp_path / "game.json"), "--json"))

    assert review["given"] == 10
    assert {move["label"] for move in review["moves"]} == {"given"}
    assert review["accuracy"] == {"first": None, "second": None}


def test_players_and_the_way_it_ended_are_told(tmp_path: Path) -> None:
    document = json.loads(write_saved_game(SavedGame(Game(Variant(), (3, 3)), {Side.FIRST: "Ann", Side.SECOND: "Bo"})))
    document["result"] = {"winner": "second", "reason": "resigned"}
    (tmp_path / "game.json").write_text(json.dumps(document))

    text = run(str(tmp_path / "game.json"))

    assert "Ann (first) against Bo (second), 7x6x4: the second player won by resignation after 2 discs." in text


def test_pictures_and_the_page_are_written(tmp_path: Path) -> None:
    svg, png, html = (tmp_path / f"review.{kind}" for kind in ("svg", "png", "html"))
    run("5363764", "--out", str(svg), "--out", str(png), "--out", str(html))

    assert ElementTree.fromstring(svg.read_text()).tag.endswith("svg")
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", png.read_bytes()[16:24])[0] > 1000
    assert "prefers-color-scheme:dark" in svg.read_text()
    assert html.read_text().startswith("<!doctype html>")


def test_the_page_needs_nothing_from_elsewhere_and_trusts_no_name() -> None:
    saved = SavedGame(
        Game(Variant(), (3, 3)), {Side.FIRST: "</script><script>alert(1)</script>", Side.SECOND: "{facts}"}
    )
    page = write_replay_page(saved, review_game(saved.game), ENGLISH)
    facts = re.search(r'<script type="application/json" id="facts">(.*?)</script>', page, re.DOTALL)
    assert facts is not None

    assert not re.search(r'\b(src|href)="[^#]', page)
    assert "<script>alert" not in page
    assert json.loads(facts[1])["review"]["fi"]["moves"][0]["column"] == 3


def test_the_page_has_every_module_that_it_imports() -> None:
    """A review as a page contains all modules that it imports."""
    modules = written_modules()

    for script in modules.values():
        code = re.sub(r"/\*.*?\*/", "", script, flags=re.DOTALL)  # a comment may name a module for its types
        assert not re.search(r"""(from|import) ["']\.""", code)
        assert set(re.findall(r"""["'](connectk/[a-z/-]+\.js)["']""", script)) <= modules.keys()
    for name in ("board/board", "review/advantage-graph", "review/review-screen", "texts/texts"):
        assert f"connectk/{name}.js" in modules


def written_modules() -> dict[str, str]:
    page = write_replay_page(SavedGame(Game(Variant(), (3,))), review_game(Game(Variant(), (3,))), ENGLISH)
    imports = re.search(r'<script type="importmap">(.*?)</script>', page, re.DOTALL)
    assert imports is not None
    addresses = json.loads(imports[1])["imports"]
    return {name: b64decode(address.partition(",")[2]).decode() for name, address in addresses.items()}


def test_a_won_game_shows_its_line() -> None:
    game = Game(Variant(), (0, 1, 0, 1, 0, 1, 0))
    svg = to_svg(draw_review(SavedGame(game), review_game(game), ENGLISH))

    assert svg.partition("One better way:")[0].count('class="outline won"') == 4 + 3  # discs, and links between them


def test_without_pillow_a_png_is_refused_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectk.review.output_files.find_spec", lambda name: None)

    assert "pip install 'connectk[pictures]'" in refused(GAME, "--out", str(tmp_path / "a.png"))


REFUSED_INPUTS = {
    "no such file": (["missing.json"], "There is no file 'missing.json'"),
    "no moves": ([""], "There are no moves to review."),
    "a column that is not there": (["48"], "Move 2 cannot be played. There is no column 8"),
    "a column that is full": (["4444444"], "Move 7 cannot be played. Column 4 is full"),
    "moves after the end": (["12121211"], "Move 8 cannot be played. The game is already over"),
    "more discs given than played": (["44", "--given", "3"], "3 discs cannot be given in a game of 2 moves"),
    "no time": (["44", "--time", "0s"], "leaves no time to think"),
    "no such folder": (["44", "--out", "no/such/a.svg"], "no/such/a.svg cannot be written"),
    "a board too large for a picture": (["44", "--variant", "100x100x4", "--out", "a.html"], "up to 1,000 cells"),
}


@pytest.mark.parametrize("kind", REFUSED_INPUTS)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, sentence = REFUSED_INPUTS[kind]

    assert sentence in refused(*arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"format": "connectk-game"')
    (tmp_path / "b.txt").write_bytes(b"7 6 4\n4\nx\n")

    assert "This is not a saved game" in refused(str(tmp_path / "a.json"))
    assert "A move must be one number" in refused(str(tmp_path / "b.txt"))
