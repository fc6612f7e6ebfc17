"""Plays matches and joins rooms over the network, without a user interface. The terminal, bots and tests use it."""
