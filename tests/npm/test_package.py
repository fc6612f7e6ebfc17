"""Tests the npm package in Node.js: it gives the same answers as Python."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

import connectk
from connectk import solve
from connectk.errors import ConnectkError
from connectk.notation import SavedGame, parse_moves, write_moves
from connectk.players.levels import level_player
from connectk.players.player import Clock
from connectk.review import review_game
from connectk.review.report import localize_review, to_json
from connectk.rules import Game, Position, Variant
from connectk.solver import score_columns
from connectk.texts import load_texts
from connectk.why import explain
from connectk.why.json_views import localize_why, why_to_json
from tests.core.test_compiled import LINE_KEYS, rounded
from tests.npm.conftest import Run

ROOT = Path(__file__).parents[2]
README = (ROOT / "packages/npm/README.md").read_text("utf-8")
MAX_PACKED_BYTES = 400_000
SOLVER_SETS = {"5x5x4": 4, "8x3x3": 4, "6x7x4": 2, "7x6x4": 2}  # how many positions of tests/data/solver

ASK_SCRIPT = """
import { readFileSync } from "node:fs";
import * as connectk from "connectk";
const answers = {
  ...connectk,
  position: async (...facts) => {
    const position = await connectk.Position.from(...facts);
    const { board, moves, movesText, ply, sideToMove, lastDrop, legalColumns, winningLines } = position;
    return { board, moves, movesText, ply, sideToMove, lastDrop, legalColumns, winningLines };
  },
};
for (const [what, ...facts] of JSON.parse(readFileSync(process.argv.at(-1), "utf8"))) {
  const answer = await answers[what](...facts).catch(({ rule, message }) => ({ rule, message }));
  console.log(JSON.stringify(answer));
}
"""


@pytest.fixture
def ask(run: Run, tmp_path: Path) -> Any:
    def ask_all(questions: list[list[Any]]) -> list[Any]:
        file = tmp_path / "questions.json"
        file.write_text(json.dumps(questions))
        return [json.loads(line) for line in run(ASK_SCRIPT, str(file))]

    return ask_all


def random_positions(variant: Variant, count: int, most: int) -> list[Game]:
    dice, games = random.Random(37), []
    while len(games) < count:
        game = Game(variant)
        for _ in range(dice.randrange(most)):
            if game.outcome is None:
                game.drop(dice.choice(game.position.legal_columns))
        games.append(game)
    return games


def question(what: str, game: Game, **options: Any) -> list[Any]:
    return [what, write_moves(game.moves, game.variant), {"variant": str(game.variant), **options}]


def test_it_is_small_and_needs_nothing(archive: Path) -> None:
    """The package is small and needs no other package. No script names a file beside it that a bundler would look
    for."""
    assert archive.stat().st_size < MAX_PACKED_BYTES
    with tarfile.open(archive) as tar:
        files = {member.name.removeprefix("package/"): tar.extractfile(member).read() for member in tar.getmembers()}
    names, facts = files.keys(), json.loads(files["package.json"])
    scripts = [content.decode() for name, content in files.items() if name.endswith(".js")]
    assert facts["version"] == connectk.__version__
    assert not {"dependencies", "peerDependencies", "scripts"} & facts.keys()
    assert {"LICENSE", "README.md", "index.js", "index.d.ts", "board.js", "board.d.ts", "messages.d.ts"} <= names
    assert not [name for name in names if name.endswith((".wasm", ".map"))]
    assert not [found for text in scripts for found in re.findall(r"new URL\([^()]*,\s*import\.meta", text)]


def test_a_position_is_what_the_rules_say(ask: Any) -> None:
    """The package gives the same facts about positions as Python, on small, classic and large boards."""
    games = [game for name in ("5x4x3", "7x6x4", "12x9x5") for game in random_positions(Variant.parse(name), 6, 40)]
    for game, answer in zip(games, ask([question("position", game) for game in games]), strict=True):
        position = game.position
        assert answer["board"] == [position.letters(column) for column in range(position.variant.width)]
        assert answer["moves"] == list(game.moves)
        assert answer["movesText"] == write_moves(game.moves, game.variant)
        assert answer["ply"] == position.ply
        assert answer["legalColumns"] == list(position.legal_columns)
        assert answer["lastDrop"] == (list(position.last_drop) if position.last_drop else None)
        assert answer["sideToMove"] == (None if game.outcome else str(position.side_to_move.name.lower()))
        assert sorted(answer["winningLines"]) == sorted(json.loads(json.dumps(position.winning_lines)))


def test_scores_are_those_of_the_golden_files(ask: Any) -> None:
    questions, expected = [], []
    for name, count in SOLVER_SETS.items():
        lines = (ROOT / f"tests/data/solver/{name}.txt").read_text().splitlines()
        for line in lines[len(lines) // 2 :: len(lines) // (2 * count)]:  # the later ones, which need less search
            *moves, score = line.split()
            questions.append(["solve", moves[0] if moves else "", {"variant": name}])
            expected.append(int(score))
    assert [answer["score"] for answer in ask(questions)] == expected


def test_solutions_are_python_s(ask: Any) -> None:
    """The package's score, result, length and best columns equal Python's, also for finished games and set-up boards.
    Its line leads to the end."""
    games = [game for name in ("5x4x3", "6x5x4") for game in random_positions(Variant.parse(name), 8, 30)]
    answers = ask([question(what, game) for game in games for what in ("solve", "scoreColumns")])
    for game, solved, columns in zip(games, answers[::2], answers[1::2], strict=True):
        expected = solve(game.position)
        found = (solved["score"], solved["result"], solved["plies"], solved["bestColumns"], len(solved["line"]))
        plies = 0 if game.outcome else expected.plies
        assert found == (expected.score, expected.result, plies, list(expected.best_columns), len(expected.line))
        assert columns == list(score_columns(game.position))
    assert any(game.outcome for game in games)
    assert ask([["solve", "4xoxo.5xx.3oo"]])[0]["score"] == solve("4xoxo.5xx.3oo").score


def test_the_start_of_the_classic_game_is_known(ask: Any) -> None:
    """The openings in the package give at once an answer that a search would need minutes for."""
    answers = ask([["scoreColumns", ""], ["scoreColumns", "44444"], ["scoreColumns", "4152637"]])
    assert answers == [list(score_columns(moves)) for moves in ("", "44444", "4152637")]


def test_levels_choose_what_they_choose_in_python(ask: Any) -> None:
    games = [game for game in random_positions(Variant(), 6, 25) if game.outcome is None]
    questions = [question("bestMove", game, level=level, seed=977) for game in games for level in (1, 3, 5)]
    expected = [level_player(level, 977).choose(game.position, Clock()).column for game in games for level in (1, 3, 5)]
    assert [answer["column"] for answer in ask(questions)] == expected
    [timed, perfect] = ask([["bestMove", "121212", {"time": 50}], ["bestMove", "121212"]])
    assert timed["column"] == perfect["column"] == 0


@pytest.mark.parametrize(("language", "moves", "variant"), [("en", "3333344421", "5x5x4"), ("fi", "33241", "5x4x3")])
def test_a_review_is_python_s_word_for_word(ask: Any, language: str, moves: str, variant: str) -> None:
    game = Game(Variant.parse(variant), parse_moves(moves, Variant.parse(variant)))
    [answer] = rounded(ask([["review", moves, {"variant": variant, "language": language, "given": 1, "time": 60_000}]]))
    facts = to_json(SavedGame(game), review_game(game, given=1, seconds=60))
    expected = rounded(localize_review(facts, load_texts(language)))
    for found, move in zip(answer.pop("moves"), expected.pop("moves"), strict=True):
        assert {key: found[key] for key in move if key not in LINE_KEYS} == {
            key: text for key, text in move.items() if key not in LINE_KEYS
        }
    assert answer == expected | {"variant": variant, "players": {}}


def test_an_explanation_is_python_s_word_for_word(ask: Any) -> None:
    for language, moves, variant in (("en", "334425", "7x6x4"), ("sv", "22", "4x4x4")):
        [answer] = ask([["why", moves, {"variant": variant, "language": language}]])
        facts = why_to_json(explain(Position.from_moves(moves, Variant.parse(variant))))
        expected = localize_why(facts, load_texts(language))
        assert answer["claim"] == expected["claim"] is not None
        assert answer["headline"] == expected["headline"]
        assert [step["words"] for step in answer["steps"]] == [step["words"] for step in expected["steps"]]


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_refusals_are_python_s(ask: Any, language: str) -> None:
    """A refusal of the package has the rule's name and a sentence in the chosen language."""
    refused = [("44444444", "7x6x4"), ("12121213", "7x6x4"), ("9", "7x6x4"), ("4a", "7x6x4"), ("", "3x3x9")]
    refused += [("", "30x30x6")]
    what = ["position"] * 5 + ["solve"]
    options = [{"variant": variant, "language": language} for _, variant in refused]
    asked = [[name, moves, option] for name, (moves, _), option in zip(what, refused, options, strict=True)]
    for (moves, variant), answer in zip(refused, ask(asked), strict=True):
        with pytest.raises(ConnectkError) as error:
            solve(Position.from_moves(moves, Variant.parse(variant)))
        assert answer["message"] == error.value.localize(load_texts(language))
        names = {kind.__name__ for kind in type(error.value).__mro__}
        assert answer["rule"] in names


