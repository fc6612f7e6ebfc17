"""The base of every screen with a board: text beside or below it, keys in the footer, and dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from connectk.notation import write_moves
from connectk.rules import Position, Side, Variant
from connectk.terminal.match import LocalMatch
from connectk.terminal.screen.board import BoardView
from connectk.terminal.screen.cells import Geometry
from connectk.terminal.sentences import Sentences
from connectk.terminal.thinking import HintProgress
from connectk.texts import Texts

if TYPE_CHECKING:
    from connectk.terminal.screen.app import ConnectkApp


MAX_HINT_COLUMNS = 16


def seats_text(match: LocalMatch, to_move: Side | None, sentences: Sentences, marker: str) -> Content:
    """Both players, with a marker at the side to move."""
    lines = []
    for side, style in ((Side.FIRST, "$first"), (Side.SECOND, "$second")):
        name = (f" {sentences.seat(match, side)}", "bold" if side is to_move else "$quiet")
        lines.append(Content.assemble(f"{marker if side is to_move else ' '} ", (sentences.discs[side], style), name))
    return Content("\n").join(lines)


def moves_text(match: LocalMatch, ply: int, texts: Texts) -> Content:
    """The moves of the game, those after `ply` dimmed; empty before the first."""
    played, variant = match.game.moves, match.game.variant
    if not played:
        return Content("")
    whole, until = write_moves(played, variant), write_moves(played[:ply], variant)
    label = texts("panel.moves", count=len(played))
    return Content.assemble((label, "$quiet"), f"\n{until}", (whole[len(until) :], "$quiet"))


def hint_text(found: HintProgress, texts: Texts, in_one_line: bool = False) -> Content:
    """The advice, the value of each column, and the search effort."""
    sentence = found.sentence(texts)
    lines = [Content.styled(sentence, "bold")] if sentence else []
    lines += [_column_line(column, found, texts) for column in sorted(found.worths)[:MAX_HINT_COLUMNS]]
    if not found.is_finished:
        seen = f"{found.positions_seen:,}".replace(",", " ")
        lines.append(Content.styled(texts("hint.looking", seconds=int(found.seconds), seen=seen), "$quiet"))
    return Content("  " if in_one_line else "\n").join(lines)


def _column_line(column: int, found: HintProgress, texts: Texts) -> Content:
    """A line for a column: * marks a proven best column, ~ an estimated one."""
    worth = found.worths[column]
    style = "$good" if worth.lower > 0 else "$bad" if worth.upper < 0 else ""
    mark = "*" if column in found.proven_columns else "~" if column == found.estimated_column else " "
    return Content.assemble((f"{mark}{column + 1:>3}  ", "bold"), (worth.describe(texts), style))


Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """A modal dialog; Escape closes it without an answer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    @property
    def program(self) -> ConnectkApp:
        return cast("ConnectkApp", self.app)

    def action_leave(self) -> None:
        self.dismiss(None)

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close the dialog once: a second key pressed with the answer must not close the screen below."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class YesOrNo(Dialog[bool]):
    """A question; y, Enter and the key that opened it mean yes, any other key means no."""

    def __init__(self, question: str, asked_by: str = "") -> None:
        super().__init__()
        self._question, self._asked_by = question, asked_by

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._question, markup=False)
            yield Static(self.program.texts("dialog.yes_or_no"), classes="quiet")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        yes = self.program.texts("ask.yes").split()
        self.dismiss(event.key == "enter" or event.character in (*yes, "y", self._asked_by))


class Help(Dialog[None]):
    """The help text with all keys."""

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self.program.texts("help.screen"), markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("enter", "space", "q", "question_mark"):
            event.stop()
            self.dismiss(None)


class SaveAs(Dialog[Path]):
    """Asks for a file name and writes to it; replacing a file needs a second Enter."""

    def __init__(self, name: str, write: Callable[[Path], None]) -> None:
        super().__init__()
        self._name, self._write = name, write
        self._replacing = ""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.program.texts("save.title"))
            yield Input(self._name, select_on_focus=False)
            yield Static(self.program.texts("save.keys"), classes="quiet", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        if Path(name).expanduser().exists() and name != self._replacing:
            self._replacing = name
            self._say(self.program.texts("save.exists", file=name))
        elif name:
            self._save(Path(name))

    def _save(self, path: Path) -> None:
        try:
            self._write(path)
        except OSError as error:
            self._say(self.program.texts("error.save", file=path, reason=error.strerror or error))
        else:
            self.dismiss(path)

    def _say(self, text: str) -> None:
        self.query_one(".quiet", Static).update(text)


SIDE_WIDTH, BELOW_HEIGHT, BELOW_HEIGHT_LOW = 36, 6, 4  # as in app.tcss
LOW_SCREEN_LINES, TINY_SCREEN_LINES = 20, 12
NO_BREAK = "\u00a0"

Key = tuple[str, str, str]  # the key's label, its action, and the text key of its description


class BoardScreen(Screen[None]):
    """A screen with a board; `board` and `keys` exist once it is mounted."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._initial_position = position

    @property
    def program(self) -> ConnectkApp:
        return cast("ConnectkApp", self.app)

    @property
    def texts(self) -> Texts:
        return self.program.texts

    @property
    def confirms_leaving(self) -> bool:
        """Whether leaving asks first, because a game is in progress."""
        return False

    def compose(self) -> ComposeResult:
        self.set_class(self.program.ascii_only, "ascii")
        with Container(id="stage"):
            motion = not self.program.reduced_motion
            yield BoardView(self._initial_position, self.program.pen, motion)
            with Container(id="side"):
                yield from self.compose_side()
        yield from self.compose_foot()
        yield Static(id="keys")

    def compose_side(self) -> ComposeResult:
        """The widgets beside the board."""
        yield Static()

    def compose_foot(self) -> ComposeResult:
        """The widgets below the board, above the keys."""
        return iter(())

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)

    def show_keys(self, keys: Sequence[Key]) -> None:
        """Show the keys in the footer; each can be clicked."""
        words = [self._key(*key) for key in keys]
        self.query_one("#keys", Static).update(Content("  ").join(words))

    def _key(self, key: str, action: str, text: str) -> Content:
        glue = self.program.pen.text(NO_BREAK)
        word = self.texts(text).replace(" ", glue)
        key = self.program.pen.text(key)
        return Content.from_markup(f"[b $ink]$key[/]{glue}[@click={action}]$word[/]", key=key, word=word)

    def show_text(self, place: str, text: str | Content) -> None:
        """Set the text of a widget; an empty one is hidden."""
        static = self.query_one(place, Static)
        static.update(text)
        static.display = bool(text)

    def on_resize(self, event: events.Resize) -> None:
        self.update_layout(self.board.position.variant)

    def update_layout(self, variant: Variant) -> None:
        """Place the text beside the board, or below it if that leaves more room for the board."""
        width, height = self.size
        low = height < LOW_SCREEN_LINES
        foot = sum(widget.outer_size.height for widget in self.query("#keys, GraphView") if widget.display)
        beside = Geometry.fitting(variant, width - SIDE_WIDTH, height - foot)
        below = Geometry.fitting(variant, width, height - foot - (BELOW_HEIGHT_LOW if low else BELOW_HEIGHT))
        fits = beside.width <= width - SIDE_WIDTH
        self.set_class(low, "low")
        self.set_class(height < TINY_SCREEN_LINES, "tiny")
        self.set_class(below.cell_height > beside.cell_height or not fits, "below")
