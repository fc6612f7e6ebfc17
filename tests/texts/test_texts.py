"""The catalogues are complete, all their texts are used, and the code contains no sentences."""

import ast
import json
import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import connectk
from connectk.errors import (
    BadDataset,
    BadEvaluation,
    BadTournament,
    BotForfeit,
    BothSidesWon,
    BotUnusable,
    ColumnFull,
    ColumnOutOfRange,
    FileNotReadable,
    FileNotWritable,
    GameAlreadyOver,
    ImpossibleVariant,
    MissingExtra,
    NotationError,
    NothingToRedo,
    NothingToUndo,
    PlayedAfterWin,
    UnknownPlayer,
    UnplayableMove,
    UnsupportedVariant,
    WrongDiscCount,
)
from connectk.play.refusals import BoardTooLarge, PlayerNotAllowed, Refusal, StalePly
from connectk.rules import CLASSIC, DRAW, Position, Side
from connectk.texts import LANGUAGES, load_texts, preferred_language
from connectk.texts.page import PagePart, page_texts
from connectk.texts.plurals import plural_category

SOURCES = Path(connectk.__file__).parent
CATALOGUES = {language: load_texts(language).catalogue for language in LANGUAGES}
ENGLISH = CATALOGUES["en"]
TRANSLATIONS = [language for language in LANGUAGES if language != "en"]
CODE = "\n".join(file.read_text("utf-8") for kind in ("*.py", "*.js", "*.html") for file in SOURCES.rglob(kind))
MAX_COMMON_LETTERS = 25  # letters in a row that may be the same by chance
QUOTED_KEY = re.compile(r"""["'`]([a-z_]+(?:\.\w+)+)(?<!\.html)(?<!\.json)["'`]""")
KEY_PREFIX = re.compile(r"""["'`]((?:[a-z_]+\.)+)\$?\{""")  # a key built at run time: `label.${move.label}`


def keys_in_use() -> set[str]:
    """Every string in the code that begins like a key, such as `ask.column`."""
    groups = {key.partition(".")[0] for key in ENGLISH}
    return {word for word in QUOTED_KEY.findall(CODE) if word.partition(".")[0] in groups}


def keys_put_together() -> set[str]:
    beginnings = tuple(set(KEY_PREFIX.findall(CODE)))
    return {key for key in ENGLISH if key.startswith(beginnings)}


def forms(text: object) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [str(text)]


def facts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_no_text_is_missing():
    """Every text key used in the code exists in the catalogue."""
    assert keys_in_use() - ENGLISH.keys() == set()


