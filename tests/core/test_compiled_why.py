"""Compares the page's explanations with `connectk.why`: its own checker, rule names, steps and words."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from connectk.errors import ExplanationRefused, NotationError
from connectk.notation import parse_moves
from connectk.rules import Position, Side, Variant, all_lines
from connectk.rules.threats import winning_columns
from connectk.texts import LANGUAGES, load_texts
from connectk.why import Explanation, check, explain, parse_explanation
from connectk.why.checker import check_and_record
from connectk.why.explainer import MAX_POSITIONS_TO_CHECK
from connectk.why.files import page_to_json
from connectk.why.json_views import explanation_to_json, localize_why, why_to_json
from connectk.why.playing import describe_turn, game_against
from tests.core.asking import ask, asked, spoken

# A force, a strategy with a threat that decides, one for a side that is asked about, trees, other sizes and runs.
POSITIONS = [
    ("7x6x4", "3344", None),
    ("7x6x4", "4444443265353", None),
    ("7x6x4", "3444332265655551", Side.FIRST),
    ("4x4x4", "", None),
    ("5x4x3", "1524", None),
    ("5x5x4", "33333444", None),
    ("8x7x4", "444455553636", None),
    ("6x5x4", "3344335", None),
]
WHY_TIMEOUT_MS = 20_000  # long, because the machine may be busy


def some_way_into_a_game(seed: int) -> str:
    """The moves of a random game of twenty to thirty discs in which neither side can win at once."""
    dice = random.Random(seed)
    while True:
        position, moves = Position(), ""
        for _ in range(dice.randrange(20, 31)):
            if position.outcome:
                break
            moves += str(dice.choice(position.legal_columns) + 1)
            position = Position.from_moves(moves)
        if not position.outcome and not any(winning_columns(position, side) for side in Side):
            return moves


POSITIONS += [("7x6x4", some_way_into_a_game(seed), None) for seed in range(8)]


def position_of(name: str, moves: str) -> Position:
    return Position.from_moves(moves, Variant.parse(name))


def as_json(facts: Any) -> Any:
    return json.loads(json.dumps(facts))


@pytest.fixture(scope="module")
def found() -> list[dict[str, Any]]:
    """The explanations that the page finds for these positions."""
    questions = []
    for name, moves, side in POSITIONS:
        variant = Variant.parse(name)
        columns = parse_moves(moves, variant)
        questions.append(["why", asked(Position.start(variant), columns), side and str(side), WHY_TIMEOUT_MS])
    return ask(questions)


def explanation_in(facts: dict[str, Any], position: Position) -> Explanation:
    """The explanation as Python parses it. Its position is the original one, because a file does not say which disc was
    last."""
    read = parse_explanation(json.dumps(facts["explanation"]))
    return Explanation(position, read.claim, read.pages)


def test_the_page_knows_every_line() -> None:
    variants = [Variant(7, 6, 4), Variant(5, 4, 3), Variant(3, 9, 5), Variant(1, 4, 2), Variant(9, 2, 2)]
    shapes = [{"width": one.width, "height": one.height, "run": one.run} for one in variants]
    assert ask(["lines", shape] for shape in shapes) == as_json([list(all_lines(one)) for one in variants])


def test_most_are_explained_and_python_accepts_all(found: list[dict[str, Any]]) -> None:
    for (name, moves, _), facts in zip(POSITIONS, found, strict=True):
        if facts["claim"]:
            assert max(1, check(parse_explanation(json.dumps(facts["explanation"])))) == facts["checked"], (name, moves)
    assert {facts["kind"] for facts in found} >= {"force", "strategy", "tree"}
    assert sum(facts["claim"] is not None for facts in found) > len(found) // 2


def test_it_claims_what_python_claims(found: list[dict[str, Any]]) -> None:
    for (name, moves, side), facts in zip(POSITIONS, found, strict=True):
        claim = explain(position_of(name, moves), side=side).explanation
        if claim and facts["claim"]:
            assert facts["claim"] == {"side": str(claim.claim.keeper), "result": claim.claim.promise.value}


def test_names_and_steps_are_those_of_python(found: list[dict[str, Any]]) -> None:
    """The page and Python name and draw the same boards, pairs, rules, cells and lines, and use the same words."""
    for (name, moves, _), facts in zip(POSITIONS, found, strict=True):
        if facts["claim"]:
            expected = as_json(
                explanation_to_json(
                    check_and_record(explanation_in(facts, position_of(name, moves)), MAX_POSITIONS_TO_CHECK)
                )
            )
            same = facts.keys() - {"explanation"}  # a page may leave out its empty parts
            assert {key: facts[key] for key in same} == {key: expected[key] for key in same}, (name, moves)


def strategy_turns(facts: dict[str, Any], position: Position, picks: list[int]) -> list[dict[str, Any]]:
    """The turns of a game that Python plays against the page's explanation, in the page's form."""
    game = game_against(check_and_record(explanation_in(facts, position), MAX_POSITIONS_TO_CHECK))
    moves: list[int] = []

    def turn() -> dict[str, Any]:
        reply = game.turn.reply
        if reply:
            moves.append(reply.cell.column)
        expected_reply = reply and {
            "reason": reply.reason,
            "column": reply.cell.column,
            "page": reply.page,
            "to": reply.to,
        }
        return {
            "moves": list(moves),
            "reply": expected_reply and expected_reply | ({"rule": reply.rule} if reply.rule else {}),
            "words": describe_turn(game, load_texts("en")),
        }

    turns = [turn()]
    for pick in picks:
        if game.turn.position.outcome:
            break
        open_columns = game.turn.position.legal_columns
        moves.append(open_columns[pick % len(open_columns)])
        game.drop(moves[-1])
        turns.append(turn())
    return turns


def test_a_game_against_an_explanation_is_the_same_in_the_page(found: list[dict[str, Any]]) -> None:
    """When the rival drops any disc, the page's strategy answers with the same disc, reason and sentence as
    Python's."""
    dice, games = random.Random(5), []
    for (name, moves, _), facts in zip(POSITIONS, found, strict=True):
        if facts["claim"]:
            picks = [[dice.randrange(60) for _ in range(30)] for _ in range(4)]
            games += [(position_of(name, moves), facts, some) for some in picks]
    questions = [["strategy", facts["explanation"], facts["steps"], picks] for _, facts, picks in games]
    [_, *turns] = ask([spoken("en", "first", "later", "why"), *questions])
    for (position, facts, picks), page in zip(games, turns, strict=True):
        assert page == as_json(strategy_turns(facts, position, picks)), (position, picks)
    replies = [turn["reply"] for game in turns for turn in game if turn["reply"]]
    assert {reply["reason"] for reply in replies} >= {"win", "force", "page", "block", "rule"}


