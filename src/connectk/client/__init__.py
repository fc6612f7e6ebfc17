"""A match and a room over the network, without a screen: used by the terminal, bots and tests."""
