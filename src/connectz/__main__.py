"""Runs the `connectz` command as `python -m connectz FILE`."""

from connectz import main

main()
