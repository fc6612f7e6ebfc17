"""The start screen: the board as it will be, and beside it everything that can be chosen."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from connectk.errors import ConnectkError, NotationError
from connectk.players.registry import load_player
from connectk.rules import CLASSIC, Position, Variant
from connectk.terminal.match import LEVELS, NAMED_BOARDS, LocalMatch, Mode, NewGame, level_name
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.stage import Help, Key, Stage
from connectk.terminal.settings import explain
from connectk.terminal.store import open_game
from connectk.texts import LANGUAGES

OTHER = "other"
LISTED_PLAYERS = ["random", "greedy", "minimax:5", "mcts:1000", "engine:1000ms", "perfect"]


@dataclass
class Form:
    """Every field as it stands on the screen; OTHER means that the line below says more."""

    mode: str = Mode.COMPUTER.value
    starts: str = "you"
    player: str = level_name(5)
    name: str = ""
    second: str = level_name(5)
    second_name: str = ""
    board: str = str(CLASSIC)
    size: str = ""
    opening: str = ""  # moves, or the name of a saved game's file

    def matters(self) -> dict[str, bool]:
        """Which rows say something in this mode."""
        demo, computer = self.mode == Mode.DEMO.value, self.mode != Mode.TWO_PLAYERS.value
        return {
            "starts": computer and not demo,
            "player": computer,
            "name": computer and self.player == OTHER,
            "second": demo,
            "second_name": demo and self.second == OTHER,
            "board": not self._is_file,
            "size": self.board == OTHER and not self._is_file,
        }

    @property
    def _is_file(self) -> bool:
        return bool(re.search(r"[^\d\s,]", self.opening))

    def players_that_matter(self) -> list[str]:
        matters = self.matters()
        return [name for row, name in zip(("player", "second"), self._players(), strict=True) if matters[row]]

    def _players(self) -> tuple[str, str]:
        first = self.name.strip() if self.player == OTHER else self.player
        second = self.second_name.strip() if self.second == OTHER else self.second
        return first, second

    def start(self) -> Position:
        """The position that the game starts from."""
        return self._opened().position if self._is_file else Position.from_moves(self.opening, self._variant())

    def unreadable(self, error: NotationError) -> tuple[str, str]:
        """The key of what to say about a field that cannot be read, and what stands in it."""
        if self._is_file:
            return "error.not_a_game", self.opening.strip()
        if error.text == self.size and self.board == OTHER:
            return "error.not_a_board", self.size
        return "error.not_moves", self.opening.strip()

    def _variant(self) -> Variant:
        return Variant.parse(self.size if self.board == OTHER else self.board)

    def _opened(self) -> LocalMatch:
        return LocalMatch.of(open_game(Path(self.opening.strip())))

    def match(self) -> LocalMatch:
        """The game chosen; a saved one goes on with its moves, so that they can be taken back and replayed."""
        if not self._is_file:
            return self._new_game(self.start()).match()
        match = self._opened()
        if not match.is_over:
            match.seats = self._new_game(match.position).match().seats
        return match

    def _new_game(self, start: Position) -> NewGame:
        return NewGame(Mode(self.mode), self.starts == "computer", self._players(), start)


class Option(Static, can_focus=True):
    """One of several values; left and right, or a click, change it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right,space", "turn(1)", show=False),
    ]

    class Changed(Message):
        def __init__(self, option: Option) -> None:
            super().__init__()
            self.option = option

    def __init__(self, values: Sequence[tuple[str, str]], value: str, arrows: str, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._values, self._arrows = values, arrows
        self._index = next((i for i, (known, _) in enumerate(values) if known == value), 0)

    @property
    def value(self) -> str:
        return self._values[self._index][0]

    def render(self) -> Content:
        before, after = self._arrows[0], self._arrows[1]
        return Content.assemble((f"{before} ", "$quiet"), self._values[self._index][1], (f" {after}", "$quiet"))

    def action_turn(self, step: int) -> None:
        self._index = (self._index + step) % len(self._values)
        self.refresh(layout=True)
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        self.action_turn(-1 if event.x < 2 else 1)


class Row(Horizontal):
    """A label and its widget."""

    def __init__(self, label: str, widget: Widget) -> None:
        super().__init__(id=f"row-{widget.id}")
        self._label, self._widget = label, widget

    def compose(self) -> ComposeResult:
        yield Static(self._label, classes="label")
        yield self._widget


class Go(Static, can_focus=True):
    """A word that does something when Enter or a click says so."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "go", show=False)]

    class Pressed(Message):
        def __init__(self, go: Go) -> None:
            super().__init__()
            self.go = go

    def action_go(self) -> None:
        self.post_message(self.Pressed(self))

    def on_click(self) -> None:
        self.action_go()


KEYS: list[Key] = [
    ("↑↓", "app.focus_next", "key.choose"),
    ("←→", "screen.turn", "key.change"),
    ("Enter", "screen.begin", "key.begin"),
    ("?", "screen.help", "key.help"),
    ("q", "app.quit", "key.quit"),
]


class StartScreen(Stage):
    """Enter begins the game that the rows describe."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("enter", "begin", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q", "app.quit", show=False),
    ]

    def __init__(self, form: Form) -> None:
        super().__init__(Position.start(CLASSIC))
        self.form = form

    def compose_side(self) -> ComposeResult:
        texts = self.texts
        yield Static(texts("start.title"), id="title")
        yield self._option("mode", texts("start.mode"), self._modes())
        yield self._option("starts", texts("start.starts"), self._starters())
        yield self._option("player", texts("start.player"), self._players())
        yield self._field("name", texts("start.name_hint"))
        yield self._option("second", texts("start.second"), self._players())
        yield self._field("second_name", texts("start.name_hint"))
        yield self._option("board", texts("start.board"), self._boards())
        yield self._field("size", texts("start.size_hint"))
        yield Row(texts("start.from"), self._input("opening", texts("start.from_hint")))
        yield self._option("language", texts("start.language"), list(LANGUAGES.items()))
        yield Go(texts("start.go"), id="go")
        if self.program.settings.autosave.is_there:
            yield Go(texts("start.resume"), id="resume")
        yield Static(id="message", markup=False)

    def _option(self, name: str, label: str, values: list[tuple[str, str]]) -> Row:
        arrows = "<>" if self.program.ascii_only else "‹›"
        value = self.texts.language if name == "language" else getattr(self.form, name)
        return Row(label, Option(values, value, arrows, id=name))

    def _field(self, name: str, hint: str) -> Row:
        return Row("", self._input(name, hint))

    def _input(self, name: str, hint: str) -> Input:
        return Input(getattr(self.form, name), placeholder=hint, id=name, select_on_focus=False)

    def _modes(self) -> list[tuple[str, str]]:
        keys = {Mode.COMPUTER: "start.computer", Mode.TWO_PLAYERS: "start.two", Mode.DEMO: "start.demo"}
        return [(mode.value, self.texts(key)) for mode, key in keys.items()]

    def _starters(self) -> list[tuple[str, str]]:
        return [("you", self.texts("start.you")), ("computer", self.texts("start.the_computer"))]

    def _players(self) -> list[tuple[str, str]]:
        levels = [(level_name(level), self.texts("start.level", level=level)) for level in LEVELS]
        others = [(name, name) for name in LISTED_PLAYERS]
        return [*levels, *others, (OTHER, self.texts("start.other"))]

    def _boards(self) -> list[tuple[str, str]]:
        boards = [(str(variant), self.texts(key, variant=variant)) for key, variant in NAMED_BOARDS.items()]
        return [*boards, (OTHER, self.texts("start.other"))]

    def on_mount(self) -> None:
        self.show_keys(KEYS)
        self._follow_form()
        self.query_one("#mode").focus()

    def on_option_changed(self, event: Option.Changed) -> None:
        if event.option.id == "language":
            self.program.speak(event.option.value)
            self.app.switch_screen(StartScreen(self.form))
        else:
            setattr(self.form, str(event.option.id), event.option.value)
            self._follow_form()

    def on_input_changed(self, event: Input.Changed) -> None:
        setattr(self.form, str(event.input.id), event.value)
        self._follow_form()

    def _follow_form(self) -> None:
        """Show only the rows that matter, and the board as it will be."""
        for name, matters in self.form.matters().items():
            self.query_one(f"#row-{name}").display = matters
        try:
            self._show_board(self.form.start())
            self._say("")
        except ConnectkError as error:
            self._say(self._explain(error))

    def _show_board(self, position: Position) -> None:
        self.board.show(position)
        self.make_room(position.variant)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_begin()

    def on_go_pressed(self, event: Go.Pressed) -> None:
        if event.go.id == "resume":
            self._begin(self.program.settings.autosave.load)
        else:
            self.action_begin()

    def action_turn(self) -> None:
        if isinstance(self.focused, Option):
            self.focused.action_turn(1)

    def action_begin(self) -> None:
        self._begin(self._chosen)

    def _chosen(self) -> LocalMatch:
        for name in self.form.players_that_matter():
            load_player(name).close()
        return self.form.match()

    def _begin(self, make: Callable[[], LocalMatch]) -> None:
        try:
            match = make()
        except ConnectkError as error:
            self._say(self._explain(error))
        else:
            self.app.switch_screen(GameScreen(match))

    def _explain(self, error: ConnectkError) -> str:
        if not isinstance(error, NotationError):
            return explain(error, self.texts)
        key, text = self.form.unreadable(error)
        return self.texts(key, text=text)

    def _say(self, text: str) -> None:
        self.show_text("#message", text)

    def action_help(self) -> None:
        self.app.push_screen(Help())
