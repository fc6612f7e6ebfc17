"""`python -m connectk`: the command, where its name is not on the path."""

from connectk.cli import main

if __name__ == "__main__":
    main()
