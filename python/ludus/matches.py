"""Matches: the arena plays them, and the games come back as records."""

import json
import tempfile
from pathlib import Path

from .program import flags, run
from .records import Records, read, table


class Match(Records):
    """The games of a match, and what came out. A notebook shows its table."""

    def __init__(self, records, found):
        super().__init__(records)
        self.game = found["game"]
        self.params = found["params"]
        self.seed = found["seed"]
        self.standings = found["standings"]  # a row for each bot
        self.elo = found["elo"]  # of the first bot above the second, if the games tell
        self.faults = found["faults"]  # what bots did wrong, and in which game

    def __repr__(self):
        scores = ", ".join(f"{row['bot']} {row['score']:.1%}" for row in self.standings)
        return f"<Match of {self.game}, {len(self)} games: {scores}>"

    def _repr_html_(self):
        titles = ["bot", "games", "won", "drawn", "lost", "score", "faults", "ms/move"]
        rows = [
            [
                row["bot"], row["games"], row["won"], row["drawn"], row["lost"], f"{row['score']:.1%}",
                sum(row["faults"].values()), f"{row['mean_move_us'] / 1000:.2f}",
            ]
            for row in self.standings
        ]  # fmt: skip
        return table(titles, rows)


def match(game, *bots, **options):
    """Plays a match. A bot is a command, a folder, or a name such as `builtin:greedy`.

    The options are those of `arena match`: `games=10`, `seed=1`, `move_ms=500`, `params={...}`.
    A bot that fails loses its game, and the match says so in `faults`.
    """
    with tempfile.TemporaryDirectory(prefix="ludus-") as folder:
        options = {"record": Path(folder, "games.jsonl"), **options, "json": True}
        found = json.loads(run(["match", game, *map(str, bots), *flags(options)]))
        return Match(read(options["record"]), found)
