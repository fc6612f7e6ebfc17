"""Runs the server's analyses and computer players in worker processes, behind a fair queue."""