FALLBACK_SCRIPT = """
process.getBuiltinModule = undefined; // and so no threads
const { Position, bestMove, review, solve, why } = await import("connectk");
console.log((await solve("55", { variant: "6x5x4" })).result);
console.log((await bestMove("121212")).column, (await why("121212")).claim.result);
console.log((await review("1212121")).moves.length);
console.log((await (await Position.from("44")).drop(3)).ply);
"""


def test_without_threads_it_answers_on_the_thread_that_asks(run: Run) -> None:
    assert run(FALLBACK_SCRIPT) == ["draw", "0 wins", "7", "3"]


def test_deno_gives_the_same_answers(project: Path) -> None:
    """Deno gives the same answers, without any permission."""
    deno = shutil.which("deno")
    if deno is None:
        pytest.skip("Deno is not installed")
    (project / "ask.js").write_text('import { solve } from "connectk"; console.log((await solve("3342156")).score);')
    done = subprocess.run([deno, "run", "ask.js"], cwd=project, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.returncode) == ([str(solve("3342156").score)], 0), done.stderr


STOP_SCRIPT = """
import { Position, bestMove, solve } from "connectk";
const stop = new AbortController();
const search = solve("", { variant: "9x9x4", signal: stop.signal }).catch((error) => error.name);
const [{ ply }] = await Promise.all([Position.from("44")]); // the rules answer meanwhile
stop.abort();
console.log(ply, await search, (await bestMove("121212")).column);
"""


