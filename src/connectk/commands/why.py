"""`connectk why`: explain why a side wins a position, or holds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import EXIT_INTERRUPTED, LANGUAGE, ProgressBar, terminal_discs, texts_for
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from connectk.rules import Side
    from connectk.texts import Texts
    from connectk.why import CheckedExplanation, Why

EPILOG = (
    "Examples: connectk why 44444415 · connectk why 4453 --svg why.svg --save why.json · connectk why --check why.json"
)


def register(app: typer.Typer) -> None:
    app.command("why", epilog=EPILOG)(why)


def why(
    moves: str = typer.Argument(""),
    variant: str = typer.Option("7x6x4"),
    side: str | None = typer.Option(None),
    boards: int = typer.Option(15, min=1, max=1000),
    time: str = typer.Option("10s"),
    check: Path | None = typer.Option(None),
    save: Path | None = typer.Option(None),
    svg: Path | None = typer.Option(None),
    as_json: bool = typer.Option(False, "--json"),
    language: LanguageName | None = LANGUAGE,
) -> None:
    from connectk.notation.moves import parse_duration
    from connectk.rules import Position, Variant
    from connectk.why import explain

    texts = texts_for(language)
    if check is not None:
        _check(check, texts, as_json, save, svg)
        return
    position = Position.from_moves(moves, Variant.parse(variant))
    try:
        why = explain(position, side=_side(side), boards=boards, seconds=parse_duration(time))
    except KeyboardInterrupt:
        typer.echo(texts("report.stopped"), err=True)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if why.found is not None:
        _show(why.found, texts, as_json, save, svg)
    elif as_json:
        print(json.dumps(_facts(why)))
    else:
        print_why(why, texts)


def _side(name: str | None) -> Side | None:
    from connectk.errors import NotationError
    from connectk.rules import Side

    if name is None:
        return None
    if name not in ("first", "second"):
        raise NotationError("why.bad_side", text=name)
    return Side[name.upper()]


def _check(file: Path, texts: Texts, as_json: bool, save: Path | None, svg: Path | None) -> None:
    from connectk.errors import FileNotReadable
    from connectk.why import parse_explanation
    from connectk.why.checker import play_through
    from connectk.why.files import LARGEST_FILE
    from connectk.why.graphs import LARGEST_GRAPH, START

    try:
        with file.open("rb") as opened:  # read no more of an untrusted file than the size limit
            start = opened.read(len(START))
            data = start + opened.read(LARGEST_GRAPH if start == START else LARGEST_FILE)
        text = "" if start == START else data.decode("utf-8")
    except (OSError, UnicodeError) as error:
        raise FileNotReadable(str(file), getattr(error, "strerror", None) or "error.because.no_text") from error
    if start == START:
        _check_graph(data, texts, as_json, drawn=save is not None or svg is not None)
        return
    explanation = parse_explanation(text)
    with ProgressBar(texts("why.checking"), texts) as bar:
        found = play_through(explanation, progress=bar.show)
    _show(found, texts, as_json, save, svg)


def _check_graph(data: bytes, texts: Texts, as_json: bool, drawn: bool) -> None:
    """Check an explanation that is a graph, with too many boards to show."""
    from connectk.cluster import open_pool
    from connectk.errors import NotationError
    from connectk.why.files import about
    from connectk.why.graphs import parse_graph
    from connectk.why.large import check_in
    from connectk.why.telling import claim_in

    if drawn:
        raise NotationError("why.only_checked")
    found = parse_graph(data)
    with open_pool() as pool, ProgressBar(texts("why.checking"), texts) as bar:
        checked = check_in(pool, found, progress=bar.show)
    if as_json:
        print(json.dumps({**about(found), "boards": found.size // 2, "checked": checked}))
    else:
        print(claim_in(found, texts), texts("why.mirrored", count=found.size // 2), texts("why.checked", count=checked))


def _show(found: CheckedExplanation, texts: Texts, as_json: bool, save: Path | None, svg: Path | None) -> None:
    from connectk.drawing import to_svg
    from connectk.why import write_explanation
    from connectk.why.files import to_json
    from connectk.why.pictures import draw_explanation

    if save is not None:
        _write(save, write_explanation(found.explanation))
    if svg is not None:
        _write(svg, to_svg(draw_explanation(found, texts)))
    if as_json:
        print(json.dumps({**to_json(found.explanation), "checked": found.checked}))
    else:
        print_explanation(found, texts)


def _write(path: Path, text: str) -> None:
    from connectk.errors import FileNotWritable

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileNotWritable(str(path), f"{error.strerror}") from error


def print_explanation(found: CheckedExplanation, texts: Texts) -> None:
    """Print the position, the claim, and each board with its sentences."""
    from connectk.notation import draw_diagram
    from connectk.why.boards import shown_pages
    from connectk.why.telling import claim_in, drawn, sentences

    explanation = found.explanation
    print(draw_diagram(explanation.position, discs=terminal_discs()))
    print()
    counted = texts("why.boards", count=explanation.size), texts("why.checked", count=found.checked)
    print(claim_in(explanation, texts), *counted)
    for shown in shown_pages(found):
        print()
        print(texts("why.board", number=shown.number + 1))
        print(drawn(shown, terminal_discs()))
        print("\n".join(sentences(shown, texts)))
    if any(page.answers for page in explanation.pages):
        print()
        print(texts("why.legend"))


def _facts(why: Why) -> dict[str, object]:
    """The JSON for a position without an explanation."""
    solution = why.solution
    facts = {"variant": str(solution.position.variant), "pages": None, "result": solution.result}
    return {**facts, "line": list(why.line)}


def print_why(why: Why, texts: Texts) -> None:
    """Print the explanation, or without one the result and the line of best play."""
    from connectk.notation import draw_diagram
    from connectk.why.telling import known_of, say_known

    if why.found is not None:
        print_explanation(why.found, texts)
        return
    solution = why.solution
    print(draw_diagram(solution.position, discs=terminal_discs()))
    print()
    print(say_known(known_of(why), texts))
    if solution.position.outcome is None:
        print(texts("why.none"), texts("solve.line", moves=" ".join(str(column + 1) for column in why.line)))
