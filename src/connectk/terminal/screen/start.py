"""The first screen of the program: the fields for a new game, and beside them the board that the fields describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from connectk.errors import ConnectkError, NotationError
from connectk.players import Clock
from connectk.players.registry import load_player
from connectk.rules import CLASSIC, Position, Variant
from connectk.terminal.form import LISTED_PLAYERS, OTHER_CHOICE, GameForm
from connectk.terminal.learning_sessions import (
    LearningSession,
    SavedPractice,
    daily_puzzle_session,
    next_lesson_session,
)
from connectk.terminal.match import LEVEL_NUMBERS, NAMED_BOARDS, LocalMatch, Mode, level_name
from connectk.terminal.screen.board_screen import BoardScreen, Dialog, Key
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.learning_screen import LearningScreen
from connectk.terminal.screen.replay import ReplayScreen
from connectk.terminal.store import Autosave, Autosaves
from connectk.texts import LANGUAGES


class OptionField(Static, can_focus=True):
    """A field with a few values. The left and right keys change the value, and so does a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right,space", "turn(1)", show=False),
    ]

    class Changed(Message):
        def __init__(self, option: OptionField) -> None:
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


class FormRow(Horizontal):
    """A field with its label."""

    def __init__(self, label: str, widget: Widget) -> None:
        super().__init__(id=f"row-{widget.id}")
        self._label, self._widget = label, widget

    def compose(self) -> ComposeResult:
        yield Static(self._label, classes="label")
        yield self._widget


