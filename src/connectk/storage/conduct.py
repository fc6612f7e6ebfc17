"""The reports and the evidence from rated games that an administrator sees about people who play strangers."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from sqlalchemy import Connection, Engine, select

from connectk.rules import Side
from connectk.storage import profiles as profile_rows
from connectk.storage.admin import BadOrder
from connectk.storage.encounters import encounter_from
from connectk.storage.stranger_tables import encounters, reports
from connectk.strangers.fairplay import PlayEvidence, read_evidence, sum_evidence
from connectk.strangers.profile import Profile

NO_EVIDENCE = sum_evidence(())


class Conduct(NamedTuple):
    """The known facts about one profile. `reported` lists the matches that were reported. `compared` lists the matches
    whose drops count as evidence."""

    profile: Profile
    reasons: Counter[str]
    reported: tuple[str, ...]
    evidence: PlayEvidence
    compared: tuple[str, ...]


def conduct_to_look_at(database: Engine, since: float) -> list[Conduct]:
    """The profiles that were reported since the time `since`, or that play unlikely well for their rating, the most
    reported first."""
    with database.connect() as connection:
        reported, compared = _reports(connection, since), _evidence(connection, since)
        sums = {profile: sum_evidence(games.values()) for profile, games in compared.items()}
        ids = {*reported, *(profile for profile, evidence in sums.items() if evidence.is_unlikely)}
        known = profile_rows.by_id(connection, ids)
    found = [
        Conduct(
            profile,
            Counter(reported[one].values()),
            tuple(sorted(reported[one])),
            sums.get(one, NO_EVIDENCE),
            tuple(sorted(compared[one])),
        )
        for one, profile in known.items()
    ]
    return sorted(found, key=lambda conduct: (-conduct.reasons.total(), conduct.evidence.chance, conduct.profile.id))


def _reports(connection: Connection, since: float) -> defaultdict[str, dict[str, str]]:
    """For each reported profile, the matches of the reports with their reasons."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for row in connection.execute(select(reports).where(reports.c.at > since)):
        found[row.about][row.match] = row.reason
    return found


def _evidence(connection: Connection, since: float) -> defaultdict[str, dict[str, PlayEvidence]]:
    """For each profile, the evidence from each checked rated game."""
    found: defaultdict[str, dict[str, PlayEvidence]] = defaultdict(dict)
    looked_at = encounters.c.counted & (encounters.c.settled > since) & encounters.c.evidence.is_not(None)
    for encounter in map(encounter_from, connection.execute(select(encounters).where(looked_at))):
        for side in Side:
            drops = (encounter.evidence or {}).get(str(side))
            if isinstance(drops, list):
                found[encounter.profile_of(side)][encounter.match] = read_evidence(drops)
    return found


def clear_name(database: Engine, profile: str) -> None:
    """Make a profile a guest without a name. Others may then take the name."""
    with database.begin() as connection:
        _require(connection, profile)
        profile_rows.rename(connection, profile, "")


def delete_profile(database: Engine, profile: str) -> None:
    """Delete a profile with its rating. Its matches stay."""
    with database.begin() as connection:
        _require(connection, profile)
        profile_rows.remove(connection, [profile])


def _require(connection: Connection, profile: str) -> None:
    if not profile_rows.by_id(connection, [profile]):
        raise BadOrder("error.BadOrder.no_profile", profile=profile[:100])
