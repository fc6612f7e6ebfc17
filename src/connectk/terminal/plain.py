"""A game of questions and answers, for any terminal, a pipe or a screen reader."""

from __future__ import annotations

from connectk.errors import ConnectkError, NotationError
from connectk.notation import parse_moves
from connectk.rules import Game, Position, Side

DISCS = {Side.FIRST: "x", Side.SECOND: "o"}
HELP = "Type a column number to drop a disc; u takes a move back, r plays it again, q quits."


class PlainGame:
    """Two players at one keyboard."""

    def __init__(self, start: Position) -> None:
        self.game = Game(start)

    def run(self) -> None:
        print(HELP)
        self._show()
        while self.game.result is None:
            try:
                answer = input(self._question()).strip().lower()
            except (EOFError, KeyboardInterrupt):
                print("\nGoodbye.")
                return
            if answer in ("q", "quit"):
                print("Goodbye.")
                return
            self._act(answer)
        print(f"The game is over: {self.game.result}.")

    def _question(self) -> str:
        side = self.game.position.side_to_move
        return f"{str(side).capitalize()} player ({DISCS[side]}), column? "

    def _act(self, answer: str) -> None:
        try:
            self._play(answer)
        except ConnectkError as error:
            print(error)
        else:
            self._show()

    def _play(self, answer: str) -> None:
        if answer in ("u", "undo"):
            self.game.undo()
        elif answer in ("r", "redo"):
            self.game.redo()
        else:
            self.game.drop(self._column(answer))

    def _column(self, answer: str) -> int:
        columns = parse_moves(f"{answer},", self.game.variant)
        if len(columns) != 1:
            raise NotationError(HELP, text=answer)
        return columns[0]

    def _show(self) -> None:
        print(f"\n{self.game.position}\n")
