"""`connectk admin reports`, `clear-name` and `delete-profile`: how an administrator handles people who play
strangers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import typer

from connectk.commands.backup import DATABASE_OPTION, open_existing
from connectk.commands.console import print_json, settings, texts_for
from connectk.commands.localized import LocalizedTyper

if TYPE_CHECKING:
    from connectk.storage.conduct import Conduct
    from connectk.texts import Texts

DAYS_OPTION = typer.Option(30.0, min=0.0)
PROFILE_ARGUMENT = typer.Argument()
SECONDS_PER_DAY = 86_400.0


def register(admin: LocalizedTyper) -> None:
    admin.command("reports", epilog="connectk admin reports --days 7")(reports)
    admin.command("clear-name", epilog="connectk admin clear-name 3f2c...")(clear_name)
    admin.command("delete-profile", epilog="connectk admin delete-profile 3f2c...")(delete_profile)


def reports(days: float = DAYS_OPTION, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.conduct import conduct_to_look_at

        found = conduct_to_look_at(engine, time.time() - days * SECONDS_PER_DAY)
    if settings().json:
        print_json({"profiles": [_facts(conduct) for conduct in found]})
        return
    texts = texts_for()
    lines = [line for conduct in found for line in _lines(conduct, texts)]
    typer.echo("\n".join(lines or [texts("admin.no_reports")]))


def _facts(conduct: Conduct) -> dict[str, object]:
    profile, evidence = conduct.profile, conduct.evidence
    return {
        "profile": profile.id,
        "name": profile.name,
        "rating": round(profile.glicko.rating),
        "games": profile.games,
        "reports": dict(conduct.reasons),
        "reported": list(conduct.reported),
        "compared_games": evidence.games,
        "decisions": evidence.decisions,
        "kept": evidence.kept,
        "level_kept": evidence.level_kept,
        "chance": evidence.chance,
        "unlikely": evidence.is_unlikely,
        "middle_seconds": evidence.middle_seconds,
        "compared": list(conduct.compared),
    }


def _lines(conduct: Conduct, texts: Texts) -> list[str]:
    profile, evidence = conduct.profile, conduct.evidence
    name = profile.name or texts("name.guest")
    games = texts("count.games", count=profile.games)
    lines = [texts("admin.profile", name=name, id=profile.id, rating=round(profile.glicko.rating), games=games)]
    if conduct.reasons:
        each = ", ".join(f"{texts(f'stranger.report.{why}')} ({count})" for why, count in conduct.reasons.most_common())
        lines.append(texts("admin.reported", reasons=each, matches=" ".join(conduct.reported)))
    if evidence.decisions:
        lines.append(_evidence_line(conduct, texts))
    if middle := evidence.middle_seconds:
        lines.append(texts("admin.seconds", low=middle[0], high=middle[1]))
    return [lines[0], *(f"  {line}" for line in lines[1:])]


def _evidence_line(conduct: Conduct, texts: Texts) -> str:
    evidence = conduct.evidence
    key = "admin.evidence_unlikely" if evidence.is_unlikely else "admin.evidence"
    games = texts("count.games", count=evidence.games)
    facts = {"kept": evidence.kept, "decisions": evidence.decisions, "level": evidence.level_kept}
    return texts(key, games=games, chance=f"{evidence.chance:.2g}", matches=" ".join(conduct.compared), **facts)


def clear_name(profile: str = PROFILE_ARGUMENT, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.conduct import clear_name

        clear_name(engine, profile)


def delete_profile(profile: str = PROFILE_ARGUMENT, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.conduct import delete_profile

        delete_profile(engine, profile)
