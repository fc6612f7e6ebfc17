"""A person as strangers see them: a name, a rating, and the number of abandoned games."""

from __future__ import annotations

from dataclasses import dataclass, replace

from connectk.glicko import Glicko

GAMES_ABANDONED_BEFORE_PAUSE = 3  # so many abandoned games within the window mean a pause
ABANDON_WINDOW_SECONDS = 86_400.0
PAUSE_SECONDS = 600.0
PROVISIONAL_DEVIATION = 110.0  # a rating that is less certain is marked


NEW_PLAYER = Glicko()


@dataclass(frozen=True, slots=True)
class Profile:
    """A person who plays strangers. There is no password. Only the hashes of the secrets of the profile's devices are
    stored."""

    id: str
    name: str = ""  # empty for a guest
    glicko: Glicko = NEW_PLAYER
    wins: int = 0
    draws: int = 0
    losses: int = 0
    balance: int = 0  # how many more games were played as the first side than as the second
    abandoned: tuple[float, ...] = ()  # when games were abandoned, within the window
    paused_until: float = 0.0
    rated_at: float = 0.0  # when the rating last changed
    created: float = 0.0
    opponents: int = 0  # the most different opponents in rated games within `OPPONENT_DAYS`

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def is_provisional(self) -> bool:
        return self.glicko.deviation > PROVISIONAL_DEVIATION

    def is_paused(self, now: float) -> bool:
        return now < self.paused_until

    def after_abandoning(self, now: float) -> Profile:
        """The profile after one more abandoned game. The third abandoned game within a day starts a pause, and the
        count starts again from zero."""
        recent = (*(at for at in self.abandoned if now - at < ABANDON_WINDOW_SECONDS), now)
        if len(recent) < GAMES_ABANDONED_BEFORE_PAUSE:
            return replace(self, abandoned=recent)
        return replace(self, abandoned=(), paused_until=now + PAUSE_SECONDS)

    def after_scoring(self, score: float, glicko: Glicko, now: float) -> Profile:
        """The profile after a rated game. `score` is 1 for a win, 0.5 for a draw and 0 for a loss."""
        return replace(
            self,
            glicko=glicko,
            rated_at=now,
            wins=self.wins + (score == 1.0),
            draws=self.draws + (score == 0.5),
            losses=self.losses + (score == 0.0),
        )
