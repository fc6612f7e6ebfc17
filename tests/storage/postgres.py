"""Starts a PostgreSQL for tests in a temporary folder. It listens on a socket file, and also works when the tests run
as root."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path


def binaries() -> Path | None:
    """The folder with initdb and postgres, or None if PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).resolve().parent if on_path else None


NO_POSTGRES = "PostgreSQL is not installed; `make test` installs it as root, or: sudo apt-get install postgresql"


class ThrowawayPostgres:
    """A PostgreSQL that the tests start and stop."""

    def __init__(self, *options: str) -> None:
        found = binaries()
        assert found
        self._bin, self._options = found, options
        self.folder = Path(tempfile.mkdtemp(prefix="ck-pg-"))
        self._user = self._someone_else() if os.geteuid() == 0 else None
        self._run("initdb", "-D", self.folder / "data", "-U", "connectk", "--auth=trust", "--no-sync", "-E", "UTF8")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def _someone_else(self) -> int:
        """The user who runs PostgreSQL if the tests run as root, because PostgreSQL refuses to run as root."""
        for name in ("postgres", "nobody"):
            try:
                user = pwd.getpwnam(name).pw_uid
            except KeyError:
                continue
            os.chown(self.folder, user, -1)
            return user
        raise RuntimeError("root needs a user named postgres or nobody")

    def _run(self, program: str, *arguments: object) -> None:
        command = [self._bin / program, *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True, user=self._user, cwd=self.folder, timeout=120)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://connectk@/{database}?host={self.folder}"

    def start(self) -> None:
        options = ["-c", "listen_addresses=", "-c", "fsync=off", "-k", str(self.folder), *self._options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self.folder / "data", *options],
                stdout=log,
                stderr=log,
                user=self._user,
                cwd=self.folder,
            )
        self._wait()

    def _wait(self) -> None:
        import psycopg

        for _ in range(1200):
            try:
                psycopg.connect(self.url()).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        raise RuntimeError((self.folder / "log").read_text())

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def stop(self) -> None:
        """Stop at once, even if clients are connected."""
        if self._process:
            self._process.send_signal(2)
            self._process.wait(120)
            self._process = None

    def create(self, database: str) -> str:
        """Create a database and return its URL."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{database}"')
        return self.url(database)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
