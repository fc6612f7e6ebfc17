"""A game, move by move: what was good, what was not, and where it turned."""

from connectk.review.review import Judged, Label, MoveReview, Review, review_game

__all__ = ["Judged", "Label", "MoveReview", "Review", "review_game"]
