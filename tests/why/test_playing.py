"""Tests games against an explanation: the strategy answers each disc by its own rules and keeps its promise."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from connectk import Position, Side, Variant
from connectk.errors import ColumnFull, ColumnOutOfRange, GameAlreadyOver
from connectk.texts import LANGUAGES, load_texts
from connectk.why import CheckedExplanation, Promise, explain, parse_explanation
from connectk.why.checker import check_and_record
from connectk.why.openings import OpeningPage, opening_page
from connectk.why.playing import KeeperReply, StrategyGame, describe_turn, game_against, game_against_opening
from connectk.why.steps import shown_pages

EXPLAINED_POSITIONS = ["3344", "5347732264", "234211412672", "4444443265353", "24345333544271167577744127213551"]
FORCED_WIN = "7711137267673354"
RULES_ANSWERING_ON_TOP = {"claimeven", "vertical"}


@cache
def found(moves: str) -> CheckedExplanation:
    explained = explain(Position.from_moves(moves)).found
    assert explained is not None
    return explained


@cache
def opening(moves: str, variant: Variant) -> OpeningPage:
    page = opening_page(Position.from_moves(moves, variant))
    assert page is not None
    return page


def attack(game: StrategyGame, dice: random.Random) -> Counter[str]:
    """Play random drops for the rival until the game is over. Returns how often the strategy gave each reason."""
    reasons: Counter[str] = Counter()
    while game.turn.position.outcome is None:
        column = dice.choice(game.turn.position.legal_columns)
        between = game.turn.position.drop(column)
        if reply := game.drop(column).reply:
            assert game.turn.position == between.drop(reply.cell.column)
            assert_reason_is_true(reply, between, game.claim.keeper)
            reasons[reply.rule or reply.reason] += 1
    winner = game.turn.position.outcome.winner
    assert winner is game.claim.keeper or (winner is None and game.claim.promise is Promise.HOLDS)
    return reasons


def assert_reason_is_true(reply: KeeperReply, before: Position, keeper: Side) -> None:
    to = before.last_drop
    assert to is not None
    assert reply.to == to
    assert (reply.reason == "win") == before.wins(reply.cell.column, keeper)
    assert reply.reason != "block" or before.wins(reply.cell.column, keeper.other)
    if reply.reason == "above" or reply.rule in RULES_ANSWERING_ON_TOP:
        assert reply.cell == (to.column, to.row + 1)
    if reply.rule == "claimeven":
        assert to.row % 2 == 0  # an odd row, counted from 1
    if reply.rule == "baseinverse":
        assert reply.cell.column != to.column


@pytest.mark.parametrize("moves", EXPLAINED_POSITIONS)
def test_no_attack_breaks_an_explanation(moves: str) -> None:
    """Whatever the other side drops, the strategy answers, gives a true reason, and keeps its promise."""
    reasons = sum((attack(game_against(found(moves)), random.Random(seed)) for seed in range(60)), Counter[str]())
    assert sum(reasons.values()) >= 60


def test_answers_are_named_by_their_rules() -> None:
    """Games against the examples and other explanations contain every kind of reason and several rules."""
    examples = json.loads((Path(__file__).parent / "rules.json").read_text(encoding="utf-8"))
    checked = [check_and_record(parse_explanation(json.dumps(one))) for one in examples]
    reasons: Counter[str] = Counter()
    for explanation in [*checked, *map(found, EXPLAINED_POSITIONS)]:
        for seed in range(10):
            reasons += attack(game_against(explanation), random.Random(seed))
    assert reasons.keys() >= {"win", "block", "page", "above", "table"}, reasons
    assert reasons.keys() >= {"claimeven", "vertical", "baseinverse", "lowinverse"}, reasons


def test_forced_replies_meet_the_next_drop_of_the_force() -> None:
    """If the rival makes the only reply that does not lose at once, the force continues to its end."""
    explained = found(FORCED_WIN)
    page = shown_pages(explained)[0]
    game = game_against(explained)
    for reply in page.force[1::2]:
        assert game.turn.reply is not None
        assert game.turn.reply.reason == "force"
        game.drop(reply)
    assert game.turn.position.winning_cells


@pytest.mark.parametrize(
    ("moves", "variant"),
    [("", Variant()), ("44", Variant()), ("4", Variant()), ("", Variant(6, 4, 4)), ("1", Variant(8, 4, 4))],
    ids=str,
)
def test_a_certified_strategy_is_played_against_to_the_end(moves: str, variant: Variant) -> None:
    for seed in range(5):
        attack(game_against_opening(opening(moves, variant)), random.Random(seed))


def test_a_disc_is_taken_back_with_its_answer() -> None:
    game = game_against(found("5347732264"))
    start = game.turn.position
    assert not game.can_take_back
    game.drop(4)
    assert game.turn.position.ply == start.ply + 2
    game.take_back()
    assert game.turn.position == start
    game.take_back()
    assert game.turn.position == start


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    """A drop into a full column, outside the board, or after the end is refused and changes nothing."""
    game = game_against(found("5347732264"))
    with pytest.raises(ColumnOutOfRange):
        game.drop(7)
    game.drop(0)
    assert game.turn.position.outcome
    with pytest.raises(GameAlreadyOver):
        game.drop(3)
    full = game_against(found("24345333544271167577744127213551"))
    with pytest.raises(ColumnFull):
        full.drop(3)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moves", EXPLAINED_POSITIONS)
def test_each_answer_is_a_sentence(language: str, moves: str) -> None:
    texts, game = load_texts(language), game_against(found(moves))
    dice, said = random.Random(1), []
    while True:
        said.append(describe_turn(game, texts))
        if game.turn.position.outcome:
            break
        game.drop(dice.choice(game.turn.position.legal_columns))
    assert all(sentence.endswith((".", ":")) and "{" not in sentence for sentence in said)


def test_the_words_name_the_rule() -> None:
    game, texts = game_against(found("5347732264")), load_texts("en")
    assert describe_turn(game, texts) == "You drop for Yellow: try to stop the win."
    game.drop(4)
    said = describe_turn(game, texts)
    assert said.startswith("Column 5 ")
    game.drop(0)
    assert describe_turn(game, texts) == "Column 1 completes a line. The strategy has won."
