"""Chooses the plural form for a number by the rules of CLDR; the page does the same with `Intl.PluralRules`.

>>> [plural_category("en", count) for count in (0, 1, 2)]
['other', 'one', 'other']
>>> [plural_category("pl", count) for count in (1, 2, 5)]
['one', 'few', 'many']"""

from __future__ import annotations

from collections.abc import Callable


def plural_category(language: str, count: int) -> str:
    """The plural form that a language has for a whole number: `zero`, `one`, `two`, `few`, `many` or `other`."""
    return PLURAL_RULES.get(language, _one_or_other)(count)


def _one_or_other(count: int) -> str:
    return "one" if count == 1 else "other"


def _czech(count: int) -> str:
    return "one" if count == 1 else "few" if 2 <= count <= 4 else "other"


def _polish(count: int) -> str:
    return "one" if count == 1 else "few" if _is_few(count) else "many"


def _russian(count: int) -> str:
    return "one" if count % 10 == 1 and count % 100 != 11 else "few" if _is_few(count) else "many"


def _is_few(count: int) -> bool:
    return 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14


def _arabic(count: int) -> str:
    if count <= 2:
        return ("zero", "one", "two")[count]
    return "few" if 3 <= count % 100 <= 10 else "many" if count % 100 > 10 else "other"


# Languages that are not listed have the forms `one` and `other`, like English.
PLURAL_RULES: dict[str, Callable[[int], str]] = {
    "ar": _arabic,
    "be": _russian,
    "cs": _czech,
    "ja": lambda _: "other",
    "ko": lambda _: "other",
    "pl": _polish,
    "ru": _russian,
    "sk": _czech,
    "uk": _russian,
    "zh": lambda _: "other",
}