def test_no_text_is_unused():
    """Every text key of the catalogue is used in the code."""
    assert ENGLISH.keys() - keys_in_use() - keys_put_together() == set()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_has_the_same_texts(language):
    """Every language has the same keys. A failure names each key that only one of the languages has."""
    assert CATALOGUES[language].keys() ^ ENGLISH.keys() == set()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_uses_the_same_facts(language):
    """Each form of a translation uses the same placeholders as the English text."""
    for key, text in ENGLISH.items():
        expected = set().union(*map(facts, forms(text)))
        for form in forms(CATALOGUES[language][key]):
            assert facts(form) | {"count"} == expected | {"count"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_counts_has_the_forms_of_its_language(language):
    """A text with a number has a form for each plural category of its language, and no text is empty."""
    wanted = {plural_category(language, count) for count in range(1000)}
    for key, text in CATALOGUES[language].items():
        assert not isinstance(text, dict) or text.keys() == wanted, key
        assert all(form.strip() for form in forms(text)), key


def test_counting_chooses_the_form():
    """The number chooses the form: 'one move' but 'two moves'."""
    texts = load_texts("en")
    assert texts("panel.moves", count=1) == "1 move"
    assert texts("panel.moves", count=2) == "2 moves"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "fi_FI.UTF-8"}, "fi"),
        ({"LANG": "fi_FI.UTF-8", "LC_ALL": "sv_SE.UTF-8"}, "sv"),
        ({"LANG": "fi_FI.UTF-8", "LC_ALL": ""}, "fi"),
        ({"LANG": "tlh_XX.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environment, language):
    """The locale chooses the language: the more specific variable wins, and English replaces an unsupported
    language."""
    assert preferred_language(environment) == language


TIMED_OUT_FORFEIT = BotForfeit("mybot.py", "late", "error.BotForfeit.late")
LOCALIZED_ERRORS = [
    BadDataset("error.BadDataset.mix", mix="half"),
    BadEvaluation("mine.py:rate", "error.BadEvaluation.raised", Position.start(CLASSIC), reason="ZeroDivisionError"),
    BadTournament("error.BadTournament.few"),
    BadTournament("error.BadTournament.damaged", name="results", line=3, why=ColumnFull(3)),
    TIMED_OUT_FORFEIT,
    BotUnusable("mybot.py", "error.BotUnusable.start", why=TIMED_OUT_FORFEIT),
    FileNotReadable("games", "error.because.no_text"),
    FileNotWritable("plot.svg", "error.because.no_folder"),
    MissingExtra("pictures", "pictures"),
    UnknownPlayer("minimax:x", "error.UnknownPlayer.number", least=1, most=60, example="minimax:5"),
    UnsupportedVariant(CLASSIC, "error.UnsupportedVariant.solver", most=128),
]


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize(
    "error",
    [
        *LOCALIZED_ERRORS,
        ColumnFull(3),
        ColumnOutOfRange(9, 7),
        GameAlreadyOver(DRAW),
        ImpossibleVariant(0, 6, 4),
        ImpossibleVariant(3, 3, 4),
        NothingToUndo(),
        NothingToRedo(),
        NotationError("error.not_a_column", text="4a", word="a"),
        UnplayableMove(7, ColumnFull(3)),
        NotationError("notation.zero", line=3),
        NotationError("notation.unplayable", reason=ColumnFull(3)),
        StalePly(3, 4),
        BoardTooLarge(100),
        PlayerNotAllowed(ColumnFull(3)),
    ],
)
def test_refusals_are_translated(error, language):
    """Errors that a player can cause have a text in every language."""
    said = error.localize(load_texts(language))
    assert said != str(error)
    assert said != error.localize(load_texts("en"))


def pieces(text: str) -> list[str]:
    """The parts of a text before, between and after its facts."""
    return [words for words, _, _, _ in Formatter().parse(text) if words]


def family(kind: type) -> set[type]:
    return {kind}.union(*map(family, kind.__subclasses__()))


def test_every_refusal_of_a_match_has_its_text():
    """Every reason for refusing a request to a match has a text."""
    import connectk.server.app  # noqa: F401  (it has refusals of its own)

    kinds = family(Refusal)
    assert len(kinds) > 20
    assert {kind.key for kind in kinds} <= ENGLISH.keys()


PROGRAMMER_ERRORS = {"DamagedBook", "SearchStopped"}
PROGRAMMERS_FILES = {
    SOURCES / name
    for name in (
        "connectz.py",  # it imports the core and nothing else
        "envs/openspiel.py",
        "players/bothost.py",  # it runs in the bot's Python, without connectk
        "solver/bitboards.py",
        "solver/book/__main__.py",
    )
}
OUTPUT_FUNCTIONS = {"echo", "print", "secho", "say", "exit", "BadParameter", "refused", "HTTPException", "JSONResponse"}
MALFORMED_MESSAGE = "bad_request"  # the reason of a message that only a program sends
TEXT_UNDER_OTHER_KEYS = {"NotationError", "ExplanationRefused", "NoSavedGame", "ServerRefused"}
KINDS = {
    "ConnectkError",
    "LocalizedError",
    "BotError",
    "FileError",
    "IllegalDrop",
    "ImpossiblePosition",
}  # base classes without a sentence of their own


@cache
def trees() -> list[tuple[Path, ast.Module]]:
    return [(file, ast.parse(file.read_text("utf-8"))) for file in SOURCES.rglob("*.py")]


@cache
def errors_under(root: str) -> dict[str, set[str]]:
    """This class and all its subclasses in the code, with the strings in each."""
    classes = {node.name: node for _, tree in trees() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    found = {root}
    while more := {name for name, node in classes.items() if found & set(map(ast.unparse, node.bases))} - found:
        found |= more
    return {name: quoted_in(classes[name]) for name in found}


def quoted_in(node: ast.AST) -> set[str]:
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def test_every_error_that_a_person_can_meet_has_its_sentence():
    """Every error that a user can meet has a sentence: its class contains a key, or keys begin with its name. Errors
    that only programmers see are listed here."""
    errors = errors_under("ConnectkError")
    refusals = errors_under("Refusal").keys()  # their keys are made from their reasons
    silent = {
        name
        for name, words in errors.items()
        if not words & ENGLISH.keys() and not any(key.startswith(f"error.{name}") for key in ENGLISH)
    }
    assert len(errors) > 50
    assert silent - refusals <= KINDS | PROGRAMMER_ERRORS | TEXT_UNDER_OTHER_KEYS


def sentences_in_calls(names: set[str], max_words: int = 2) -> Iterator[tuple[str, str]]:
    """The sentences that the code passes to these functions, and the places of the calls."""
    for file, tree in trees():
        for node in ast.walk(tree) if file not in PROGRAMMERS_FILES else ():
            if isinstance(node, ast.Call) and name_of(node.func) in names and MALFORMED_MESSAGE not in quoted_in(node):
                given = (*node.args, *(keyword.value for keyword in node.keywords if keyword.arg != "style"))
                for words in (words for argument in given for words in strings_in(argument)):
                    if len(list(filter(WORD.fullmatch, words.split()))) > max_words and not EXAMPLE.match(words):
                        yield f"{file.name}:{node.lineno}", words


WORD = re.compile(r"[^\W\d_]{2,}[.,;:]?|'[^\W\d_]{2,}|[^\W\d_]{2,}'s")  # neither a key nor an option such as --games
EXAMPLE = re.compile(r"\n  connectk [a-z]")  # of a command, on a line of its own


def name_of(called: ast.expr) -> str:
    """The name of the called function: `echo` for both `echo(...)` and `typer.echo(...)`."""
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def strings_in(node: ast.AST) -> Iterator[str]:
    """Every string in this code. A formatted string counts once: `f"room {code}, {ago} s ago"` gives `room , s ago`."""
    if isinstance(node, ast.JoinedStr):
        yield " ".join(part.value for part in node.values if isinstance(part, ast.Constant))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for inner in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(inner, ast.Constant)):
            yield from strings_in(inner)


def test_no_refusal_is_written_in_the_code():
    """Errors in the code contain keys and facts, never sentences, which would be English in every language."""
    errors = errors_under("ConnectkError").keys() - PROGRAMMER_ERRORS
    assert dict(sentences_in_calls(errors)) == {}


def test_no_printed_sentence_is_written_in_the_code():
    """Printed sentences, questions and answers come from the catalogue. The code itself adds at most one word."""
    assert dict(sentences_in_calls(OUTPUT_FUNCTIONS, max_words=1)) == {}


def test_help_has_its_prose_from_the_catalogue():
    """The text after a command's help contains only examples, which are the same in every language."""
    for file, tree in trees():
        if file.parent.name == "commands":
            for words in filter(EXAMPLES.match, quoted_in(tree)):
                for example in re.split(r" · |\n+", EXAMPLES.sub("", words).strip()):
                    assert COMMAND_LINE.search(example), (file.name, example)
                    assert not re.search(r"[a-z]; |: |[a-z]\.$", example), (file.name, example)


EXAMPLES = re.compile(r"\s*Examples?:\s*(?=[^\s])")
COMMAND_LINE = re.compile(r"\bconnectk [a-z]")


def test_every_reason_of_the_server_has_its_text():
    """Every reason of the server has a text under the key `refused.` and the reason, or under the keys of rooms."""
    import connectk.server.app  # noqa: F401  (rooms have refusals of their own)
    from connectk.server.connections import BUSY_REJECTION, HEADER_TOO_LARGE_REJECTION, TIMED_OUT_REJECTION
    from connectk.server.errors import STATUS_BY_ERROR

    named_otherwise = {
        "column_full",
        *(kind.reason for kind in family(Refusal) if kind.key != f"refused.{kind.reason}"),
    }
    reasons = {
        "failed",
        *STATUS_BY_ERROR,
        *(ending.reason for ending in (BUSY_REJECTION, TIMED_OUT_REJECTION, HEADER_TOO_LARGE_REJECTION)),
    }
    assert {f"refused.{reason}" for reason in reasons - named_otherwise} <= ENGLISH.keys()


def test_a_bot_is_named_once_in_a_sentence():
    """The reasons for a bot's failure call the bot 'it', so that a sentence names it only once."""
    error = BotUnusable("mybot.py", "error.BotUnusable.start", why=TIMED_OUT_FORFEIT)
    assert str(error) == "mybot.py cannot be started: it did not answer in time."
    assert error.localize(load_texts("fi")) == "mybot.py ei käynnisty: se ei vastannut ajoissa."


def test_a_foreign_error_message_is_shown_unchanged():
    """The message of a third-party player's error is shown unchanged."""
    assert str(UnsupportedVariant(CLASSIC, "no room.")) == "7x6x4: no room."
    assert str(BotForfeit("mybot.py", "illegal", "gave up.")) == "mybot.py gave up."


def test_a_nested_error_is_localized_too():
    """An error and the error inside it are described in the same language."""
    said = NotationError("notation.unplayable", reason=ColumnFull(3)).localize(load_texts("fi"))
    assert said.endswith(ColumnFull(3).localize(load_texts("fi")))


EXAMPLES_OF_SHAPES = {"room.name_hint", "why.checked"}  # the description of the server shows what an answer is like


@cache
def constants() -> frozenset[str]:
    """Every string in the code, except docstrings."""
    return frozenset().union(*(quoted_in(tree) - documented_in(tree) for _, tree in trees()))


def documented_in(tree: ast.AST) -> set[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {ast.get_docstring(node, clean=False) or "" for node in ast.walk(tree) if isinstance(node, kinds)}


def test_no_text_is_written_twice():
    """A text stands only in the catalogue. The code contains its key, and neither the text nor a long piece of it."""
    whole = {form.strip(): key for key, text in ENGLISH.items() for form in forms(text) if " " in form.strip()}
    halves = {max(pieces(form), key=len).strip(): key for form, key in whole.items() if pieces(form)}
    twice = {key for words in constants() if (key := whole.get(words.strip()))}
    twice |= {
        key
        for half, key in halves.items()
        if len(half) >= MAX_COMMON_LETTERS and any(half in words for words in constants())
    }
    assert twice - EXAMPLES_OF_SHAPES == set()


@pytest.mark.parametrize(
    "error",
    [
        *LOCALIZED_ERRORS,
        WrongDiscCount(1, 3),
        PlayedAfterWin(Side.FIRST),
        ColumnOutOfRange(9, 7),
        BothSidesWon(),
        UnplayableMove(3, ColumnOutOfRange(9, 7)),
        NotationError("error.not_a_time", text="soon"),
        NotationError("notation.unplayable", reason=ColumnFull(3)),
        NotationError("notation.zero", text="0", line=3),
        StalePly(3, 4),
        BoardTooLarge(100),
        PlayerNotAllowed(ColumnFull(3)),
    ],
)
def test_an_error_is_english_by_default_and_can_be_pickled(error):
    """`str(error)` is the English text, even after pickling to another process."""
    assert str(error) == error.localize(load_texts("en"))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_error_without_a_text_uses_its_fallback():
    """An error without a text of its own uses its English fallback."""
    error = UnknownPlayer("nobody", "There is no player 'nobody'.")
    assert error.localize(load_texts("fi")) == str(error)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_gets_each_text_once_and_all_that_it_names(language: str) -> None:
    """The parts of the page's texts do not overlap, and every text that a script names is in one of them."""
    parts = [json.loads(page_texts(language, part)) for part in get_args(PagePart)]
    scripts = "".join(path.read_text(encoding="utf-8") for path in (SOURCES / "web").rglob("*.js"))
    named = {key for key in ENGLISH if f'"{key}"' in scripts}

    assert sum(map(len, parts)) == len(set().union(*parts))
    assert named - set().union(*parts) == set()
