"""The plain program: questions, games, what next, until the person leaves."""

from __future__ import annotations

import sys
from queue import SimpleQueue

from connectk.errors import ConnectkError, ImpossibleVariant
from connectk.review import Label, Review
from connectk.review.report import say_accuracy, say_given, say_lines, say_move, say_reason, say_turning_point
from connectk.rules import CLASSIC, Position, Side, Variant
from connectk.terminal.match import LEVELS, LocalMatch, Mode, NewGame, level_name
from connectk.terminal.plain.game import Left, PlainGame, Talk, draw
from connectk.terminal.reviewing import Graph, Progress, ReviewSearch, graph_of
from connectk.terminal.sentences import LETTERS, SIGNS, discs_for, is_ascii_only, writable
from connectk.terminal.settings import Settings, explain
from connectk.terminal.store import Autosave
from connectk.texts import load_texts

LARGEST_ASKED = 1000


def ask_match(talk: Talk, autosave: Autosave) -> LocalMatch:
    """The game that the answers describe, or the one in progress."""
    keys = ["mode.computer", "mode.two", "mode.demo", *(["mode.resume"] if autosave.is_there else [])]
    picked = talk.menu(talk.texts("ask.mode"), [talk.texts(key) for key in keys])
    return autosave.load() if picked == len(Mode) else _ask_new_game(talk, list(Mode)[picked]).match()


def _ask_new_game(talk: Talk, mode: Mode) -> NewGame:
    players = _ask_players(talk, mode)
    computer_starts = mode is Mode.COMPUTER and not talk.yes(talk.texts("ask.you_start"))
    return NewGame(mode, computer_starts, players, Position.start(_ask_variant(talk)))


def _ask_players(talk: Talk, mode: Mode) -> tuple[str, str]:
    if mode is Mode.TWO_PLAYERS:
        return NewGame().players
    first = level_name(talk.number(talk.texts("ask.level"), LEVELS[0], LEVELS[-1]))
    return first, first


def _ask_variant(talk: Talk) -> Variant:
    texts = talk.texts
    if talk.yes(texts("ask.classic")):
        return CLASSIC
    while True:
        size = [talk.number(texts(key), 1, LARGEST_ASKED) for key in ("ask.width", "ask.height", "ask.run")]
        try:
            return Variant(*size)
        except ImpossibleVariant as error:
            talk.say(explain(error, texts))


MENU = ("after.again", "after.replay", "after.swap", "after.review", "after.save", "after.start", "after.quit")


def ask_what_next(played: PlainGame) -> LocalMatch | None:
    """The next match; None for back to the start. `Left` or `EOFError` ends the program."""
    while True:
        match played.talk.menu(played.texts("after.question"), [played.texts(key) for key in MENU]):
            case 0:
                return played.match.again()
            case 1:
                replay(played)
            case 2:
                return played.match.swapped()
            case 3:
                say_review(played)
            case 4:
                played.save()
            case 5:
                return None
            case _:
                raise Left


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


WIDTH, HEIGHT = 72, 7


def say_review(played: PlainGame) -> None:
    """The graph, every move that was not best, how well each side played, and where the game turned."""
    talk, texts, match = played.talk, played.texts, played.match
    talk.say(texts("review.thinking"))
    review = _review(played)
    if isinstance(review, Exception):
        talk.say(str(review))
        return
    talk.say(f"\n{_drawn(graph_of(review), played)}\n")
    for ply, move in enumerate(review.moves, start=1):
        if move.label in (Label.SLIP, Label.BLUNDER):
            story = say_move(move, texts) + say_reason(move, texts)
            talk.say(texts("review.move", ply=ply, column=move.column + 1, story=story))
    for side in Side:
        talk.say(say_accuracy(review, side, played.sentences.name(match, side), texts))
    if review.given:
        talk.say(say_given(review, texts))
    talk.say("\n".join([say_turning_point(review, texts), *say_lines(review.turning_point, texts)]))


def _drawn(graph: Graph, played: PlainGame) -> str:
    first, *middle, second = graph.draw(WIDTH, HEIGHT)
    lines = [f"○ {first}", *(f"  {line}" for line in middle), f"● {second}"]
    text = "\n".join(line.rstrip() for line in lines)
    return text.translate(SIGNS) if played.discs is LETTERS else text


def _review(played: PlainGame) -> Review | Exception:
    told: SimpleQueue[Progress | Review | Exception] = SimpleQueue()
    search = ReviewSearch(played.match, told.put)
    try:
        while isinstance(news := told.get(), tuple):
            pass
        return news
    finally:
        search.stop()


class PlainProgram:
    """Plays the match given, or asks for one; ends at the end of input."""

    def __init__(self, settings: Settings) -> None:
        ascii_only = is_ascii_only(sys.stdout.encoding, settings.ascii_only)
        self.texts = writable(load_texts(settings.language), sys.stdout.encoding, ascii_only)
        self.talk, self.discs, self.autosave = Talk(self.texts), discs_for(ascii_only), settings.autosave

    def run(self, match: LocalMatch | None = None) -> None:
        _never_stumble_over_characters()
        try:
            self._play_on(match)
        except Left:
            self.talk.say(self._farewell())
        except (EOFError, KeyboardInterrupt) as end:
            self.talk.say(f"\n{self._farewell()}")
            if isinstance(end, KeyboardInterrupt):
                raise SystemExit(130) from None

    def _play_on(self, match: LocalMatch | None) -> None:
        while True:
            game = PlainGame(match or self._ask(), self.talk, self.discs, self.autosave)
            game.play()
            match = ask_what_next(game)

    def _ask(self) -> LocalMatch:
        self.talk.say(self.texts("ask.hello"))
        while True:
            try:
                return ask_match(self.talk, self.autosave)
            except ConnectkError as error:
                self.talk.say(explain(error, self.texts))

    def _farewell(self) -> str:
        return self.texts("bye.saved" if self.autosave.is_there else "bye.done")


def _never_stumble_over_characters() -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text file in every real program
