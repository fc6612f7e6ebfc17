"""`connectk arena`: play a tournament between players and rate them."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from connectk.commands.completion import complete_player
from connectk.commands.console import EXIT_INTERRUPTED, console, settings, texts_for
from connectk.commands.options import CLUSTER_OPTION, JOBS_OPTION, VARIANT_OPTION, board_of, outputs, path_in
from connectk.system import wrapped

if TYPE_CHECKING:
    from rich.console import Console

    from connectk.arena import ResultsFile, Sprt, Tournament
    from connectk.arena.sprt import Evidence
    from connectk.arena.standings import Standings
    from connectk.cluster import Pool
    from connectk.players.bots import BotOptions
    from connectk.rules import Variant
    from connectk.texts import Texts
    from connectk.watch import Report

EPILOG = """
connectk arena mybot.py greedy minimax:4 --games 40
connectk arena new.py old.py --sprt --games 2000
connectk arena mybot.py level:1 level:2 --gauntlet --variant 9x7x5 --time 1s
connectk arena greedy random --games 20 --out results.jsonl --out games/
"""
PYTHON_OPTION = typer.Option(None, metavar="PATH")
MEMORY_OPTION = typer.Option(1024, min=16, metavar="MB")
STARTUP_OPTION = typer.Option("10s", metavar="TIME")
GRACE_OPTION = typer.Option("250ms", metavar="TIME")


def register(app: typer.Typer) -> None:
    app.command("arena", epilog=EPILOG)(arena)


def arena(
    players: list[str] = typer.Argument(metavar="PLAYER", autocompletion=complete_player),
    games: int = typer.Option(100),
    variant: str | None = VARIANT_OPTION,
    time: str | None = typer.Option(None, metavar="TIME"),
    clock: str | None = typer.Option(None, metavar="TIME"),
    openings: str = typer.Option("balanced", metavar="balanced|fair|empty|FILE"),
    evaluate: str | None = typer.Option(None, metavar="NAME"),
    swap: bool = typer.Option(False, "--swap"),
    gauntlet: bool = typer.Option(False, "--gauntlet"),
    seed: int = typer.Option(1),
    jobs: int | None = JOBS_OPTION,
    cluster: str | None = CLUSTER_OPTION,
    sprt: bool = typer.Option(False, "--sprt"),
    elo0: float = typer.Option(0.0),
    elo1: float = typer.Option(20.0),
    alpha: float = typer.Option(0.05),
    beta: float = typer.Option(0.05),
    out: list[str] = typer.Option([], "--out", metavar="FILE|FOLDER/"),
    python: str | None = PYTHON_OPTION,
    memory: int = MEMORY_OPTION,
    startup: str = STARTUP_OPTION,
    grace: str = GRACE_OPTION,
    no_solver: bool = typer.Option(False, "--no-solver"),
) -> None:
    from connectk.arena import Sprt, Tournament
    from connectk.arena.clocks import GameClock
    from connectk.arena.games_csv import games_csv
    from connectk.errors import BadTournament
    from connectk.files import write_file
    from connectk.notation.moves import parse_duration
    from connectk.players.registry import with_evaluation
    from connectk.system import cores

    if evaluate is not None:
        players = [with_evaluation(name, evaluate) for name in players]
    seconds = parse_duration(time) if time is not None else None
    whole = GameClock.parse(clock) if clock is not None else None
    tournament = Tournament(tuple(players), board_of(variant), games, seconds, seed, gauntlet, whole, openings, swap)
    test = Sprt(elo0, elo1, alpha, beta) if sprt else None
    if sprt and len(players) != 2:
        raise BadTournament("error.BadTournament.sprt")
    places = _output_paths(out)
    bots = bot_options(python, memory, startup, grace, solver=not no_solver)
    tournament, left_out = _without_unusable(tournament, bots)
    with _open_results(places.results or _default_file(tournament), tournament) as file:
        if sprt and len(file.tournament.players) != 2:
            raise BadTournament("error.BadTournament.sprt_file", file=file.path)
        _play(file, test, jobs or cores(), places.games, bots, cluster)
        if places.csv is not None:
            write_file(places.csv, games_csv(file.records.values(), texts_for().language))
        _print_results(file, test, places.plot, left_out)


class OutputPaths(NamedTuple):
    """The output paths of a tournament: the results, a picture of the ratings, the games as CSV, and a folder of
    games."""

    results: Path | None
    plot: Path | None
    csv: Path | None
    games: Path | None


def _output_paths(out: list[str]) -> OutputPaths:
    """Sort the paths given with `--out` by kind. If one of them cannot be written, raise an error before any game is
    played."""
    from connectk.errors import FileNotWritable
    from connectk.files import require_writable

    folders = [Path(name) for name in out if name.endswith("/") or Path(name).is_dir()]
    files = outputs([name for name in out if Path(name) not in folders], ".jsonl", ".svg", ".csv")
    for folder in folders:
        if folder.exists() and not folder.is_dir():
            raise FileNotWritable(str(folder), "error.because.not_folder")
        if not folder.absolute().parent.is_dir():
            raise FileNotWritable(str(folder), "error.because.no_folder")
    results, plot, table = (path_in(files, kind) for kind in (".jsonl", ".svg", ".csv"))
    places = OutputPaths(results, plot, table, next(iter(folders), None))
    require_writable(places.results, places.plot, places.csv)
    return places


def bot_options(python: str | None, memory: int, startup: str, grace: str, solver: bool = True) -> BotOptions:
    from connectk.notation import parse_duration
    from connectk.players.botprocess import BotLimits
    from connectk.players.bots import BotOptions

    limits = BotLimits(start=parse_duration(startup), grace=parse_duration(grace), memory=memory << 20)
    return BotOptions(limits, python, solver)


def _without_unusable(tournament: Tournament, bots: BotOptions) -> tuple[Tournament, dict[str, str]]:
    """Return the tournament without the bots that do not start, and the reason for each of these bots.

    Raises an error if another player cannot be loaded or cannot play on this board, or if fewer than two players are
    left.
    """
    from connectk.errors import BotUnusable
    from connectk.players.registry import is_bot

    left_out: dict[str, BotUnusable] = {}
    for name in tournament.players:
        try:
            _check_player(name, tournament, bots)
        except BotUnusable as unusable:
            left_out[name] = unusable
    players = tuple(name for name in tournament.players if name not in left_out)
    if left_out and (len(players) < 2 or (tournament.gauntlet and tournament.players[0] in left_out)):
        raise next(iter(left_out.values()))
    if any(map(is_bot, players)):
        _warn_about_missing_isolation()
    texts = texts_for()
    for error in left_out.values():
        typer.echo(texts("arena.left_out", reason=error.localize(texts)), err=True)
    return replace(tournament, players=players), {name: str(error) for name, error in left_out.items()}


def _check_player(name: str, tournament: Tournament, bots: BotOptions) -> None:
    from connectk.players.player import require_able
    from connectk.players.registry import load_player
    from connectk.players.versions import version_of

    player = load_player(name, tournament.seed, bots)
    player.close()
    require_able(player, tournament.variant)
    version_of(name, bots)


def _warn_about_missing_isolation() -> None:
    """Warn if this system cannot fully isolate bots. A bot may be a program that a stranger wrote."""
    from connectk.players.botscope import has_scopes
    from connectk.players.isolation import missing_protections

    if missing := [*missing_protections(), *([] if has_scopes() else ["kernel"])]:
        texts = texts_for()
        *most, last = [texts(f"arena.unguarded.{gap}") for gap in missing]
        can = texts("reason.and", most=", ".join(most), last=last) if most else last
        typer.echo(wrapped(texts("arena.unguarded", can=can), sys.stderr), err=True)


def _default_file(tournament: Tournament) -> Path:
    """The name of the results file. It depends on all settings except the number of games, so that repeating the
    command continues with the same file."""
    identity = json.dumps({**tournament.identity(), "games": None}, sort_keys=True)
    return Path(f"arena-{hashlib.sha256(identity.encode()).hexdigest()[:8]}.jsonl")


def _open_results(path: Path, tournament: Tournament) -> ResultsFile:
    from connectk.arena import ResultsFile

    with console(stderr=True).status(texts_for()("arena.choosing", count=tournament.openings_needed)):
        return ResultsFile(path, tournament)


def _play(
    file: ResultsFile, test: Sprt | None, jobs: int, games_dir: Path | None, bots: BotOptions, cluster: str | None
) -> None:
    from connectk.arena import run_tournament
    from connectk.arena.match import GameFolder

    stderr = console(stderr=True)
    tournament, texts = file.tournament, texts_for()
    total = tournament.total
    if file.records:
        done = len(file.records)
        key = "arena.already" if done <= total else "arena.more_already"
        stderr.print(texts(key, done=done, total=total, file=file.path), soft_wrap=True)
    folder = GameFolder(games_dir, tournament.variant)
    for record in file.records.values():
        folder.save(record)
    try:
        with _pool(cluster, tournament) as pool, _TournamentBar(stderr, total, len(file.records)) as progress:
            run_tournament(
                file, jobs=jobs, sprt=test, on_game=folder.save, progress=progress.show, bots=bots, pool=pool
            )
    except KeyboardInterrupt:
        key = "arena.stopped" if file.records else "arena.stopped_early"
        stderr.print(texts(key, done=len(file.records), total=total, file=file.path), soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPTED) from None


@contextmanager
def _pool(cluster: str | None, tournament: Tournament) -> Iterator[Pool | None]:
    """Connect to the cluster, and check that its workers can read the files of the bots. Returns None if the user named
    no cluster."""
    if cluster is None:
        yield None
        return
    from connectk.cluster import open_pool
    from connectk.players.registry import file_behind

    with open_pool(cluster) as pool:
        for file in filter(None, map(file_behind, tournament.players)):
            pool.require_visible(str(file))
        yield pool


class _TournamentBar:
    """A progress bar that disappears at the end. It is silent if stderr is not a terminal."""

    def __init__(self, console: Console, total: int, done: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        games, left = (TextColumn(texts_for()(key)) for key in ("arena.progress", "arena.left"))
        columns = (BarColumn(), MofNCompleteColumn(), games, TimeRemainingColumn(compact=True), left)
        self._bar = Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal or settings().plain
        )
        self._task = self._bar.add_task("", total=total, completed=done)

    def __enter__(self) -> _TournamentBar:
        self._bar.start()
        return self

    def show(self, report: Report) -> None:
        self._bar.update(self._task, completed=report.done)

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()


def _print_results(file: ResultsFile, test: Sprt | None, plot: Path | None, left_out: dict[str, str]) -> None:
    from connectk.arena.standings import standings
    from connectk.arena.standings_table import print_standings

    tournament, records = file.tournament, sorted(file.records.values(), key=lambda record: record.number)
    table = standings(tournament.players, tournament.variant, records)
    evidence = test.judge(tournament.players[0], records, tournament.swap) if test else None
    if plot is not None:
        draw_plot(plot, table, tournament.variant)
    if settings().json:
        outcome = {"sprt": _evidence_json(evidence)} if evidence else {}
        facts = {**tournament.identity(), "results": str(file.path), **table.to_json(), **outcome, "left_out": left_out}
        print(json.dumps(facts, indent=2))
        return
    texts = texts_for()
    print_standings(table, records, texts=texts)
    if test and evidence:
        print(_evidence_text(tournament, test, evidence, len(records), texts))
    print(texts("arena.kept", file=file.path))


def draw_plot(path: Path, table: Standings, variant: Variant) -> None:
    """Write a picture of the ratings to an SVG file."""
    from connectk.arena.ratings_plot import draw_ratings
    from connectk.files import write_file

    games = texts_for()("count.games", count=table.games)
    write_file(path, draw_ratings(table, f"{variant}, {games}"))


def _evidence_json(evidence: Evidence) -> dict[str, float | int | None]:
    return {
        "held": evidence.accepted_hypothesis,
        "llr": evidence.log_likelihood_ratio,
        "lower": evidence.lower,
        "upper": evidence.upper,
    }


def _evidence_text(tournament: Tournament, test: Sprt, evidence: Evidence, games: int, texts: Texts) -> str:
    numbers = {"ratio": evidence.log_likelihood_ratio, "lower": evidence.lower, "upper": evidence.upper}
    facts = texts("arena.sprt.facts", **{name: f"{number:.2f}" for name, number in numbers.items()})
    undecided = "repeated" if evidence.pairs < games // 2 else "undecided"
    held = {1: "stronger", 0: "not_stronger", None: undecided}[evidence.accepted_hypothesis]
    first, second = tournament.players
    names = {"first": first, "second": second, "elo0": f"{test.elo0:g}", "elo1": f"{test.elo1:g}"}
    return texts(f"arena.sprt.{held}", **names, count=evidence.pairs, facts=facts)
