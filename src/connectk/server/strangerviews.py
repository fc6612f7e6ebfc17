"""Builds the messages about profiles, seeks and encounters."""

from __future__ import annotations

from connectk.glicko import Glicko
from connectk.notation.views import SIDE_NAMES
from connectk.play.match import Match
from connectk.rules import Side, Variant
from connectk.server import schemas
from connectk.server.views import variant_view
from connectk.strangers.encounter import Encounter
from connectk.strangers.profile import PROVISIONAL_DEVIATION, Profile
from connectk.strangers.protocols import EncounterPlayers, StoredSeek
from connectk.strangers.rating import rating_ceiling
from connectk.strangers.seek import COMPUTER_JOINS_AFTER_SECONDS, Seek


def rating_view(glicko: Glicko) -> schemas.RatingView:
    deviation = glicko.deviation
    return {
        "rating": round(glicko.rating),
        "deviation": round(deviation),
        "provisional": deviation > PROVISIONAL_DEVIATION,
    }


def profile_view(profile: Profile, now: float) -> schemas.ProfileAnswer:
    return {
        "id": profile.id,
        "name": profile.name,
        "rating": rating_view(profile.glicko),
        "wins": profile.wins,
        "draws": profile.draws,
        "losses": profile.losses,
        "paused_seconds": max(0, round(profile.paused_until - now)),
    }


def seek_view(seek: Seek, now: float) -> schemas.SeekView:
    return {
        "id": seek.id,
        "name": seek.name,
        "rating": rating_view(seek.glicko),
        "variant": variant_view(Variant.parse(seek.variant)),
        "clock": [seek.control.seconds, seek.control.increment],
        "rated": seek.rated,
        "public": seek.public,
        "best_of": seek.best_of,
        "swap_discs": seek.swap_discs,
        "waited": round(max(0.0, now - seek.created), 1),
    }


def seek_answer(stored: StoredSeek, is_level: bool, waiting: int, now: float) -> schemas.SeekAnswer:
    seek, match = stored
    left = max(0.0, seek.created + COMPUTER_JOINS_AFTER_SECONDS - now)
    return {
        "seek": seek_view(seek, now),
        "state": "paired" if match else "waiting",
        "match": match,
        "level": is_level,
        "waiting": waiting,
        "level_in": round(left, 1) if seek.takes_level and not match else None,
    }


def encounter_view(players: EncounterPlayers, match: Match, muted: bool) -> schemas.EncounterAnswer:
    """The encounter, stated for the sides that the players have now."""
    encounter = players.encounter
    points = encounter.points_after
    return {
        "first": _player_view(players, match.original(Side.FIRST)),
        "second": _player_view(players, match.original(Side.SECOND)),
        "rated": encounter.rated,
        "settled": encounter.settled is not None,
        "counted": encounter.after is not None,
        "abandoned": None if encounter.abandoned is None else SIDE_NAMES[match.original(encounter.abandoned)],
        "best_of": encounter.best_of,
        "game": encounter.game,
        "points": list(points.swapped if match.exchanges % 2 else points),
        "series_over": encounter.is_series_over,
        "muted": muted,
    }


def _player_view(players: EncounterPlayers, side: Side) -> schemas.EncounterPlayerView:
    encounter, profile = players.encounter, players.profiles[side.value]
    return {
        "name": profile.name if profile else "",
        "before": rating_view(encounter.before[side.value]),
        "after": rating_view(encounter.after[side.value]) if encounter.after else None,
        "ceiling": _reached_ceiling(encounter, side, profile),
    }


def _reached_ceiling(encounter: Encounter, side: Side, profile: Profile | None) -> int | None:
    """The ceiling of a player's rating, if a win has reached it; otherwise None."""
    if not (profile and encounter.after and encounter.scores) or encounter.scores[side.value] < 1:
        return None
    ceiling = rating_ceiling(profile.opponents)
    return round(ceiling) if encounter.after[side.value].rating >= ceiling else None
