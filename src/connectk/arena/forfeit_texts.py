"""Translates the reasons for forfeits. A results file stores these reasons in English."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from connectk.texts import Texts, load_texts

BOT_ERROR_PREFIXES = ("error.BotForfeit.", "error.BotUnusable.")
MAX_SENTENCE_CHARS = 4_000  # longer sentences are not matched, since the file may be untrusted


def localize_forfeit(sentence: str, texts: Texts) -> str:
    """The reason for a forfeit in the language of `texts`. An unknown sentence is returned unchanged."""
    if len(sentence) > MAX_SENTENCE_CHARS:
        return sentence
    found = [(key, match.groupdict()) for key, pattern in _patterns() if (match := pattern.fullmatch(sentence))]
    if not found:
        return sentence
    key, written = min(found, key=lambda one: len(one[1].get("bot", "")))  # one sentence may be the end of another
    facts = {name: localize_forfeit(fact, texts) for name, fact in written.items()}
    is_it = written.get("bot") == load_texts("en")("error.bot_it")
    return texts(key, **facts | ({"bot": texts("error.bot_it")} if is_it else {}))


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """One regular expression for each English sentence about bots, with a group for each placeholder."""
    english = load_texts("en").catalogue
    return [(key, _pattern(str(text))) for key, text in english.items() if key.startswith(BOT_ERROR_PREFIXES)]


def _pattern(text: str) -> re.Pattern[str]:
    parts, seen = list[str](), set[str]()
    for words, name, _, _ in Formatter().parse(text):
        group = "" if not name else f"(?P={name})" if name in seen else f"(?P<{name}>.*?)"
        parts.append(re.escape(words) + group)
        seen.add(name or "")
    return re.compile("".join(parts), re.DOTALL)
