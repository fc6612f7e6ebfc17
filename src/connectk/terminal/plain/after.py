"""After a plain game: again, replay, swap sides, review, save, back to the start."""

from __future__ import annotations

from connectk.terminal.match import Match
from connectk.terminal.plain.drawing import draw
from connectk.terminal.plain.game import Left, PlainGame
from connectk.terminal.plain.review import say_review

MENU = ("after.again", "after.replay", "after.swap", "after.review", "after.save", "after.start", "after.quit")


def ask_what_next(played: PlainGame) -> Match | None:
    """The next match; None for back to the start. `Left` or `EOFError` ends the program."""
    while True:
        match played.talk.menu(played.texts("after.question"), [played.texts(key) for key in MENU]):
            case 0:
                return played.match.again()
            case 1:
                replay(played)
            case 2:
                return played.match.swapped()
            case 3:
                say_review(played)
            case 4:
                played.save()
            case 5:
                return None
            case _:
                raise Left


def replay(played: PlainGame) -> None:
    """The game from its start: Enter shows the next disc, b the one before, q leaves."""
    ply, last = 0, len(played.match.game.moves)
    played.talk.say(played.texts("replay.keys"))
    while True:
        _show_ply(played, ply)
        if ply == last:
            return
        match played.talk.ask(played.texts("replay.next", ply=ply, last=last)).lower():
            case "b":
                ply = max(0, ply - 1)
            case "q":
                return
            case _:
                ply += 1


def _show_ply(played: PlainGame, ply: int) -> None:
    if ply:
        played.talk.say(played.sentences.move(played.match, ply))
    played.talk.say(f"\n{draw(played.match.game.positions[ply], played.discs)}\n")
