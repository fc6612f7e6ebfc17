"""`connectk arena`: play a tournament between players and rate them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import CLUSTER, EXIT_INTERRUPTED, texts_for

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

EPILOG = (
    "Examples: connectk arena mybot.py greedy minimax:4 --games 40 · "
    "connectk arena new.py old.py --sprt --games 2000 · "
    "connectk arena mybot.py level:1 level:2 level:3 --gauntlet --variant 9x7x5 --time 100ms"
)


def register(app: typer.Typer) -> None:
    app.command("arena", epilog=EPILOG)(arena)


def arena(
    players: list[str] = typer.Argument(),
    games: int = typer.Option(100),
    variant: str = typer.Option("7x6x4"),
    time: str | None = typer.Option(None),
    clock: str | None = typer.Option(None),
    openings: str = typer.Option("balanced"),
    evaluate: str | None = typer.Option(None, metavar="NAME"),
    gauntlet: bool = typer.Option(False, "--gauntlet"),
    seed: int = typer.Option(1),
    jobs: int | None = typer.Option(None, min=1),
    cluster: str | None = CLUSTER,
    sprt: bool = typer.Option(False, "--sprt"),
    elo0: float = typer.Option(0.0),
    elo1: float = typer.Option(20.0),
    alpha: float = typer.Option(0.05),
    beta: float = typer.Option(0.05),
    results: Path | None = typer.Option(None),
    games_dir: Path | None = typer.Option(None),
    plot: Path | None = typer.Option(None),
    python: str | None = typer.Option(None, metavar="PATH"),
    memory: int = typer.Option(1024, min=16, metavar="MB"),
    start: str = typer.Option("10s"),
    grace: str = typer.Option("250ms"),
    as_json: bool = typer.Option(False, "--json"),
) -> None:
    from connectk.arena import Sprt, Tournament
    from connectk.arena.clocks import GameClock
    from connectk.errors import BadTournament
    from connectk.notation.moves import parse_duration
    from connectk.players.registry import with_evaluation
    from connectk.rules import Variant
    from connectk.system import cores

    if evaluate is not None:
        players = [with_evaluation(name, evaluate) for name in players]
    seconds = parse_duration(time) if time is not None else None
    whole = GameClock.parse(clock) if clock is not None else None
    board = Variant.parse(variant)
    tournament = Tournament(tuple(players), board, games, seconds, seed, gauntlet, whole, openings)
    test = Sprt(elo0, elo1, alpha, beta) if sprt else None
    if sprt and len(players) != 2:
        raise BadTournament("error.BadTournament.sprt")
    check_output_paths(plot, games_dir)
    bots = bot_options(python, memory, start, grace)
    _check_players(tournament, bots)
    with _open_results(results or _default_file(tournament), tournament) as file:
        if sprt and len(file.tournament.players) != 2:
            raise BadTournament("error.BadTournament.sprt_file", file=file.path)
        _play(file, test, jobs or cores(), games_dir, bots, cluster)
        _print_results(file, test, plot, as_json)


def check_output_paths(plot: Path | None, games_dir: Path | None) -> None:
    """Raise `FileNotWritable` for an output path that cannot be written, before any game is played."""
    from connectk.errors import FileNotWritable

    for target in filter(None, (plot, games_dir)):
        if not target.absolute().parent.is_dir():
            raise FileNotWritable(str(target), "error.because.no_folder")
    if plot is not None and plot.is_dir():
        raise FileNotWritable(str(plot), "error.because.folder")
    if games_dir is not None and games_dir.exists() and not games_dir.is_dir():
        raise FileNotWritable(str(games_dir), "error.because.not_folder")


def bot_options(python: str | None, memory: int, start: str, grace: str) -> BotOptions:
    from connectk.notation import parse_duration
    from connectk.players.botprocess import BotLimits
    from connectk.players.bots import BotOptions

    limits = BotLimits(start=parse_duration(start), grace=parse_duration(grace), memory=memory << 20)
    return BotOptions(limits, python)


def _check_players(tournament: Tournament, bots: BotOptions) -> None:
    """Raise before the first game if a player cannot be loaded or cannot play on this board."""
    from connectk.players.player import require_able
    from connectk.players.registry import is_bot, load_player
    from connectk.players.versions import version_of

    if any(map(is_bot, tournament.players)):
        _warn_about_missing_isolation()
    for name in tournament.players:
        player = load_player(name, tournament.seed, bots)
        player.close()
        require_able(player, tournament.variant)
        version_of(name, bots)


def _warn_about_missing_isolation() -> None:
    """Warn the user if this system cannot isolate bots: they may run programs of strangers."""
    from connectk.players.isolation import missing_protections

    if missing := missing_protections():
        texts = texts_for()
        *most, last = [texts(f"arena.unguarded.{gap}") for gap in missing]
        can = texts("reason.and", most=", ".join(most), last=last) if most else last
        typer.echo(texts("arena.unguarded", can=can), err=True)


def _default_file(tournament: Tournament) -> Path:
    """A file name derived from the tournament's settings without the game count, so that the same command resumes."""
    identity = json.dumps({**tournament.identity(), "games": None}, sort_keys=True)
    return Path(f"arena-{hashlib.sha256(identity.encode()).hexdigest()[:8]}.jsonl")


