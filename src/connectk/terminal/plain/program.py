"""The plain program: questions, games, what next, until the person leaves."""

from __future__ import annotations

import sys

from connectk.errors import ConnectkError
from connectk.terminal.glyphs import discs_for, is_ascii_only, writable
from connectk.terminal.match import Match
from connectk.terminal.plain.after import ask_what_next
from connectk.terminal.plain.game import Left, PlainGame
from connectk.terminal.plain.questions import ask_match
from connectk.terminal.plain.talk import Talk
from connectk.terminal.refusals import explain
from connectk.terminal.settings import Settings
from connectk.texts import load_texts


class PlainProgram:
    """Plays the match given, or asks for one; ends at the end of input."""

    def __init__(self, settings: Settings) -> None:
        ascii_only = is_ascii_only(sys.stdout.encoding, settings.ascii_only)
        self.texts = writable(load_texts(settings.language), sys.stdout.encoding, ascii_only)
        self.talk, self.discs, self.autosave = Talk(self.texts), discs_for(ascii_only), settings.autosave

    def run(self, match: Match | None = None) -> None:
        _never_stumble_over_characters()
        try:
            self._play_on(match)
        except Left:
            self.talk.say(self._farewell())
        except (EOFError, KeyboardInterrupt) as end:
            self.talk.say(f"\n{self._farewell()}")
            if isinstance(end, KeyboardInterrupt):
                raise SystemExit(130) from None

    def _play_on(self, match: Match | None) -> None:
        while True:
            game = PlainGame(match or self._ask(), self.talk, self.discs, self.autosave)
            game.play()
            match = ask_what_next(game)

    def _ask(self) -> Match:
        self.talk.say(self.texts("ask.hello"))
        while True:
            try:
                return ask_match(self.talk, self.autosave)
            except ConnectkError as error:
                self.talk.say(explain(error, self.texts))

    def _farewell(self) -> str:
        return self.texts("bye.saved" if self.autosave.is_there else "bye.done")


def _never_stumble_over_characters() -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text file in every real program
