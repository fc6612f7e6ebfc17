"""Reads and writes profiles, the secrets of their devices, mutes and reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from connectk.glicko import Glicko
from connectk.rooms.names import normalized
from connectk.storage.stranger_tables import devices, encounters, mutes, profiles, reports, seeks, transfers
from connectk.strangers.profile import Profile
from connectk.strangers.refusals import ProfileNameTaken, WrongTransferCode

MAX_DEVICES = 8  # of one profile; the oldest is forgotten
SEEN_WRITE_INTERVAL_SECONDS = 3600.0  # the shortest time between two writes of `seen`


def profile_from(row: Any) -> Profile:
    return Profile(
        id=row.id,
        name=row.name,
        glicko=Glicko(row.rating, row.deviation, row.volatility),
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        balance=row.balance,
        abandoned=tuple(row.abandoned),
        paused_until=row.paused_until,
        rated_at=row.rated_at,
        created=row.created,
        opponents=row.opponents,
    )


def _row_of(profile: Profile) -> dict[str, Any]:
    return {
        "rating": profile.glicko.rating,
        "deviation": profile.glicko.deviation,
        "volatility": profile.glicko.volatility,
        "wins": profile.wins,
        "draws": profile.draws,
        "losses": profile.losses,
        "balance": profile.balance,
        "abandoned": list(profile.abandoned),
        "paused_until": profile.paused_until,
        "rated_at": profile.rated_at,
        "opponents": profile.opponents,
    }


def create(connection: Connection, profile: Profile, secret: str) -> Profile:
    """Store a new profile with the hash of its secret. If the secret already has a profile, that one is returned, so
    that clients can repeat the request."""
    known = find(connection, secret)
    if known:
        return known
    _require_free_name(connection, profile.name, profile.id)
    named = {"id": profile.id, "name": profile.name, "name_key": _name_key(profile.name)}
    times = {"created": profile.created, "seen": profile.created}
    connection.execute(insert(profiles), _row_of(profile) | named | times)
    connection.execute(insert(devices), {"secret": secret, "profile": profile.id, "created": profile.created})
    return profile


def find(connection: Connection, secret: str) -> Profile | None:
    """The profile of the device whose secret has this hash."""
    mine = select(devices.c.profile).where(devices.c.secret == secret).scalar_subquery()
    row = connection.execute(select(profiles).where(profiles.c.id == mine)).first()
    return None if row is None else profile_from(row)


def by_id(connection: Connection, ids: Iterable[str], lock: bool = False) -> dict[str, Profile]:
    """These profiles, by id. With `lock`, nobody else can change them until the transaction ends. They are locked in
    the order of their ids, so that no two transactions block each other."""
    found = select(profiles).where(profiles.c.id.in_(list(ids))).order_by(profiles.c.id)
    rows = connection.execute(found.with_for_update() if lock else found)
    return {row.id: profile_from(row) for row in rows}


def store(connection: Connection, profile: Profile) -> None:
    """Write the rating, the counts and the pause of a profile."""
    connection.execute(update(profiles).where(profiles.c.id == profile.id).values(**_row_of(profile)))


def rename(connection: Connection, profile: str, name: str) -> None:
    _require_free_name(connection, name, profile)
    values = {"name": name, "name_key": _name_key(name)}
    connection.execute(update(profiles).where(profiles.c.id == profile).values(**values))


def _name_key(name: str) -> str | None:
    return normalized(name) or None


def _require_free_name(connection: Connection, name: str, profile: str) -> None:
    key = _name_key(name)
    taken = select(profiles.c.id).where(profiles.c.name_key == key, profiles.c.id != profile)
    if key and connection.execute(taken).first():
        raise ProfileNameTaken


def note_seen(connection: Connection, profile: str, now: float) -> None:
    """Remember that this profile is still in use."""
    old = (profiles.c.id == profile) & (profiles.c.seen < now - SEEN_WRITE_INTERVAL_SECONDS)
    connection.execute(update(profiles).where(old).values(seen=now))


def add_transfer(connection: Connection, profile: str, code: str, now: float, expires: float) -> None:
    """Store the hash of a code that gives the profile to another device. Earlier codes no longer work."""
    connection.execute(delete(transfers).where(or_(transfers.c.profile == profile, transfers.c.expires < now)))
    connection.execute(insert(transfers), {"code": code, "profile": profile, "expires": expires})


def claim_transfer(connection: Connection, code: str, secret: str, now: float) -> Profile:
    """Give the profile to the device whose secret has this hash. The code cannot be used again."""
    valid = (transfers.c.code == code) & (transfers.c.expires >= now)
    profile = connection.execute(select(transfers.c.profile).where(valid).with_for_update()).scalar()
    found = by_id(connection, [profile]) if profile else {}
    if not found or not connection.execute(delete(transfers).where(valid)).rowcount:
        raise WrongTransferCode
    connection.execute(delete(devices).where(devices.c.secret == secret))
    connection.execute(insert(devices), {"secret": secret, "profile": profile, "created": now})
    _forget_oldest(connection, found[str(profile)].id)
    return found[str(profile)]


def _forget_oldest(connection: Connection, profile: str) -> None:
    newest = select(devices.c.secret).where(devices.c.profile == profile).order_by(devices.c.created.desc())
    surplus = list(connection.execute(newest.offset(MAX_DEVICES)).scalars())
    connection.execute(delete(devices).where(devices.c.secret.in_(surplus)))


def remove(connection: Connection, ids: Sequence[str]) -> None:
    """Delete profiles with all data that belongs only to them. Their matches and the opponents' ratings stay."""
    connection.execute(delete(mutes).where(or_(mutes.c.profile.in_(ids), mutes.c.muted.in_(ids))))
    connection.execute(delete(reports).where(or_(reports.c.profile.in_(ids), reports.c.about.in_(ids))))
    for column in (devices.c.profile, transfers.c.profile, seeks.c.profile, profiles.c.id):
        connection.execute(delete(column.table).where(column.in_(ids)))


