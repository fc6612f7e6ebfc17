"""The screen of a match on a server."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from connectk.client.api import ServerRefused
from connectk.client.match import MatchSnapshot, OnlineMatch, ServerEvent
from connectk.client.seats import HeldSeat
from connectk.rules import Position
from connectk.terminal.online import local_match, match_status, news_text
from connectk.terminal.screen.board import BoardView
from connectk.terminal.screen.board_screen import BoardScreen, Key, YesOrNo, moves_text, seats_text
from connectk.terminal.screen.keys import DROP_BINDINGS, TypedNumber
from connectk.terminal.thinking import run_in_background

ONLINE_PLAYING_KEYS: list[Key] = [
    ("u", "screen.take_back", "key.take_back"),
    ("d", "screen.offer_draw", "key.draw"),
    ("x", "screen.resign", "key.resign"),
    ("Esc", "screen.leave", "key.leave"),
]
ONLINE_WAITING_KEYS: list[Key] = [("c", "screen.copy", "key.copy"), ("Esc", "screen.leave", "key.leave")]
ONLINE_OVER_KEYS: list[Key] = [("n", "screen.no_or_again", "key.rematch"), ("Esc", "screen.leave", "key.leave")]
ONLINE_OFFER_KEYS: list[Key] = [("y", "screen.yes", "key.yes"), ("n", "screen.no_or_again", "key.no")]


class OnlineScreen(BoardScreen):
    """Shows the server's state of the match; a drop appears only once the server has accepted it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *DROP_BINDINGS,
        Binding("space", "drop", show=False, priority=True),
        Binding("u", "take_back", show=False, priority=True),
        Binding("d", "offer_draw", show=False, priority=True),
        Binding("x", "resign", show=False, priority=True),
        Binding("y", "yes", show=False, priority=True),
        Binding("n", "no_or_again", show=False, priority=True),
        Binding("c", "copy", show=False, priority=True),
        Binding("escape,q", "leave", show=False, priority=True),
    ]

    class News(Message):
        """A change of the match, or an error from the server."""

        def __init__(self, news: ServerEvent | ServerRefused) -> None:
            super().__init__()
            self.news = news

    def __init__(self, seat: HeldSeat) -> None:
        super().__init__(Position.start())
        self._online = OnlineMatch(seat, self._post)
        self._column, self._typed, self._message = 0, TypedNumber(), ""
        self._shown: MatchSnapshot | None = None

    def compose_side(self) -> ComposeResult:
        yield Static(id="seats")
        yield Static(id="status", markup=False)
        yield Static(id="message", markup=False)
        yield Static(id="moves")

    def compose_foot(self) -> ComposeResult:
        yield Static(id="link", markup=False)

    def on_mount(self) -> None:
        self.show_text("#status", self.texts("online.connecting", server=self._online.seat.server))
        self.show_text("#link", self._online.seat.link)
        self.show_keys(ONLINE_WAITING_KEYS)
        run_in_background(self._online.follow)

    def on_unmount(self) -> None:
        self._online.close()

    @property
    def confirms_leaving(self) -> bool:
        return self._shown is not None and self._shown.is_running

    # --- news from the server

    def _post(self, news: ServerEvent | ServerRefused) -> None:
        """Called in the thread that follows the match."""
        self.post_message(self.News(news))

    def on_online_screen_news(self, event: News) -> None:
        if event.news is ServerEvent.CHANGED:
            self._show()
        else:
            self._say(news_text(event.news, self.texts))

    def _show(self) -> None:
        snapshot, before = self._online.snapshot, self._shown
        if snapshot is None:
            return
        self._shown = snapshot
        position = snapshot.game.position
        if before is None or before.game.variant != snapshot.game.variant:
            self._column = (snapshot.game.variant.width - 1) // 2
        if before is None or before.game != snapshot.game:
            self._message = ""
        self.board.show(position, dropped=before is not None and position.ply == before.game.position.ply + 1)
        self.update_layout(snapshot.game.variant)
        self._show_texts(snapshot)

    def _show_texts(self, snapshot: MatchSnapshot) -> None:
        to_move = snapshot.game.position.side_to_move if snapshot.is_open else None
        marker, sentences = self.program.pen.text("▸"), self.program.sentences
        self.show_text("#seats", seats_text(local_match(snapshot, self.texts), to_move, sentences, marker))
        away = "" if snapshot.opponent_is_connected or snapshot.state["waiting"] else f" ({self.texts('play.away')})"
        self.show_text("#status", Content.styled(match_status(snapshot, sentences) + away, "bold"))
        self.show_text("#moves", moves_text(local_match(snapshot, self.texts), len(snapshot.game.moves), self.texts))
        self.show_text("#link", self._online.seat.link if snapshot.state["waiting"] else "")
        self.show_keys(self._keys(snapshot))
        self._say(self._message)
        self._show_hover()

    def _keys(self, snapshot: MatchSnapshot) -> list[Key]:
        offer = snapshot.state["offer"]
        if offer and snapshot.side and offer["side"] != str(snapshot.side):
            return [*ONLINE_OFFER_KEYS, *ONLINE_PLAYING_KEYS[-1:]]
        return (
            ONLINE_WAITING_KEYS
            if snapshot.state["waiting"]
            else ONLINE_PLAYING_KEYS
            if snapshot.is_open
            else ONLINE_OVER_KEYS
        )

    def _say(self, text: str) -> None:
        self._message = text
        self.show_text("#message", text)

    def _show_hover(self) -> None:
        side = self._shown.side if self._shown and self._shown.is_open else None
        self.board.hover(self._column, side)

    # --- user actions

    @property
    def _width(self) -> int:
        return self.board.position.variant.width

    def action_digit(self, digit: str) -> None:
        """Drop on up to nine columns; on wider boards collect digits until Enter, as in a local game."""
        if self._width <= 9:
            self._point(int(digit) - 1)
            self._pick(int(digit) - 1)
            return
        self._typed.add(digit)
        self._say(self.texts("typed.number", number=self._typed.text))

    def action_erase(self) -> None:
        self._typed.erase()
        self._say(self.texts("typed.number", number=self._typed.text) if self._typed.text else "")

    def action_move(self, step: int) -> None:
        self._typed.pop()
        self._point(self._column + step)

    def action_drop(self) -> None:
        typed = self._typed.pop()
        self._pick(self._column if typed is None else typed)

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        self._column = event.column
        self._show_hover()

    def on_board_view_picked(self, event: BoardView.Picked) -> None:
        self._point(event.column)
        self._pick(event.column)

    def _point(self, column: int) -> None:
        self._column = min(max(0, column), self._width - 1)
        self._show_hover()
        self.board.reveal_column(self._column)

    def _pick(self, column: int) -> None:
        """Send a drop if it looks legal; the server decides."""
        snapshot = self._shown
        if not snapshot:
            return
        if not snapshot.is_open:
            self._say(match_status(snapshot, self.program.sentences))
        elif not snapshot.is_our_turn:
            self._say(self.texts("refused.not_your_turn"))
        elif not snapshot.game.position.can_drop(column):
            key = "error.ColumnFull" if 0 <= column < self._width else "error.ColumnOutOfRange"
            self._say(self.texts(key, column=column + 1, width=self._width))
        else:
            self._online.drop(column)

    def action_take_back(self) -> None:
        self._online.request({"type": "take_back"})

    def action_offer_draw(self) -> None:
        self._online.request({"type": "offer_draw"})

    def action_resign(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._online.request({"type": "resign"})

        if self._shown and self._shown.is_open:
            self.app.push_screen(YesOrNo(self.texts("ask.resign")), answered)

    def action_yes(self) -> None:
        if self._shown and self._shown.state["offer"]:
            self._online.request({"type": "accept"})

    def action_no_or_again(self) -> None:
        """Decline an offer; after the game, offer a rematch."""
        if self._shown and self._shown.state["offer"]:
            self._online.request({"type": "decline"})
        elif self._shown and self._shown.state["result"]:
            self._online.request({"type": "rematch"})

    def action_copy(self) -> None:
        if self._online.seat.link:
            self.app.copy_to_clipboard(self._online.seat.link)
            self._say(self.texts("invite.copied"))

    def action_leave(self) -> None:
        if self._typed.pop() is not None:
            self._say("")
        elif self.confirms_leaving:
            self.app.push_screen(YesOrNo(self.texts("ask.leave_online")), lambda yes: self._leave() if yes else None)
        else:
            self._leave()

    def _leave(self) -> None:
        self.app.exit()
