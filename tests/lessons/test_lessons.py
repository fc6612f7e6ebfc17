"""The lessons: accepted answers match the solver, and the course can be played to its end."""

import pytest

from connectk.lessons import lessons
from connectk.puzzles.drop_quality import judge_drop_by_scores
from connectk.site import write_site
from connectk.solver import Solver
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.sessions import SessionScreen
from connectk.terminal.sessions import LessonSession, SavedPractice, next_lesson_card
from connectk.terminal.settings import TerminalSettings
from connectk.terminal.store import Autosaves
from connectk.texts import LANGUAGES, load_texts
from tests.puzzles.test_command import run
from tests.terminal.screens import ScreenUser

CARDS = [
    pytest.param(card, id=f"{lesson.name}-{number}")
    for lesson in lessons()
    for number, card in enumerate(lesson.cards, start=1)
]


@pytest.mark.parametrize("card", CARDS)
def test_accepted_answers_are_what_the_solver_says(card):
    """Exactly these columns are accepted; a card without a question has no answers."""
    position = card.position
    if card.ask is None:
        assert card.answers == ()
        return
    scores = Solver(card.variant).score_columns(position)
    open_columns = [column for column, score in enumerate(scores) if score is not None]

    assert card.answers == tuple(c for c in open_columns if card.accepts(judge_drop_by_scores(c, scores)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_its_words(language):
    texts = load_texts(language)
    keys = {key for key in texts.catalogue if key.startswith("lesson.") and key.count(".") == 2}

    names = {f"lesson.{lesson.name}.{part}" for lesson in lessons() for part in ("title", *_numbers(lesson))}
    assert keys == names


def _numbers(lesson):
    return [str(number) for number in range(1, len(lesson.cards) + 1)]


def test_the_course_can_be_played_to_its_end(tmp_path):
    """Always asking for the solution finishes all lessons, and the course restarts."""
    kept = SavedPractice(tmp_path / "practice.json")
    session = LessonSession(kept, load_texts("en"), 0)
    seen = 0
    while session.card:
        for _ in range(20):
            if not session.is_open:
                break
            session.solution()
        assert not session.is_open
        seen += 1
        session.next_card()

    assert seen == len(CARDS)
    again = SavedPractice(tmp_path / "practice.json")
    assert again.practice.lessons == {lesson.name: len(lesson.cards) for lesson in lessons()}
    assert next_lesson_card(again) == (0, 0)


def test_a_slower_win_is_no_mistake(tmp_path):
    """'This still wins, but the other is sooner', and the card stays open; a drop that loses is called so."""
    session = LessonSession(SavedPractice(tmp_path / "practice.json"), load_texts("en"), 0, 1)

    slower = session.answer(0)
    assert not slower.right
    assert slower.text == "Column 1 still wins, but column 4 is sooner."
    assert session.is_open
    assert session.answer(3).right
    assert not session.is_open


def test_the_solver_replies_on_the_board(tmp_path):
    """After the fork the other side blocks one threat, and the other one wins."""
    number = next(n for n, lesson in enumerate(lessons()) if lesson.name == "fork")
    session = LessonSession(SavedPractice(tmp_path / "practice.json"), load_texts("en"), number, 1)

    first = session.answer(4)
    assert "Go on." in first.text
    assert first.position.ply == session.card.position.ply + 2
    last = session.solution()
    assert last.position.outcome is not None


def test_a_lesson_in_sentences(tmp_path, capsys):
    """It resumes at the next card, in the chosen language."""
    said = run(tmp_path, capsys, "learn", "--plain", "--language", "sv", answers="\n1\nh\n4\nq\n")
    assert "Lektion 1: Släppa brickor och bilda rader. Kort 1 av 4." in said
    assert "Kolumn 1 vinner ändå, men kolumn 4 är snabbare." in said
    assert "Du har vunnit." in said

    listed = run(tmp_path, capsys, "learn", "--list")
    assert "(1 of 4)" in listed
    assert "Kort 2" not in run(tmp_path, capsys, "learn", "3", "--plain", "--language", "sv", answers="q\n")


@pytest.mark.anyio
async def test_a_lesson_on_the_full_screen(tmp_path):
    """A card to read, then one that asks; the reply stands beside the board."""
    app = ConnectkApp(TerminalSettings(reduced_motion=True, autosaves=Autosaves(tmp_path / "games")))
    session = LessonSession(SavedPractice(tmp_path / "practice.json"), app.texts, 0)
    app.start_with(SessionScreen(session))
    async with app.run_test(size=(100, 30)) as pilot:
        me = ScreenUser(app, pilot)
        assert "Card 1 of 4" in me.side_text
        await me.press("enter")
        assert "Card 2 of 4" in me.side_text
        await me.press("1")
        await me.wait_until(lambda: "still wins" in me.side_text)
        await me.press("right", "left", "4")
        await me.wait_until(lambda: "You have won." in me.side_text)
        await me.press("enter")
        assert "Card 3 of 4" in me.side_text


def test_the_static_site_contains_the_lessons(tmp_path):
    names = write_site(tmp_path)
    assert {"lessons/lessons.json", "puzzles/7x6x4.txt", "texts/learn/fi.json"} <= set(names)


def test_an_unknown_lesson_is_refused(tmp_path, capsys):
    with pytest.raises(AssertionError, match="1 to 10"):
        run(tmp_path, capsys, "learn", "11", "--plain")
