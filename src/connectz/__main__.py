"""`python -m connectz FILE` does what `connectz FILE` does."""

from connectz import main

main()
