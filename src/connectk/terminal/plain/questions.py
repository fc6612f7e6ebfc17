"""The start of a plain game: what to play, asked one thing at a time."""

from __future__ import annotations

from connectk.errors import ImpossibleVariant
from connectk.rules import CLASSIC, Position, Variant
from connectk.terminal.choices import LEVELS, Choices, Mode, level_name
from connectk.terminal.match import Match
from connectk.terminal.plain.talk import Talk
from connectk.terminal.refusals import explain
from connectk.terminal.store import Autosave

LARGEST_ASKED = 1000


def ask_match(talk: Talk, autosave: Autosave) -> Match:
    """The game that the answers describe, or the one in progress."""
    keys = ["mode.computer", "mode.two", "mode.demo", *(["mode.resume"] if autosave.is_there else [])]
    picked = talk.menu(talk.texts("ask.mode"), [talk.texts(key) for key in keys])
    return autosave.load() if picked == len(Mode) else _ask_choices(talk, list(Mode)[picked]).match()


def _ask_choices(talk: Talk, mode: Mode) -> Choices:
    players = _ask_players(talk, mode)
    computer_starts = mode is Mode.COMPUTER and not talk.yes(talk.texts("ask.you_start"))
    return Choices(mode, computer_starts, players, Position.start(_ask_variant(talk)))


def _ask_players(talk: Talk, mode: Mode) -> tuple[str, str]:
    if mode is Mode.TWO_PLAYERS:
        return Choices().players
    first = level_name(talk.number(talk.texts("ask.level"), LEVELS[0], LEVELS[-1]))
    return first, first


def _ask_variant(talk: Talk) -> Variant:
    texts = talk.texts
    if talk.yes(texts("ask.classic")):
        return CLASSIC
    while True:
        size = [talk.number(texts(key), 1, LARGEST_ASKED) for key in ("ask.width", "ask.height", "ask.run")]
        try:
            return Variant(*size)
        except ImpossibleVariant as error:
            talk.say(explain(error, texts))
