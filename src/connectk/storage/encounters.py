"""Reads and writes seeks and encounters. Pairing, settling and beginning the next game of a series each take one
transaction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, case, delete, false, func, insert, select, union, update

from connectk.glicko import Glicko
from connectk.play.match import Match, TimeControl
from connectk.rules import Result, Side
from connectk.storage import profiles as profile_rows
from connectk.storage.stranger_tables import encounters, profiles, seeks
from connectk.strangers.encounter import NO_POINTS, Encounter, Points, is_decided
from connectk.strangers.profile import Profile
from connectk.strangers.protocols import StoredSeek
from connectk.strangers.rating import (
    OPPONENT_DAYS,
    SECONDS_PER_DAY,
    abandoned_side,
    after_game,
    aged,
    below_ceiling,
    counts_for_rating,
    rate_both,
    result_of_players,
    scores_of,
)
from connectk.strangers.seek import Seek, SeekPair

MAX_OPEN_SEEKS = 2000  # read at once
SERIES_PAUSE_SECONDS = 6.0  # between two games of a series
MAX_COUNTED_OPPONENTS = 100  # of one player; no rating is as high as the ceiling for more


class EncounterHashes(NamedTuple):
    """The hashes that identify an encounter: one of both addresses, and one of the opponent of each side."""

    places: str | None
    opponents: tuple[str | None, str | None]

    @property
    def swapped(self) -> EncounterHashes:
        return EncounterHashes(self.places, (self.opponents[1], self.opponents[0]))


def is_encounter(match: Any) -> ColumnElement[int]:
    """An SQL expression: 1 for a match of two strangers, 0 for any other match."""
    return case((select(encounters.c.match).where(encounters.c.match == match).exists(), 1), else_=0)


# --- seeks


def insert_seek(connection: Connection, seek: Seek) -> StoredSeek:
    """Store a seek, which replaces the profile's earlier seek. If a seek with the same secret exists, it is returned
    instead, so that clients can repeat the request."""
    known = connection.execute(select(seeks.c.id).where(seeks.c.holder == seek.holder)).scalar()
    if known:
        found = find_seek(connection, known)
        assert found
        return found
    withdraw(connection, seek.profile)
    connection.execute(insert(seeks), _seek_row(seek))
    return StoredSeek(seek, None)


def _seek_row(seek: Seek) -> dict[str, Any]:
    names = "id", "profile", "holder", "device", "address", "variant", "created"
    choices = "rated", "public", "best_of", "takes_level", "listed", "swap_discs"
    row = {name: getattr(seek, name) for name in names + choices}
    return row | {"seconds": seek.control.seconds, "increment": seek.control.increment, "seen": seek.created}


def withdraw(connection: Connection, profile: str) -> None:
    """Delete the profile's open seek. A seek that has a match stays."""
    connection.execute(delete(seeks).where(seeks.c.profile == profile, seeks.c.match.is_(None)))


def find_seek(connection: Connection, seek_id: str) -> StoredSeek | None:
    row = connection.execute(_seeks().where(seeks.c.id == seek_id)).first()
    return None if row is None else StoredSeek(_seek_from(row), row.match)


def open_seeks(connection: Connection, seen_after: float) -> list[Seek]:
    """The seeks without a match whose owners are connected, with the oldest seek first."""
    waiting = _seeks().where(seeks.c.match.is_(None), seeks.c.seen > seen_after)
    rows = connection.execute(waiting.order_by(seeks.c.created, seeks.c.id).limit(MAX_OPEN_SEEKS)).all()
    muted = profile_rows.muted_by(connection, [row.profile for row in rows])
    return [replace(_seek_from(row), muted=muted.get(row.profile, frozenset())) for row in rows]


def _seeks() -> Any:
    shown = (getattr(profiles.c, name) for name in ("name", "rating", "deviation", "volatility", "balance"))
    return select(seeks, *shown).join(profiles, profiles.c.id == seeks.c.profile)


