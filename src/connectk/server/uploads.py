"""Jobs that read data from strangers: files, pictures of games, QR codes. They run in a process that can be killed.

Each job checks the size of its input before reading it. Only the core's referee reads files of any size. All other code
gets only games that a page could show.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from connectk.arena.forfeit_texts import localize_forfeit
from connectk.arena.openings import balanced_openings, fair_openings
from connectk.arena.results_reader import read_results
from connectk.arena.standings import standings
from connectk.drawing import draw_gif, draw_png, draw_svg, to_png
from connectk.drawing.preview import PREVIEW_WIDTH, draw_preview
from connectk.errors import BadTournament, ConnectkError, NotationError
from connectk.notation import FileKind, kind_of, parse_game, parse_game_file, parse_saved_game
from connectk.notation.moves import parse_moves, parse_variant
from connectk.notation.start import parse_start
from connectk.notation.views import players_view, result_view
from connectk.play.refusals import TooManyPlayers, TooMuch
from connectk.referee import Code, Verdict, judge_bytes
from connectk.rooms.standings import fit_ratings
from connectk.rules import EndReason, Game, Position, Result, Side, Variant
from connectk.server.games import check_cells, check_showable, game_view, read_game, written_game_view
from connectk.server.schemas import (
    ArenaAnswer,
    FileAnswer,
    GameAnswer,
    GameRequest,
    LocalizedFaultView,
    VerdictAnswer,
    WholeGameAnswer,
    WhyAnswer,
    WrongAnswer,
)
from connectk.server.views import game_view as saved_view
from connectk.texts import LANGUAGES, LanguageName, Texts, load_texts
from connectk.why import parse_explanation
from connectk.why.checker import check_and_record
from connectk.why.explainer import MAX_POSITIONS_TO_CHECK
from connectk.why.json_views import explanation_to_json, localize_why

Kind = Literal["svg", "png", "gif"]
MAX_GAME_BYTES = 256 * 1024  # the largest saved game that is shown; enough for ten thousand moves with their times
MAX_EXPLANATION_BYTES = 1 << 20
MAX_NUMBER_CHARS = 20  # of a number in a Connect-Z file whose game is shown
MAX_TABLE_PLAYERS = 200  # the most players in a crosstable
T = TypeVar("T")


def judge(data: bytes, max_board_cells: int) -> VerdictAnswer:
    """The referee's verdict on a file, and the game if it can be shown."""
    verdict = judge_bytes(data)
    game = _judged_game(data, verdict, max_board_cells) if verdict.code.is_valid_game else None
    return {**verdict.facts(), "game": game}


def _judged_game(data: bytes, verdict: Verdict, max_board_cells: int) -> GameAnswer | None:
    if not _is_small(data):
        return None
    width, height, run, columns = parse_game_file(data)
    if width * height > max_board_cells:
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
    """Whether Python code can safely read a game file: the file is not too long, and neither is any number in it."""
    return len(data) <= MAX_GAME_BYTES and max(map(len, data.split()), default=0) <= MAX_NUMBER_CHARS


def saved(data: bytes, max_board_cells: int) -> GameAnswer:
    """The game in a file that `connectk` has saved."""
    found = parse_saved_game(_decode(data))
    check_cells(found.game.variant, max_board_cells)
    return saved_view(found)


def _decode(data: bytes, max_bytes: int = MAX_GAME_BYTES) -> str:
    if len(data) > max_bytes:
        raise TooMuch
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotationError("notation.not_text") from error


def explanation(data: bytes, language: str) -> WhyAnswer:
    """The explanation in a file, as steps. Raises unless the checker accepts the explanation."""
    found = parse_explanation(_decode(data, MAX_EXPLANATION_BYTES))
    return localize_why(explanation_to_json(check_and_record(found, MAX_POSITIONS_TO_CHECK)), load_texts(language))


def read(data: bytes, language: str) -> FileAnswer | WrongAnswer:
    """The game in a file. The file may be a saved game, plain moves, or a Connect-Z file, which also gets a verdict."""
    return _or_error_answer(lambda texts: read_file(data, texts), language)


