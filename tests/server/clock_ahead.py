"""`connectk` on a machine whose clock is a minute and a half ahead."""

import time

AHEAD_SECONDS = 90.0
_true_time = time.time

if __name__ == "__main__":
    time.time = lambda: _true_time() + AHEAD_SECONDS  # type: ignore[assignment]
    from connectk.cli import main

    main()
