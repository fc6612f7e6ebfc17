"""Game file in, verdict out: a code from 0 to 9, and the line that explains it."""

from connectk.connectz import parse_and_play
from connectk.referee.judge import judge_bytes, judge_file, judge_files
from connectk.referee.plain import judge_plainly
from connectk.referee.verdict import Code, Offence, Verdict

__all__ = [
    "Code",
    "Offence",
    "Verdict",
    "judge_bytes",
    "judge_file",
    "judge_files",
    "judge_plainly",
    "parse_and_play",
]
