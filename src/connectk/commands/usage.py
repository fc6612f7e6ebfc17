"""Explains errors in a command line in the user's language, because Typer and pydantic have only English messages."""

from __future__ import annotations

import re
from typing import Any

from connectk.errors import LocalizedError, quoted
from connectk.texts import Texts

MISSING_COMMAND = "Missing command."  # Typer's words, as below
EXTRA_ARGUMENTS = re.compile(r"Got unexpected extra argument(?:\(s\)|s)? \((.*)\)")


class BadUsage(LocalizedError):
    """A command line that is wrong."""


def sentence_of(error: Any, texts: Texts) -> str:
    """The meaning of a Typer error, as a sentence."""
    kind, parameter = type(error).__name__, getattr(error, "param", None)
    if kind == "NoSuchOption":
        return _no_such_option(error, texts)
    if kind == "BadOptionUsage":
        return texts("error.BadUsage.no_value", name=error.option_name)
    if kind == "MissingParameter" and parameter is not None:
        return texts("error.BadUsage.missing", name=name_of(parameter))
    if kind == "BadParameter" and parameter is not None:
        return texts(
            "error.BadUsage.value",
            name=name_of(parameter),
            value=_value_in(error),
            takes=expected_value(parameter, texts),
        )
    if error.message == MISSING_COMMAND:
        return texts("error.BadUsage.missing", name=texts("head.command"))
    if extra := EXTRA_ARGUMENTS.fullmatch(error.message):
        return texts("error.BadUsage.extra", words=quoted(extra[1]))
    return _command_error_message(error)


def _no_such_option(error: Any, texts: Texts) -> str:
    if error.possibilities:
        return texts("error.BadUsage.no_option_but", name=error.option_name, close=sorted(error.possibilities)[0])
    return texts("error.BadUsage.no_option", name=error.option_name)


def _command_error_message(error: Any) -> str:
    """The message of an error that a connectk command raised. It is already in the user's language."""
    hint = getattr(error, "param_hint", None)
    message = str(error.message).rstrip(".") + "."
    return f"{hint}: {message}" if hint else message


def name_of(parameter: Any) -> str:
    """The name of a parameter as the user knows it: the long form of an option, or an argument in capitals."""
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name).upper()


def _value_in(error: Any) -> str:
    """The refused value, taken from pydantic's error. Empty if the error does not contain it."""
    cause = error.__cause__
    found = cause.errors()[0].get("input") if hasattr(cause, "errors") else None
    return "" if found is None else quoted(str(found))


def expected_value(parameter: Any, texts: Texts) -> str:
    """The values that a parameter accepts, as the end of a sentence."""
    kind, least, most = parameter.type_descriptor, parameter.min, parameter.max
    if kind.is_choice:
        return texts("takes.choice", choices=", ".join(str(getattr(c, "value", c)) for c in kind.choices))
    if least is not None and most is not None:
        return texts("takes.range", least=least, most=most)
    if least is not None:
        return texts("takes.least", least=least)
    if "datetime" in str(kind.annotation):
        return texts("takes.date")
    return texts("takes.number" if "int" in str(kind.annotation) or "float" in str(kind.annotation) else "takes.other")
