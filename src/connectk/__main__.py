"""Runs the `connectk` command as `python -m connectk`."""

from connectk.cli import main

if __name__ == "__main__":
    main()
