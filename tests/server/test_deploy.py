"""Checks the files in deploy/ with the tools that read them, and compares these files with the server's settings."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from connectk.server.settings import Settings
from tests.server.serving import ROOT

DEPLOY = ROOT / "deploy"
HADOLINT = shutil.which("hadolint", path=Path(sys.executable).parent)
PREFIX = "CONNECTK_"


def said_by(*command: object, **options: object) -> str:
    """Run a command, which must succeed, and return its output."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


@pytest.mark.skipif(HADOLINT is None, reason="hadolint has no wheel for this system")
def test_the_dockerfile_has_no_fault():
    """hadolint finds no fault in the Dockerfile and its shell commands."""
    assert said_by(HADOLINT, DEPLOY / "Dockerfile") == ""


def test_the_image_is_built_from_what_its_context_lets_in():
    """The files that the Dockerfile copies exist, and .dockerignore admits exactly these files."""
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (DEPLOY / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    ignored, *lines = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] != "#"]
    wanted = sorted(" ".join(copied).split())

    assert ignored == "*"
    assert sorted(line[1:] for line in lines if line[0] == "!") == wanted
    assert all((ROOT / name).exists() for name in wanted)


def test_the_image_runs_as_nobody_in_particular():
    """The image's user is a number, so that an orchestrator can see that it is not root."""
    users = re.findall(r"^USER (\S+)$", (DEPLOY / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert users == ["10001:10001"]


def compose() -> dict:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def test_every_setting_in_the_samples_is_one():
    """Each setting in the sample files exists and has a valid value. The database's password is not among them."""
    environments = [
        dict(re.findall(rf"\b({PREFIX}\w+)=(\S+)", (DEPLOY / "Dockerfile").read_text("utf-8"))),
        compose()["services"]["connectk"]["environment"],
        dict(re.findall(rf"^({PREFIX}\w+)=(.+)$", (DEPLOY / "connectk.env").read_text("utf-8"), re.MULTILINE)),
    ]
    for environment in environments:
        assert len(environment) >= 3
        Settings(**{name.removeprefix(PREFIX).lower(): value for name, value in environment.items()})
    assert all(environment[f"{PREFIX}PROXIES"] == "1" for environment in environments[1:])


def test_the_services_of_compose_fit_together():
    """In the compose file, all required services exist, all volumes are declared, and only the proxy opens ports."""
    services, volumes = compose()["services"], compose()["volumes"]

    assert {needed for service in services.values() for needed in service.get("depends_on", ())} < set(services)
    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]
    mounted = {line.split(":")[0] for service in services.values() for line in service.get("volumes", ())}
    assert {name for name in mounted if not name.startswith(".")} == set(volumes)
    assert all((DEPLOY / name).is_file() for name in mounted if name.startswith("."))
    build = services["connectk"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Dockerfile"
    assert services["connectk"]["environment"][f"{PREFIX}DATABASE"].count("${POSTGRES_PASSWORD}") == 1


@pytest.mark.skipif(
    not shutil.which("caddy"),
    reason="caddy is not installed; `make test` installs it as root, or: apt-get install caddy",
)
def test_caddy_accepts_its_file(tmp_path: Path):
    """Caddy accepts its sample configuration, with the addresses that compose gives it."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "SITE_ADDRESS": "play.school.example"}
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile"]
    assert "Valid configuration" in said_by(*command, env=environment)
    said_by("caddy", "fmt", DEPLOY / "Caddyfile")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path):
    """systemd accepts the unit file, in which an existing program replaces connectk."""
    text = (DEPLOY / "connectk@.service").read_text("utf-8")
    program = "/opt/connectk/bin/connectk"
    assert f"ExecStart={program} serve --port %i\n" in text
    unit = tmp_path / "connectk@8001.service"
    unit.write_text(text.replace(program, "/bin/true"))

    assert said_by("systemd-analyze", "verify", unit) == ""