def read_file(data: bytes, texts: Texts) -> FileAnswer:
    """The game in a file, its players and the referee's verdict. If the game cannot be shown, the answer has only the
    verdict."""
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
    """The moves of a Connect-Z file up to the first illegal move. The verdict says what is wrong with the file."""
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
    """The ratings and the crosstable of a results file."""
    return _or_error_answer(lambda texts: arena_view(data, texts("arena.file")), language)


def arena_view(data: bytes, name: str) -> ArenaAnswer:
    """The standings of a results file. If its last line is incomplete, that line is left out."""
    if max(map(_count_players, data.splitlines()), default=0) > MAX_TABLE_PLAYERS:
        raise TooManyPlayers(MAX_TABLE_PLAYERS)
    results = read_results(data, name)
    if not results.header:
        raise NotationError("error.empty_file")
    table = standings(results.header["players"], results.variant, list(results.records.values()))
    faults = (LocalizedFaultView(reason=_in_each_language(fault.reason), games=fault.times) for fault in table.forfeits)
    return {**table.to_json(), "forfeits": list(faults)}


def _in_each_language(reason: str) -> dict[LanguageName, str]:
    """The reason why a bot lost, in every language, so that the page can switch languages without another request."""
    return {language: localize_forfeit(reason, load_texts(language)) for language in LANGUAGES}


def _count_players(line: bytes) -> int:
    """An upper bound on the number of players in a header line. It is found without parsing the line."""
    names = line.partition(b'"players"')[2].partition(b"]")[0]
    return names.count(b",") + 1


def whole_game(body: GameRequest, language: str) -> WholeGameAnswer | WrongAnswer:
    """A game that a request gives as text, with the board after every move."""
    return _or_error_answer(lambda _: game_view(read_game(body)), language)


def _or_error_answer(work: Callable[[Texts], T], language: str) -> T | WrongAnswer:
    """Return the result of `work`. If `work` raises an error, return an answer with its sentence in the client's
    language."""
    texts = load_texts(language)
    try:
        return work(texts)
    except ConnectkError as error:
        return {"wrong": error.localize(texts)}


class WrittenGame(NamedTuple):
    """A game as text, in the notation of an address. It is not parsed yet."""

    variant: str
    start: str
    moves: str

    def played(self) -> Game:
        variant = parse_variant(self.variant)
        return Game(parse_start(self.start, variant), parse_moves(self.moves, variant))


class PlayedGame(NamedTuple):
    """The game of a match: its start and its moves."""

    start: Position
    moves: Sequence[int]

    def played(self) -> Game:
        return Game(self.start, self.moves)


DrawnGame: TypeAlias = WrittenGame | PlayedGame


def picture(kind: Kind, drawn: DrawnGame, size: int) -> bytes:
    """Draw the final board, or the game as an animation."""
    game = drawn.played()
    if kind == "gif":
        return draw_gif(game, size)
    return draw_svg(game.position, size).encode() if kind == "svg" else draw_png(game.position, size)


def preview(position: Position, title: str, words: str) -> bytes:
    """Draw the picture in the preview of a shared link."""
    return to_png(draw_preview(position, title, words), PREVIEW_WIDTH)


def qr(text: str) -> bytes:
    """A QR code as an SVG picture."""
    import segno

    drawn = io.BytesIO()
    segno.make(text, error="m").save(drawn, kind="svg", border=2, xmldecl=False, omitsize=True)
    return drawn.getvalue()


def openings(variant: Variant, count: int, seed: int) -> list[list[int]]:
    """Openings for a room in which both sides have about equal chances."""
    return [list(opening) for opening in balanced_openings(variant, count, seed)]


def fair_starts(variant: Variant, count: int, seed: int) -> list[list[int]]:
    """Starts for a room that are proven draws. Empty if this board has no such start."""
    try:
        return [list(opening) for opening in fair_openings(variant, seed)[:count]]
    except BadTournament:
        return []


def _ignoring_stop(work: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a job from a function that ignores `stop`. To stop such a job, its process is killed."""
    return lambda *arguments, seconds, stop: work(*arguments)


JOB_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    work.__name__: _ignoring_stop(work)
    for work in (
        judge,
        saved,
        explanation,
        read,
        arena,
        whole_game,
        picture,
        preview,
        qr,
        openings,
        fair_starts,
        fit_ratings,
    )
}
