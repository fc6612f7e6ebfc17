"""A game, move by move: what was good, what was not, and where it turned."""

from connectk.review.judging import Judge, Judged
from connectk.review.review import Label, MoveReview, Review, review_game

__all__ = ["Judge", "Judged", "Label", "MoveReview", "Review", "review_game"]