def _seek_from(row: Any) -> Seek:
    return Seek(
        id=row.id,
        profile=row.profile,
        name=row.name,
        holder=row.holder,
        device=row.device,
        address=row.address,
        variant=row.variant,
        control=TimeControl(row.seconds, row.increment),
        rated=row.rated,
        public=row.public,
        best_of=row.best_of,
        takes_level=row.takes_level,
        glicko=Glicko(row.rating, row.deviation, row.volatility),
        balance=row.balance,
        created=row.created,
        listed=row.listed,
        swap_discs=row.swap_discs,
    )


def count_open(connection: Connection, address: str, seen_after: float) -> tuple[int, int]:
    """The number of open seeks from this address, and the number of all open seeks."""
    waiting = seeks.c.match.is_(None) & (seeks.c.seen > seen_after)
    own = func.coalesce(func.sum(case((seeks.c.address == address, 1), else_=0)), 0)
    row = connection.execute(select(own, func.count()).where(waiting)).one()
    return int(row[0]), int(row[1])


def matches_of_seeks(connection: Connection, ids: list[str]) -> dict[str, str | None]:
    """The match of each of these seeks, or None if a seek has no match yet. Seeks that no longer exist are left out."""
    found = connection.execute(select(seeks.c.id, seeks.c.match).where(seeks.c.id.in_(ids)))
    return {row.id: row.match for row in found}


def seek_address(connection: Connection, match: str, profile: str) -> str | None:
    """The address of the seek from which a profile got this match. None if that seek has been deleted."""
    mine = select(seeks.c.address).where(seeks.c.match == match, seeks.c.profile == profile)
    return connection.execute(mine).scalar()


def note_seen(connection: Connection, ids: list[str], now: float) -> None:
    """Remember that the owners of these seeks are still connected."""
    connection.execute(update(seeks).where(seeks.c.id.in_(sorted(ids))).values(seen=now))


def delete_stale(connection: Connection, before: float) -> None:
    connection.execute(delete(seeks).where(seeks.c.seen < before))


def claim(connection: Connection, ids: list[str], match: str) -> bool:
    """Assign this match to these seeks, if all of them are still open. If several servers try this at once, only one
    succeeds."""
    free = select(seeks.c.id).where(seeks.c.id.in_(ids), seeks.c.match.is_(None)).order_by(seeks.c.id)
    if len(connection.execute(free.with_for_update()).all()) < len(ids):
        return False
    connection.execute(update(seeks).where(seeks.c.id.in_(ids)).values(match=match))
    return True


# --- encounters


def encounter_from(row: Any) -> Encounter:
    return Encounter(
        match=row.match,
        profiles=(row.first, row.second),
        before=_glickos(row.before),
        rated=row.rated,
        best_of=row.best_of,
        game=row.game,
        points=Points(*row.points),
        created=row.created,
        settled=row.settled,
        after=row.after and _glickos(row.after),
        scores=row.scores and (row.scores[0], row.scores[1]),
        abandoned=row.abandoned and Side[row.abandoned.upper()],
        next_at=row.next_at,
        evidence=row.evidence,
    )


def _glickos(values: Any) -> tuple[Glicko, Glicko]:
    return Glicko(*values[0]), Glicko(*values[1])


def _values(glickos: tuple[Glicko, Glicko]) -> list[list[float]]:
    return [[glicko.rating, glicko.deviation, glicko.volatility] for glicko in glickos]


def insert_pair(connection: Connection, pair: SeekPair, match: str, now: float) -> None:
    """Store the encounter of a match that was just paired."""
    ids = pair.first.profile, pair.second.profile
    _insert(connection, match, ids, pair.rated, pair.best_of, now, EncounterHashes(pair.places, pair.opponents))


