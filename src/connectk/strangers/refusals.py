"""Errors for requests from people who play strangers."""

from __future__ import annotations

from connectk.play.refusals import Refusal
from connectk.texts import Texts


class StrangerRefusal(Refusal):
    """A request from a person who plays strangers is refused. The message has the key `stranger.refused.` followed by
    the reason."""

    def __init_subclass__(cls) -> None:
        cls.key = f"stranger.refused.{cls.reason}"


class ProfileNotFound(StrangerRefusal):
    """No profile has this secret."""

    reason = "no_profile"


class SeekNotFound(StrangerRefusal):
    """The seek was withdrawn, or somebody else has taken it."""

    reason = "no_seek"


class ProfileNameTaken(StrangerRefusal):
    reason = "profile_name_taken"


class ProfilePaused(StrangerRefusal):
    """This person has abandoned several games and must wait before the next one."""

    reason = "paused"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(seconds)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"count": max(1, round(self.seconds / 60))}


class WrongTransferCode(StrangerRefusal):
    """The code is wrong, was used, or is too old."""

    reason = "wrong_transfer_code"


class OwnSeek(StrangerRefusal):
    """The person may not take this challenge. It is their own, or one of the two has muted the other."""

    reason = "own_seek"
