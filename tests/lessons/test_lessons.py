"""The lessons: accepted answers match the solver, and a user can finish the course."""

from datetime import date

import pytest

from connectk.lessons import lessons
from connectk.lessons.certificate import TEST_LESSON, draw_certificate, final_test
from connectk.puzzles.drop_quality import judge_drop_by_scores
from connectk.site import write_site
from connectk.solver import Solver
from connectk.terminal.learning_sessions import LessonSession, SavedPractice, next_lesson_card
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.learning_screen import LearningScreen
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
    """A card of a lesson accepts exactly the columns that the solver calls right. A card without a question accepts
    none."""
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
    """A user who always asks for the solution, and answers the test, finishes all lessons. Then the course begins
    again."""
    kept = SavedPractice(tmp_path / "practice.json")
    session = LessonSession(kept, load_texts("en"), 0)
    seen = 0
    while session.card:
        for _ in range(20):
            if not session.is_open:
                break
            session.solution()
            if session.lesson.name == TEST_LESSON:
                session.answer(CARDS[seen].values[0].answers[0])
        assert not session.is_open
        seen += 1
        session.next_card()

    assert seen == len(CARDS)
    again = SavedPractice(tmp_path / "practice.json")
    assert again.practice.lessons == {lesson.name: len(lesson.cards) for lesson in lessons()}
    assert next_lesson_card(again) == (0, 0)


def test_a_slower_win_is_no_mistake(tmp_path):
    """A slower win keeps the card open, and the reply says that another drop wins sooner."""
    session = LessonSession(SavedPractice(tmp_path / "practice.json"), load_texts("en"), 0, 1)

    slower = session.answer(0)
    assert not slower.right
    assert slower.text == "Column 1 still wins, but another one is sooner. Try again."
    assert session.is_open
    assert session.answer(3).right
    assert not session.is_open


def test_the_solver_replies_on_the_board(tmp_path):
    """After the user's fork, the solver blocks one threat, and the user wins with the other."""
    number = next(n for n, lesson in enumerate(lessons()) if lesson.name == "fork")
    session = LessonSession(SavedPractice(tmp_path / "practice.json"), load_texts("en"), number, 1)

    first = session.answer(4)
    assert "Go on." in first.text
    assert first.position.ply == session.card.position.ply + 2
    last = session.solution()
    assert last.position.outcome is not None


def test_a_lesson_for_the_ear(tmp_path, capsys):
    """For a screen reader, a wrong answer is explained by its columns without a board. Board and threats are described
    on request, and no player is named by the sign of a disc."""
    said = run(tmp_path, capsys, "learn", "2", "--plain", "--no-board", answers="\n4\nb\nt\nq\n")
    assert "○" not in said
    assert "First player to move. Column?" in said
    assert "How it goes on: columns 4, 7.\n" in said
    column = "Column 7, from the bottom: second player, second player, second player.\n"
    assert said.count(column) == 3  # on both cards, and after b
    assert "First player: column 1, row 1 would complete a line; a disc can land there now." in said


def test_a_lesson_in_sentences(tmp_path, capsys):
    """The lesson resumes at the next card, in the chosen language."""
    said = run(tmp_path, capsys, "learn", "--plain", "--language", "sv", answers="\n1\nh\n4\nq\n")
    assert "Lektion 1: Släppa brickor och bilda rader. Kort 1 av 4." in said
    assert "Kolumn 1 vinner ändå, men en annan går fortare. Försök igen." in said
    assert "Du har vunnit." in said

    listed = run(tmp_path, capsys, "learn", "--list")
    assert "(1 of 4)" in listed
    assert "Kort 2" not in run(tmp_path, capsys, "learn", "3", "--plain", "--language", "sv", answers="q\n")


@pytest.mark.anyio
async def test_a_lesson_on_the_full_screen(tmp_path):
    """On the full screen, the first card is only read, the second has a question, and the reply is beside the board."""
    app = ConnectkApp(TerminalSettings(reduced_motion=True, autosaves=Autosaves(tmp_path / "games")))
    session = LessonSession(SavedPractice(tmp_path / "practice.json"), app.texts, 0)
    app.start_with(LearningScreen(session))
    async with app.run_test(size=(100, 30)) as pilot:
        me = ScreenUser(app, pilot)
        assert "Card 1 of 4" in me.side_text
        await me.press("enter")
        assert "Card 2 of 4" in me.side_text
        assert "1-7" in me.screen, "the keys of this board's columns"
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
    with pytest.raises(AssertionError, match="1 to 14"):
        run(tmp_path, capsys, "learn", "15", "--plain")


def test_the_lesson_about_following_notices_who_follows(tmp_path):
    """The lesson says whether the user's drop is on top of the other side's last disc."""
    number = next(n for n, lesson in enumerate(lessons()) if lesson.name == "follow")
    session = LessonSession(SavedPractice(tmp_path / "practice.json"), load_texts("en"), number, 1)
    first = session.answer(1)
    assert "follow" not in first.text, "nobody has dropped before"
    last = first.position.last_drop.column

    assert "You followed." in session.answer(last).text

    other = LessonSession(SavedPractice(tmp_path / "other.json"), load_texts("en"), number, 1)
    last = other.answer(1).position.last_drop.column
    said = other.answer(next(column for column in range(4) if column != last)).text
    assert "You followed." not in said
    assert "You did not follow" in said or "Try again." in said


def test_the_test_gives_no_help(tmp_path):
    number, test = final_test()
    session = LessonSession(SavedPractice(tmp_path / "practice.json"), load_texts("en"), number - 1)
    assert session.hint() == "The test gives no help."
    refused = session.solution()
    assert (refused.text, refused.position) == ("The test gives no help.", test.cards[0].position)
    assert session.is_open


def test_the_last_question_leads_to_the_certificate(tmp_path, capsys):
    """The certificate is available when all questions of the test are solved. It is a PDF with the name as text, or an
    SVG."""
    file = tmp_path / "mine.pdf"
    with pytest.raises(AssertionError, match="lesson 14"):
        run(tmp_path, capsys, "learn", "--certificate", "Aino Ääri", "--out", str(file))
    assert not file.exists()

    number, test = final_test()
    session = LessonSession(SavedPractice(tmp_path / "connectk" / "practice.json"), load_texts("en"), number - 1)
    for card in test.cards:
        said = session.answer(card.answers[0]).text
        assert ("--certificate" in said) == (card is test.cards[-1])
        session.next_card()

    assert "mine.pdf" in run(tmp_path, capsys, "learn", "--certificate", "Aino Ääri", "--out", str(file))
    assert file.read_bytes().startswith(b"%PDF")
    picture = tmp_path / "mine.svg"
    run(tmp_path, capsys, "learn", "--certificate", "Aino Ääri", "--out", str(picture))
    assert "Aino Ääri" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_certificate_says_who_solved_what_and_when(language):
    texts = load_texts(language)
    words = [
        shape.words for shape in draw_certificate("Aino", date(2026, 5, 31), texts).shapes if hasattr(shape, "words")
    ]
    assert words == [
        texts("learn.certificate.title"),
        "Aino",
        texts("learn.certificate.solved", count=7),
        "2026-05-31",
        "connectk",
    ]