def remove_unused(connection: Connection, before: float, limit: int) -> int:
    """Delete profiles, with their names, that have played no match and have not been used since the time `before`."""
    played = select(encounters.c.match).where(
        or_(encounters.c.first == profiles.c.id, encounters.c.second == profiles.c.id)
    )
    unused = select(profiles.c.id).where(profiles.c.seen < before, profiles.c.rated_at == 0, ~played.exists())
    ids = list(connection.execute(unused.limit(limit)).scalars())
    if ids:
        remove(connection, ids)
    return len(ids)


def free_names(connection: Connection, before: float, limit: int) -> int:
    """Release the names of profiles that have not been used since the time `before`. Their ratings stay."""
    unused = select(profiles.c.id).where(profiles.c.seen < before, profiles.c.name_key.is_not(None)).limit(limit)
    ids = list(connection.execute(unused).scalars())
    if ids:
        connection.execute(update(profiles).where(profiles.c.id.in_(ids)).values(name="", name_key=None))
    return len(ids)


def set_muted(connection: Connection, profile: str, other: str, muted: bool) -> None:
    mine = (mutes.c.profile == profile) & (mutes.c.muted == other)
    connection.execute(delete(mutes).where(mine))
    if muted:
        connection.execute(insert(mutes), {"profile": profile, "muted": other})


def is_muted(connection: Connection, profile: str, other: str) -> bool:
    mine = (mutes.c.profile == profile) & (mutes.c.muted == other)
    return connection.execute(select(func.count()).select_from(mutes).where(mine)).scalar_one() > 0


def muted_by(connection: Connection, ids: Iterable[str]) -> dict[str, frozenset[str]]:
    """For each of these profiles, the set of profiles that it has muted."""
    found: dict[str, set[str]] = {}
    for row in connection.execute(select(mutes).where(mutes.c.profile.in_(list(ids)))):
        found.setdefault(row.profile, set()).add(row.muted)
    return {profile: frozenset(muted) for profile, muted in found.items()}


def add_report(connection: Connection, by: str, about: str, match: str, reason: str, now: float) -> None:
    """Store a report. A second report by the same person about the same match replaces the first."""
    mine = (reports.c.profile == by) & (reports.c.match == match)
    connection.execute(delete(reports).where(mine))
    row = {"profile": by, "match": match, "about": about, "reason": reason, "at": now}
    connection.execute(insert(reports), row)
