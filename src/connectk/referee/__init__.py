"""Judges game files. A verdict has a code from 0 to 9, and the line of the worst offence if there is one."""

from connectk.connectz import parse_and_play
from connectk.referee.judge import find_game_files, judge_bytes, judge_file, judge_files, judge_many
from connectk.referee.reference_judge import judge_plainly
from connectk.referee.verdict import Code, Offence, Verdict

__all__ = [
    "Code",
    "Offence",
    "Verdict",
    "find_game_files",
    "judge_bytes",
    "judge_file",
    "judge_files",
    "judge_many",
    "judge_plainly",
    "parse_and_play",
]
