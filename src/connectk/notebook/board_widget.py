"""The board of a notebook as an anywidget. Python and the browser share its traits, and Python answers the browser's
messages."""

from __future__ import annotations

import os
from typing import Any

import anywidget
import traitlets

from connectk.errors import ConnectkError
from connectk.notation import parse_moves, write_moves
from connectk.notation.start import parse_start, write_start
from connectk.notation.views import SIDE_NAMES, moment_view
from connectk.notebook.front_end import front_end, front_end_texts
from connectk.players.player import Clock, Player
from connectk.players.registry import BEST_LEVEL, load_player
from connectk.players.swapping import score_columns
from connectk.review.report import describe_move, describe_reasons
from connectk.review.review import MoveReview, Review, review_game
from connectk.rules import CLASSIC, Game, Position, Side, Variant
from connectk.texts import LANGUAGES, load_texts, preferred_language

SCORING_SECONDS = 1.0  # for the scores of the columns; after that they are estimates
REVIEW_POSITION_SECONDS = 0.2  # for each position of a review that the solver cannot solve at once
LAST_PLY = -1  # the trait `ply` of a board that shows the end of its game
SIDES = {name: side for side, name in SIDE_NAMES.items()}
GAME_TRAITS = ("variant", "start", "moves")


class BoardWidget(anywidget.AnyWidget):
    """A board to play on in a notebook. A person's actions change the traits, and a trait that Python changes is shown
    on the board.

    `moves` is the game so far, as in "4453", from the board `start` (as in "4xo.5x") of `variant`. `level` is the
    opponent, from 1 to 10, or 0 for a game without one. `side` is the side of the person. `ply` is the number of moves
    after which the board is shown, or -1 for all. `show_scores` shows what each column is worth, `show_review` judges
    every move, and `editing` lets the person set up a position. `position`, `game`, `column_scores` and `review` give
    the same as Python objects.
    """

    _esm = front_end()

    variant = traitlets.Unicode("7x6x4").tag(sync=True)
    start = traitlets.Unicode("").tag(sync=True)
    moves = traitlets.Unicode("").tag(sync=True)
    ply = traitlets.Int(LAST_PLY, min=LAST_PLY).tag(sync=True)
    level = traitlets.Int(0, min=0, max=BEST_LEVEL).tag(sync=True)
    side = traitlets.Enum([*SIDES], "first").tag(sync=True)
    show_scores = traitlets.Bool(False).tag(sync=True)
    show_review = traitlets.Bool(False).tag(sync=True)
    editing = traitlets.Bool(False).tag(sync=True)
    readonly = traitlets.Bool(False).tag(sync=True)
    language = traitlets.Enum([*LANGUAGES], "en").tag(sync=True)
    theme = traitlets.Enum(["auto", "light", "dark"], "auto").tag(sync=True)

    draft = traitlets.Unicode("").tag(sync=True)  # the board while it is set up; it may break the rules
    texts = traitlets.Dict().tag(sync=True)  # what the browser shows beside the board
    view = traitlets.Dict().tag(sync=True)  # Python's answer: the board that is shown, with all that is known of it

    def __init__(self, position: Position | Game | str | None = None, **traits: Any) -> None:
        self._game = Game(CLASSIC)
        self._review: Review | None = None
        self._player: Player | None = None
        self._problem = ""
        self._is_ready = False
        traits = {"language": preferred_language(os.environ), **_traits_of(position), **traits}
        super().__init__(**traits)
        self._is_ready = True
        self._game = self._parsed(self.variant, self.start, self.moves)
        self.texts = front_end_texts(self.language)
        self._go_on()

    @property
    def game(self) -> Game:
        """The game from the set-up board, with all its moves."""
        return Game(self._game.start, self._game.moves)

    @game.setter
    def game(self, game: Game) -> None:
        self._change(**_traits_of(game))

    @property
    def position(self) -> Position:
        """The position that the board shows."""
        return self._game.positions[self._shown_ply]

    @position.setter
    def position(self, position: Position) -> None:
        self._change(**_traits_of(position))

    @property
    def column_scores(self) -> tuple[float | None, ...] | None:
        """The score of each column in the shown position, as the board shows it; None if the board shows no scores.

        Exact scores are whole numbers. Estimates are numbers from -1 to 1.
        """
        found = self.view["scores"]
        return found and tuple(found["scores"] if found["exact"] else found["estimates"])

    @property
    def review(self) -> Review | None:
        """The review of the game; None unless `show_review` is set."""
        return self._review

    def _change(self, **traits: Any) -> None:
        """Set several traits of the game as one change."""
        with self.hold_trait_notifications():
            for name, value in traits.items():
                self.set_trait(name, value)

    @property
    def _shown_ply(self) -> int:
        length = len(self._game.moves)
        return length if self.ply == LAST_PLY else min(self.ply, length)

    @traitlets.validate(*GAME_TRAITS)
    def _check_game(self, proposal: Any) -> str:
        """Refuse moves and boards that break the rules. Traits that change together are checked together."""
        if self._is_ready:
            facts = {name: getattr(self, name) for name in GAME_TRAITS} | {proposal["trait"].name: proposal["value"]}
            try:
                self._parsed(**facts)
            except ConnectkError as error:
                raise traitlets.TraitError(error.localize(load_texts(self.language))) from error
        return str(proposal["value"])

    @staticmethod
    def _parsed(variant: str, start: str, moves: str) -> Game:
        board = Variant.parse(variant)
        return Game(parse_start(start, board), parse_moves(moves, board))

    @traitlets.observe(*GAME_TRAITS)
    def _on_game(self, change: Any) -> None:
        if not self._is_ready:
            return
        game = self._parsed(self.variant, self.start, self.moves)
        if game == self._game and game.moves == self._game.moves:
            return
        self._game, self._problem = game, ""
        self._forget_review()
        if change["name"] != "moves":
            self._close_player()
        self._go_on()

    @traitlets.observe("level", "side", "editing")
    def _on_opponent(self, change: Any) -> None:
        if not self._is_ready:
            return
        self._problem = ""
        if change["name"] == "level":
            self._close_player()
        if change["name"] == "editing" and self.editing:
            self.draft = write_start(self.position)
        self._go_on()

    @traitlets.observe("ply", "show_scores", "readonly")
    def _on_display(self, _: Any) -> None:
        if self._is_ready:
            self._update_view()

    @traitlets.observe("show_review")
    def _on_review(self, _: Any) -> None:
        if not self._is_ready:
            return
        self._review = None
        if self.show_review and self._game.moves:
            self._review = review_game(self._game, seconds=REVIEW_POSITION_SECONDS)
        self._update_view()

    @traitlets.observe("language")
    def _on_language(self, _: Any) -> None:
        if self._is_ready:
            self.texts = front_end_texts(self.language)
            self._update_view()

    @traitlets.observe("draft")
    def _on_draft(self, _: Any) -> None:
        """Called when the person has changed a cell. If a game can reach the board, it becomes the start of the next
        game."""
        if not (self._is_ready and self.editing):
            return
        try:
            start = write_start(parse_start(self.draft, Variant.parse(self.variant)))
        except ConnectkError as error:
            self._problem = error.localize(load_texts(self.language))
            self._update_view()
            return
        self._problem = ""
        self._change(start=start, moves="", ply=LAST_PLY)
        self._update_view()

    def _go_on(self) -> None:
        """Show the position, and let the opponent drop a disc if it is to move."""
        self._update_view()
        if self._is_opponents_turn:
            choice = self._opponent().choose(self._game.position, Clock())
            after = (*self._game.moves, choice.column)
            self._change(ply=LAST_PLY, moves=write_moves(after, self._game.variant))

    @property
    def _is_opponents_turn(self) -> bool:
        position = self._game.position
        is_last = self._shown_ply == len(self._game.moves)
        waits = self.editing or self.readonly or not is_last or position.outcome is not None
        return bool(self.level) and not waits and position.side_to_move is not SIDES[self.side]

    def _opponent(self) -> Player:
        if self._player is None:
            self._player = load_player(f"level:{self.level}")
        return self._player

    def _close_player(self) -> None:
        if self._player is not None:
            self._player.close()
            self._player = None

    def _forget_review(self) -> None:
        self._review = None
        self.show_review = False

    def _update_view(self) -> None:
        self.view = self._view()

    def _view(self) -> dict[str, Any]:
        position, ply, game = self.position, self._shown_ply, self._game
        is_open = position.outcome is None and not (self.readonly or self.editing or self._is_opponents_turn)
        scored = self.show_scores and position.outcome is None and not self.editing
        return {
            "board": _board_view(position, is_open),
            "moves": write_moves(game.moves[:ply], game.variant),
            "ply": ply,
            "length": len(game.moves),
            "undo": self._moves_after_undo(),
            "status": self._problem or self._status(position),
            "wrong": bool(self._problem),
            "scores": score_columns(position, SCORING_SECONDS) if scored else None,
            **self._review_view(ply),
        }

    def _moves_after_undo(self) -> str | None:
        """The moves that remain after the person takes back a move and the opponent's answer to it. None if there is
        nothing to take back."""
        moves, first_ply = self._game.moves, self._game.start.ply
        persons = [
            number
            for number in range(len(moves))
            if not self.level or (first_ply + number) % 2 == SIDES[self.side].value
        ]
        return write_moves(moves[: persons[-1]], self._game.variant) if persons else None

    def _status(self, position: Position) -> str:
        texts = load_texts(self.language)
        if position.outcome is not None:
            winner = position.outcome.winner
            return texts("result.other", name=self._name(winner)) if winner else texts("result.draw")
        return texts("editor.fine", name=self._name(position.side_to_move))

    def _name(self, side: Side) -> str:
        texts = load_texts(self.language)
        if self.level and side is not SIDES[self.side]:
            return texts("name.level", level=self.level)
        return texts(f"name.{side}")

    def _review_view(self, ply: int) -> dict[str, Any]:
        if self._review is None:
            return {"advantage": None, "marks": [], "comment": "", "best": []}
        moves = self._review.moves
        flawed = [(number, move) for number, move in enumerate(moves, start=1) if move.label.is_flawed]
        shown = moves[ply - 1] if ply else None
        following = moves[ply] if ply < len(moves) else None
        return {
            "advantage": [moves[0].advantage_before, *(move.advantage for move in moves)],
            "marks": [
                {"ply": number, "kind": move.label.value, "label": self._sentences(move)} for number, move in flawed
            ],
            "comment": self._sentences(shown) if shown else "",
            "best": list(following.best_columns) if following and following.label.is_flawed else [],
        }

    def _sentences(self, move: MoveReview) -> str:
        texts = load_texts(self.language)
        return describe_move(move, texts) + describe_reasons(move, texts)


def _traits_of(position: Position | Game | str | None) -> dict[str, Any]:
    """The traits that describe a position, a game, or moves such as "4453"."""
    if position is None:
        return {}
    if isinstance(position, str):
        return {"moves": position}
    if isinstance(position, Game):
        start, moves = position.start, write_moves(position.moves, position.variant)
    else:
        start, moves = position, ""
    return {"variant": str(start.variant), "start": write_start(start), "moves": moves, "ply": LAST_PLY}


def _board_view(position: Position, is_open: bool) -> dict[str, Any]:
    """The board in the form that the page's own board needs."""
    moment = moment_view(position)
    return {
        "width": position.variant.width,
        "height": position.variant.height,
        "discs": [
            {"column": cell.column, "row": cell.row, "side": SIDE_NAMES[side]} for cell, side in position.discs()
        ],
        "open": moment["legal_columns"] if is_open else [],
        "hand": moment["side_to_move"] if is_open else None,
        "last": _cell(moment["last_drop"]) if moment["last_drop"] else None,
        "lines": [[_cell(cell) for cell in line] for line in moment["winning_lines"]],
    }


def _cell(place: Any) -> dict[str, int]:
    column, row = place
    return {"column": column, "row": row}
