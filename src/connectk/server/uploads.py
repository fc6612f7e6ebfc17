"""Jobs for untrusted input, run in a process that can be killed: files to read, games to draw, QR codes.

Each job checks the size of its input before it reads it. Only the core's referee reads files of any size; all other
code gets only what a page could show.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from connectk.arena.faults import localize_forfeit
from connectk.arena.openings import balanced_openings
from connectk.arena.reading import read_results
from connectk.arena.standings import standings
from connectk.drawing import draw_gif, draw_png, draw_svg
from connectk.errors import ConnectkError, NotationError
from connectk.notation import FileKind, kind_of, parse_game, parse_game_file, parse_saved_game
from connectk.notation.moves import parse_moves, parse_variant
from connectk.notation.start import parse_start
from connectk.notation.views import players_view, result_view
from connectk.play.refusals import TooManyPlayers, TooMuch
from connectk.referee import Code, Verdict, judge_bytes
from connectk.rooms.standings import rated
from connectk.rules import EndReason, Game, Position, Result, Side, Variant
from connectk.server.games import check_cells, check_showable, game_view, read_game, written_game_view
from connectk.server.schemas import (
    ArenaAnswer,
    FileAnswer,
    GameAnswer,
    GameOrder,
    VerdictAnswer,
    WholeGameAnswer,
    WhyAnswer,
    WrongAnswer,
)
from connectk.server.views import game_view as saved_view
from connectk.texts import LANGUAGES, LanguageName, Texts, load_texts
from connectk.why import parse_explanation
from connectk.why.checker import play_through
from connectk.why.explainer import CHECKED
from connectk.why.steps import explanation_facts, in_language

Kind = Literal["svg", "png", "gif"]
MAX_GAME_BYTES = 256 * 1024  # of a file whose game is shown; enough for ten thousand moves with their times
MAX_EXPLANATION_BYTES = 1 << 20
MAX_NUMBER_CHARS = 20  # of a game file whose game is shown
MAX_TABLE_PLAYERS = 200  # in a crosstable
T = TypeVar("T")


def judge(data: bytes, largest_board: int) -> VerdictAnswer:
    """The referee's verdict, and the game if it can be shown."""
    verdict = judge_bytes(data)
    game = _judged_game(data, verdict, largest_board) if verdict.code.is_valid_game else None
    return {**verdict.facts(), "game": game}


def _judged_game(data: bytes, verdict: Verdict, largest_board: int) -> GameAnswer | None:
    if not _is_small(data):
        return None
    width, height, run, columns = parse_game_file(data)
    if width * height > largest_board:
        return None
    return {
        "variant": {"width": width, "height": height, "run": run},
        "start": "",
        "moves": list(columns),
        "players": {},
        "result": result_view(_result_of(verdict)),
    }


def _result_of(verdict: Verdict) -> Result | None:
    if isinstance(verdict.winner, Side):
        return Result(verdict.winner, EndReason.LINE)
    return Result(None, EndReason.FULL) if verdict.code is Code.DRAW else None


def _is_small(data: bytes) -> bool:
    """Whether a game file may be read outside the core: neither the file nor a number in it is too long."""
    return len(data) <= MAX_GAME_BYTES and max(map(len, data.split()), default=0) <= MAX_NUMBER_CHARS


def saved(data: bytes, largest_board: int) -> GameAnswer:
    """A saved game, as `connectk` writes it."""
    found = parse_saved_game(_decode(data))
    check_cells(found.game.variant, largest_board)
    return saved_view(found)


def _decode(data: bytes, largest: int = MAX_GAME_BYTES) -> str:
    if len(data) > largest:
        raise TooMuch
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotationError("notation.not_text") from error


def explanation(data: bytes, language: str) -> WhyAnswer:
    """The explanation in a file, step by step, after the checker has played it through."""
    found = parse_explanation(_decode(data, MAX_EXPLANATION_BYTES))
    return in_language(explanation_facts(play_through(found, CHECKED)), load_texts(language))


def read(data: bytes, language: str) -> FileAnswer | WrongAnswer:
    """The game in a file: a saved game, moves, or a Connect-Z file with its verdict."""
    return _or_error_answer(lambda texts: read_file(data, texts), language)


