"""The start screen: the board as it will be, and beside it everything that can be chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from connectk.players.registry import load_player
from connectk.errors import ConnectkError, NotationError
from connectk.rules import CLASSIC, Position
from connectk.terminal.choices import LEVELS, NAMED_BOARDS, Mode, level_name
from connectk.terminal.match import Match
from connectk.terminal.refusals import explain
from connectk.terminal.screen.dialogs import Help
from connectk.terminal.screen.form import LISTED_PLAYERS, OTHER, Form
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.options import Go, Option, Row
from connectk.terminal.screen.stage import Key, Stage
from connectk.texts import LANGUAGES

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

    def _chosen(self) -> Match:
        for name in self.form.players_that_matter():
            load_player(name).close()
        return self.form.match()

    def _begin(self, make: Callable[[], Match]) -> None:
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
