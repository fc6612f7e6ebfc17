"""The keys in the footer fit on one line of 80 columns in every language, and each has one meaning on all screens."""

import pytest

from connectk.terminal.screen import keys, learning_screen, online, replay, start, strategy_game, why
from connectk.texts import LANGUAGES, load_texts

FOOTER_WIDTH = 80 - 2
HELP_WIDTH = 70  # of the dialog's text on a terminal of 80 columns
FOOTERS = {
    "playing": keys.PLAYING_KEYS,
    "hint": keys.HINT_KEYS,
    "watching": keys.DEMO_KEYS,
    "over": keys.OVER_KEYS,
    "replay": replay.REPLAY_KEYS,
    "review": replay.REPLAY_REVIEW_KEYS,
    "blunder": replay.REPLAY_BLUNDER_KEYS,
    "start": [*start.START_KEYS, start.LAST_GAME_KEY],
    "question": learning_screen.QUESTION_KEYS,
    "answered": learning_screen.ANSWERED_KEYS,
    "why": [*why.WHY_BOARDS_KEYS, why.SAVE_KEY, why.PLAY_AGAINST_KEY],
    "strategy_game": strategy_game.STRATEGY_GAME_KEYS,
    "online": online.ONLINE_PLAYING_KEYS,
    "waiting": online.ONLINE_WAITING_KEYS,
    "finished": online.ONLINE_OVER_KEYS,
    "offer": [*online.ONLINE_OFFER_KEYS, *online.ONLINE_PLAYING_KEYS[-1:]],
}
LETTERS = {  # the action of a letter on every screen that has the letter; online, y and n answer an offer
    "a": {"solution"},
    "h": {"hint"},
    "s": {"save"},
    "u": {"undo"},
    "v": {"review"},
    "w": {"swap"},
    "y": {"why"},
}
SCREENS = (
    keys.GAME_BINDINGS,
    replay.ReplayScreen.BINDINGS,
    why.WhyScreen.BINDINGS,
    strategy_game.StrategyGameScreen.BINDINGS,
    learning_screen.LearningScreen.BINDINGS,
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("footer", FOOTERS)
def test_the_keys_fit(footer, language):
    """The keys of each screen fit on one line, with two spaces between them."""
    texts = load_texts(language)
    line = "  ".join(f"{key} {texts(text)}" for key, _, text in FOOTERS[footer])
    assert len(line) <= FOOTER_WIDTH, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_breaks_no_line(language):
    """Each line of the help text fits on a terminal of 80 columns, so the terminal breaks no line in two."""
    texts = load_texts(language)
    lines = f"{texts('help.screen')}\n{texts('online.help.screen')}".splitlines()
    assert max(map(len, lines)) <= HELP_WIDTH


@pytest.mark.parametrize("letter", LETTERS)
def test_a_key_means_one_thing_in_games_lessons_puzzles_and_explanations(letter):
    found = {binding.action for bindings in SCREENS for binding in bindings if letter in binding.key.split(",")}
    assert found - {"leave"} == LETTERS[letter], "y leaves the explanation that it opened"
