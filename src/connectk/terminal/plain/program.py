"""The plain program: asks for a game, plays it, and asks what to do next until the user quits."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from connectk.client.seats import HeldSeat
from connectk.errors import ConnectkError, ImpossibleVariant, UnsupportedVariant
from connectk.review import Label, Review
from connectk.review.graph import GraphShape
from connectk.review.lines import lines_of
from connectk.review.report import say_accuracy, say_given, say_lines, say_move, say_reason, say_turning_point
from connectk.rules import CLASSIC, Position, Side, Variant
from connectk.terminal.form import OTHER, GameForm, Preferences
from connectk.terminal.match import LEVELS, LocalMatch, Mode, level_name
from connectk.terminal.plain.game import PlainGame, Prompter, UserQuit, draw_board
from connectk.terminal.plain.online import PlainOnlineMatch
from connectk.terminal.plain.sessions import PlainSession, explanation_lines
from connectk.terminal.searches import ReviewSearch
from connectk.terminal.sentences import (
    ASCII_SIGNS,
    LETTER_DISCS,
    Discs,
    Sentences,
    discs_for,
    is_ascii_only,
    printable_texts,
)
from connectk.terminal.sessions import SavedPractice, Session, daily_puzzle_session, next_lesson_session
from connectk.terminal.settings import TerminalSettings
from connectk.terminal.store import Autosaves
from connectk.texts import Texts, load_texts
from connectk.watch import Report
from connectk.why import explain

MAX_BOARD_SIZE = 1000
MAX_REVIEW_EXPLANATION_BOARDS, REVIEW_EXPLANATION_SECONDS = 5, 2.0  # keeps an explanation after a game short


MODES = {"mode.computer": Mode.COMPUTER, "mode.two": Mode.TWO_PLAYERS, "mode.demo": Mode.DEMO}
LEARNING_SESSIONS: dict[str, Callable[[SavedPractice, Texts], Session]] = {
    "mode.puzzles": daily_puzzle_session,
    "mode.lessons": next_lesson_session,
}


def ask_match(prompter: Prompter, autosaves: Autosaves, form: GameForm, discs: Discs) -> LocalMatch:
    """Ask for a new game, which the form remembers, or an autosave; lessons and puzzles run before."""
    while (picked := _ask_mode(prompter, autosaves, form)) in LEARNING_SESSIONS:
        _run_session(LEARNING_SESSIONS[picked](SavedPractice(), prompter.texts), prompter, discs)
    if picked == "mode.resume":
        return ask_autosave(prompter, autosaves, discs)
    form.mode, form.opening = MODES[picked].value, ""
    _ask_players(prompter, form)
    _ask_board(prompter, form)
    return form.match()


def _ask_mode(prompter: Prompter, autosaves: Autosaves, form: GameForm) -> str:
    """Ask for the mode; the default is the last one played."""
    keys = [*MODES, *LEARNING_SESSIONS, *(["mode.resume"] if autosaves.all() else [])]
    before = list(MODES.values()).index(Mode(form.mode))
    return keys[prompter.menu(prompter.texts("ask.mode"), [prompter.texts(key) for key in keys], before)]


def _run_session(session: Session, prompter: Prompter, discs: Discs) -> None:
    """Run a session; quitting returns to the mode question."""
    with suppress(UserQuit):
        PlainSession(session, prompter, discs).run()


def ask_autosave(prompter: Prompter, autosaves: Autosaves, discs: Discs) -> LocalMatch:
    """Return the only autosave, or let the user choose one."""
    games, sentences = autosaves.all(), Sentences(prompter.texts, discs)
    picked = (
        0
        if len(games) == 1
        else prompter.menu(prompter.texts("kept.which"), [sentences.autosave(game) for game in games])
    )
    return games[picked].open()


def _ask_players(prompter: Prompter, form: GameForm) -> None:
    if form.mode == Mode.TWO_PLAYERS.value:
        return
    kind, _, level = form.player.partition(":")
    before = int(level) if kind == "level" and level.isdigit() else 5
    for number in LEVELS:
        prompter.say(
            f"  {number:>2}  {prompter.texts(f'level.name.{number}')}. {prompter.texts(f'level.words.{number}')}"
        )
    form.player = form.second = level_name(prompter.number(prompter.texts("ask.level"), LEVELS[0], LEVELS[-1], before))
    if form.mode == Mode.COMPUTER.value:
        form.starts = "you" if prompter.yes(prompter.texts("ask.you_start"), form.starts == "you") else "computer"


def _ask_board(prompter: Prompter, form: GameForm) -> None:
    texts = prompter.texts
    if prompter.yes(texts("ask.classic"), form.board == str(CLASSIC)):
        form.board = str(CLASSIC)
        return
    while True:
        before = form.variant
        asked = (("ask.width", before.width), ("ask.height", before.height), ("ask.run", before.run))
        size = [prompter.number(texts(key), 1, MAX_BOARD_SIZE, last) for key, last in asked]
        try:
            form.board, form.size = OTHER, str(Variant(*size))
            return
        except ImpossibleVariant as error:
            prompter.say(error.localize(texts))


AFTER_GAME_COMMANDS = {  # the commands after a game, and their texts; the first is the default
    "restart": "after.again",
    "replay": "after.replay",
    "swap": "after.swap",
    "review": "after.review",
    "save": "after.save",
    "undo": "after.undo",
    "start": "after.start",
    "quit": "after.quit",
}


def ask_next_match(game: PlainGame) -> LocalMatch | None:
    """Return the next match; None to go back to the start. `UserQuit` or `EOFError` ends the program."""
    texts, commands = game.texts, list(AFTER_GAME_COMMANDS)
    while True:
        match commands[
            game.prompter.menu(texts("after.question"), list(map(texts, AFTER_GAME_COMMANDS.values())), 0, commands)
        ]:
            case "restart":
                return game.match.rematch()
            case "replay":
                replay(game)
            case "swap":
                return game.match.swapped()
            case "review":
                print_review(game)
            case "save":
                game.save()
            case "undo":
                game.match.undo()
                return game.match
            case "start":
                return None
            case _:
                raise UserQuit


def replay(game: PlainGame) -> None:
    """Replay the game: Enter shows the next disc, b the previous one, q quits."""
    ply, last = 0, len(game.match.game.moves)
    game.prompter.say(game.texts("replay.keys"))
    while True:
        _show_ply(game, ply)
        if ply == last:
            return
        match game.prompter.ask(game.texts("replay.next", ply=ply, last=last)).lower():
            case "b":
                ply = max(0, ply - 1)
            case "q":
                return
            case _:
                ply += 1


def _show_ply(game: PlainGame, ply: int) -> None:
    if ply:
        game.prompter.say(game.sentences.move(game.match, ply))
    game.prompter.say(f"\n{draw_board(game.match.game.positions[ply], game.discs)}\n")


GRAPH_WIDTH_CHARS, GRAPH_HEIGHT_LINES = 72, 7


def print_review(game: PlainGame) -> None:
    """Print the graph, the mistakes, the accuracy of each side, and the turning point."""
    prompter, texts, match = game.prompter, game.texts, game.match
    prompter.say(texts("review.thinking"))
    review = _review(game)
    if isinstance(review, Exception):
        prompter.say(str(review))
        return
    prompter.say(f"\n{_draw_graph(GraphShape.of(review), game)}\n")
    for ply, move in enumerate(review.moves, start=1):
        if move.label in (Label.SLIP, Label.BLUNDER):
            story = say_move(move, texts) + say_reason(move, texts)
            prompter.say(texts("review.move", ply=ply, column=move.column + 1, story=story))
    for side in Side:
        prompter.say(say_accuracy(review, side, game.sentences.name(match, side), texts))
    if review.given:
        prompter.say(say_given(review, texts))
    prompter.say("\n".join([say_turning_point(review, texts), *say_lines(review.turning_point, texts)]))
    for line in lines_of(review.turning_point):
        prompter.say(f"\n{texts(line.title)}\n{draw_board(line.position, game.discs, line.numbers)}")
    if review.turning_point:
        _print_explanation(game, review.turning_point.after_position)


def _print_explanation(game: PlainGame, position: Position) -> None:
    """Print a short explanation of the position after the turning point, if there is one."""
    found = None
    with suppress(UnsupportedVariant):
        found = explain(position, boards=MAX_REVIEW_EXPLANATION_BOARDS, seconds=REVIEW_EXPLANATION_SECONDS).found
    if found:
        game.prompter.say("\n".join(["", *explanation_lines(game.texts, found, game.discs)]))


def _draw_graph(graph: GraphShape, game: PlainGame) -> str:
    first, *middle, second = graph.draw(GRAPH_WIDTH_CHARS, GRAPH_HEIGHT_LINES)
    lines = [f"○ {first}", *(f"  {line}" for line in middle), f"● {second}"]
    text = "\n".join(line.rstrip() for line in lines)
    return text.translate(ASCII_SIGNS) if game.discs is LETTER_DISCS else text


def _review(game: PlainGame) -> Review | Exception:
    updates: SimpleQueue[Report | Review | Exception] = SimpleQueue()
    search = ReviewSearch(game.match, updates.put)
    try:
        while isinstance(news := updates.get(), Report):
            pass
        return news
    finally:
        search.stop()


class PlainProgram:
    """Plays the given match or asks for one, until the user quits or the input ends."""

    def __init__(self, settings: TerminalSettings, preferences: Preferences) -> None:
        ascii_only = is_ascii_only(sys.stdout.encoding, settings.ascii_only)
        self.texts = printable_texts(load_texts(settings.language), sys.stdout.encoding, ascii_only)
        self.prompter, self.discs = Prompter(self.texts), discs_for(ascii_only)
        self.autosaves, self.preferences = settings.autosaves, preferences

    def run(self, match: LocalMatch | None = None, pick_autosave: bool = False) -> None:
        """Run the program; `pick_autosave` starts with the list of autosaves."""
        _replace_unencodable_characters()
        _enable_line_editing()
        try:
            self._print_save_error()
            self._play_games(self._ask_autosave() if pick_autosave else match)
        except UserQuit:
            self.prompter.say(self._exit_message())
        except (EOFError, KeyboardInterrupt) as end:
            self.prompter.say(f"\n{self._exit_message()}")
            if isinstance(end, KeyboardInterrupt):
                raise SystemExit(130) from None

    def run_online(self, seat: HeldSeat) -> None:
        """Play a match on a server to its end."""
        _replace_unencodable_characters()
        _enable_line_editing()
        try:
            PlainOnlineMatch(seat, self.prompter, self.discs).play()
        except (UserQuit, EOFError):
            self.prompter.say(self.texts("bye.online"))
        except KeyboardInterrupt:
            self.prompter.say(f"\n{self.texts('bye.online')}")
            raise SystemExit(130) from None

    def _print_save_error(self) -> None:
        self.autosaves.check_writable()
        if self.autosaves.save_error:
            self.prompter.say(
                self.texts("kept.trouble", folder=self.autosaves.folder, reason=self.autosaves.save_error)
            )

    def _play_games(self, match: LocalMatch | None) -> None:
        while True:
            game = PlainGame(match or self._ask(), self.prompter, self.discs, self.autosaves, self.preferences)
            game.play()
            match = ask_next_match(game)

    def _ask_autosave(self) -> LocalMatch | None:
        """Let the user choose an autosave; None if it is damaged."""
        try:
            return ask_autosave(self.prompter, self.autosaves, self.discs)
        except ConnectkError as error:
            self.prompter.say(error.localize(self.texts))
            return None

    def _ask(self) -> LocalMatch:
        self.prompter.say(self.texts("ask.hello"))
        while True:
            try:
                match = ask_match(self.prompter, self.autosaves, self.preferences.form, self.discs)
                self.preferences.save()
                return match
            except ConnectkError as error:
                self.prompter.say(error.localize(self.texts))

    def _exit_message(self) -> str:
        return self.texts("bye.saved" if self.autosaves.all() else "bye.done")


def _replace_unencodable_characters() -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # both are text files outside of tests


def _enable_line_editing() -> None:
    """Enable line editing and history on a terminal, if the system has readline."""
    if not sys.stdin.isatty():
        return
    with suppress(ImportError):
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")
