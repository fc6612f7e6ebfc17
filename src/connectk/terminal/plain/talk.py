"""Asking until the answer fits."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from connectk.texts import Texts


class Talk:
    """One question at a time; a wrong answer is asked again with the reason. `EOFError` when nobody answers."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def say(self, text: str = "") -> None:
        print(text, flush=True)

    def ask(self, question: str) -> str:
        answer = input(f"{question} ").strip()
        if not sys.stdin.isatty():
            self.say(answer)  # so that what came through a pipe reads as a conversation
        return answer

    def menu(self, question: str, options: Sequence[str]) -> int:
        """The option picked, counted from 0."""
        self.say(question)
        for number, option in enumerate(options, start=1):
            self.say(f"  {number}  {option}")
        return self.number(self.texts("ask.number"), 1, len(options)) - 1

    def number(self, question: str, least: int, most: int) -> int:
        while True:
            answer = self.ask(question)
            if answer.isascii() and answer.isdigit() and len(answer) < 10 and least <= int(answer) <= most:
                return int(answer)
            self.say(self.texts("ask.not_a_number", answer=answer, least=least, most=most))

    def yes(self, question: str) -> bool:
        """Yes or no, in the person's language or in English."""
        while True:
            answer = self.ask(f"{question} ({self.texts('ask.yes_or_no')})").lower()
            if answer in {*self.texts("ask.yes").split(), "y", "yes"}:
                return True
            if answer in {*self.texts("ask.no").split(), "n", "no"}:
                return False
            self.say(self.texts("ask.not_yes_or_no", answer=answer))
