"""Rooms for a class or a club, with members, pairings and standings. A room's games are matches of `play`."""
