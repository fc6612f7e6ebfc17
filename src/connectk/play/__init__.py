"""A match: a game with people or players in its seats. Knows nothing of HTTP or SQL."""