def test_without_an_explanation_best_play_is_told() -> None:
    """If no explanation is found in time, the page shows a line of best play. If the game is over, it shows the
    result."""
    [over, unexplained] = ask(
        [
            ["why", asked(Position(), [0, 1, 0, 1, 0, 1, 0]), None, WHY_TIMEOUT_MS],
            ["why", asked(Position(), [3, 3]), None, 20],
        ]
    )
    assert over == as_json(why_to_json(explain(Position.from_moves("1212121"))))
    assert (unexplained["claim"], unexplained["known"]) == (None, {"kind": "unknown", "side": "first"})
    assert [step["kind"] for step in unexplained["steps"]] == ["line"]


def altered(document: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """An explanation with one page changed."""
    changed: dict[str, Any] = as_json(document)
    page = dice.choice(changed["pages"])
    answers = page.get("answers", [])
    match dice.randrange(5):
        case 0 if answers:
            answers.pop(dice.randrange(len(answers)))
        case 1 if answers:
            dice.choice(answers)[1] = [dice.choice(answers)[0]]
        case 2 if page.get("force"):
            page["force"] = [*page["force"][:-1], dice.randrange(4)]
        case 3:
            page["replies"] = {str(dice.randrange(4)): dice.randrange(len(changed["pages"]) + 1)}
        case _:
            changed["claim"] = {"side": dice.choice(["first", "second"]), "result": dice.choice(["wins", "holds"])}
    return changed


def verdict_of_python(document: dict[str, Any]) -> Any:
    try:
        return check(parse_explanation(json.dumps(document)), MAX_POSITIONS_TO_CHECK)
    except ExplanationRefused as error:
        return error.fault


def test_both_checkers_say_the_same_of_altered_explanations(found: list[dict[str, Any]]) -> None:
    """The page's checker and Python's agree about altered explanations.

    Both accept an explanation with the same number of positions, or both refuse it for a valid reason.
    """
    dice = random.Random(17)
    documents = [facts["explanation"] for facts in found if facts["claim"] and facts["checked"] < 3_000]
    documents += [altered(dice.choice(documents), dice) for _ in range(60)]
    starts = [parse_explanation(json.dumps(one)).position for one in documents]
    answers = ask(["check", asked(start), one] for start, one in zip(starts, documents, strict=True))
    verdicts = [answer["refused"]["fault"] if "refused" in answer else answer["checked"] for answer in answers]
    expected = [max(1, one) if isinstance(one, int) else one for one in map(verdict_of_python, documents)]
    held = [isinstance(one, int) for one in expected]

    assert [isinstance(one, int) for one in verdicts] == held
    assert [one for one in verdicts if isinstance(one, int)] == [one for one in expected if isinstance(one, int)]
    assert True in held
    assert held.count(False) > 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_what_python_says(found: list[dict[str, Any]], language: str) -> None:
    texts = load_texts(language)
    faults = [{"fault": "no_answer", "line": [3, 2]}, {"fault": "over", "line": []}]
    nothing = as_json(why_to_json(explain(Position.from_moves("1212121")))) | {
        "steps": [found[0]["steps"][0] | {"kind": "line", "facts": {"line": line}} for line in ([], [3, 2])]
    }
    found = [*found, nothing]
    questions = [["explanationText", facts] for facts in found] + [["faultText", fault] for fault in faults]
    answers = ask([spoken(language, "first", "why"), *questions])[1:]
    explained, refused = answers[: len(found)], answers[len(found) :]
    for facts, answer in zip(found, explained, strict=True):
        expected = as_json(localize_why(facts, texts))
        assert answer["headline"] == expected["headline"]
        assert [step["words"] for step in answer["steps"]] == [step["words"] for step in expected["steps"]]
    assert refused == [ExplanationRefused(fault["fault"], fault["line"]).localize(texts) for fault in faults]


def test_a_file_is_read_as_python_reads_it(found: list[dict[str, Any]]) -> None:
    files = [json.dumps(facts["explanation"]) for facts in found if facts["explanation"]]
    answers = ask([spoken("en", "first", "why"), *(["parseExplanation", file] for file in files)])[1:]
    for file, answer in zip(files, answers, strict=True):
        read = parse_explanation(file)
        empty: dict[str, Any] = {"force": [], "answers": [], "replies": {}}
        assert answer["position"] == asked(read.position)
        assert answer["explanation"]["claim"] == json.loads(file)["claim"]
        assert answer["explanation"]["pages"] == [empty | as_json(page_to_json(page)) for page in read.pages]


@pytest.mark.parametrize("change", [{"format": "connectk-game"}, {"version": 2}, {"pages": None}, {"start": 3}])
def test_a_file_that_is_something_else_is_refused(found: list[dict[str, Any]], change: dict[str, Any]) -> None:
    """The page and Python refuse a file of another kind with the same sentence, except for the details of each
    parser."""
    file = json.dumps(found[0]["explanation"] | change)
    [_, answer] = ask([spoken("en", "first", "why"), ["parseExplanation", file]])
    with pytest.raises(NotationError) as refused:
        parse_explanation(file)
    sentence = str(refused.value)
    assert answer["refused"].partition(": ")[0] == sentence.partition(": ")[0]
    assert "damaged" in refused.value.key or answer["refused"] == sentence
