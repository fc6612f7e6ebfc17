"""Hypothesis strategies: variants, games and positions of every shape."""

from hypothesis import strategies as st

from connectk.rules import Game, Position, Variant


@st.composite
def variants(draw: st.DrawFn, most: int = 12) -> Variant:
    """Any board up to this width and height, with any run that fits."""
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    return Variant(width, height, draw(st.integers(1, max(width, height))))


@st.composite
def games(draw: st.DrawFn, variant: st.SearchStrategy[Variant] | None = None) -> Game:
    """A legal game, finished or not."""
    game = Game(draw(variants() if variant is None else variant))
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=60)):
        legal = game.position.legal_columns
        if not legal:
            break
        game.drop(legal[choice % len(legal)])
    return game


def positions() -> st.SearchStrategy[Position]:
    """A position that some game reaches."""
    return games().map(lambda game: game.position)
