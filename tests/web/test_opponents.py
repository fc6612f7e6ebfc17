"""Tests the ten opponents: which one is next, and the results against them that this device remembers."""

from __future__ import annotations

from playwright.sync_api import expect

from connectk.players.levels import LEVEL_RATINGS, SHARES_AGAINST_LEVEL_BELOW
from tests.web.conftest import OpenTable
from tests.web.table import Table

PROGRESS_SCRIPT = "() => JSON.parse(localStorage.getItem('connectk.progress'))"
RECORD_SCRIPT = "(game) => import('./js/match/progress.js').then(({ recordGame }) => recordGame(game))"


def record(me: Table, level: int, score: float, *, rated: bool = True) -> None:
    """Record the end of a game."""
    me.page.evaluate(
        RECORD_SCRIPT, {"id": f"{level} {score} {rated}", "level": level, "score": score, "isRated": rated}
    )


def test_whoever_is_beaten_makes_room_for_the_next(open_table: OpenTable) -> None:
    me = open_table()
    expect(me.page.locator("#progress")).to_have_text("You have beaten 0 of 10.")
    expect(me.page.get_by_role("button", name="Play Pip")).to_be_visible()

    record(me, 1, 1)
    record(me, 3, 1)
    me.page.reload()

    expect(me.page.locator("#progress")).to_contain_text("You have beaten 2 of 10. Games won 2, drawn 0, lost 0.")
    expect(me.page.get_by_role("button", name="Play Dot")).to_be_visible()
    expect(me.page.locator(".opponents .beaten")).to_have_count(2)
    me.page.get_by_role("radio", name="Otto").check()
    record(me, 3, 1, rated=False)
    me.page.reload()
    expect(me.page.get_by_role("button", name="Play Milla")).to_be_visible()


def test_an_ended_game_is_counted_once(open_table: OpenTable) -> None:
    me = open_table()
    me.drop(4)
    me.expect_turn("Your turn.")
    me.sure("Resign")
    expect(me.headline).to_contain_text("Pip wins.")
    me.page.wait_for_function(f"({PROGRESS_SCRIPT})()?.rated === 1")
    me.page.reload()
    expect(me.headline).to_contain_text("Pip wins.")

    progress = me.page.evaluate(PROGRESS_SCRIPT)
    assert (progress["losses"], progress["rated"], progress["beaten"]) == (1, 1, [])
    assert progress["rating"][0] < 1500


def test_a_game_with_help_is_not_rated(open_table: OpenTable) -> None:
    me = open_table()
    me.drop(4)
    me.expect_turn("Your turn.")
    me.press("Hint")
    me.drop(4)
    me.expect_turn("Your turn.")
    me.sure("Resign")
    expect(me.headline).to_contain_text("Pip wins.")
    me.page.wait_for_function(f"({PROGRESS_SCRIPT})()?.losses === 1")
    me.page.reload()
    expect(me.headline).to_contain_text("Pip wins.")

    assert me.page.evaluate(PROGRESS_SCRIPT)["rated"] == 0


def test_a_rating_is_shown_once_it_means_something(open_table: OpenTable) -> None:
    """A rating appears after five games, and is near the opponent's rating when half of the games are won."""
    me = open_table()
    for game in range(12):
        facts = {"id": str(game), "level": 5, "score": game % 2, "isRated": True}
        me.page.evaluate(RECORD_SCRIPT, facts)
        me.page.wait_for_function(f"(count) => ({PROGRESS_SCRIPT})()?.rated === count", arg=game + 1)
        me.page.reload()
        expect(me.page.get_by_text("Your rating against them")).to_have_count(int(game >= 4))

    assert abs(me.page.evaluate(PROGRESS_SCRIPT)["rating"][0] - LEVEL_RATINGS[4]) < 60


def test_the_opponents_ratings_follow_from_the_games_between_them() -> None:
    for below, above, share in zip(LEVEL_RATINGS, LEVEL_RATINGS[1:], SHARES_AGAINST_LEVEL_BELOW, strict=False):
        assert abs(1 / (1 + 10 ** ((below - above) / 400)) - share) < 0.005


def test_every_opponent_has_a_face_of_a_few_hundred_bytes(open_table: OpenTable) -> None:
    me = open_table()
    faces = me.page.locator(".opponents .face-icon").evaluate_all("(faces) => faces.map((face) => face.outerHTML)")
    assert len(set(faces)) == 10
