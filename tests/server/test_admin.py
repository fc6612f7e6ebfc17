"""Tests an administrator's lists and orders while the server runs."""

import time

import pytest

from connectk.storage.database import BadDatabase, open_database, prepare_database
from tests.server.clients import drop, look, make
from tests.server.serving import serving, settings_for
from tests.server.test_operations import connectk


def wait_for(condition):
    for _ in range(2400):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it does not happen")


def test_an_administrator_lists_ends_and_blocks_without_a_restart(tmp_path):
    settings = settings_for(tmp_path)
    with serving(settings) as client:
        made = make(client)
        match_id, secret = made["match"]["id"], made["secret"]
        drop(client, match_id, secret, 3, 0)
        here = ("--database", settings.database)

        listed = connectk("admin", "list", *here)
        assert match_id in listed.stdout
        assert "1 disc " in listed.stdout
        assert secret not in listed.stdout

        assert connectk("admin", "end", match_id, *here).returncode == 0
        wait_for(lambda: look(client, match_id, secret)["state"]["result"])
        assert connectk("admin", "block", "127.0.0.1", *here).returncode == 0
        wait_for(lambda: client.get("/healthz").status_code == 403)
        assert client.get("/healthz").json()["reason"] == "blocked"
        assert connectk("admin", "unblock", "127.0.0.1", *here).returncode == 0
        wait_for(lambda: client.get("/healthz").status_code == 200)


def test_a_damaged_file_and_a_newer_database_are_said_in_a_sentence(tmp_path):
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"this is not a database" * 100)
    with pytest.raises(BadDatabase, match="restore a backup"):
        prepare_database(f"sqlite:///{damaged}")
    newer = f"sqlite:///{tmp_path}/newer.db"
    prepare_database(newer).close()
    with open_database(newer).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(BadDatabase, match="newer connectk"):
        prepare_database(newer)
