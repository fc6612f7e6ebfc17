"""`connectk arena`: let players meet, and rate them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import CLUSTER, INTERRUPTED

if TYPE_CHECKING:
    from rich.console import Console

    from connectk.arena import ResultsFile, Sprt, Tournament
    from connectk.arena.sprt import Evidence
    from connectk.arena.standings import Standings
    from connectk.cluster import Pool
    from connectk.players.bots import BotOptions
    from connectk.rules import Variant
    from connectk.watch import Report

EPILOG = (
    "Examples: connectk arena mybot.py greedy minimax:4 --games 40 · "
    "connectk arena new.py old.py --sprt --games 2000 · "
    "connectk arena mybot.py level:1 level:2 level:3 --gauntlet --variant 9x7x5 --time 100ms"
)


def register(app: typer.Typer) -> None:
    app.command("arena", epilog=EPILOG)(arena)


def arena(
    players: list[str] = typer.Argument(help="Names such as minimax:5, mybot.py or ./my-program."),
    games: int = typer.Option(100, help="Games of each pair; both sides of each opening. More than before plays on."),
    variant: str = typer.Option("7x6x4", help="Width, height and run to win."),
    time: str | None = typer.Option(None, help="Time for each move, such as 100ms; without it there is no clock."),
    clock: str | None = typer.Option(None, help="Time for each side's whole game, such as 60s, or 60s+1s a disc."),
    openings: str = typer.Option("balanced", help="Where games start: balanced, empty, or a file of moves like 4453."),
    evaluate: str | None = typer.Option(
        None, metavar="NAME", help="The evaluation of minimax players that name none: lines, or myfile.py:evaluate."
    ),
    gauntlet: bool = typer.Option(False, "--gauntlet", help="The first player meets the others, who do not meet."),
    seed: int = typer.Option(1, help="Another seed gives other openings and other luck."),
    jobs: int | None = typer.Option(None, min=1, help="Games at the same time; all cores without it."),
    cluster: str | None = CLUSTER,
    sprt: bool = typer.Option(
        False, "--sprt", help="Two players: stop when it is clear whether the first is stronger."
    ),
    elo0: float = typer.Option(0.0, help="With --sprt: it is no more than this much stronger ..."),
    elo1: float = typer.Option(20.0, help="... or it is at least this much stronger."),
    alpha: float = typer.Option(0.05, help="The risk of calling it stronger when it is not ..."),
    beta: float = typer.Option(0.05, help="... and of not calling it stronger when it is."),
    results: Path | None = typer.Option(None, help="The file that keeps the games; the same command goes on with it."),
    games_dir: Path | None = typer.Option(None, help="A folder for the games, each a saved game."),
    plot: Path | None = typer.Option(None, help="A picture of the ratings, SVG."),
    python: str | None = typer.Option(None, metavar="PATH", help="The Python that runs bots written in Python."),
    memory: int = typer.Option(1024, min=16, metavar="MB", help="Memory for each bot, in megabytes."),
    start: str = typer.Option("10s", help="Time for a bot to start."),
    grace: str = typer.Option("250ms", help="How late a bot's answer may be."),
    as_json: bool = typer.Option(False, "--json", help="Print the table as JSON."),
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
        raise BadTournament("--sprt compares two players; name exactly two.")
    check_targets(plot, games_dir)
    bots = _bot_options(python, memory, start, grace)
    _check_players(tournament, bots)
    with _open_results(results or _default_file(tournament), tournament) as file:
        if sprt and len(file.tournament.players) != 2:
            raise BadTournament(f"--sprt compares two players; {file.path} has more.")
        _play(file, test, jobs or cores(), games_dir, bots, cluster)
        _report(file, test, plot, as_json)


def check_targets(plot: Path | None, games_dir: Path | None) -> None:
    """Better to say so before the games than after."""
    from connectk.errors import FileNotWritable

    for target in filter(None, (plot, games_dir)):
        if not target.absolute().parent.is_dir():
            raise FileNotWritable(str(target), "its folder does not exist")
    if plot is not None and plot.is_dir():
        raise FileNotWritable(str(plot), "it is a folder")
    if games_dir is not None and games_dir.exists() and not games_dir.is_dir():
        raise FileNotWritable(str(games_dir), "it is a file, not a folder")


def _bot_options(python: str | None, memory: int, start: str, grace: str) -> BotOptions:
    from connectk.notation import parse_duration
    from connectk.players.botprocess import BotLimits
    from connectk.players.bots import BotOptions

    limits = BotLimits(start=parse_duration(start), grace=parse_duration(grace), memory=memory << 20)
    return BotOptions(limits, python)


def _check_players(tournament: Tournament, bots: BotOptions) -> None:
    """Every player can be loaded and play on this board; whoever cannot is told before the first game."""
    from connectk.players.player import require_able
    from connectk.players.registry import is_bot, load_player
    from connectk.players.versions import version_of

    if any(map(is_bot, tournament.players)):
        _tell_what_bots_can_do()
    for name in tournament.players:
        player = load_player(name, tournament.seed, bots)
        player.close()
        require_able(player, tournament.variant)
        version_of(name, bots)


def _tell_what_bots_can_do() -> None:
    """Where the system cannot keep bots to themselves, whoever runs strangers' programs should know."""
    from connectk.players.isolation import missing_here

    if missing := missing_here():
        can = " and ".join(missing)
        typer.echo(f"On this system nothing keeps bots apart: a bot can {can}. Run only those you trust.", err=True)


