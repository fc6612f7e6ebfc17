"""The plain program: questions, games, what next, until the person leaves."""

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
from connectk.terminal.form import OTHER, Form, Remembered
from connectk.terminal.match import LEVELS, LocalMatch, Mode, level_name
from connectk.terminal.plain.game import PersonLeft, PlainGame, Talk, draw
from connectk.terminal.plain.online import PlainOnline
from connectk.terminal.plain.sessions import PlainSession, explanation_in
from connectk.terminal.searches import ReviewSearch
from connectk.terminal.sentences import ASCII_SIGNS, LETTERS, Discs, Sentences, discs_for, is_ascii_only, writable
from connectk.terminal.sessions import KeptPractice, Session, lessons_to_do, puzzles_of_today
from connectk.terminal.settings import TerminalSettings
from connectk.terminal.store import KeptGames
from connectk.texts import Texts, load_texts
from connectk.watch import Report
from connectk.why import explain

MAX_BOARD_SIZE = 1000
MAX_REVIEW_EXPLANATION_BOARDS, REVIEW_EXPLANATION_SECONDS = (
    5,
    2.0,
)  # for an explanation after a game: more would be a lecture


MODES = {"mode.computer": Mode.COMPUTER, "mode.two": Mode.TWO_PLAYERS, "mode.demo": Mode.DEMO}
LEARNING_SESSIONS: dict[str, Callable[[KeptPractice, Texts], Session]] = {
    "mode.puzzles": puzzles_of_today,
    "mode.lessons": lessons_to_do,
}


def ask_match(talk: Talk, kept: KeptGames, form: Form, discs: Discs) -> LocalMatch:
    """The game that the answers describe, which the form remembers, or one in progress; learning may come before."""
    while (picked := _ask_mode(talk, kept, form)) in LEARNING_SESSIONS:
        _learn(LEARNING_SESSIONS[picked](KeptPractice(), talk.texts), talk, discs)
    if picked == "mode.resume":
        return ask_kept(talk, kept, discs)
    form.mode, form.opening = MODES[picked].value, ""
    _ask_players(talk, form)
    _ask_board(talk, form)
    return form.match()


def _ask_mode(talk: Talk, kept: KeptGames, form: Form) -> str:
    """The key of what was picked; what was played last is what Enter alone picks."""
    keys = [*MODES, *LEARNING_SESSIONS, *(["mode.resume"] if kept.all() else [])]
    before = list(MODES.values()).index(Mode(form.mode))
    return keys[talk.menu(talk.texts("ask.mode"), [talk.texts(key) for key in keys], before)]


def _learn(session: Session, talk: Talk, discs: Discs) -> None:
    """Card after card; whoever leaves is asked again what to play."""
    with suppress(PersonLeft):
        PlainSession(session, talk, discs).run()


def ask_kept(talk: Talk, kept: KeptGames, discs: Discs) -> LocalMatch:
    """The only kept game, or the one picked from a list."""
    games, sentences = kept.all(), Sentences(talk.texts, discs)
    picked = 0 if len(games) == 1 else talk.menu(talk.texts("kept.which"), [sentences.kept(game) for game in games])
    return games[picked].open()


def _ask_players(talk: Talk, form: Form) -> None:
    if form.mode == Mode.TWO_PLAYERS.value:
        return
    kind, _, level = form.player.partition(":")
    before = int(level) if kind == "level" and level.isdigit() else 5
    for number in LEVELS:
        talk.say(f"  {number:>2}  {talk.texts(f'level.name.{number}')}. {talk.texts(f'level.words.{number}')}")
    form.player = form.second = level_name(talk.number(talk.texts("ask.level"), LEVELS[0], LEVELS[-1], before))
    if form.mode == Mode.COMPUTER.value:
        form.starts = "you" if talk.yes(talk.texts("ask.you_start"), form.starts == "you") else "computer"


def _ask_board(talk: Talk, form: Form) -> None:
    texts = talk.texts
    if talk.yes(texts("ask.classic"), form.board == str(CLASSIC)):
        form.board = str(CLASSIC)
        return
    while True:
        before = form.variant
        asked = (("ask.width", before.width), ("ask.height", before.height), ("ask.run", before.run))
        size = [talk.number(texts(key), 1, MAX_BOARD_SIZE, last) for key, last in asked]
        try:
            form.board, form.size = OTHER, str(Variant(*size))
            return
        except ImpossibleVariant as error:
            talk.say(error.localize(texts))


AFTER_GAME_COMMANDS = {  # what can be done after a game, and its text; the first is what Enter alone does
    "restart": "after.again",
    "replay": "after.replay",
    "swap": "after.swap",
    "review": "after.review",
    "save": "after.save",
    "undo": "after.undo",
    "start": "after.start",
    "quit": "after.quit",
}


def ask_what_next(played: PlainGame) -> LocalMatch | None:
    """The next match; None for back to the start. `PersonLeft` or `EOFError` ends the program."""
    texts, commands = played.texts, list(AFTER_GAME_COMMANDS)
    while True:
        match commands[
            played.talk.menu(texts("after.question"), list(map(texts, AFTER_GAME_COMMANDS.values())), 0, commands)
        ]:
            case "restart":
                return played.match.again()
            case "replay":
                replay(played)
            case "swap":
                return played.match.swapped()
            case "review":
                say_review(played)
            case "save":
                played.save()
            case "undo":
                played.match.undo()
                return played.match
            case "start":
                return None
            case _:
                raise PersonLeft


def replay(played: PlainGame) -> None:
    """The game from its start: Enter shows the next disc, b the one before, q leaves."""
    ply, last = 0, len(played.match.game.moves)
    played.talk.say(played.texts("replay.keys"))
    while True:
        _show_ply(played, ply)
        if ply == last:
            return
        match played.talk.ask(played.texts("replay.next", ply=ply, last=last)).lower():
            case "b":
                ply = max(0, ply - 1)
            case "q":
                return
            case _:
                ply += 1


