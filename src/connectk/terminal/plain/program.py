"""The program as text. It asks which game to play, plays it, and asks what to do next, until the user quits."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from connectk.client.seats import HeldSeat, HeldSeats
from connectk.errors import ConnectkError, ImpossibleVariant
from connectk.rules import CLASSIC, Position, Variant
from connectk.terminal.form import OTHER_CHOICE, GameForm, Preferences
from connectk.terminal.learning_sessions import (
    LearningSession,
    SavedPractice,
    daily_puzzle_session,
    next_lesson_session,
)
from connectk.terminal.match import LEVEL_NUMBERS, LocalMatch, Mode, level_name
from connectk.terminal.online import LOCAL_SERVER, MemberFactory, OnlineChoice
from connectk.terminal.plain.game import PlainGame, Prompter, UserQuit
from connectk.terminal.plain.learning_session import PlainLearningSession
from connectk.terminal.plain.online import PlainOnlineMatch
from connectk.terminal.plain.review import print_review, print_turning_point
from connectk.terminal.plain.room import PlainRoom
from connectk.terminal.plain.speech import BoardDescriber
from connectk.terminal.sentences import Sentences, discs_for, terminal_texts
from connectk.terminal.settings import TerminalSettings
from connectk.terminal.store import Autosaves
from connectk.texts import Texts
from connectk.texts.signs import is_ascii_only

MAX_BOARD_SIZE = 1000


ONLINE = "mode.online"
MODE_MENU = {"mode.computer": Mode.COMPUTER, "mode.two": Mode.TWO_PLAYERS, "mode.demo": Mode.DEMO}
LEARNING_SESSIONS: dict[str, Callable[[SavedPractice, Texts], LearningSession]] = {
    "mode.puzzles": daily_puzzle_session,
    "mode.lessons": next_lesson_session,
}


def ask_match(
    prompter: Prompter, autosaves: Autosaves, form: GameForm, boards: BoardDescriber, server: str
) -> LocalMatch:
    """Ask whether to play a new game or an autosave, and remember the choices in the form. If the user chooses lessons,
    puzzles or a server, run these first and then ask again."""
    while (picked := _ask_mode(prompter, autosaves, form)) in (*LEARNING_SESSIONS, ONLINE):
        if picked == ONLINE:
            _play_online(prompter, boards, server)
        else:
            _run_session(LEARNING_SESSIONS[picked](SavedPractice(), prompter.texts), prompter, boards)
    if picked == "mode.resume":
        return ask_autosave(prompter, autosaves, boards)
    if picked == "mode.last" and (last := autosaves.last_finished()):
        return last
    form.mode, form.opening = MODE_MENU[picked].value, ""
    _ask_players(prompter, form)
    _ask_board(prompter, form)
    return form.match()


def _ask_mode(prompter: Prompter, autosaves: Autosaves, form: GameForm) -> str:
    """Ask what kind of game to play. The default is the last kind that the user played."""
    keys = [*MODE_MENU, *LEARNING_SESSIONS, ONLINE, *(["mode.resume"] if autosaves.all() else [])]
    keys += ["mode.last"] if autosaves.last_finished() else []
    before = list(MODE_MENU.values()).index(Mode(form.mode))
    return keys[prompter.menu(prompter.texts("ask.mode"), [prompter.texts(key) for key in keys], before)]


def _play_online(prompter: Prompter, boards: BoardDescriber, server: str) -> None:
    """Play a match on a server, or in a room on a server. If the user leaves, the program continues."""
    texts, seats = prompter.texts, HeldSeats()
    with suppress(UserQuit):
        link = prompter.text(texts("online.dialog.link"))
        where = server or LOCAL_SERVER
        if "/" not in link:
            where = prompter.text(f"{texts('online.dialog.server')}?", where)
        choice = OnlineChoice(where, link, prompter.text(f"{texts('online.dialog.name')}?"), Position.start())
        if choice.room_code:
            PlainRoom(choice.member(seats), prompter, boards).play()
        else:
            PlainOnlineMatch(choice.seat(seats), prompter, boards).play()


def _run_session(session: LearningSession, prompter: Prompter, boards: BoardDescriber) -> None:
    """Run a session of puzzles or lessons. If the user quits it, the program continues."""
    with suppress(UserQuit):
        PlainLearningSession(session, prompter, boards).run()


def ask_autosave(prompter: Prompter, autosaves: Autosaves, boards: BoardDescriber) -> LocalMatch:
    """The autosave that the user chooses. If there is only one, it is returned without a question."""
    games, sentences = autosaves.all(), Sentences(prompter.texts, boards.discs, spoken=not boards.draws)
    picked = (
        0
        if len(games) == 1
        else prompter.menu(prompter.texts("kept.which"), [sentences.autosave(game) for game in games])
    )
    return games[picked].open()


def _ask_players(prompter: Prompter, form: GameForm) -> None:
    if form.mode == Mode.TWO_PLAYERS.value:
        return
    kind, _, level = form.player.partition(":")
    before = int(level) if kind == "level" and level.isdigit() else 5
    for number in LEVEL_NUMBERS:
        prompter.say(
            f"  {number:>2}  {prompter.texts(f'level.name.{number}')}. {prompter.texts(f'level.words.{number}')}"
        )
    form.player = form.second = level_name(
        prompter.number(prompter.texts("ask.level"), LEVEL_NUMBERS[0], LEVEL_NUMBERS[-1], before)
    )
    if form.mode == Mode.COMPUTER.value:
        form.starts = "you" if prompter.yes(prompter.texts("ask.you_start"), form.starts == "you") else "computer"


def _ask_board(prompter: Prompter, form: GameForm) -> None:
    texts = prompter.texts
    if prompter.yes(texts("ask.classic"), form.board == str(CLASSIC)):
        form.board = str(CLASSIC)
        return
    while True:
        before = form.variant
        questions = (("ask.width", before.width), ("ask.height", before.height), ("ask.run", before.run))
        size = [prompter.number(texts(key), 1, MAX_BOARD_SIZE, last) for key, last in questions]
        try:
            form.board, form.size = OTHER_CHOICE, str(Variant(*size))
            return
        except ImpossibleVariant as error:
            prompter.say(error.localize(texts))


AFTER_GAME_COMMANDS = {  # the commands after a game, and their text keys; the first command is the default
    "restart": "after.again",
    "replay": "after.replay",
    "swap": "after.swap",
    "why": "after.why",
    "review": "after.review",
    "save": "after.save",
    "undo": "after.undo",
    "start": "after.start",
    "quit": "after.quit",
}


def ask_next_match(game: PlainGame) -> LocalMatch | None:
    """The match to play next. None means that the program returns to the start. Raises `UserQuit` or `EOFError` if the
    user wants to quit."""
    texts, commands, is_known = game.texts, list(AFTER_GAME_COMMANDS), False
    options = [*map(texts, AFTER_GAME_COMMANDS.values())]
    while True:
        chosen = game.prompter.menu(texts("after.question"), options, 0, commands, is_known)
        is_known = True
        match commands[chosen]:
            case "restart":
                return game.match.rematch()
            case "replay":
                replay(game)
            case "swap":
                return game.match.swapped()
            case "why":
                print_turning_point(game.match, game.prompter, game.boards)
            case "review":
                print_review(game.match, game.prompter, game.boards)
            case "save":
                game.save()
            case "undo":
                game.match.undo()
                return game.match
            case "start":
                return None
            case _:
                raise UserQuit


def replay(game: PlainGame) -> None:
    """Show a game again. Enter shows the next disc, u goes back one disc, b describes the board, q ends the replay."""
    ply, last, prompter = 0, len(game.match.game.moves), game.prompter
    prompter.say(game.texts("replay.keys"))
    _show_ply(game, ply)
    while ply < last:
        word = prompter.ask(game.texts("replay.next", ply=ply, last=last))
        if prompter.matches(word, "quit"):
            return
        if prompter.matches(word, "board"):
            prompter.say(game.boards.describe(game.match.game.positions[ply]))
            continue
        ply = max(0, ply - 1) if prompter.matches(word, "undo") else ply + 1
        _show_ply(game, ply)


def _show_ply(game: PlainGame, ply: int) -> None:
    if ply:
        game.prompter.say(game.sentences.move(game.match, ply))
    if game.boards.draws or not ply:
        game.prompter.say(game.boards.show(game.match.game.positions[ply]))


class PlainProgram:
    """Plays the given match, or asks the user for one. It runs until the user quits or the input ends."""

    def __init__(self, settings: TerminalSettings, preferences: Preferences) -> None:
        ascii_only = is_ascii_only(sys.stdout.encoding, settings.ascii)
        self.texts = terminal_texts(settings, sys.stdout.encoding)
        self.prompter = Prompter(self.texts)
        self.boards = BoardDescriber(self.texts, discs_for(ascii_only), settings.board)
        self.autosaves, self.preferences, self.server = settings.autosaves, preferences, settings.server

    def run(self, match: LocalMatch | None = None, pick_autosave: bool = False) -> None:
        """Run the program. With `pick_autosave` it begins with the list of autosaves."""
        _replace_unencodable_characters()
        _enable_line_editing()
        try:
            self._print_save_error()
            self._play_games(self._ask_autosave() if pick_autosave else match)
        except UserQuit:
            self.prompter.say(self._exit_message())
        except (EOFError, KeyboardInterrupt) as end:
            self.prompter.say(f"\n{self._exit_message()}")
            if isinstance(end, KeyboardInterrupt):
                raise SystemExit(130) from None

    def run_online(self, place: HeldSeat | MemberFactory) -> None:
        """Play a match on a server until it is over, or in a room until it is closed."""
        _replace_unencodable_characters()
        _enable_line_editing()
        try:
            if isinstance(place, HeldSeat):
                PlainOnlineMatch(place, self.prompter, self.boards).play()
            else:
                PlainRoom(place, self.prompter, self.boards).play()
        except (UserQuit, EOFError):
            self.prompter.say(self.texts("bye.online"))
        except KeyboardInterrupt:
            self.prompter.say(f"\n{self.texts('bye.online')}")
            raise SystemExit(130) from None

    def _print_save_error(self) -> None:
        self.autosaves.check_writable()
        if self.autosaves.save_error:
            self.prompter.say(self.autosaves.trouble(self.texts))

    def _play_games(self, match: LocalMatch | None) -> None:
        while True:
            game = PlainGame(match or self._ask(), self.prompter, self.boards, self.autosaves, self.preferences)
            game.play()
            match = ask_next_match(game)

    def _ask_autosave(self) -> LocalMatch | None:
        """The autosave that the user chooses; None if its file is damaged."""
        try:
            return ask_autosave(self.prompter, self.autosaves, self.boards)
        except ConnectkError as error:
            self.prompter.say(error.localize(self.texts))
            return None

    def _ask(self) -> LocalMatch:
        self.prompter.say(self.texts("ask.hello"))
        while True:
            try:
                match = ask_match(self.prompter, self.autosaves, self.preferences.form, self.boards, self.server)
                self.preferences.save()
                return match
            except ConnectkError as error:
                self.prompter.say(error.localize(self.texts))

    def _exit_message(self) -> str:
        return self.texts("bye.saved" if self.autosaves.all() else "bye.done")


def _replace_unencodable_characters() -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # both are text files outside of tests


def _enable_line_editing() -> None:
    """Let the user edit a line and recall earlier lines, if the system has readline."""
    if not sys.stdin.isatty():
        return
    with suppress(ImportError):
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")