def _default_file(tournament: Tournament) -> Path:
    """A name that only this tournament gets, so that the same command resumes; with more games it goes on."""
    identity = json.dumps({**tournament.identity(), "games": None}, sort_keys=True)
    return Path(f"arena-{hashlib.sha256(identity.encode()).hexdigest()[:8]}.jsonl")


def _open_results(path: Path, tournament: Tournament) -> ResultsFile:
    from rich.console import Console

    from connectk.arena import ResultsFile

    with Console(stderr=True).status(f"Choosing {tournament.openings_needed} balanced openings"):
        return ResultsFile(path, tournament)


def _play(
    file: ResultsFile, test: Sprt | None, jobs: int, games_dir: Path | None, bots: BotOptions, cluster: str | None
) -> None:
    from rich.console import Console

    from connectk.arena import run_tournament
    from connectk.arena.saving import GameFolder

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    tournament = file.tournament
    total = tournament.total
    if file.records:
        console.print(f"{len(file.records)} of {total} games are in {file.path} already.")
    folder = GameFolder(games_dir, tournament.variant)
    for record in file.records.values():
        folder.keep(record)
    try:
        with _pool(cluster, tournament) as pool, _Progress(console, total, len(file.records)) as progress:
            run_tournament(file, jobs=jobs, sprt=test, told=folder.keep, progress=progress.show, bots=bots, pool=pool)
    except KeyboardInterrupt:
        kept = f"{len(file.records)} of {total} games are kept in {file.path}; the same command goes on."
        console.print(f"Stopped. {kept if file.records else 'No game had ended yet.'}")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _pool(cluster: str | None, tournament: Tournament) -> Iterator[Pool | None]:
    """The workers of a cluster, who must see the bots."""
    if cluster is None:
        yield None
        return
    from connectk.cluster import open_pool
    from connectk.players.registry import file_behind

    with open_pool(cluster) as pool:
        for file in filter(None, map(file_behind, tournament.players)):
            pool.require_visible(str(file))
        yield pool


class _Progress:
    """A bar on the error output, gone when the games are over; silent where nobody looks."""

    def __init__(self, console: Console, total: int, done: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games, about"), TimeRemainingColumn(compact=True))
        self._bar = Progress(
            *columns, TextColumn("left"), console=console, transient=True, disable=not console.is_terminal
        )
        self._task = self._bar.add_task("", total=total, completed=done)

    def __enter__(self) -> _Progress:
        self._bar.start()
        return self

    def show(self, report: Report) -> None:
        self._bar.update(self._task, completed=report.done)

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()


def _report(file: ResultsFile, test: Sprt | None, plot: Path | None, as_json: bool) -> None:
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
    print_standings(table, records)
    if test and evidence:
        print(_evidence_in_words(tournament, test, evidence))
    print(f"The games are in {file.path}.")


def draw_plot(path: Path, table: Standings, variant: Variant) -> None:
    """The ratings as a picture."""
    from connectk.arena.plot import draw_ratings

    path.write_text(draw_ratings(table, f"{variant}, {table.games} games"), encoding="utf-8")


def _evidence_json(evidence: Evidence) -> dict[str, float | int | None]:
    return {
        "held": evidence.held,
        "llr": evidence.log_likelihood_ratio,
        "lower": evidence.lower,
        "upper": evidence.upper,
    }


def _evidence_in_words(tournament: Tournament, test: Sprt, evidence: Evidence) -> str:
    first, second = tournament.players
    ratio, lower, upper = evidence.log_likelihood_ratio, evidence.lower, evidence.upper
    facts = f"(log-likelihood ratio {ratio:.2f}, bounds {lower:.2f} and {upper:.2f})"
    if evidence.held == 1:
        return f"H1 held: {first} is stronger than {second}, by {test.elo1:g} Elo rather than {test.elo0:g} {facts}."
    if evidence.held == 0:
        return f"H0 held: {first} is not {test.elo1:g} Elo stronger than {second} {facts}."
    return f"Undecided after {evidence.pairs} openings; the same command with more --games goes on {facts}."