def read_file(data: bytes, texts: Texts) -> FileAnswer:
    """The game in a file with its players, and the referee's verdict; no game if it cannot be shown."""
    if kind_of(data[:MAX_GAME_BYTES]) is FileKind.CONNECT_Z:
        return _connect_z(data, texts)
    found = parse_game(_decode(data).encode())
    check_showable(found.game.variant)
    return {
        "game": written_game_view(found.game),
        "players": players_view(found.players),
        "given": found.given,
        "verdict": "",
    }


def _connect_z(data: bytes, texts: Texts) -> FileAnswer:
    """The game up to its first error; the verdict says what is wrong there."""
    verdict = judge_bytes(data)
    words = texts(f"verdict.{verdict.code.value}", code=verdict.code.value, line=verdict.line or "")
    if verdict.code >= Code.ILLEGAL_GAME or not _is_small(data):
        return {"game": None, "players": {}, "given": 0, "verdict": words}
    width, height, run, columns = parse_game_file(data)
    game = Game(check_showable(Variant(width, height, run)))
    for column in columns:
        try:
            game.drop(column)
        except ConnectkError as error:
            words = f"{words} {error.localize(texts)}"
            break
    return {"game": written_game_view(game), "players": {}, "given": 0, "verdict": words}


def arena(data: bytes, language: str) -> ArenaAnswer | WrongAnswer:
    """Ratings and crosstable of a results file."""
    return _or_error_answer(lambda texts: arena_view(data, texts("arena.file")), language)


def arena_view(data: bytes, name: str) -> ArenaAnswer:
    """The standings; a last line that was not written completely is left out."""
    if max(map(_count_players, data.splitlines()), default=0) > MAX_TABLE_PLAYERS:
        raise TooManyPlayers(MAX_TABLE_PLAYERS)
    results = read_results(data, name)
    if not results.header:
        raise NotationError("error.empty_file")
    table = standings(results.header["players"], results.variant, list(results.records.values()))
    return {**table.to_json(), "forfeits": [_in_each_language(reason) for reason in table.forfeits]}


def _in_each_language(reason: str) -> dict[LanguageName, str]:
    """Why a bot lost, in all languages, because the page may change its language without another request."""
    return {language: localize_forfeit(reason, load_texts(language)) for language in LANGUAGES}


def _count_players(line: bytes) -> int:
    """An upper bound of the number of players in a header line, without parsing it."""
    names = line.partition(b'"players"')[2].partition(b"]")[0]
    return names.count(b",") + 1


def whole_game(order: GameOrder, language: str) -> WholeGameAnswer | WrongAnswer:
    """A written game with every board on the way."""
    return _or_error_answer(lambda _: game_view(read_game(order)), language)


def _or_error_answer(work: Callable[[Texts], T], language: str) -> T | WrongAnswer:
    """Runs `work`; an error becomes an answer with its sentence in the client's language."""
    texts = load_texts(language)
    try:
        return work(texts)
    except ConnectkError as error:
        return {"wrong": error.localize(texts)}


class WrittenGame(NamedTuple):
    """A game in the notation of an address, not parsed yet."""

    variant: str
    start: str
    moves: str

    def played(self) -> Game:
        variant = parse_variant(self.variant)
        return Game(parse_start(self.start, variant), parse_moves(self.moves, variant))


class PlayedGame(NamedTuple):
    """The start and the moves of a match's game."""

    start: Position
    moves: Sequence[int]

    def played(self) -> Game:
        return Game(self.start, self.moves)


DrawnGame: TypeAlias = WrittenGame | PlayedGame


def picture(kind: Kind, drawn: DrawnGame, size: int) -> bytes:
    """A picture of the board, or an animation of the game."""
    game = drawn.played()
    if kind == "gif":
        return draw_gif(game, size)
    return draw_svg(game.position, size).encode() if kind == "svg" else draw_png(game.position, size)


def qr(text: str) -> bytes:
    """A QR code as SVG."""
    import segno

    drawn = io.BytesIO()
    segno.make(text, error="m").save(drawn, kind="svg", border=2, xmldecl=False, omitsize=True)
    return drawn.getvalue()


def openings(variant: Variant, count: int, seed: int) -> list[list[int]]:
    """Balanced openings for a room."""
    return [list(opening) for opening in balanced_openings(variant, count, seed)]


def _ignoring_stop(work: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a job of a function that ignores `stop`: its process is killed instead."""
    return lambda *arguments, seconds, stop: work(*arguments)


JOBS: Mapping[str, Callable[..., Any]] = {
    work.__name__: _ignoring_stop(work)
    for work in (judge, saved, explanation, read, arena, whole_game, picture, qr, openings, rated)
}
