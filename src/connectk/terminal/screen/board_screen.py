"""The common base of all screens with a board: text beside or below the board, keys at the bottom, and dialogs."""

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

from connectk.errors import FileNotWritable
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


def _is_same(one: object, other: str | Content) -> bool:
    """Whether two texts look the same. Textual's own comparison ignores styles."""
    return one == other and getattr(one, "spans", []) == getattr(other, "spans", [])


def seats_text(
    match: LocalMatch, to_move: Side | None, sentences: Sentences, marker: str, are_numbered: bool = False
) -> Content:
    """The names of both players. A mark shows whose turn it is.

    With numbers, each name is followed by the word for the first or second player, which the sentences of a review use.
    """
    shows_sides = are_numbered and bool(sentences.seats(match))
    lines = []
    for side, style in ((Side.FIRST, "$first"), (Side.SECOND, "$second")):
        number = f", {sentences.texts(f'board.{side}')}" if shows_sides else ""
        name = (f" {sentences.seat(match, side)}{number}", "bold" if side is to_move else "$quiet")
        lines.append(Content.assemble(f"{marker if side is to_move else ' '} ", (sentences.discs[side], style), name))
    return Content("\n").join(lines)


def moves_text(match: LocalMatch, ply: int, texts: Texts) -> Content:
    """The moves of a game; those after `ply` have a fainter colour. Empty if there are no moves."""
    played, variant = match.game.moves, match.game.variant
    if not played:
        return Content("")
    whole, until = write_moves(played, variant), write_moves(played[:ply], variant)
    label = texts("panel.moves", count=len(played))
    return Content.assemble((label, "$quiet"), f"\n{until}", (whole[len(until) :], "$quiet"))


def hint_text(found: HintProgress, texts: Texts, in_one_line: bool = False) -> Content:
    """The advice, the worth of each column, the time of the search and the number of positions searched."""
    sentence = found.sentence(texts)
    lines = [Content.styled(sentence, "bold")] if sentence else []
    lines += [_column_line(column, found, texts) for column in sorted(found.worths)[:MAX_HINT_COLUMNS]]
    if not found.is_finished:
        seen = f"{found.positions_seen:,}".replace(",", " ")
        lines.append(Content.styled(texts("hint.looking", seconds=int(found.seconds), seen=seen), "$quiet"))
    return Content("  ").join(map(_unbroken, lines)) if in_one_line else Content("\n").join(lines)


def _unbroken(line: Content) -> Content:
    """The same line with spaces that prevent line breaks. A full sentence keeps its ordinary spaces, so it may be
    broken."""
    return line if line.plain[-1:] == "." else Content(line.plain.replace(" ", NO_BREAK_SPACE), spans=[*line.spans])