def _insert(
    connection: Connection,
    match: str,
    ids: tuple[str, str],
    rated: bool,
    best_of: int,
    now: float,
    hashes: EncounterHashes,
    game: int = 1,
    points: Points = NO_POINTS,
) -> None:
    known = profile_rows.by_id(connection, ids)
    before = tuple(known[one].glicko if one in known else Glicko() for one in ids)
    row = {
        "match": match,
        "first": ids[0],
        "second": ids[1],
        "pair": " ".join(sorted(ids)),
        "before": _values((before[0], before[1])),
        "rated": rated,
        "best_of": best_of,
        "game": game,
        "points": list(points),
        "created": now,
        "counted": False,
        "places": hashes.places,
        "opponent_of_first": hashes.opponents[0],
        "opponent_of_second": hashes.opponents[1],
    }
    connection.execute(insert(encounters), row)


def insert_rematch(connection: Connection, made: Match, finished: Match) -> None:
    """Store the encounter of a rematch, as the next game of the series or, if that is over, the first game of a new
    one."""
    before = find(connection, finished.id)
    if before is None or finished.result is None:
        return
    points = before.points.plus(scores_of(result_of_players(finished)))
    over = bool(abandoned_side(finished)) or is_decided(before.best_of, before.game, points)
    game, points = (1, NO_POINTS) if over else (before.game + 1, points.swapped)
    ids = before.profiles[1], before.profiles[0]
    hashes = _hashes_of(connection, finished.id).swapped
    _insert(connection, made.id, ids, before.rated, before.best_of, made.created, hashes, game, points)
    connection.execute(update(encounters).where(encounters.c.match == finished.id).values(next_at=None))


def _hashes_of(connection: Connection, match: str) -> EncounterHashes:
    columns = encounters.c.places, encounters.c.opponent_of_first, encounters.c.opponent_of_second
    places, *opponents = connection.execute(select(*columns).where(encounters.c.match == match)).one()
    return EncounterHashes(places, (opponents[0], opponents[1]))


def find(connection: Connection, match: str) -> Encounter | None:
    row = connection.execute(select(encounters).where(encounters.c.match == match)).first()
    return None if row is None else encounter_from(row)


def unsettled(connection: Connection, limit: int) -> list[str]:
    """The matches of encounters that are not settled yet, the oldest first."""
    found = select(encounters.c.match).where(encounters.c.settled.is_(None)).order_by(encounters.c.created)
    return list(connection.execute(found.limit(limit)).scalars())


def due_games(connection: Connection, now: float, limit: int) -> list[str]:
    """The matches after which the next game of a series should begin now."""
    due = encounters.c.next_at.is_not(None) & (encounters.c.next_at <= now)
    return list(connection.execute(select(encounters.c.match).where(due).limit(limit)).scalars())


def settle(connection: Connection, match: Match, now: float) -> Encounter | None:
    """Store the result of a finished match: ratings, counts, abandoned games.

    Returns None if this was done before, so that each result counts once even if several servers store it.
    """
    mine = encounters.c.match == match.id
    open_now = mine & encounters.c.settled.is_(None)
    if not connection.execute(update(encounters).where(open_now).values(settled=now)).rowcount:
        return None
    found = find(connection, match.id)
    assert found
    assert match.result
    settled = _settled(connection, found, match, now)
    next_at = None if settled.is_series_over else now + SERIES_PAUSE_SECONDS
    values = {
        "counted": settled.after is not None,
        "after": settled.after and _values(settled.after),
        "scores": settled.scores,
        "abandoned": settled.abandoned and str(settled.abandoned),
        "next_at": next_at,
    }
    connection.execute(update(encounters).where(mine).values(**values))
    return replace(settled, next_at=next_at)


