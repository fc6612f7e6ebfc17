"""The screen of a person in a room on a server. It shows the board of the person's current match."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from connectk.client.room import RoomBoard, RoomPerson
from connectk.errors import ConnectkError, localize_error
from connectk.rules import Position
from connectk.terminal.online import room_status
from connectk.terminal.screen.board_screen import COLUMN_KEYS, Help, Key, YesOrNo
from connectk.terminal.screen.drop_screen import DropScreen
from connectk.terminal.screen.keys import DROP_BINDINGS, HELP_KEY
from connectk.terminal.thinking import run_in_background

SWAP_KEY: Key = ("w", "screen.swap", "key.swap")
EXTEND_KEY: Key = ("e", "screen.extend", "key.extend")
ROOM_KEYS: list[Key] = [
    (COLUMN_KEYS, "screen.drop", "key.drop"),
    ("x", "screen.resign", "key.resign"),
    HELP_KEY,
    ("Esc", "screen.leave", "key.leave"),
]
OFFER_KEYS: list[Key] = [
    ("y", "screen.answer('accept')", "key.yes"),
    ("n", "screen.answer('decline')", "key.no"),
    *ROOM_KEYS[1:],
]


class RoomScreen(DropScreen):
    """Shows the board of the current match, and beside it the news of the room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *DROP_BINDINGS,
        Binding("space", "drop", show=False, priority=True),
        Binding("x", "resign", show=False, priority=True),
        Binding("w", "swap", show=False, priority=True),
        Binding("e", "extend", show=False, priority=True),
        Binding("y", "answer('accept')", show=False, priority=True),
        Binding("n", "answer('decline')", show=False, priority=True),
        Binding("escape", "leave", show=False, priority=True),
        Binding("q", "app.quit", show=False, priority=True),
    ]

    def __init__(self, make_member: Callable[[Callable[..., None], Callable[[RoomBoard], None]], RoomPerson]) -> None:
        """`make_member` joins the room. It takes two functions: it calls the first with news of the room, and the
        second with each new board."""
        super().__init__(Position.start())
        self._member = make_member(self._report, self._on_board)
        self._board: RoomBoard | None = None
        self._news: list[str] = []

    def compose_side(self) -> ComposeResult:
        yield Static(id="seats", markup=False)
        yield Static(id="status", markup=False)
        yield Static(id="message", markup=False)
        yield Static(id="moves", markup=False)

    def on_mount(self) -> None:
        self.show_text("#seats", Content.styled(self.texts("online.room.here", code=self._member.code), "bold"))
        self.show_text("#status", self.texts("online.room.waiting"))
        self.show_keys(ROOM_KEYS)
        run_in_background(self._run)

    def on_unmount(self) -> None:
        self._member.close()

    def _run(self) -> None:
        try:
            self._member.join()
            self._member.play()
            self._report("online.room.over")
        except ConnectkError as error:
            words = localize_error(error, self.texts)
            self.post(lambda: self.show_text("#status", words))

    # --- news, in the thread of the connection

    def _report(self, key: str, **facts: object) -> None:
        key = "online.room.joined" if key == "connect.joined" else key
        self.post(lambda: self._tell(self.texts(key, **facts)))

    def _on_board(self, board: RoomBoard) -> None:
        position = board.game.position
        self.post(lambda: self._show(board, position))

    # --- display

    def _tell(self, sentence: str) -> None:
        """Add a sentence to the news. The last three sentences are shown, with the newest at the bottom."""
        self._news = [*self._news, sentence][-3:]
        self.show_text("#moves", Content.styled("\n".join(self._news), "$quiet"))

    def _show(self, board: RoomBoard, position: Position) -> None:
        before, self._board = self.board.position, board
        self.board.show(position, dropped=position.ply == before.ply + 1)
        self.update_layout(position.variant)
        self._column = min(self._column, position.variant.width - 1)
        self._say("")
        self.show_text("#status", Content.styled(room_status(board, self.program.sentences), "bold"))
        self.show_keys(OFFER_KEYS if board.is_asked else [*self._choice_keys(board), *ROOM_KEYS])
        self._show_hover()

    def _choice_keys(self, board: RoomBoard) -> list[Key]:
        """The keys for choosing a side under the swap rule. Empty if another member makes the choice."""
        if not (board.is_ours and board.state["can_swap"]):
            return []
        return [SWAP_KEY, EXTEND_KEY] if board.state["can_extend"] else [SWAP_KEY]

    def _show_hover(self) -> None:
        shown = self._board if self._board and not self._board.state["result"] else None
        side = shown and (shown.game.position.side_to_move if shown.is_ours else shown.side)
        self.board.hover(self._column, side or None)

    # --- user actions

    @property
    def confirms_leaving(self) -> bool:
        return self._board is not None and not self._board.state["result"]

    def pick(self, column: int) -> None:
        if not (self._board and self._board.is_ours):
            self._say(self.texts("refused.not_your_turn"))
        elif not self._board.game.position.can_drop(column):
            width = self.board.position.variant.width
            key = "error.ColumnFull" if 0 <= column < width else "error.ColumnOutOfRange"
            self._say(self.texts(key, column=column + 1, width=width))
        else:
            self._member.drop(column)

    def action_help(self) -> None:
        self.app.push_screen(Help("online.help.screen"))

    def action_swap(self) -> None:
        if self._board and self._board.is_ours and self._board.state["can_swap"]:
            self._member.request("swap")

    def action_extend(self) -> None:
        if self._board and self._board.is_ours and self._board.state["can_extend"]:
            self._member.request("extend")

    def action_resign(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._member.request("resign")

        if self.confirms_leaving:
            self.app.push_screen(YesOrNo(self.texts("ask.resign")), answered)

    def action_answer(self, answer: str) -> None:
        if self._board and self._board.is_asked:
            self._member.request(answer)

    def action_leave(self) -> None:
        if self.confirms_leaving:
            self.app.push_screen(YesOrNo(self.texts("online.room.leave")), lambda yes: self._leave() if yes else None)
        else:
            self._leave()

    def _leave(self) -> None:
        from connectk.terminal.screen.start import StartScreen

        self.app.switch_screen(StartScreen())
