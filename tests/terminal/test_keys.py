"""The keys in the footer fit on one line of an 80-column terminal, in every language."""

import pytest

from connectk.terminal.screen import keys, replay, start
from connectk.texts import LANGUAGES, load_texts

FOOTER_WIDTH = 80 - 2
FOOTERS = {
    "playing": keys.PLAYING_KEYS,
    "watching": keys.DEMO_KEYS,
    "over": keys.OVER_KEYS,
    "replay": replay.REPLAY_KEYS,
    "review": replay.REPLAY_REVIEW_KEYS,
    "blunder": replay.REPLAY_BLUNDER_KEYS,
    "start": start.START_KEYS,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("footer", FOOTERS)
def test_the_keys_fit(footer, language):
    """With two spaces between them."""
    texts = load_texts(language)
    line = "  ".join(f"{key} {texts(text)}" for key, _, text in FOOTERS[footer])
    assert len(line) <= FOOTER_WIDTH, line
