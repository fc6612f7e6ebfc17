"""Rooms: a class, a club, an evening. Who is there, who meets whom, how they stand; every match is one of `play`."""
