"""`connectz FILE`: the code of a game file, a drop-in for the Connect-Z challenge.

The answer is what it prints; the exit status is always 0. It imports the core and nothing else, to start quickly.
"""

import os
import sys

from connectk._native import judge_files


def main() -> None:
    if len(sys.argv) != 2:
        print("connectz.py: Provide one input file")
    else:
        print(judge_files([os.fsencode(sys.argv[1])])[0][0])


if __name__ == "__main__":
    main()
