"""Matches: games with people or computer players in their seats. This package knows nothing of HTTP or SQL."""
