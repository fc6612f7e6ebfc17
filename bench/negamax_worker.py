"""Runs the unmodified negamax of kaggle-environments as a worker process. Any Python can run this file; PyPy is many
times faster.

pypy3 bench/negamax_worker.py PATH/TO/connectx.py

Each input line is JSON: `{"seed": ...}`, or `{"columns", "rows", "inarow", "board", "mark"}`. The answer to the second
kind is a column. Only the standard library is needed.
"""

import json
import random
import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import SimpleNamespace


def main(path: str) -> None:
    spec = spec_from_file_location("connectx", path)
    assert spec
    assert spec.loader
    connectx = module_from_spec(spec)
    spec.loader.exec_module(connectx)
    for line in sys.stdin:
        asked = json.loads(line)
        if "seed" in asked:
            random.seed(asked["seed"])
        else:
            print(connectx.negamax_agent(SimpleNamespace(**asked), SimpleNamespace(**asked)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