def _open_results(path: Path, tournament: Tournament) -> ResultsFile:
    from rich.console import Console

    from connectk.arena import ResultsFile

    with Console(stderr=True).status(texts_for()("arena.choosing", count=tournament.openings_needed)):
        return ResultsFile(path, tournament)


def _play(
    file: ResultsFile, test: Sprt | None, jobs: int, games_dir: Path | None, bots: BotOptions, cluster: str | None
) -> None:
    from rich.console import Console

    from connectk.arena import run_tournament
    from connectk.arena.match import GameFolder

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    tournament, texts = file.tournament, texts_for()
    total = tournament.total
    if file.records:
        console.print(texts("arena.already", done=len(file.records), total=total, file=file.path))
    folder = GameFolder(games_dir, tournament.variant)
    for record in file.records.values():
        folder.save(record)
    try:
        with _pool(cluster, tournament) as pool, _TournamentBar(console, total, len(file.records)) as progress:
            run_tournament(
                file, jobs=jobs, sprt=test, on_game=folder.save, progress=progress.show, bots=bots, pool=pool
            )
    except KeyboardInterrupt:
        key = "arena.stopped" if file.records else "arena.stopped_early"
        console.print(texts(key, done=len(file.records), total=total, file=file.path))
        raise typer.Exit(EXIT_INTERRUPTED) from None


@contextmanager
def _pool(cluster: str | None, tournament: Tournament) -> Iterator[Pool | None]:
    """Open the cluster's pool and check that its workers can read the bots' files; None without a cluster."""
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
    """A transient progress bar on stderr; silent if stderr is not a terminal."""

    def __init__(self, console: Console, total: int, done: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        games, left = (TextColumn(texts_for()(key)) for key in ("arena.progress", "arena.left"))
        columns = (BarColumn(), MofNCompleteColumn(), games, TimeRemainingColumn(compact=True), left)
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("", total=total, completed=done)

    def __enter__(self) -> _TournamentBar:
        self._bar.start()
        return self

    def show(self, report: Report) -> None:
        self._bar.update(self._task, completed=report.done)

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()


def _print_results(file: ResultsFile, test: Sprt | None, plot: Path | None, as_json: bool) -> None:
    from connectk.arena.standings import standings
    from connectk.arena.table import print_standings

    tournament, records = file.tournament, sorted(file.records.values(), key=lambda record: record.number)
    table = standings(tournament.players, tournament.variant, records)
    evidence = test.judge(tournament.players[0], records) if test else None
    if plot is not None:
        draw_plot(plot, table, tournament.variant)
    if as_json:
        outcome = {"sprt": _evidence_json(evidence)} if evidence else {}
        print(json.dumps({**tournament.identity(), "results": str(file.path), **table.to_json(), **outcome}, indent=2))
        return
    texts = texts_for()
    print_standings(table, records, texts=texts)
    if test and evidence:
        print(_evidence_text(tournament, test, evidence, texts))
    print(texts("arena.kept", file=file.path))


def draw_plot(path: Path, table: Standings, variant: Variant) -> None:
    """Write the ratings to an SVG file."""
    from connectk.arena.plot import draw_ratings

    games = texts_for()("count.games", count=table.games)
    path.write_text(draw_ratings(table, f"{variant}, {games}"), encoding="utf-8")


def _evidence_json(evidence: Evidence) -> dict[str, float | int | None]:
    return {
        "held": evidence.held,
        "llr": evidence.log_likelihood_ratio,
        "lower": evidence.lower,
        "upper": evidence.upper,
    }


def _evidence_text(tournament: Tournament, test: Sprt, evidence: Evidence, texts: Texts) -> str:
    numbers = {"ratio": evidence.log_likelihood_ratio, "lower": evidence.lower, "upper": evidence.upper}
    facts = texts("arena.sprt.facts", **{name: f"{number:.2f}" for name, number in numbers.items()})
    held = {1: "stronger", 0: "not_stronger", None: "undecided"}[evidence.held]
    first, second = tournament.players
    names = {"first": first, "second": second, "elo0": f"{test.elo0:g}", "elo1": f"{test.elo1:g}"}
    return texts(f"arena.sprt.{held}", **names, openings=evidence.pairs, facts=facts)
