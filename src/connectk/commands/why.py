"""`connectk why`: explain why a side wins a position, or at least draws it."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from connectk.commands.console import ProgressBar, print_board, print_json, settings, stopped, terminal_discs, texts_for
from connectk.commands.localized import BoardCommand
from connectk.commands.options import (
    OUT_OPTION,
    POSITION_ARGUMENT,
    VARIANT_OPTION,
    outputs,
    position_or_input,
    variant_of,
)
from connectk.system import wrapped

if TYPE_CHECKING:
    from connectk.rules import Game, Position, Variant
    from connectk.texts import Texts
    from connectk.watch import Report
    from connectk.why import CheckedExplanation, Why
    from connectk.why.openings import OpeningPage
    from connectk.why.playing import StrategyGame

SideOption = Literal["first", "second"]

EPILOG = """
connectk why 3344
connectk why 5347732264 --proof
connectk why 5347732264 --play
connectk why 4444443265353 --out why.svg --out why.json
connectk why --check why.json
connectk why --variant 5x4x4 --side second
"""


def register(app: typer.Typer) -> None:
    app.command("why", cls=BoardCommand, epilog=EPILOG)(why)


def why(
    position: str = POSITION_ARGUMENT,
    variant: str | None = VARIANT_OPTION,
    side: SideOption | None = typer.Option(None),
    boards: int = typer.Option(60, min=1, max=1000),
    limit: str | None = typer.Option(None, metavar="TIME"),
    proof: bool = typer.Option(False, "--proof"),
    play: bool = typer.Option(False, "--play"),
    check: Path | None = typer.Option(None),
    out: list[str] = OUT_OPTION,
) -> None:
    from connectk.files import require_writable
    from connectk.notation import parse_duration, read_game
    from connectk.why.explainer import default_seconds
    from connectk.why.playing import game_against_opening

    texts, written = explanation_texts(), outputs(out, ".svg", ".json")
    require_writable(*map(Path, written.values()))
    if check is not None:
        _check(check, texts, written, proof, play)
        return
    game = read_game(position_or_input(position, texts), variant_of(variant)).game
    start_position = game.position
    if not settings().json:  # shown before the search, so that the user sees the board while waiting
        print_position(start_position)
    found = _explain(
        start_position, side, boards, parse_duration(limit) if limit else default_seconds(start_position), texts
    )
    if found.found is not None:
        _show(found.found, texts, written, proof, play)
        return
    if settings().json:
        print_json(_facts(found))
    else:
        print_why(found, texts)
        if start_position.outcome is not None:
            _print_ending(game, texts)
        if play and found.opening is not None:
            _play(game_against_opening(found.opening), texts)
    for path in written.values():
        print(texts("why.not_written", file=path), file=sys.stderr)
    if written:
        raise typer.Exit(1)


def explanation_texts() -> Texts:
    """The texts of an explanation. They contain the names of the players and, with `--no-board`, of the cells."""
    from connectk.why.wording import naming_players

    return naming_players(texts_for(), spoken=not settings().board)


def _print_ending(game: Game, texts: Texts) -> None:
    """Print the winning line of a finished game, the move that decided it, and the command that reviews it."""
    from connectk.notation import write_moves
    from connectk.review import review_game
    from connectk.review.report import describe_losing_move, describe_turning_point
    from connectk.terminal.sentences import describe_winning_line

    sentences = [describe_winning_line(game.position, texts)] if game.position.winning_cells else []
    if game.moves:
        try:
            with ProgressBar(texts("review.working"), texts) as bar:
                review = review_game(game, progress=bar.show)
        except KeyboardInterrupt:
            raise stopped(texts) from None
        sentences += [describe_turning_point(review, texts), *describe_losing_move(review, texts)]
    print(wrapped("\n".join(sentences), sys.stdout))
    if game.moves and not game.start.ply:
        moves = write_moves(game.moves, game.variant)
        print(texts("why.review", command=_command("review", moves, game.variant)))


def _explain(position: Position, side: SideOption | None, boards: int, seconds: float, texts: Texts) -> Why:
    """Look for an explanation. A progress bar names the current stage and shows the remaining time."""
    from connectk.rules import Side
    from connectk.why import explain

    until = time.monotonic() + seconds
    keeper = None if side is None else Side[side.upper()]
    with ProgressBar(texts("why.stage.solving"), texts) as bar:

        def show(report: Report) -> None:
            left = max(0, round(until - time.monotonic()))
            bar.set_label(texts(f"why.stage.{report.stage}") + " " + texts("work.left", seconds=left))
            bar.show(report)

        try:
            return explain(position, side=keeper, boards=boards, seconds=seconds, progress=show)
        except KeyboardInterrupt:
            raise stopped(texts) from None


def _check(file: Path, texts: Texts, written: dict[str, str], proof: bool, play: bool) -> None:
    from connectk.errors import FileNotReadable
    from connectk.why import parse_explanation
    from connectk.why.checker import check_and_record
    from connectk.why.files import MAX_EXPLANATION_FILE_BYTES
    from connectk.why.graph_files import GZIP_MAGIC, MAX_GRAPH_BYTES

    try:
        with file.open("rb") as opened:  # read no more of an untrusted file than the size limit
            start = opened.read(len(GZIP_MAGIC))
            data = start + opened.read(MAX_GRAPH_BYTES if start == GZIP_MAGIC else MAX_EXPLANATION_FILE_BYTES)
        text = "" if start == GZIP_MAGIC else data.decode("utf-8")
    except (OSError, UnicodeError) as error:
        raise FileNotReadable(str(file), getattr(error, "strerror", None) or "error.because.no_text") from error
    if start == GZIP_MAGIC:
        _check_graph(data, texts, drawn=bool(written))
        return
    explanation = parse_explanation(text)
    with ProgressBar(texts("why.checking"), texts) as bar:
        found = check_and_record(explanation, progress=bar.show)
    if not settings().json:
        print_position(explanation.position)
    _show(found, texts, written, proof, play)


def _check_graph(data: bytes, texts: Texts, drawn: bool) -> None:
    """Check an explanation that is stored as a graph. A graph has too many boards to print."""
    from connectk.cluster import open_pool
    from connectk.errors import NotationError
    from connectk.why.files import claim_to_json
    from connectk.why.graph_files import parse_graph
    from connectk.why.pool_checker import check_in_pool
    from connectk.why.wording import describe_claim

    if drawn:
        raise NotationError("why.only_checked")
    found = parse_graph(data)
    with open_pool() as pool, ProgressBar(texts("why.checking"), texts) as bar:
        checked = check_in_pool(pool, found, progress=bar.show)
    if settings().json:
        print_json({**claim_to_json(found), "boards": found.size // 2, "checked": checked})
    else:
        print(
            describe_claim(found, texts),
            texts("why.mirrored", count=found.size // 2),
            texts("why.checked", count=checked),
        )


def _show(found: CheckedExplanation, texts: Texts, written: dict[str, str], proof: bool, play: bool) -> None:
    from connectk.drawing import to_svg
    from connectk.files import write_file
    from connectk.why import write_explanation
    from connectk.why.coach import coach
    from connectk.why.files import to_json
    from connectk.why.pictures import draw_explanation
    from connectk.why.playing import game_against
    from connectk.why.steps import shown_pages

    if ".json" in written:
        write_file(Path(written[".json"]), write_explanation(found.explanation))
    if ".svg" in written:
        write_file(Path(written[".svg"]), to_svg(draw_explanation(found, texts_for())))
    if settings().json:
        statements = [one for shown in shown_pages(found) for step in shown.steps for one in step.statements]
        facts = {"checked": found.checked, "coach": coach(found), "statements": statements}
        print_json({**to_json(found.explanation), **facts})
    else:
        print_explanation(found, texts, proof)
        if play:
            _play(game_against(found), texts)


def _play(game: StrategyGame, texts: Texts) -> None:
    """Let the user drop for the other side until the input ends. After each disc, print the answer of the strategy and
    its reason."""
    from connectk.errors import ConnectkError
    from connectk.why.playing import describe_turn

    show_turn = True
    while True:
        if show_turn:
            print()
            print_position(game.turn.position)
            print(wrapped(describe_turn(game, texts), sys.stdout))
        print(texts("why.play.ask"), end=" ", flush=True)
        word = sys.stdin.readline().strip().lower()
        if word in ("q", ""):
            return
        show_turn = word == "u" or (word.isdecimal() and len(word) < 10)
        try:
            if word == "u":
                game.take_back()
            elif show_turn:
                game.drop(int(word) - 1)
        except ConnectkError as error:
            print(error.localize(texts))
            show_turn = False


def print_explanation(found: CheckedExplanation, texts: Texts, proof: bool = False) -> None:
    """Print the claim of the explanation and the sentences of a coach. With `proof`, also print each board with its
    sentences."""
    from connectk.why.coach import coach, describe_coach
    from connectk.why.steps import shown_pages
    from connectk.why.wording import describe_claim, drawn, legend, page_sentences

    explanation, draws = found.explanation, settings().board
    counted = texts("why.boards", count=explanation.size), texts("why.checked", count=found.checked)
    print(wrapped(" ".join([describe_claim(explanation, texts), *counted]), sys.stdout))
    _print_legend(texts)
    print(wrapped("\n".join(describe_coach(sentence, texts) for sentence in coach(found)), sys.stdout))
    if not proof:
        print()
        print(texts("why.proof.shown", count=explanation.size))
        return
    for shown in shown_pages(found):
        print()
        print(texts("why.board", number=shown.number + 1))
        if draws:
            print(drawn(shown, terminal_discs()))
        print(wrapped("\n".join(page_sentences(shown, texts)), sys.stdout))
    if draws and any(page.answers for page in explanation.pages):
        print()
        print(legend(texts, terminal_discs()))


def _facts(why: Why) -> dict[str, object]:
    """The JSON facts about a position that has no explanation."""
    from connectk.notation import write_start
    from connectk.why.coach import coach_for
    from connectk.why.json_views import opening_to_json

    solution = why.solution
    position = solution.position
    facts = {"variant": str(position.variant), "start": write_start(position), "pages": None, "result": solution.result}
    return {**facts, "line": list(why.line), "coach": list(coach_for(why)), "opening": opening_to_json(why.opening)}


def print_why(why: Why, texts: Texts) -> None:
    """Print an explanation. If there is none, print the result, a coach's sentences, and a line of best play."""
    from connectk.why.coach import describe_without_explanation
    from connectk.why.wording import describe_known_result, known_result

    if why.found is not None:
        print_explanation(why.found, texts)
        return
    print(describe_known_result(known_result(why), texts))
    if why.solution.position.outcome is not None:
        return
    _print_legend(texts)
    print(wrapped("\n".join(describe_without_explanation(why, texts)), sys.stdout))
    if why.opening is not None:
        _print_next_command(why.opening, texts)
    elif why.nearest is not None:
        moves = "".join(str(column + 1) for column in why.nearest.line)
        print(texts("why.walk.near", command=_command("why", moves, why.solution.position.variant)))


def _print_legend(texts: Texts) -> None:
    """Print which discs belong to whom, if the board was drawn, and then an empty line."""
    if settings().board:
        print(texts("coach.who", first=terminal_discs()[0], second=terminal_discs()[1]))
    print()


def _print_next_command(opening: OpeningPage, texts: Texts) -> None:
    """Print the command that shows what a certified strategy does next, unless every answer wins at once."""
    from connectk.notation.start import write_start

    going_on = [one for one in opening.answers if not one.wins]
    if going_on:
        after = opening.position if opening.drop is None else opening.position.drop(opening.drop.column)
        start = write_start(after.drop(going_on[0].reply.column))
        print(texts("why.walk.on", command=_command("why", start, after.variant)))


def _command(name: str, position: str, variant: Variant) -> str:
    from connectk.rules import CLASSIC

    option = [] if variant == CLASSIC else ["--variant", str(variant)]
    return shlex.join(["connectk", name, position, *option])


def print_position(position: Position) -> None:
    """Print a board and an empty line."""
    print_board(position)
    print(flush=True)