class ActionButton(Static, can_focus=True):
    """A button. Enter, space and a click press it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "go", show=False)]

    class Pressed(Message):
        def __init__(self, go: ActionButton) -> None:
            super().__init__()
            self.go = go

    def action_go(self) -> None:
        self.post_message(self.Pressed(self))

    def on_click(self) -> None:
        self.action_go()


START_KEYS: list[Key] = [
    ("↑↓", "screen.go(1)", "key.choose"),
    ("←→", "screen.turn", "key.change"),
    ("Enter", "screen.begin", "key.begin"),
    ("?", "screen.help", "key.help"),
    ("q", "app.quit", "key.quit"),
]
LAST_GAME_KEY: Key = ("v", "screen.review", "key.last")
THEME_CHOICES = ("auto", "light", "dark")
DEMO_PLAYER = "level:6"  # plays both sides of the demo on the start screen
MAX_DEMO_CELLS = 100
DEMO_INTERVAL_SECONDS = 1.2  # between the drops of the demo


class StartScreen(BoardScreen):
    """The form for a new game. Enter starts the game. On a narrow screen the keys take several lines, so that all of
    them are visible."""

    key_lines = 3

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "go(1)", show=False),
        Binding("up", "go(-1)", show=False),
        Binding("enter", "begin", show=False),
        Binding("v", "review", show=False),
        Binding("q", "app.quit", show=False),
    ]

    def __init__(self, focus: str = "mode", pick_autosave: bool = False) -> None:
        super().__init__(Position.start(CLASSIC))
        self._focus_first, self._pick_autosave = focus, pick_autosave
        self._last_game: LocalMatch | None = None
        self._demo_timer: Timer | None = None  # runs the demo; None once it was stopped

    @property
    def form(self) -> GameForm:
        return self.program.preferences.form

    def compose_side(self) -> ComposeResult:
        texts, self._last_game = self.texts, self.program.settings.autosaves.last_finished()
        yield Static(texts("start.title"), id="title")
        yield self._option_row("mode", texts("start.mode"), self._modes())
        yield self._option_row("starts", texts("start.starts"), self._starters())
        yield self._option_row("player", texts("start.player"), self._players())
        yield Static(id="about")
        yield self._field_row("name", texts("start.name_hint"))
        yield self._option_row("second", texts("start.second"), self._players())
        yield self._field_row("second_name", texts("start.name_hint"))
        yield self._option_row("board", texts("start.board"), self._boards())
        yield self._field_row("size", texts("start.size_hint"))
        yield FormRow(texts("start.from"), self._input("opening", texts("start.from_hint")))
        yield ActionButton(texts("start.go"), id="go")
        autosaves = len(self.program.settings.autosaves.all())
        if autosaves:
            yield ActionButton(texts("start.resume", count=autosaves), id="resume")
        with Horizontal(id="learning"):
            yield ActionButton(texts("start.puzzles"), id="puzzles")
            yield ActionButton(texts("start.lessons"), id="lessons")
        yield ActionButton(texts("start.online"), id="online")
        yield self._choice_row("language", texts("start.language"), list(LANGUAGES.items()), texts.language)
        theme = self.program.preferences.theme or self.program.settings.theme
        yield self._choice_row(
            "theme", texts("start.theme"), [(name, texts(f"theme.{name}")) for name in THEME_CHOICES], theme
        )
        motion = [(name, texts(f"motion.{name}")) for name in ("falling", "still")]
        yield self._choice_row(
            "motion", texts("start.motion"), motion, "still" if self.program.reduced_motion else "falling"
        )

    def compose_foot(self) -> ComposeResult:
        yield Static(id="message", markup=False)

    def _option_row(self, name: str, label: str, values: list[tuple[str, str]]) -> FormRow:
        return self._choice_row(name, label, values, getattr(self.form, name))

    def _choice_row(self, name: str, label: str, values: list[tuple[str, str]], value: str) -> FormRow:
        return FormRow(label, OptionField(values, value, "<>" if self.program.ascii_only else "‹›", id=name))

    def _field_row(self, name: str, hint: str) -> FormRow:
        return FormRow("", self._input(name, hint))

    def _input(self, name: str, hint: str) -> Input:
        return Input(getattr(self.form, name), placeholder=hint, id=name, select_on_focus=False)

    def _modes(self) -> list[tuple[str, str]]:
        keys = {Mode.COMPUTER: "start.computer", Mode.TWO_PLAYERS: "start.two", Mode.DEMO: "start.demo"}
        return [(mode.value, self.texts(key)) for mode, key in keys.items()]

    def _starters(self) -> list[tuple[str, str]]:
        return [("you", self.texts("start.you")), ("computer", self.texts("start.the_computer"))]

    def _players(self) -> list[tuple[str, str]]:
        levels = [(level_name(level), f"{level} {self.texts(f'level.name.{level}')}") for level in LEVEL_NUMBERS]
        others = [(name, name) for name in LISTED_PLAYERS]
        return [*levels, *others, (OTHER_CHOICE, self.texts("start.other"))]

    def _boards(self) -> list[tuple[str, str]]:
        boards = [(str(variant), self.texts(key, variant=variant)) for key, variant in NAMED_BOARDS.items()]
        return [*boards, (OTHER_CHOICE, self.texts("start.other"))]

    def on_mount(self) -> None:
        *keys, leave = START_KEYS
        self.show_keys([*keys, LAST_GAME_KEY, leave] if self._last_game else START_KEYS)
        self.board.can_focus = False  # the arrow keys move between the rows
        self._update_from_form()
        self._demo_timer = (
            None if self.program.reduced_motion else self.set_interval(DEMO_INTERVAL_SECONDS, self._play_demo_drop)
        )
        self.query_one(f"#{self._focus_first}").focus()
        autosaves = self.program.settings.autosaves
        if autosaves.save_error:
            self._say(autosaves.trouble(self.texts))
        if self._pick_autosave:
            self._show_autosave_picker()

    def _play_demo_drop(self) -> None:
        """Drop the next disc of the demo on the board beside the form."""
        position = self.board.position
        if not self.board.display or position.variant.cells > MAX_DEMO_CELLS:
            return
        if position.outcome or self.form.opening:
            self._show_board(self.form.start_position())
            return
        player = load_player(DEMO_PLAYER)
        self.board.show(position.drop(player.choose(position, Clock()).column), dropped=True)
        player.close()

    def _stop_demo(self) -> None:
        """End the demo as soon as the user presses a key or clicks, and show the board of the new game."""
        if self._demo_timer:
            self._demo_timer.stop()
            self._demo_timer = None
            self._update_from_form()

    def on_option_field_changed(self, event: OptionField.Changed) -> None:
        self._stop_demo()
        name, value = str(event.option.id), event.option.value
        change = {"language": self._change_language, "theme": self._change_theme, "motion": self._change_motion}.get(
            name
        )
        if change:
            change(value)
            self.program.preferences.save()
        else:
            setattr(self.form, name, value)
            self._update_from_form()

    def _change_language(self, language: str) -> None:
        self.program.preferences.language = language
        self.program.set_language(language)
        self.app.switch_screen(StartScreen("language"))

    def _change_theme(self, theme: str) -> None:
        self.program.preferences.theme = theme
        self.program.apply_theme(theme)
        self.app.switch_screen(StartScreen("theme"))

    def _change_motion(self, motion: str) -> None:
        self.program.reduced_motion = self.program.preferences.reduced_motion = motion == "still"

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.value == getattr(self.form, str(event.input.id)):
            return  # an input also posts this when it is first filled in
        self._stop_demo()
        setattr(self.form, str(event.input.id), event.value)
        self._update_from_form()

    def _update_from_form(self) -> None:
        """Show the fields that matter for the current choices, and the resulting board."""
        for name, is_visible in self.form.visible_fields().items():
            self.query_one(f"#row-{name}").display = is_visible
        kind, _, level = self.form.player.partition(":")
        about = self.texts(f"level.words.{level}") if kind == "level" and self.form.visible_fields()["player"] else ""
        self.show_text("#about", about)
        try:
            self._show_board(self.form.start_position())
            self._say("")
        except ConnectkError as error:
            self._say(self._error_text(error))

    def _show_board(self, position: Position) -> None:
        self.board.show(position)
        self.update_layout(position.variant)

    def update_layout(self, variant: Variant) -> None:
        """Remove the empty lines between fields if the screen is too low for all of them."""
        super().update_layout(variant)
        rows = sum(widget.display for widget in self.query("#side > *"))
        self.set_class(2 * rows + 1 + len(START_KEYS) // 2 > self.size.height, "tight")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_begin()

    def on_action_button_pressed(self, event: ActionButton.Pressed) -> None:
        does = {
            "resume": self._resume,
            "puzzles": self._open_puzzles,
            "lessons": self._open_lessons,
            "online": self._open_online,
        }
        does.get(str(event.go.id), self.action_begin)()

    def _open_puzzles(self) -> None:
        self._push_session(daily_puzzle_session(self._load_practice(), self.texts))

    def _open_lessons(self) -> None:
        self._push_session(next_lesson_session(self._load_practice(), self.texts))

    def _open_online(self) -> None:
        """Ask for a server or a link to open. A new invitation uses the board that the form shows."""
        from connectk.terminal.screen.online_dialog import OnlineDialog

        def go(screen: BoardScreen | None) -> None:
            if screen:
                self.app.switch_screen(screen)

        self._stop_demo()
        self.app.push_screen(OnlineDialog(self.form.start_position()), go)

    def _load_practice(self) -> SavedPractice:
        return SavedPractice(self.program.settings.autosaves.folder.parent / "practice.json")

    def _push_session(self, session: LearningSession) -> None:
        """Show puzzles or lessons. Leaving them returns to this screen."""
        self._stop_demo()
        self.app.push_screen(LearningScreen(session, return_to_start=True))

    def action_go(self, step: int) -> None:
        self._stop_demo()
        self.focus_next() if step > 0 else self.focus_previous()

    def action_turn(self) -> None:
        if isinstance(self.focused, OptionField):
            self.focused.action_turn(1)

    def action_begin(self) -> None:
        self._start_match(self._selected_match)

    def action_review(self) -> None:
        """Review the game that ended last."""
        if self._last_game:
            self.app.switch_screen(GameScreen(self._last_game))
            self.app.push_screen(ReplayScreen(self._last_game, review=True))

    def _selected_match(self) -> LocalMatch:
        for name in self.form.selected_players():
            load_player(name).close()
        match = self.form.match()
        self.program.preferences.save()
        return match

    def _resume(self) -> None:
        games = self.program.settings.autosaves.all()
        if len(games) == 1:
            self._start_match(games[0].open)
        else:
            self._show_autosave_picker()

    def _show_autosave_picker(self) -> None:
        def picked(autosave: Autosave | None) -> None:
            if autosave:
                self._start_match(autosave.open)
            else:
                self.app.switch_screen(StartScreen())  # the number of autosaves may have changed

        self.app.push_screen(AutosavePicker(self.program.settings.autosaves), picked)

    def _start_match(self, make: Callable[[], LocalMatch]) -> None:
        try:
            match = make()
        except ConnectkError as error:
            self._say(self._error_text(error))
        else:
            self.app.switch_screen(GameScreen(match))

    def _error_text(self, error: ConnectkError) -> str:
        if not isinstance(error, NotationError):
            return error.localize(self.texts)
        key, text = self.form.error_text_key(error)
        return self.texts(key, text=text)

    def _say(self, text: str) -> None:
        self.show_text("#message", text)


class AutosavePicker(Dialog[Autosave]):
    """Lists the autosaves for the user to choose one. The most recent one comes first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,delete", "delete", show=False),
        Binding("q", "leave", show=False),
    ]

    def __init__(self, autosaves: Autosaves) -> None:
        super().__init__()
        self._games = autosaves.all()
        self._deleting: Autosave | None = None

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.program.texts("kept.title"))
            yield OptionList(*(self._line(autosave) for autosave in self._games), markup=False)
            yield Static(self.program.texts("kept.keys"), classes="quiet", markup=False)

    def _line(self, autosave: Autosave) -> str:
        return self.program.sentences.autosave(autosave)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._games[event.option_index])

    def on_option_list_option_highlighted(self) -> None:
        self._deleting = None
        self._say(self.program.texts("kept.keys"))

    def action_delete(self) -> None:
        """Delete the highlighted autosave when the user presses the key for the second time."""
        shown = self.query_one(OptionList)
        if shown.highlighted is None:
            return
        autosave = self._games[shown.highlighted]
        if autosave is not self._deleting:
            self._deleting = autosave
            self._say(self.program.texts("kept.delete"))
            return
        autosave.path.unlink(missing_ok=True)
        del self._games[shown.highlighted]
        shown.remove_option_at_index(shown.highlighted)
        if not self._games:
            self.dismiss(None)

    def _say(self, text: str) -> None:
        self.query_one(".quiet", Static).update(text)