def _column_line(column: int, found: HintProgress, texts: Texts) -> Content:
    """The worth of one column. A * marks a column that is proven best, a ~ marks the column that is estimated best."""
    worth = found.worths[column]
    style = "$good" if worth.lower > 0 else "$bad" if worth.upper < 0 else ""
    mark = "*" if column in found.proven_columns else "~" if column == found.estimated_column else " "
    return Content.assemble((f"{mark}{column + 1:>3}  ", "bold"), (worth.describe(texts), style))


Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """A dialog over the screen. Escape closes it without an answer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    @property
    def program(self) -> ConnectkApp:
        return cast("ConnectkApp", self.app)

    def action_leave(self) -> None:
        self.dismiss(None)

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close the dialog, but only once. A second key at the same moment must not close the screen below it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class YesOrNo(Dialog[bool]):
    """Asks a question. The keys y and Enter mean yes, and so does the key that opened the dialog. Every other key means
    no."""

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
    """Explains all keys of the screen, or of a game on a server."""

    def __init__(self, text: str = "help.screen") -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self.program.texts(self._text), markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("enter", "space", "q", "question_mark"):
            event.stop()
            self.dismiss(None)


class SaveAs(Dialog[Path]):
    """Asks for a file name and writes the file. To replace an existing file, the user presses Enter twice."""

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
        except FileNotWritable as error:
            self._say(error.localize(self.program.texts))
        else:
            self.dismiss(path)

    def _say(self, text: str) -> None:
        self.query_one(".quiet", Static).update(text)


SIDE_WIDTH, BELOW_HEIGHT, BELOW_HEIGHT_LOW = 36, 6, 4  # as in app.tcss
LOW_SCREEN_LINES, TINY_SCREEN_LINES = 20, 12
NO_BREAK_SPACE = "\u00a0"

KEY_GAP = "  "
COLUMN_KEYS, MAX_COLUMN_KEY = "1-9", 9  # shown as 1-7 on a board of seven columns

Key = tuple[str, str, str]  # the key's label, its action, and the text key of its description
MORE_KEY: Key = ("PgDn", "screen.scroll_side(1)", "key.more")


class BoardScreen(Screen[None]):
    """A screen with a board. `board` and `keys` exist only after Textual has mounted it.

    The footer always has the same height, so that the board never changes its size."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "scroll_side(1)", show=False, priority=True),
        Binding("pageup", "scroll_side(-1)", show=False, priority=True),
        Binding("question_mark,f1", "help", show=False, priority=True),
    ]

    key_lines = 1

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._initial_position = position
        self._shown_keys: Sequence[Key] = ()

    @property
    def program(self) -> ConnectkApp:
        return cast("ConnectkApp", self.app)

    @property
    def texts(self) -> Texts:
        return self.program.texts

    @property
    def confirms_leaving(self) -> bool:
        """Whether to ask the user before leaving, because a game is in progress."""
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

    def on_mount(self) -> None:
        """Draw the keys again whenever the text beside the board starts or stops fitting on the screen. The key for
        scrolling is shown only if the text does not fit."""
        self.watch(self._side, "show_vertical_scrollbar", self._draw_keys, init=False)

    def compose_foot(self) -> ComposeResult:
        """The widgets below the board, above the keys."""
        return iter(())

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)

    def show_keys(self, keys: Sequence[Key]) -> None:
        """Show these keys in the footer. The user can also click them."""
        self._shown_keys = keys
        self._draw_keys()

    def _draw_keys(self) -> None:
        """Draw as many keys as fit. The last key, which leaves the screen, is always drawn."""
        if not self._shown_keys:
            return
        *keys, last = self._shown_keys
        more = [MORE_KEY] if self._side.show_vertical_scrollbar else []
        words = [self._key(*last)]
        left = self.key_lines * (self.size.width - 2) - words[0].cell_length
        for word in (self._key(*key) for key in (*more, *keys)):
            left -= word.cell_length + len(KEY_GAP)
            if left >= 0:
                words.insert(-1, word)
        self.show_text("#keys", Content(KEY_GAP).join(words))

    @property
    def _side(self) -> Container:
        return self.query_one("#side", Container)

    def show_side_from_top(self) -> None:
        """Scroll the text beside the board to its first line."""
        self._side.scroll_home(animate=False)

    def action_scroll_side(self, pages: int) -> None:
        """Scroll the text beside the board."""
        self._side.scroll_page_down(animate=False) if pages > 0 else self._side.scroll_page_up(animate=False)

    def action_help(self) -> None:
        self.app.push_screen(Help())

    def _key(self, key: str, action: str, text: str) -> Content:
        glue = self.program.pen.text(NO_BREAK_SPACE)
        word = self.texts(text).replace(" ", glue)
        columns = f"1-{min(MAX_COLUMN_KEY, self.board.position.variant.width)}"
        key = self.program.pen.text(columns if key == COLUMN_KEYS else key)
        return Content.from_markup(f"[b $ink]$key[/]{glue}[@click={action}]$word[/]", key=key, word=word)

    def show_text(self, place: str, text: str | Content) -> None:
        """Set the text of a widget. The widget is hidden while its text is empty. An unchanged text is not drawn
        again."""
        static = self.query_one(place, Static)
        if not _is_same(static.content, text):
            static.update(text)
        static.display = bool(text)

    def on_resize(self, event: events.Resize) -> None:
        self.update_layout(self.board.position.variant)
        self.call_after_refresh(self._draw_keys)

    def update_layout(self, variant: Variant) -> None:
        """Place the text beside the board. If the board can be larger with the text below it, place the text below the
        board."""
        width, height = self.size
        low = height < LOW_SCREEN_LINES
        foot = sum(widget.outer_size.height for widget in self.query("#keys, GraphView") if widget.display)
        beside = Geometry.fitting(variant, width - SIDE_WIDTH, height - foot)
        below = Geometry.fitting(variant, width, height - foot - (BELOW_HEIGHT_LOW if low else BELOW_HEIGHT))
        fits = beside.width <= width - SIDE_WIDTH
        self.set_class(low, "low")
        self.set_class(height < TINY_SCREEN_LINES, "tiny")
        self.set_class(below.cell_height > beside.cell_height or not fits, "below")
