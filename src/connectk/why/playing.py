"""Plays the strategy of an explanation against a person who tries to break it, and says why the strategy makes each
drop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from connectk.rules import Cell, Position
from connectk.texts import Texts
from connectk.why.checker import CheckedExplanation
from connectk.why.explanation import Promise
from connectk.why.openings import OpeningPage, Strategy, StrategyNode, strategy_for
from connectk.why.steps import Step, shown_pages

Reason = Literal["win", "force", "page", "block", "rule", "above", "table"]


@dataclass(frozen=True, slots=True)
class KeeperReply:
    """The strategy's drop and the reason for it. `to` is the cell of the rival's disc that the drop answers, if there
    is one."""

    cell: Cell
    reason: Reason
    page: int  # the board of the explanation that the strategy follows, from 0
    to: Cell | None = None
    rule: str | None = None  # the name of the rule, if that is the reason


@dataclass(frozen=True, slots=True)
class Turn:
    """A position in which the rival is to move or the game is over, and the drop of the strategy that led to it."""

    position: Position
    node: StrategyNode | None  # None if the game is over
    reply: KeeperReply | None = None


class StrategyGame:
    """A game in which the caller drops the discs of the rival, and a strategy drops the discs of the keeper.

    The strategy has passed the check, so the rival never completes a line.
    """

    def __init__(self, strategy: Strategy, position: Position, node: StrategyNode, rules: Sequence[Step] = ()) -> None:
        self.claim, self._strategy, self._rules = strategy.claim, strategy, rules
        start = Turn(position, node)
        self._turns = [self._answer(start, None) if node.keeper_moves else start]

    @property
    def turn(self) -> Turn:
        return self._turns[-1]

    @property
    def can_take_back(self) -> bool:
        return len(self._turns) > 1

    def drop(self, column: int) -> Turn:
        """Drop a disc for the rival, and let the strategy answer. An illegal drop raises the same errors as
        `Position.drop`."""
        position, node = self.turn.position, self.turn.node
        after = position.drop(column)
        assert node is not None  # the position would have refused the drop
        replies = self._strategy.checker.after_each_rival_drop(node.state)
        state = next(one for one in replies if one.line[-1] == column)
        turn = Turn(after, None if after.outcome else self._strategy.after_reply(node, state))
        self._turns.append(turn if after.outcome else self._answer(turn, after.last_drop))
        return self.turn

    def take_back(self) -> None:
        """Take back the rival's last disc and the strategy's answer."""
        if self.can_take_back:
            self._turns.pop()

    def _answer(self, turn: Turn, to: Cell | None) -> Turn:
        node = turn.node
        assert node is not None
        bit = self._strategy.answer(node)
        reply = self._reply(node, bit, to)
        after = turn.position.drop(reply.cell.column)
        return Turn(after, None if after.outcome else self._strategy.after_answer(node, bit), reply)

    def _reply(self, node: StrategyNode, bit: int, to: Cell | None) -> KeeperReply:
        checker, page = self._strategy.checker, self._strategy.pages[node.page]
        cell = checker.cell_of(bit)
        number = node.page % self._strategy.boards  # a mirror image has the number of its board
        if checker.completes_line(node.state.keeper, bit):
            return KeeperReply(cell, "win", number, to)
        if page.force:
            return KeeperReply(cell, "force", number, to)
        if node.is_first or to is None:
            return KeeperReply(cell, "page", number, to)
        if checker.winning_bit(node.state.rival, node.state):
            return KeeperReply(cell, "block", number, to)
        if rule := self._rule(node.page, to, cell):
            return KeeperReply(cell, "rule", number, to, rule)
        return KeeperReply(cell, "above" if cell == Cell(to.column, to.row + 1) else "table", number, to)

    def _rule(self, page: int, to: Cell, cell: Cell) -> str | None:
        """The name of the page's rule that explains this answer. The rule names a group of cells, and the answer keeps
        the rival from getting all of them."""
        for step in self._rules:
            keeps = any(
                tuple(cell) in map(tuple, one["cells"]) for one in step.statements if one["kind"] == "never_all"
            )
            if step.page == page and (to, cell) in step.pairs and keeps:
                return step.facts["rule"]
        return None


def game_against(found: CheckedExplanation) -> StrategyGame:
    """A game against the strategy of an explanation. It starts in the position that the explanation is about."""
    strategy, position = Strategy(found.explanation), found.explanation.position
    state = strategy.checker.initial_state(found.explanation)
    rules = [step for shown in shown_pages(found) for step in shown.steps if step.kind == "rule"]
    return StrategyGame(strategy, position, StrategyNode(0, state, True, found.explanation.keeper_moves), rules)


def game_against_opening(opening: OpeningPage) -> StrategyGame:
    """A game against a certified strategy. It starts in the position of `opening`."""
    strategy = strategy_for(opening.position.variant, opening.claim.keeper)
    node = strategy.find(opening.position)
    assert node is not None  # the page of an opening comes from there
    return StrategyGame(strategy, opening.position, node)


def describe_reply(reply: KeeperReply, texts: Texts) -> str:
    """Why the strategy made this drop. Columns, rows and boards count from 1."""
    facts: dict[str, object] = {"column": reply.cell.column + 1, "number": reply.page + 1}
    if reply.to is not None:
        facts["to"] = texts("why.cell", column=reply.to.column + 1, row=reply.to.row + 1)
    rule = texts(f"why.rule.{reply.rule}") if reply.rule else ""
    return texts(f"why.play.{'drop' if reply.to is None else reply.reason}", **facts, rule=rule)


def describe_turn(game: StrategyGame, texts: Texts) -> str:
    """Sentences about the strategy's last drop and its reason, and about who is to move or how the game ended."""
    turn = game.turn
    sentences = [describe_reply(turn.reply, texts)] if turn.reply else []
    outcome = turn.position.outcome
    if outcome is None:
        side = texts(f"coach.{turn.position.side_to_move}")
        sentences.append(texts("why.play.wins" if game.claim.promise is Promise.WINS else "why.play.holds", side=side))
    else:
        sentences.append(texts("why.play.won" if outcome.winner else "why.play.drawn"))
    return " ".join(sentences)
