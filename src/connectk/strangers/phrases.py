"""The keys of the phrases and pictures that players can send each other, and of the reasons for a report."""

PHRASES = ("hello", "good_luck", "good_move", "oops", "thanks", "good_game", "one_more", "bye")
FACES = ("smile", "think", "surprised", "sad", "cool")
REPORT_REASONS = ("left", "stalled", "name", "programs", "other")
