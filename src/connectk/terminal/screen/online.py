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
from connectk.terminal.screen.board_screen import Help, Key, YesOrNo, moves_text, seats_text
from connectk.terminal.screen.drop_screen import DropScreen
from connectk.terminal.screen.keys import DROP_BINDINGS, HELP_KEY
from connectk.terminal.screen.replay import ReplayScreen
from connectk.terminal.thinking import run_in_background

ONLINE_PLAYING_KEYS: list[Key] = [
    ("u", "screen.take_back", "key.take_back"),
    ("d", "screen.offer_draw", "key.draw"),
    ("x", "screen.resign", "key.resign"),
    HELP_KEY,
    ("Esc", "screen.leave", "key.leave"),
]
ONLINE_SWAP_KEYS: list[Key] = [("w", "screen.swap", "key.swap"), *ONLINE_PLAYING_KEYS]
ONLINE_THREE_KEYS: list[Key] = [("e", "screen.extend", "key.extend"), *ONLINE_SWAP_KEYS]
ONLINE_WAITING_KEYS: list[Key] = [("c", "screen.copy", "key.copy"), ("Esc", "screen.leave", "key.leave")]
ONLINE_OVER_KEYS: list[Key] = [
    ("r", "screen.rematch", "key.rematch"),
    ("v", "screen.review", "key.review"),
    HELP_KEY,
    ("Esc", "screen.leave", "key.leave"),
]
ONLINE_OFFER_KEYS: list[Key] = [("y", "screen.yes", "key.yes"), ("n", "screen.no", "key.no")]


class OnlineScreen(DropScreen):
    """Shows a match in the state that the server has sent. A disc appears only after the server has accepted it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *DROP_BINDINGS,
        Binding("space", "drop", show=False, priority=True),
        Binding("u", "take_back", show=False, priority=True),
        Binding("d", "offer_draw", show=False, priority=True),
        Binding("x", "resign", show=False, priority=True),
        Binding("w", "swap", show=False, priority=True),
        Binding("e", "extend", show=False, priority=True),
        Binding("y", "yes", show=False, priority=True),
        Binding("n", "no", show=False, priority=True),
        Binding("r", "rematch", show=False, priority=True),
        Binding("v", "review", show=False, priority=True),
        Binding("c", "copy", show=False, priority=True),
        Binding("escape", "leave", show=False, priority=True),
        Binding("q", "app.quit", show=False, priority=True),
    ]

    class News(Message):
        """The match has changed, or the server has refused something."""

        def __init__(self, news: ServerEvent | ServerRefused) -> None:
            super().__init__()
            self.news = news

    def __init__(self, seat: HeldSeat, return_to_start: bool = False, is_own_invitation: bool = False) -> None:
        """With `return_to_start`, leaving returns to the start screen instead of ending the program.
        `is_own_invitation` tells that the user opened the link of their own invitation."""
        super().__init__(Position.start())
        self._return_to_start, self._is_own_invitation = return_to_start, is_own_invitation
        self._online = OnlineMatch(seat, self._post)
        self._message = ""
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
        """Pass news to the screen. The thread that follows the match calls this."""
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
        if before is None and self._is_own_invitation:
            self._message = self.texts("online.own_invitation")
        elif before is None or before.game != snapshot.game:
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
        self._say(self._message or (self.texts("swap.yours") if snapshot.may_swap else ""))
        self._show_hover()

    def _keys(self, snapshot: MatchSnapshot) -> list[Key]:
        if snapshot.is_asked:
            return [*ONLINE_OFFER_KEYS, *ONLINE_PLAYING_KEYS[-1:]]
        return (
            ONLINE_WAITING_KEYS
            if snapshot.state["waiting"]
            else ONLINE_THREE_KEYS
            if snapshot.may_extend
            else ONLINE_SWAP_KEYS
            if snapshot.may_swap
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

    def pick(self, column: int) -> None:
        """Send the drop if it seems legal. The server decides whether it is."""
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

    def action_swap(self) -> None:
        if self._shown and self._shown.may_swap:
            self._online.request({"type": "swap"})

    def action_extend(self) -> None:
        if self._shown and self._shown.may_extend:
            self._online.request({"type": "extend"})

    def action_resign(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._online.request({"type": "resign"})

        if self._shown and self._shown.is_open:
            self.app.push_screen(YesOrNo(self.texts("ask.resign")), answered)

    def action_yes(self) -> None:
        if self._shown and self._shown.state["offer"]:
            self._online.request({"type": "accept"})

    def action_no(self) -> None:
        if self._shown and self._shown.state["offer"]:
            self._online.request({"type": "decline"})

    def action_rematch(self) -> None:
        """Ask for a rematch. If the opponent has asked for one, accept it."""
        if self._shown and self._shown.state["result"]:
            self._online.request({"type": "accept" if self._shown.is_asked else "rematch"})

    def action_review(self) -> None:
        if self._shown and self._shown.state["result"] and self._shown.game.moves:
            self.app.push_screen(ReplayScreen(local_match(self._shown, self.texts), review=True))

    def action_help(self) -> None:
        self.app.push_screen(Help("online.help.screen"))

    def action_copy(self) -> None:
        if self._online.seat.link:
            self.app.copy_to_clipboard(self._online.seat.link)
            self._say(self.texts("invite.copied"))

    def action_leave(self) -> None:
        if self._typed.text:
            self._clear_typed()
        elif self.confirms_leaving:
            self.app.push_screen(YesOrNo(self.texts("ask.leave_online")), lambda yes: self._leave() if yes else None)
        else:
            self._leave()

    def _leave(self) -> None:
        from connectk.terminal.screen.start import StartScreen

        if self._return_to_start:
            self.app.switch_screen(StartScreen())
        else:
            self.app.exit()
