"""Tests that the search for secrets in the logs of these tests works."""

from tests.server import secrecy
from tests.server.clients import make
from tests.server.serving import serving, settings_for


def test_a_secret_in_a_log_would_be_seen(client):
    made = make(client)
    assert {made["secret"], made["invitation"]} <= secrecy.GIVEN_SECRETS
    assert secrecy.leaked(f'[debug] < TEXT "secret": "{made["secret"]}" [63 bytes]') == {made["secret"]}
    assert secrecy.leaked(f"hello={made['invitation']}") == {made["invitation"]}
    assert not secrecy.leaked("drop_played match=" + made["match"]["id"])


def test_everything_is_logged_in_this_suite(tmp_path, capfd):
    """These tests log everything. Without complete logs, the search for secrets would prove nothing."""
    with serving(settings_for(tmp_path)) as client:
        make(client)
    assert "match_changed" in capfd.readouterr().err
