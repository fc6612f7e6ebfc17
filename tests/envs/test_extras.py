"""Heavy packages are imported only when they are needed. If one is missing, the error says how to install it."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "gymnasium", "pettingzoo", "pyspiel", "torch", "PIL")


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)


def test_measuring_imports_nothing_heavy():
    done = run(f"import sys, connectk.envs, connectk.envs.kaggle; print([m for m in {HEAVY} if m in sys.modules])")
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize(
    ("missing", "use", "extra"),
    [
        ("gymnasium", "import connectk.envs.gymnasium", "gymnasium"),
        ("pettingzoo", "import connectk.envs.pettingzoo", "pettingzoo"),
        ("numpy", "import connectk.envs.gymnasium", "gymnasium"),
        ("numpy", "import connectk.envs.pettingzoo", "pettingzoo"),
        ("numpy", "import connectk.envs.network_search", "arrays"),
        ("textarena", "import connectk.envs.textarena", "textarena"),
        ("openenv", "import connectk.envs.openenv", "openenv"),
        ("stable_baselines3", "import connectk.envs.stable_baselines3", "stable-baselines3"),
        ("pyspiel", "import connectk.envs.openspiel as o; o.as_bot('random')", "openspiel"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(missing: str, use: str, extra: str):
    done = run(f"import sys; sys.modules[{missing!r}] = None; {use}")
    assert f"pip install 'connectk[{extra}]'" in done.stderr.splitlines()[-1]
