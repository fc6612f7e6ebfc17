"""The keys in the footer fit on one line of an 80-column terminal, in every language."""

import pytest

from connectk.terminal.screen import keys, replay, start
from connectk.texts import LANGUAGES, load_texts

ORDINARY = 80 - 2
FEET = {
    "playing": keys.PLAYING_KEYS,
    "watching": keys.DEMO_KEYS,
    "over": keys.OVER_KEYS,
    "replay": replay.REPLAY_KEYS,
    "review": replay.REPLAY_REVIEW_KEYS,
    "blunder": replay.REPLAY_BLUNDER_KEYS,
    "start": start.START_KEYS,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("foot", FEET)
def test_the_keys_fit(foot, language):
    """With two spaces between them."""
    texts = load_texts(language)
    line = "  ".join(f"{key} {texts(text)}" for key, _, text in FEET[foot])
    assert len(line) <= ORDINARY, line
