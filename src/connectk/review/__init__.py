"""Reviews a finished game move by move. A review says how good each move was and which move decided the game."""

from connectk.review.review import ColumnScores, Label, MoveReview, Review, review_game

__all__ = ["ColumnScores", "Label", "MoveReview", "Review", "review_game"]