def _settled(connection: Connection, encounter: Encounter, match: Match, now: float) -> Encounter:
    assert match.result
    players = profile_rows.by_id(connection, encounter.profiles, lock=True)
    result, side_that_left = result_of_players(match), abandoned_side(match)
    scores, left = scores_of(result), None if side_that_left is None else match.original(side_that_left)
    after = None
    if encounter.rated and len(players) == 2:
        hashes = _hashes_of(connection, encounter.match)
        if counts_for_rating(match, _games_today(connection, encounter, hashes, now)):
            first, second = (
                _with_opponent(connection, players[profile], opponent, now)
                for profile, opponent in zip(encounter.profiles, hashes.opponents, strict=True)
            )
            players |= {first.id: first, second.id: second}
            after = _rated(first, second, result, now)
    for side in Side:
        if player := players.get(encounter.profile_of(side)):
            glicko = after[side.value] if after else None
            changed = after_game(player, scores[side.value], glicko, left is side, now)
            step = 1 if side is Side.FIRST else -1
            profile_rows.store(connection, replace(changed, balance=changed.balance + step))
    return replace(encounter, settled=now, after=after, scores=scores, abandoned=left)


def _rated(first: Profile, second: Profile, result: Result, now: float) -> tuple[Glicko, Glicko]:
    """Both ratings after a rated game."""
    mine, theirs = (aged(one.glicko, now - (one.rated_at or now)) for one in (first, second))
    my_after, their_after = rate_both(mine, theirs, result)
    return below_ceiling(mine, my_after, first.opponents), below_ceiling(theirs, their_after, second.opponents)


def _with_opponent(connection: Connection, profile: Profile, opponent: str | None, now: float) -> Profile:
    """The profile with the updated number of its different opponents, which includes the current one."""
    since = now - OPPONENT_DAYS * SECONDS_PER_DAY
    rated = encounters.c.counted & (encounters.c.created > since)
    met = union(
        select(encounters.c.opponent_of_first).where(encounters.c.first == profile.id, rated),
        select(encounters.c.opponent_of_second).where(encounters.c.second == profile.id, rated),
    )
    found = set(connection.execute(met.limit(MAX_COUNTED_OPPONENTS)).scalars()) | {opponent}
    return replace(profile, opponents=max(profile.opponents, len(found - {None})))


def _games_today(connection: Connection, encounter: Encounter, hashes: EncounterHashes, now: float) -> int:
    """The number of rated games within a day between the same two profiles or the same two addresses. Addresses count
    too, because one person may have many profiles."""
    pair, places = " ".join(sorted(encounter.profiles)), hashes.places
    same = (encounters.c.pair == pair) | (encounters.c.places == places if places else false())
    today = encounters.c.counted & (encounters.c.settled > now - SECONDS_PER_DAY)
    return int(connection.execute(select(func.count()).where(same, today)).scalar_one())


def forget_places(connection: Connection, now: float) -> None:
    """Delete the hashes of addresses when they are no longer needed to count the games of a day."""
    old = encounters.c.places.is_not(None) & (encounters.c.created < now - 2 * SECONDS_PER_DAY)
    connection.execute(update(encounters).where(old).values(places=None))
    oldest = now - (OPPONENT_DAYS + 1) * SECONDS_PER_DAY
    old = encounters.c.opponent_of_first.is_not(None) & (encounters.c.created < oldest)
    connection.execute(update(encounters).where(old).values(opponent_of_first=None, opponent_of_second=None))


def end_series(connection: Connection, match: str) -> None:
    """End the series after this match."""
    connection.execute(update(encounters).where(encounters.c.match == match).values(next_at=None))


def make_unrated(connection: Connection, match: str) -> None:
    """Make a match unrated, because the operator ends it."""
    connection.execute(update(encounters).where(encounters.c.match == match).values(rated=False))


def unchecked(connection: Connection, since: float, limit: int) -> list[str]:
    """Rated matches that the fair-play check has not examined yet, the oldest first."""
    mine = encounters.c.counted & (encounters.c.settled > since) & encounters.c.evidence.is_(None)
    found = select(encounters.c.match).where(mine).order_by(encounters.c.settled).limit(limit)
    return list(connection.execute(found).scalars())


def store_evidence(connection: Connection, match: str, evidence: dict[str, object]) -> None:
    connection.execute(update(encounters).where(encounters.c.match == match).values(evidence=evidence))
