"""Plays the matches of a room on a server as text."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue

from connectk.client.room import RoomBoard, RoomPerson
from connectk.errors import ConnectkError, localize_error
from connectk.rules import Game
from connectk.terminal.match import PERSON_SEAT, LocalMatch
from connectk.terminal.online import MemberFactory, room_status
from connectk.terminal.plain.game import Prompter, UserQuit
from connectk.terminal.plain.speech import BoardDescriber
from connectk.terminal.sentences import Sentences
from connectk.terminal.thinking import run_in_background

REQUESTS = {"w": "swap", "e": "extend"}
ANSWERS = {"y": "accept", "n": "decline"}


class PlainRoom:
    """Prints what happens in the room, and asks the user for a drop when it is the user's turn."""

    def __init__(self, make_member: MemberFactory, prompter: Prompter, boards: BoardDescriber) -> None:
        self.prompter, self.texts, self.boards = prompter, prompter.texts, boards
        self.sentences = Sentences(prompter.texts, boards.discs, spoken=not boards.draws)
        self._news: SimpleQueue[Callable[[], None] | None] = SimpleQueue()  # what to print; None at the end
        self._member: RoomPerson = make_member(self._report, self._on_board)
        self._board: RoomBoard | None = None
        self._opponent, self._answered_ply = "", -1

    def play(self) -> None:
        """Play until the room is closed. If the user leaves earlier, this raises `UserQuit`."""
        self.prompter.say(self.texts("online.room.here", code=self._member.code))
        run_in_background(self._follow)
        try:
            while show := self._news.get():
                show()
                if self._news.empty() and self._board and self._must_answer(self._board):
                    self._ask(self._board)
        finally:
            self._member.close()

    # --- in the thread of the connection

    def _follow(self) -> None:
        try:
            self._member.join()
            self._member.play()
            self._report("online.room.over")
        except ConnectkError as error:
            words = localize_error(error, self.texts)
            self._news.put(lambda: self.prompter.say(words))
        finally:
            self._news.put(None)

    def _report(self, key: str, **facts: object) -> None:
        key = "online.room.joined" if key == "connect.joined" else key
        self._news.put(lambda: self._tell(key, facts))

    def _on_board(self, board: RoomBoard) -> None:
        copied = RoomBoard(Game(board.game.start, board.game.moves), board.side, board.state)
        self._news.put(lambda: self._show(copied))

    # --- in the user's thread

    def _tell(self, key: str, facts: dict[str, object]) -> None:
        if key == "connect.plays":  # the board of a new match comes next
            self._opponent, self._board = str(facts["name"]), None
        self._answered_ply = -1  # a refused drop may be made again
        self.prompter.say(self.texts(key, **facts))

    def _show(self, board: RoomBoard) -> None:
        before, self._board = self._board, board
        moves, known = board.game.moves, before.game.moves if before else ()
        if before is None:
            self.prompter.say(self.texts("online.room.help", width=board.game.variant.width))
            self.prompter.say(self.boards.show(board.game.position))
        elif moves != known and moves[: len(known)] == known:
            for ply in range(len(known) + 1, len(moves) + 1):
                self.prompter.say(self.sentences.move(self._match(board), ply))
            if self.boards.draws:
                self.prompter.say(self.boards.show(board.game.position))
        elif moves != known:
            self.prompter.say(self.boards.show(board.game.position))
        self.prompter.say(self._status(board))

    def _status(self, board: RoomBoard) -> str:
        if board.is_ours and board.state["can_swap"] and not board.is_asked:
            key = "swap.plain_three" if board.state["can_extend"] else "swap.plain"
            return self.texts(key, word="w", more="e")
        return room_status(board, self.sentences)

    def _match(self, board: RoomBoard) -> LocalMatch:
        return LocalMatch(board.game, {board.side: PERSON_SEAT, board.side.other: self._opponent})

    def _must_answer(self, board: RoomBoard) -> bool:
        return board.is_asked or (board.is_ours and board.game.position.ply != self._answered_ply)

    def _ask(self, board: RoomBoard) -> None:
        word = self.prompter.ask(self.texts("online.ask")).lower()
        if word.isascii() and word.isdigit() and len(word) < 20 and board.is_ours:
            self._drop(board, int(word) - 1)
        elif word in ANSWERS and board.is_asked:
            self._member.request(ANSWERS[word])
        elif word in REQUESTS and board.is_ours and board.state["can_swap"]:
            self._member.request(REQUESTS[word])
            self._answered_ply = board.game.position.ply
        elif word == "x" and self.prompter.yes(self.texts("ask.resign"), default=False):
            self._member.request("resign")
        elif self.prompter.matches(word, "quit") and self.prompter.yes(self.texts("online.room.leave")):
            raise UserQuit
        else:
            self.prompter.say(self._described(word, board))
            self._news.put(lambda: None)  # so that the user is asked again

    def _drop(self, board: RoomBoard, column: int) -> None:
        try:
            board.game.position.drop(column)
        except ConnectkError as error:
            self.prompter.say(error.localize(self.texts))
            self._news.put(lambda: None)
            return
        self._answered_ply = board.game.position.ply
        self._member.drop(column)

    def _described(self, word: str, board: RoomBoard) -> str:
        """A description of the board or of its threats, or the help."""
        names = {board.side: self.texts("name.you"), board.side.other: self._opponent}
        if self.prompter.matches(word, "board"):
            return self.boards.describe(board.game.position, names)
        if self.prompter.matches(word, "threats"):
            return self.boards.threats(board.game.position, names)
        return self.texts("online.room.help", width=board.game.variant.width)