def test_a_search_can_be_stopped_and_the_next_one_answers(run: Run) -> None:
    assert run(STOP_SCRIPT) == ["2 AbortError 0"]


def test_the_examples_of_the_readme_print_what_they_show(run: Run) -> None:
    examples = re.findall(r"```js\n(.*?)```", README, re.DOTALL)
    assert len(examples) == 3
    for example in examples:
        shown = re.findall(r"console\.log\(.*\); // (.*)", example)
        assert shown
        assert run(example) == shown


TYPED_SCRIPT = """
import { ConnectkError, Position, bestMove, review, scoreColumns, solve, why } from "connectk";
import "connectk/board";

const position: Position = await Position.from("4453", { variant: "7x6x4", language: "fi" });
const scores: (number | null)[] = await scoreColumns(position);
const { score, line }: { score: number; line: number[] } = await solve({ moves: [3, 3] });
const label: string = (await review("4453")).moves[0].label;
const words: string[] = (await why(position, { side: "first" })).steps.map((step) => step.words);
const { column } = await bestMove(await position.drop(2), { level: 3, signal: AbortSignal.timeout(1000) });
document.querySelector("connectk-board")?.addEventListener("connectk-move", ({ detail }) => detail.ply + column);
if (new ConnectkError().rule && scores && score && line && label) throw words;
// @ts-expect-error a level is a number
await bestMove("", { level: "3" });
"""


def test_its_types_fit_what_the_readme_says(project: Path) -> None:
    check_types = pytest.importorskip("tools.check_types")
    if not check_types.COMPILER.exists() and not check_types.fetched():
        pytest.skip("TypeScript cannot be fetched here")
    from tests.core.asking import NODE

    (project / "typed.ts").write_text(TYPED_SCRIPT)
    options = [
        "--noEmit",
        "--strict",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--lib",
        "es2024,dom",
        "--types",
        "",
    ]
    command = [str(NODE), str(check_types.COMPILER), *options, "typed.ts"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
