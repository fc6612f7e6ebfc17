"""Plays a match on a server as text."""

from __future__ import annotations

from queue import SimpleQueue

from connectk.client.api import ServerRefused
from connectk.client.match import MatchSnapshot, OnlineMatch, ServerEvent
from connectk.client.seats import HeldSeat
from connectk.rules import Side
from connectk.terminal.online import local_match, match_status, news_text
from connectk.terminal.plain.game import Prompter, UserQuit
from connectk.terminal.plain.review import print_review
from connectk.terminal.plain.speech import BoardDescriber
from connectk.terminal.sentences import Sentences
from connectk.terminal.thinking import run_in_background

OFFER_MESSAGES = {
    "u": "take_back",
    "d": "offer_draw",
    "y": "accept",
    "n": "decline",
    "w": "swap",
    "e": "extend",
}  # the message that each letter sends
REMATCH_LETTER = "r"


class PlainOnlineMatch:
    """Plays a match on a server. It prints every change, and asks the user for a drop when it is the user's turn."""

    def __init__(self, seat: HeldSeat, prompter: Prompter, boards: BoardDescriber) -> None:
        self.prompter, self.texts, self.boards = prompter, prompter.texts, boards
        self.sentences = Sentences(prompter.texts, boards.discs, spoken=not boards.draws)
        self._news: SimpleQueue[ServerEvent | ServerRefused] = SimpleQueue()
        self._online = OnlineMatch(seat, self._news.put)
        run_in_background(self._online.follow)
        self._shown: MatchSnapshot | None = None
        self._last_text = ""

    def play(self) -> None:
        """Play until the user leaves, which raises `UserQuit`. After a game the user may ask for another one."""
        if self._online.seat.link:
            self.prompter.say(self.texts("online.invite", link=self._online.seat.link))
        try:
            while True:
                self._handle_news(self._news.get())
                if not self._news.empty() or self._shown is None or self._online.has_pending_requests:
                    continue  # answers to requests come first, before the user is asked again
                if self._must_answer(self._shown):
                    self._ask(self._shown)
                elif self._shown.state["result"] and not self._shown.state["offer"]:
                    self._ask_after(self._shown)
        finally:
            self._online.close()

    def _must_answer(self, snapshot: MatchSnapshot) -> bool:
        return snapshot.is_our_turn or snapshot.is_asked

    def _handle_news(self, news: ServerEvent | ServerRefused) -> None:
        if news is ServerEvent.CHANGED:
            self._show()
            return
        self._say(news_text(news, self.texts))
        if news is ServerEvent.NOT_FOUND:
            raise UserQuit

    def _say(self, text: str) -> None:
        """Print a text, unless it is the same as the last one."""
        if text != self._last_text:
            self.prompter.say(text)
        self._last_text = text

    def _show(self) -> None:
        snapshot, before = self._online.snapshot, self._shown
        if snapshot is None:
            return
        self._shown = snapshot
        if before is None:
            self.prompter.say(self.texts("online.help", width=snapshot.game.variant.width))
        else:
            self._say_moves(before.game.moves, snapshot)
        if before is None or before.game != snapshot.game:
            if self.boards.draws or before is None:
                self.prompter.say(self.boards.show(snapshot.game.position))
            self._last_text = ""
        self._say(match_status(snapshot, self.sentences))
        if snapshot.state["result"] and not (before and before.state["result"]):
            if snapshot.game.position.winning_cells:
                self.prompter.say(self.sentences.winning_line(snapshot.game.position))
            self.prompter.say(self.texts("online.after"))

    def _say_moves(self, before: tuple[int, ...], snapshot: MatchSnapshot) -> None:
        """Print every drop since the last call. After a take-back only the board is printed."""
        if snapshot.game.moves[: len(before)] == before:
            for ply in range(len(before) + 1, len(snapshot.game.moves) + 1):
                self.prompter.say(self.sentences.move(local_match(snapshot, self.texts), ply))

    def _ask(self, snapshot: MatchSnapshot) -> None:
        if snapshot.may_swap:
            key = "swap.plain_three" if snapshot.may_extend else "swap.plain"
            self.prompter.say(self.texts(key, word="w", more="e"))
        answer = self.prompter.ask(self.texts("online.ask"))
        if answer.isascii() and answer.isdigit() and len(answer) < 20 and snapshot.is_our_turn:
            self._online.drop(int(answer) - 1)
            return
        if answer.lower() in OFFER_MESSAGES:
            self._online.request({"type": OFFER_MESSAGES[answer.lower()]})
            return
        if answer.lower() == REMATCH_LETTER and snapshot.state["result"]:
            self._online.request({"type": "accept"})  # the friend has asked for a rematch
            return
        if answer.lower() == "x":
            if self.prompter.yes(self.texts("ask.resign"), default=False):
                self._online.request({"type": "resign"})
                return
        elif self.prompter.matches(answer, "quit"):
            if self.prompter.yes(self.texts("ask.leave_online")):
                raise UserQuit
        elif not self._tell(answer, snapshot):
            self.prompter.say(self.texts("online.help", width=snapshot.game.variant.width))
        self._news.put(ServerEvent.CHANGED)  # so that the user is asked again

    def _ask_after(self, snapshot: MatchSnapshot) -> None:
        """Ask what to do after the game."""
        answer = self.prompter.ask(self.texts("online.after.ask"))
        if answer.lower() == REMATCH_LETTER:
            self._online.request({"type": "rematch"})
            return
        if self.prompter.matches(answer, "quit"):
            raise UserQuit
        if self.prompter.matches(answer, "review"):
            print_review(local_match(snapshot, self.texts), self.prompter, self.boards)
        elif not self._tell(answer, snapshot):
            self.prompter.say(self.texts("online.after"))
        self._news.put(ServerEvent.CHANGED)

    def _tell(self, answer: str, snapshot: MatchSnapshot) -> bool:
        """Describe the board or the threats, if the user asks for them."""
        if self.prompter.matches(answer, "board"):
            self.prompter.say(self.boards.describe(snapshot.game.position))
        elif self.prompter.matches(answer, "threats"):
            names = {side: self.sentences.seat(local_match(snapshot, self.texts), side) for side in Side}
            self.prompter.say(self.boards.threats(snapshot.game.position, names))
        else:
            return False
        return True
