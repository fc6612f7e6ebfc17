"""A real nginx on loopback with the sample configuration, in front of servers of the tests."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.server.serving import ROOT, free_fixed_port

NGINX_CONFIG = ROOT / "deploy/nginx.conf"
NO_NGINX = "nginx is not installed; `make test` installs it as root, or: sudo apt-get install nginx-light"
NO_CADDY = "caddy is not installed; `make test` installs it as root, or: sudo apt-get install caddy"
NGINX_SERVER_LINE = "    server 127.0.0.1:{} max_fails=1 fail_timeout=2s;\n"
NGINX_MAIN_CONFIG = """
daemon off;
{user}
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/connectk.conf;
}}
"""


def nginx() -> str | None:
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def sample_for(port: int, upstreams: Sequence[int]) -> str:
    """The sample configuration with other ports and without TLS. Fails if the sample lacks a text that is to be
    replaced."""
    text = NGINX_CONFIG.read_text("utf-8")
    servers = "".join(NGINX_SERVER_LINE.format(number) for number in (8001, 8002, 8003))
    return replaced(
        text,
        {
            servers: "".join(NGINX_SERVER_LINE.format(number) for number in upstreams),
            "listen 80;": f"listen 127.0.0.1:{free_fixed_port()};",
            "listen [::]:80;": "",
            "listen 443 ssl;": f"listen 127.0.0.1:{port};",
            "listen [::]:443 ssl;": f"listen [::1]:{port};",
            "ssl_certificate ": "# ssl_certificate ",
            "ssl_certificate_key ": "# ssl_certificate_key ",
        },
    )


def replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


class Nginx:
    """A real nginx that listens on 127.0.0.1 and ::1 until `stop`."""

    def __init__(self, folder: Path, upstreams: Sequence[int]) -> None:
        self.port = free_fixed_port()
        (folder / "connectk.conf").write_text(sample_for(self.port, upstreams))
        self.config = write_main(folder)
        program = nginx()
        assert program
        self._process = subprocess.Popen([program, "-c", str(self.config)], stderr=subprocess.DEVNULL)
        while self._process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.02)
        raise RuntimeError((folder / "error.log").read_text())

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(60)


def write_main(folder: Path) -> Path:
    """Write the configuration that includes `connectk.conf` in the same folder."""
    config = folder / "nginx.conf"
    config.write_text(NGINX_MAIN_CONFIG.format(folder=folder, user="user root;" if os.geteuid() == 0 else ""))
    return config


class Caddy:
    """A real Caddy with the sample configuration, but without TLS, that listens on 127.0.0.1 and ::1 until `stop`."""

    def __init__(self, folder: Path, upstream: int) -> None:
        self.port = free_fixed_port()
        site = f"http://127.0.0.1:{self.port}, http://[::1]:{self.port}"
        environment = {**os.environ, "HOME": str(folder), "SITE_ADDRESS": site, "UPSTREAM": f"127.0.0.1:{upstream}"}
        adapt = ["caddy", "adapt", "--adapter", "caddyfile", "--config", str(ROOT / "deploy/Caddyfile")]
        adapted = json.loads(subprocess.run(adapt, env=environment, capture_output=True, check=True).stdout)
        config = folder / "caddy.json"
        config.write_text(json.dumps({**adapted, "admin": {"disabled": True}}))  # its port may be another test's
        run = ["caddy", "run", "--config", str(config)]
        self._process = subprocess.Popen(run, env=environment, stderr=subprocess.DEVNULL)
        while self._process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.02)
        raise RuntimeError("caddy has ended")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(60)
