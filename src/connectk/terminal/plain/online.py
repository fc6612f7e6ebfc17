"""Plays a match on a server as text."""

from __future__ import annotations

from queue import SimpleQueue

from connectk.client.api import ServerRefused
from connectk.client.match import MatchSnapshot, OnlineMatch, ServerEvent
from connectk.client.seats import HeldSeat
from connectk.rules import Side
from connectk.terminal.online import local_match, match_status, news_text
from connectk.terminal.plain.game import Prompter, UserQuit
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
        """Play until the game is over. If the user leaves earlier, this raises `UserQuit`."""
        if self._online.seat.link:
            self.prompter.say(self.texts("online.invite", link=self._online.seat.link))
        try:
            while not (self._shown and self._shown.state["result"]):
                self._handle_news(self._news.get())
                if self._news.empty() and self._shown and self._must_answer(self._shown):
                    self._ask(self._shown)
        finally:
            self._online.close()

    def _must_answer(self, snapshot: MatchSnapshot) -> bool:
        offer = snapshot.state["offer"]
        if self._online.has_pending_requests:  # ignore other news, such as that the friend disconnected
            return False
        return snapshot.is_our_turn or bool(offer and snapshot.side and offer["side"] != str(snapshot.side))

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
        elif answer.lower() in OFFER_MESSAGES:
            self._online.request({"type": OFFER_MESSAGES[answer.lower()]})
        elif answer.lower() == "x" and self.prompter.yes(self.texts("ask.resign"), default=False):
            self._online.request({"type": "resign"})
        elif self.prompter.matches(answer, "board"):
            self.prompter.say(self.boards.describe(snapshot.game.position))
            self._news.put(ServerEvent.CHANGED)
        elif self.prompter.matches(answer, "threats"):
            names = {side: self.sentences.seat(local_match(snapshot, self.texts), side) for side in Side}
            self.prompter.say(self.boards.threats(snapshot.game.position, names))
            self._news.put(ServerEvent.CHANGED)
        elif self.prompter.matches(answer, "quit") and self.prompter.yes(self.texts("ask.leave_online")):
            raise UserQuit
        else:
            self.prompter.say(self.texts("online.help", width=snapshot.game.variant.width))
            self._news.put(ServerEvent.CHANGED)