def _show_ply(played: PlainGame, ply: int) -> None:
    if ply:
        played.talk.say(played.sentences.move(played.match, ply))
    played.talk.say(f"\n{draw(played.match.game.positions[ply], played.discs)}\n")


GRAPH_WIDTH_CHARS, GRAPH_HEIGHT_LINES = 72, 7


def say_review(played: PlainGame) -> None:
    """The graph, every move that was not best, how well each side played, and where the game turned."""
    talk, texts, match = played.talk, played.texts, played.match
    talk.say(texts("review.thinking"))
    review = _review(played)
    if isinstance(review, Exception):
        talk.say(str(review))
        return
    talk.say(f"\n{_drawn(GraphShape.of(review), played)}\n")
    for ply, move in enumerate(review.moves, start=1):
        if move.label in (Label.SLIP, Label.BLUNDER):
            story = say_move(move, texts) + say_reason(move, texts)
            talk.say(texts("review.move", ply=ply, column=move.column + 1, story=story))
    for side in Side:
        talk.say(say_accuracy(review, side, played.sentences.name(match, side), texts))
    if review.given:
        talk.say(say_given(review, texts))
    talk.say("\n".join([say_turning_point(review, texts), *say_lines(review.turning_point, texts)]))
    for line in lines_of(review.turning_point):
        talk.say(f"\n{texts(line.title)}\n{draw(line.position, played.discs, line.numbers)}")
    if review.turning_point:
        _say_why(played, review.turning_point.after_position)


def _say_why(played: PlainGame, position: Position) -> None:
    """Why the position is worth what the turning point made of it, where there is a short explanation."""
    found = None
    with suppress(UnsupportedVariant):
        found = explain(position, boards=MAX_REVIEW_EXPLANATION_BOARDS, seconds=REVIEW_EXPLANATION_SECONDS).found
    if found:
        played.talk.say("\n".join(["", *explanation_in(played.texts, found, played.discs)]))


def _drawn(graph: GraphShape, played: PlainGame) -> str:
    first, *middle, second = graph.draw(GRAPH_WIDTH_CHARS, GRAPH_HEIGHT_LINES)
    lines = [f"○ {first}", *(f"  {line}" for line in middle), f"● {second}"]
    text = "\n".join(line.rstrip() for line in lines)
    return text.translate(ASCII_SIGNS) if played.discs is LETTERS else text


def _review(played: PlainGame) -> Review | Exception:
    told: SimpleQueue[Report | Review | Exception] = SimpleQueue()
    search = ReviewSearch(played.match, told.put)
    try:
        while isinstance(news := told.get(), Report):
            pass
        return news
    finally:
        search.stop()


class PlainProgram:
    """Plays the match given, or asks for one; ends at the end of input."""

    def __init__(self, settings: TerminalSettings, remembered: Remembered) -> None:
        ascii_only = is_ascii_only(sys.stdout.encoding, settings.ascii_only)
        self.texts = writable(load_texts(settings.language), sys.stdout.encoding, ascii_only)
        self.talk, self.discs = Talk(self.texts), discs_for(ascii_only)
        self.kept, self.remembered = settings.kept, remembered

    def run(self, match: LocalMatch | None = None, pick_kept: bool = False) -> None:
        """`pick_kept` begins with the list of kept games."""
        _never_stumble_over_characters()
        _edit_lines()
        try:
            self._say_trouble()
            self._play_on(self._ask_kept() if pick_kept else match)
        except PersonLeft:
            self.talk.say(self._farewell())
        except (EOFError, KeyboardInterrupt) as end:
            self.talk.say(f"\n{self._farewell()}")
            if isinstance(end, KeyboardInterrupt):
                raise SystemExit(130) from None

    def run_online(self, seat: HeldSeat) -> None:
        """A match on a server, to its end."""
        _never_stumble_over_characters()
        _edit_lines()
        try:
            PlainOnline(seat, self.talk, self.discs).play()
        except (PersonLeft, EOFError):
            self.talk.say(self.texts("bye.online"))
        except KeyboardInterrupt:
            self.talk.say(f"\n{self.texts('bye.online')}")
            raise SystemExit(130) from None

    def _say_trouble(self) -> None:
        self.kept.check()
        if self.kept.trouble:
            self.talk.say(self.texts("kept.trouble", folder=self.kept.folder, reason=self.kept.trouble))

    def _play_on(self, match: LocalMatch | None) -> None:
        while True:
            game = PlainGame(match or self._ask(), self.talk, self.discs, self.kept, self.remembered)
            game.play()
            match = ask_what_next(game)

    def _ask_kept(self) -> LocalMatch | None:
        """None, so that all else is asked, when the one picked is damaged."""
        try:
            return ask_kept(self.talk, self.kept, self.discs)
        except ConnectkError as error:
            self.talk.say(error.localize(self.texts))
            return None

    def _ask(self) -> LocalMatch:
        self.talk.say(self.texts("ask.hello"))
        while True:
            try:
                match = ask_match(self.talk, self.kept, self.remembered.form, self.discs)
                self.remembered.save()
                return match
            except ConnectkError as error:
                self.talk.say(error.localize(self.texts))

    def _farewell(self) -> str:
        return self.texts("bye.saved" if self.kept.all() else "bye.done")


def _never_stumble_over_characters() -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text file in every real program


def _edit_lines() -> None:
    """Arrows and the earlier answers, for a person at a terminal, where the system has them."""
    if not sys.stdin.isatty():
        return
    with suppress(ImportError):
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")
