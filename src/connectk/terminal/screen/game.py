"""The screen for a game on this computer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from connectk.errors import ConnectkError, localize_error
from connectk.rules import Side, Variant
from connectk.terminal.match import PERSON_SEAT, LocalMatch
from connectk.terminal.screen.board_screen import SaveAs, YesOrNo, hint_text, moves_text, seats_text
from connectk.terminal.screen.drop_screen import MAX_ONE_DIGIT_WIDTH, DropScreen
from connectk.terminal.screen.keys import DEMO_KEYS, GAME_BINDINGS, HINT_KEYS, OVER_KEYS, PLAYING_KEYS, SWAP_KEYS
from connectk.terminal.screen.replay import ReplayScreen
from connectk.terminal.screen.why import WhyScreen
from connectk.terminal.store import save_game
from connectk.terminal.thinking import Answer, ComputerPlayers, HintProgress, HintSearch, PendingChoice

COMPUTER_DELAY_SECONDS = 0.6  # the computer waits this long after a disc, so that its fall is seen
COMPUTER_DELAY_STILL_SECONDS = 0.25
DEMO_SPEEDS = (0.25, 0.5, 1, 2, 4)


class GameScreen(DropScreen):
    """Plays a match. If the person picks a column during the computer's turn, the disc drops after the computer's
    move."""

    BINDINGS: ClassVar[list[BindingType]] = GAME_BINDINGS

    class ChoiceMade(Message):
        """A computer player has chosen a column, or has failed."""

        def __init__(self, thinking: PendingChoice, answer: Answer) -> None:
            super().__init__()
            self.thinking, self.answer = thinking, answer

    class HintUpdated(Message):
        """The search for a hint has new results."""

        def __init__(self, search: HintSearch, hint: HintProgress) -> None:
            super().__init__()
            self.search, self.hint = search, hint

    def __init__(self, match: LocalMatch) -> None:
        super().__init__(match.position)
        self.match = match
        self._computers = ComputerPlayers(lambda thinking, answer: self._post(self.ChoiceMade(thinking, answer)))
        self._last_drop_at = monotonic()
        self._queued_columns: list[int] = []  # columns picked during the computer's turn
        self._search: HintSearch | None = None
        self._hint: HintProgress | None = None
        self._paused = False
        self._speed = 1.0  # the speed of a demo
        self._message = self._reported_save_error = ""

    def compose_side(self) -> ComposeResult:
        yield Static(id="seats")
        yield Static(id="status")
        yield Static(id="message", markup=False)
        yield Static(id="hint")
        yield Static(id="moves")

    def on_mount(self) -> None:
        self.set_interval(0.5, self._show_status)
        self._next_turn()

    def on_unmount(self) -> None:
        self._stop_thinking()
        self._computers.close()

    # --- turns

    def _next_turn(self) -> None:
        """Save and show the match, and start the next turn."""
        self._stop_thinking()
        self.show_side_from_top()
        self._autosave()
        if self.program.preferences.hints_stay and self._person_to_move:
            self._start_hint()
        self._show()
        if self.match.computer_to_move and not self._paused:
            self._computers.think(self.match.computer_to_move, self.match.position, self.match.swap_turn)
        elif self._queued_columns and not self.match.is_over:
            self._drop(self._queued_columns.pop(0))

    def _autosave(self) -> None:
        """Save the game for `--resume`. If saving fails, tell the user once."""
        autosaves = self.program.settings.autosaves
        autosaves.update(self.match)
        if autosaves.save_error and autosaves.save_error != self._reported_save_error:
            self._message = autosaves.trouble(self.texts)
        self._reported_save_error = autosaves.save_error

    @property
    def confirms_leaving(self) -> bool:
        return self.match.is_running

    @property
    def _person_to_move(self) -> bool:
        return not (self.match.is_over or self.match.is_demo or self.match.computer_to_move)

    def _stop_thinking(self) -> None:
        """Stop the computer player and the search for a hint."""
        self._computers.stop()
        self._clear_hint()

    def _post(self, message: Message) -> None:
        """Send a message to the screen from a background thread."""
        self.post_message(message)

    def on_game_screen_choice_made(self, event: ChoiceMade) -> None:
        delay = COMPUTER_DELAY_STILL_SECONDS if self.program.reduced_motion else COMPUTER_DELAY_SECONDS
        wait = self._last_drop_at + delay / self._speed - monotonic()
        self.set_timer(max(0.01, wait), lambda: self._play_choice(event.thinking, event.answer))

    def _play_choice(self, thinking: PendingChoice, answer: Answer) -> None:
        name = self.match.computer_to_move
        if not name or not self._computers.is_current(thinking):
            return
        try:
            if isinstance(answer, Exception):
                raise answer
            if answer is None:
                self._swap_sides(self.texts("swap.done", name=self.program.sentences.player(name)))
            else:
                self._play(answer.column)
        except Exception as error:
            self.match.replace_player(name)
            self._message = self.texts("computer.failed", name=name, reason=localize_error(error, self.texts))
        self._next_turn()

    def _play(self, column: int) -> None:
        self.match.game.drop(column)
        self._last_drop_at = monotonic()
        self.board.show(self.match.position, dropped=True)

    def pick(self, column: int) -> None:
        """Drop into a column. If it is the computer's turn, remember the column for later."""
        self._message = ""
        if self.match.is_over or self.match.is_demo:
            self._say(self.texts("error.GameAlreadyOver" if self.match.is_over else "refusal.demo"))
        elif self.match.computer_to_move:
            if self._queued_columns[-1:] != [column]:  # a repetition comes from a held key
                self._queued_columns.append(column)
            self._say(self.texts("done.kept", columns=", ".join(str(queued + 1) for queued in self._queued_columns)))
        else:
            self._drop(column)

    def _drop(self, column: int) -> None:
        try:
            self._play(column)
        except ConnectkError as error:
            self._queued_columns.clear()
            self._say(error.localize(self.texts))
        else:
            self._message = ""
            self._next_turn()

    # --- user actions

    def action_erase(self) -> None:
        """Delete the last typed digit. On a board with fewer than ten columns, take a move back instead."""
        if self._width <= MAX_ONE_DIGIT_WIDTH:
            self.action_undo()
        else:
            super().action_erase()

    def action_pause(self) -> None:
        if not self.match.is_demo:
            self.action_drop()
            return
        self._paused = not self._paused
        self._next_turn()

    def action_change_speed(self, step: int) -> None:
        """Make a demo faster or slower."""
        if self.match.is_demo:
            chosen = DEMO_SPEEDS.index(self._speed) + step
            self._speed = DEMO_SPEEDS[min(max(0, chosen), len(DEMO_SPEEDS) - 1)]
            self._say(self.texts("demo.speed", speed=f"{self._speed:g}"))

    def action_undo(self) -> None:
        self._step_history(self.match.undo)

    def action_redo(self) -> None:
        self._step_history(self.match.redo)

    def _step_history(self, step: Callable[[], None]) -> None:
        self._paused = self.match.is_demo
        self._queued_columns.clear()
        self._typed.pop()
        try:
            step()
            self._message = ""
        except ConnectkError as error:
            self._message = error.localize(self.texts)
        self.board.show(self.match.position)
        self._next_turn()

    def action_hint(self) -> None:
        """Show or hide the hint."""
        if self._hint:
            self._clear_hint()
            self._set_hints_stay(False)
        elif not self.match.is_over:
            self._start_hint()
        self._show()

    def action_hints_stay(self) -> None:
        """Switch automatic hints on or off. They appear at every turn of the user."""
        stay = not self.program.preferences.hints_stay
        self._set_hints_stay(stay)
        self._message = self.texts("hint.stay_on" if stay else "hint.stay_off")
        if stay and not self._hint and self._person_to_move:
            self._start_hint()
        elif not stay:
            self._clear_hint()
        self._show()

    def _set_hints_stay(self, stay: bool) -> None:
        if stay != self.program.preferences.hints_stay:
            self.program.preferences.hints_stay = stay
            self.program.preferences.save()

    def _start_hint(self) -> None:
        self._hint = HintProgress({})
        self._search = HintSearch(self.match.position, lambda s, hint: self._post(self.HintUpdated(s, hint)))

    @property
    def hint_is_finished(self) -> bool:
        return self._hint is not None and self._hint.is_finished

    def _clear_hint(self) -> None:
        if self._search:
            self._search.stop()
        self._search = self._hint = None

    def on_game_screen_hint_updated(self, event: HintUpdated) -> None:
        if event.search is self._search:
            self._hint = event.hint
            self._show_hint()

    def action_restart(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._start_match(self.match.rematch())

        if self.match.is_over or not self.match.game.moves:
            answered(True)
        else:
            self.app.push_screen(YesOrNo(self.texts("ask.restart")), answered)

    def action_swap(self) -> None:
        """Take over the first disc, if the swap rule allows it now. After a game, start a new one with the seats
        swapped."""
        if self.match.is_over:
            self._start_match(self.match.swapped())
        elif self.match.can_swap and self._person_to_move:
            self._swap_sides(self.texts("swap.done_you"))
            self._next_turn()

    def _swap_sides(self, text: str) -> None:
        self.match.swap_sides()
        self._queued_columns.clear()
        self._message = text

    def _start_match(self, match: LocalMatch) -> None:
        self.match = match
        self._message, self._paused = "", False
        self._queued_columns.clear()
        self.board.show(match.position)
        self._next_turn()

    def action_save(self) -> None:
        def saved(path: Path | None) -> None:
            if path:
                self._say(self.texts("done.saved", file=path))

        name = f"connectk-{self.match.started:%Y-%m-%d-%H%M%S}.json"
        self.app.push_screen(SaveAs(name, lambda path: save_game(self.match, path)), saved)

    def action_why(self) -> None:
        """Explain the position. After the game, show the move that decided it."""
        if self.match.is_over:
            self.app.push_screen(ReplayScreen(self.match, decided=True))
        elif not self.match.is_demo:
            self.app.push_screen(WhyScreen(self.match.position, players=self.program.sentences.seats(self.match)))

    def action_replay(self) -> None:
        if self.match.is_over:
            self.app.push_screen(ReplayScreen(self.match))

    def action_review(self) -> None:
        if self.match.is_over:
            self.app.push_screen(ReplayScreen(self.match, review=True))

    def action_leave(self) -> None:
        """Return to the start screen. During a game, ask the user first."""
        if self._typed.text:
            self._clear_typed()
        elif self.confirms_leaving:
            question = self.program.leave_question()
            self.app.push_screen(YesOrNo(question), lambda yes: self._leave() if yes else None)
        else:
            self._leave()

    def _leave(self) -> None:
        from connectk.terminal.screen.start import StartScreen

        self.app.switch_screen(StartScreen())

    # --- display

    def _say(self, text: str) -> None:
        self._message = text
        self.show_text("#message", text)

    def _show(self) -> None:
        to_move = None if self.match.is_over else self.match.position.side_to_move
        seats = seats_text(self.match, to_move, self.program.sentences, self.program.pen.text("▸"))
        self.show_text("#seats", seats)
        self.show_text("#moves", moves_text(self.match, len(self.match.game.moves), self.texts))
        self._say(self._message or (self.texts("swap.yours") if self.match.can_swap and self._person_to_move else ""))
        self._show_status()
        self._show_hover()
        self._show_hint()
        can_swap = self.match.can_swap and self._person_to_move
        playing = SWAP_KEYS if can_swap else HINT_KEYS if self._hint else PLAYING_KEYS
        self.show_keys(OVER_KEYS if self.match.is_over else DEMO_KEYS if self.match.is_demo else playing)

    def _show_status(self) -> None:
        self.show_text("#status", Content.styled(self._status(), "bold"))

    def _status(self) -> str:
        name = self.match.computer_to_move
        if self._paused:
            return self.texts("demo.paused")
        seconds = int(monotonic() - self._last_drop_at)
        if name and seconds:
            return self.texts("computer.thinking_for", name=self.program.sentences.player(name), seconds=seconds)
        return self.program.sentences.turn(self.match)

    def _show_hover(self) -> None:
        side = None if self.match.is_over or self.match.is_demo else self._hover_side()
        self.board.hover(self._column, side)

    def _hover_side(self) -> Side:
        side = self.match.position.side_to_move
        return side if self.match.seats[side] == PERSON_SEAT else side.other

    def update_layout(self, variant: Variant) -> None:
        """Lay out the screen. A hint has several lines beside the board, but only one below the board."""
        super().update_layout(variant)
        self._show_hint()

    def _show_hint(self) -> None:
        hint = self._hint
        self.show_text("#hint", hint_text(hint, self.texts, self.has_class("below")) if hint else "")
        self.board.mark(hint.proven_columns if hint else (), hint.estimated_column if hint else None)
