"""Ludus for Python: the kit for bots, matches, records, and replays in a notebook.

A bot, as with the kit in one file (`ludus.play`, `ludus.Position`):

    import ludus

    def choose(position):
        return position.legal[0]

    if __name__ == "__main__":
        ludus.play(choose)

A match. The options are those of `arena match`: `--move-ms 500` is `move_ms=500`.

    match = ludus.match("tic-tac-toe", "python3 bot.py", "builtin:greedy", games=10)
    match.standings       # a row for each bot
    match[0]              # the first game; a notebook shows its replay
    match.frame()         # all games as a pandas frame

Games that were played before, from a file of records or from the journal of a tournament:

    records = ludus.read("results/league/journal.jsonl")
    records["0003"].moves
    records["0003"].position(4).legal

Any other command of the arena: `ludus.arena("rules", "nim")`.
"""

import os as _os

from .kit import NEAR, WIN, Position, Problem, play
from .matches import Match, match
from .program import ArenaError, arena, find as _find, program
from .records import Move, Record, Records, read
from .replay import Replay

__all__ = [
    "NEAR", "WIN", "ArenaError", "Match", "Move", "Position", "Problem", "Record", "Records", "Replay",
    "arena", "match", "play", "program", "read",
]  # fmt: skip

# The kit asks this variable for the program, because the kit alone can't know where it is.
if _path := _find():
    _os.environ.setdefault("ARENA", _path)
