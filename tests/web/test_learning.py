"""Tests lessons and puzzles on the page: the board asks, the solver judges, and the device remembers."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from datetime import date
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Route, expect

from connectk.glicko import Glicko, RatedGame, rate
from connectk.lessons import lessons
from connectk.lessons.certificate import final_test
from connectk.notation import parse_start
from connectk.puzzles import puzzle_boards, puzzle_of_day, shipped_puzzles
from connectk.puzzles.drop_quality import DropQuality, judge_drop_by_scores
from connectk.puzzles.practice import Practice
from connectk.texts import load_texts
from tests.web.conftest import OpenTable
from tests.web.table import Table

TODAY_SCRIPT = """async () => (await import("/js/learn/practice.js")).dayOf(new Date())"""
RATE_SCRIPT = """async (cases) => {
    const { updateRating } = await import("/js/learn/practice.js");
    return cases.map(([before, games]) => updateRating(before, games));
}"""
JUDGE_SCRIPT = """async (cases) => {
    const { judgeDrop } = await import("/js/learn/task-board.js");
    return cases.map(([scores, column]) => judgeDrop(scores, column));
}"""
LOAD_PUZZLES_SCRIPT = """async (variant) => (await import("/js/learn/puzzle-files.js")).loadPuzzles(variant)"""
PUZZLE_OF_DAY_SCRIPT = """async (day) => {
    const { loadPuzzles, puzzleOfDay } = await import("/js/learn/puzzle-files.js");
    return puzzleOfDay(await loadPuzzles("7x6x4"), day).key;
}"""
PRACTISE_SCRIPT = """async ([puzzles, answers]) => {
    localStorage.clear();
    const { Practice } = await import("/js/learn/practice.js");
    const practice = new Practice();
    for (const [index, right, day] of answers) practice.recordAnswer(puzzles[index], right, day);
    return [practice.record, answers.map(([, , day]) => practice.nextPuzzle(puzzles, day)?.key ?? null)];
}"""


def kept(me: Table) -> Any:
    return json.loads(me.page.evaluate("localStorage.getItem('connectk.practice')"))


def todays(me: Table):
    return puzzle_of_day(date.fromisoformat(me.page.evaluate(TODAY_SCRIPT)))


def test_the_page_and_the_terminal_reckon_alike(open_table: OpenTable) -> None:
    """The page and the terminal compute the same puzzles, puzzles of the day, ratings and repetitions."""
    me = open_table("#/learn")
    dice = random.Random(3)
    example = [RatedGame(Glicko(1400, 30), 1), RatedGame(Glicko(1550, 100), 0), RatedGame(Glicko(1700, 300), 0)]
    cases = [(Glicko(1500, 200, 0.06), example), *(some_games(dice) for _ in range(40))]
    theirs = [
        (asdict(before), [asdict(game.opponent) | {"score": game.score} for game in games]) for before, games in cases
    ]
    for found, case in zip(me.page.evaluate(RATE_SCRIPT, theirs), cases, strict=True):
        assert found == pytest.approx(asdict(rate(*case)), rel=1e-9)

    for variant in puzzle_boards():
        ours = [
            {"key": one.key, "answer": one.answer, "theme": one.theme, "aim": one.aim, "rating": one.rating,
             "difficulty": one.difficulty, "start": one.start, "variant": str(one.variant)}
            for one in shipped_puzzles(variant)
        ]  # fmt: skip
        assert me.page.evaluate(LOAD_PUZZLES_SCRIPT, str(variant)) == ours
    for day in ("2026-11-16", "2027-02-28"):
        assert me.page.evaluate(PUZZLE_OF_DAY_SCRIPT, day) == puzzle_of_day(date.fromisoformat(day)).key

    some = shipped_puzzles()[:6]
    answers = [(0, True, "2026-11-16"), (1, False, "2026-11-16"), (2, True, "2026-11-17"), (1, True, "2026-11-17"),
               (1, True, "2026-11-20"), (3, False, "2026-11-21")]  # fmt: skip
    practice = Practice()
    for index, right, day in answers:
        practice.record(some[index], right, date.fromisoformat(day))
    nexts = [practice.next_puzzle(some, date.fromisoformat(day)) for _, _, day in answers]
    ours = [{"key": one.key, "rating": one.rating} for one in some]
    theirs, their_nexts = me.page.evaluate(PRACTISE_SCRIPT, [ours, answers])
    document = practice.to_json()
    assert theirs["rating"] == pytest.approx(document["rating"], rel=1e-9)
    for name in ("tried", "due", "streak"):
        assert theirs[name] == document[name]
    assert their_nexts == [one and one.key for one in nexts]


def some_games(dice: random.Random) -> tuple[Glicko, list[RatedGame]]:
    """Games of a player against one opponent or several."""
    someone = lambda: Glicko(dice.uniform(600, 2600), dice.uniform(30, 350), dice.uniform(0.03, 0.09))  # noqa: E731
    return someone(), [RatedGame(someone(), dice.choice([0, 1])) for _ in range(dice.randint(1, 4))]


def test_the_page_and_the_terminal_judge_alike(open_table: OpenTable) -> None:
    """For random scores, the page and the terminal give every drop the same quality and name the same best columns."""
    dice, cases = random.Random(6), []
    for _ in range(300):
        scores = [dice.choice([None, *range(-3, 4)]) for _ in range(6)]
        cases += [(tuple(scores), column) for column, score in enumerate(scores) if score is not None]
    expected = [judge_drop_by_scores(column, scores) for scores, column in cases]
    found = open_table("#/learn").page.evaluate(JUDGE_SCRIPT, cases)

    assert found == [{"kind": one.quality, "best": list(one.best)} for one in expected]
    assert {one.quality for one in expected} == set(DropQuality)


def test_the_puzzle_of_the_day(open_table: OpenTable) -> None:
    """In the puzzle of the day, a wrong column is judged without a drop. The right one is dropped, explained and
    remembered."""
    me = open_table("#/puzzle")
    expect(me.page.locator("h1")).to_have_text("Puzzle of the day")
    puzzle = todays(me)
    side = puzzle.position.side_to_move.name.capitalize()
    expect(me.page.locator("#panel")).to_contain_text(f"{side} player to move.")  # the disc beside it has its own mark
    discs = puzzle.position.ply
    me.expect_discs(discs)
    wrong = next(column for column in puzzle.position.legal_columns if column != puzzle.answer)
    status = me.page.locator("#learn-status")

    me.page.keyboard.press("h")
    expect(status).to_contain_text("Hint")
    me.drop(wrong + 1)
    expect(status).to_contain_text(f"olumn {wrong + 1} ")
    expect(status).to_contain_text("Try again.")
    expect(me.page.locator("connectk-board .drop-number").first).to_have_text("1")
    me.expect_discs(discs)
    me.page.keyboard.press(str(puzzle.answer + 1))
    expect(status).to_contain_text("Right.")
    expect(me.live).to_contain_text("Right.")
    if puzzle.is_forcing:
        expect(status).to_contain_text("The other side answers")
        me.button("Solution").click()
    me.expect_discs(discs + (3 if puzzle.is_forcing else 1))
    assert kept(me)["tried"] == {puzzle.key: False}
    assert list(kept(me)["due"]) == [puzzle.key]

    me.page.evaluate("navigator.share = async (what) => { window.shared = what; }")
    me.button("Share the result").click()
    me.page.wait_for_function("() => window.shared?.title.startsWith('Can you solve')")
    me.button("Why").click()
    expect(me.page.get_by_role("dialog")).to_be_visible()
    me.escape()
    me.button("Next").click()
    expect(me.page.locator("h1")).to_have_text("Puzzle")
    me.page.reload()
    expect(me.page.locator("h1")).to_have_text("Puzzle")
    expect(me.page.locator("#learn-standing")).to_have_text("2 more answers place you.")


def test_a_mistake_of_a_review_comes_back_as_a_puzzle(open_table: OpenTable) -> None:
    """A mistake saved from a review is the next puzzle, any best column solves it, and it is not rated."""
    me = open_table("#/game/7x6x4/536376")
    me.page.get_by_role("button", name="Practise this").click()
    me.visit("#/puzzle")
    me.button("Solution").click()
    me.button("Next").click()
    expect(me.page.locator("h1")).to_have_text("A mistake from a game of yours")
    me.drop(4)
    expect(me.page.locator("#learn-status")).to_have_text("Right.")

    assert kept(me)["own"]["7x6x4:3oo.5x.6x.7x"]["label"] == "missed_block"
    assert kept(me)["due"]["7x6x4:3oo.5x.6x.7x"][1] == 0
    assert Practice.from_json(kept(me)).own.keys() == kept(me)["own"].keys()


def test_a_lesson_goes_on_where_the_solver_has_no_time(open_table: OpenTable) -> None:
    """If the solver has no time, a lesson uses the answers of the card, and the engine plays the other side."""
    me = open_table()
    me.page.route("**/api/scores", lambda route: route.fulfill(json={"exact": False, "scores": None}))
    status = me.second_card(4, 4)
    me.drop(7)
    expect(status).to_contain_text("That is not it.")
    me.drop(2)
    expect(status).to_contain_text("The other side drops into column")
    me.press("Hint")
    expect(status).to_contain_text("Hint: look at column")


def test_a_click_while_the_other_side_chooses_is_not_its_drop(open_table: OpenTable) -> None:
    me = open_table()
    status = me.second_card(7, 5)
    discs = me.discs.count()
    asked: list[Route] = []

    def answer_the_first(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:  # the first sentence judges the drop, the second is about the reply
            route.continue_()

    me.page.route("**/api/scores", answer_the_first)
    me.drop(1)
    while len(asked) < 2:
        me.page.wait_for_timeout(10)
    for column in range(1, 8):
        me.drop(column)
    me.next_frame()
    assert len(asked) == 2  # nobody judges the click
    for route in asked[1:]:
        route.continue_()

    expect(status).to_contain_text("The other side drops into column")
    me.expect_discs(discs + 2)


def test_only_the_board_of_the_puzzle_that_was_wished_last_counts(open_table: OpenTable) -> None:
    """Only the board of the last requested puzzle counts, in whichever order the boards arrive. Earlier clicks answer
    nothing."""
    me = open_table("#/puzzle")
    expect(me.page.locator("h1")).to_have_text("Puzzle of the day")
    held: list[Route] = []
    me.page.route("**/api/page/game", lambda route: held.append(route))
    for count, theme in enumerate(("stack", "zugzwang"), start=1):
        me.page.get_by_label("Theme").select_option(theme)
        while len(held) < count:
            me.page.wait_for_timeout(10)
    for column in range(1, 8):
        me.drop(column)
    for route in reversed(held):
        with me.page.expect_response("**/api/page/game") as answered:
            route.continue_()
        answered.value.finished()
    expect(me.page.locator("h1")).to_have_text("Puzzle")
    me.next_frame()

    wanted = {(cell.column, cell.row, str(side)) for cell, side in parse_start(start_of(held[1])).discs()}
    shown = me.page.evaluate("document.querySelector('connectk-board').state.discs")
    assert {(disc["column"], disc["row"], disc["side"]) for disc in shown} == wanted
    assert me.page.evaluate("localStorage.getItem('connectk.practice')") is None


def start_of(route: Route) -> str:
    """The board that a request asks for."""
    asked: dict[str, str] = json.loads(route.request.post_data or "{}")
    return asked["start"]


def test_puzzles_by_theme(open_table: OpenTable) -> None:
    me = open_table("#/puzzle")
    me.page.get_by_label("Theme").select_option("stack")
    expect(me.page.locator("h1")).to_have_text("Puzzle")
    me.button("Hint").click()
    expect(me.page.locator("#learn-status")).to_contain_text("one right above the other")
    me.button("Solution").click()
    expect(me.page.locator("#learn-status")).to_contain_text("The answer is column")


def test_a_lesson_on_a_phone_in_finnish(open_table: OpenTable) -> None:
    """A lesson on a phone in Finnish: a slower win gets its own sentence, and the device remembers the progress."""
    me = open_table("#/learn", viewport={"width": 390, "height": 844}, has_touch=True, locale="fi-FI")
    expect(me.page.locator(".lessons li")).to_have_count(len(lessons()))
    me.page.locator(".lessons a").nth(0).click()
    me.page.locator("#learn-next").click()
    status = me.page.locator("#learn-status")
    expect(me.page.locator("main")).to_contain_text("kortti 2/4")
    me.page.keyboard.press("1")
    expect(status).to_contain_text("Sarake 1 voittaa silti, mutta toinen nopeammin.")
    me.page.keyboard.press("4")
    expect(status).to_contain_text("Voitit.")
    me.page.locator("#learn-next").click()
    expect(me.page.locator("main")).to_contain_text("kortti 3/4")
    assert kept(me)["lessons"] == {"drop": 2}
    me.visit("#/learn/4")
    me.page.locator("#learn-next").click()
    expect(me.page.locator("main")).to_contain_text("kortti 2/4")
    me.page.keyboard.press("5")
    expect(status).to_contain_text("Toinen pudottaa sarakkeeseen")
    me.page.keyboard.press("h")
    expect(status).to_contain_text("Vihje")


def test_the_test_ends_with_a_certificate_to_print(open_table: OpenTable) -> None:
    """The final test gives no hints. After it, the page shows a certificate with a field for a name, and prints nothing
    else."""
    number, test = final_test()
    me = open_table("#/learn/certificate")
    expect(me.page.locator("#panel")).to_contain_text(f"lesson {number}")
    me.visit(f"#/learn/{number}")
    status = me.page.locator("#learn-status")
    for count, card in enumerate(test.cards, start=1):
        expect(me.page.locator("main")).to_contain_text(load_texts("en")(f"lesson.test.{count}"))
        expect(me.page.get_by_role("button", name="Hint")).to_have_count(0)
        me.page.keyboard.press(str(card.answers[0] + 1))
        expect(status).to_contain_text("is the best drop")
        me.page.locator("#learn-next").click()
    certificate = me.page.locator(".certificate")
    expect(certificate).to_contain_text("has solved all 7 questions")
    certificate.get_by_label("Your name").fill("Aino")
    assert Axe().run(me.page).response["violations"] == []
    me.page.emulate_media(media="print")
    expect(me.page.locator("header").first).to_have_css("visibility", "hidden")
    expect(certificate).to_have_css("visibility", "visible")
    me.page.emulate_media(media="screen")
    me.visit("#/learn")
    expect(me.page.get_by_role("link", name="Certificate")).to_be_visible()
