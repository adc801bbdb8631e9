"""Games that were played: records and journals as plain objects, or as pandas frames."""

import html
import json
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import zip_longest

from .kit import Position
from .replay import Replay

FORMAT = 1  # of records and of journals: what this module can read
MOST_SHOWN = 20  # games in the table that a notebook shows


@dataclass(frozen=True)
class Move:
    """A move, and what is known about it."""

    seat: int
    move: str
    us: int  # microseconds that the bot took
    opening: bool = False  # played before any bot was asked
    substitute: bool = False  # played by the arena, for a bot that had failed
    explored: int = 0  # nodes that the bot has explored through the arena
    info: dict = field(default_factory=dict)  # what the bot said about its search
    log: list = field(default_factory=list)  # the bot's notes


@dataclass(frozen=True, repr=False)
class Record:
    """A game: who played, from which seed, every move, and the result. A notebook shows its replay."""

    match: str  # the id of the game, in its file
    game: str
    params: dict
    seed: str  # of the deal
    bots: list  # by seat, as are places and scores
    moves: list
    places: list  # 1 is best
    scores: list
    reason: str  # why the game ended
    faults: list  # what bots did wrong
    block: str  # in a tournament: games of one block have the same deal
    round: int
    started: datetime
    json: dict  # the line of the file, with all that is not above

    @classmethod
    def of(cls, line):
        """The game in a line of a file, which is read already."""
        if line["ludus"] > FORMAT:
            raise ValueError(f"format {line['ludus']} is newer than this module, which knows {FORMAT}")
        times, result = line["times"], line["result"]
        known = Move.__dataclass_fields__
        moves = [
            Move(us=us, **{key: value for key, value in move.items() if key in known})
            for move, us in zip_longest(line["moves"], times["moves_us"], fillvalue=0)
        ]
        started = datetime.fromtimestamp(times["started_ms"] / 1000, timezone.utc)
        same = {key: line[key] for key in ("match", "game", "params", "seed", "bots")}
        ended = {key: result[key] for key in ("places", "scores", "reason")}
        more = {"faults": line.get("faults", []), "block": line.get("block"), "round": line.get("round")}
        return cls(**same, **ended, **more, moves=moves, started=started, json=line)

    @property
    def void(self):
        """Does the game not count?"""
        return self.reason == "void"

    @property
    def winner(self):
        """The bot that is alone in first place, or None."""
        first = [bot for bot, place in zip(self.bots, self.places) if place == 1]
        return first[0] if len(first) == 1 and not self.void else None

    def __repr__(self):
        end = f"{self.winner} wins" if self.winner else f"places {self.places}"
        return f"<Record {self.match} of {self.game}, {', '.join(self.bots)}: {end} ({self.reason})>"

    def position(self, ply=0):
        """The position after so many moves, to think about: its legal moves, its view, what follows."""
        moves = [f"{move.seat}:{move.move}" for move in self.moves[:ply]]
        return Position.of(self.game, moves, params=self.params, seed=self.seed)

    def replay(self, **options):
        """The page that replays the game. `values=True` adds the proven value of each legal move."""
        return Replay.of([self.json], **options)

    def _repr_html_(self):
        return self.replay()._repr_html_()


class Records(list):
    """Games in the order of their file. `records["0003"]` is the game with this id."""

    header = None  # of a journal: its first line
    end = None  # of a journal: its last line, if all games are played

    def __getitem__(self, key):
        if isinstance(key, slice):
            return Records(super().__getitem__(key))
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = next((record for record in self if record.match == key), None)
        if found is None:
            raise KeyError(f"there is no game `{key}`")
        return found

    def rows(self):
        """A row for each seat of each game, as dictionaries."""
        for record in self:
            faults = {fault["seat"]: fault["code"] for fault in reversed(record.faults)}
            for seat, bot in enumerate(record.bots):
                own = [move.us for move in record.moves if move.seat == seat and not move.opening]
                yield {
                    "match": record.match, "game": record.game, "block": record.block, "round": record.round,
                    "seat": seat, "bot": bot, "place": record.places[seat], "score": record.scores[seat],
                    "reason": record.reason, "fault": faults.get(seat), "moves": len(own),
                    "ms": sum(own) / 1000, "started": record.started,
                }  # fmt: skip

    def move_rows(self):
        """A row for each move, as dictionaries, with what the bot said: `depth`, `nodes`, `score`."""
        for record in self:
            for ply, move in enumerate(record.moves, 1):
                said = {key: move.info.get(key) for key in ("depth", "nodes", "score")}
                yield {
                    "match": record.match, "game": record.game, "ply": ply, "seat": move.seat,
                    "bot": record.bots[move.seat], "move": move.move, "ms": move.us / 1000,
                    "opening": move.opening, "substitute": move.substitute, "explored": move.explored, **said,
                }  # fmt: skip

    def frame(self):
        """`rows` as a pandas frame."""
        return _frame(self.rows())

    def move_frame(self):
        """`move_rows` as a pandas frame."""
        return _frame(self.move_rows())

    def replay(self, **options):
        """The page that replays all these games. The options are those of `arena show`."""
        return Replay.of([record.json for record in self], **options)

    def __repr__(self):
        return f"<{type(self).__name__} of {len(self)} games>"

    def _repr_html_(self):
        titles = ["match", "game", "bots", "moves", "winner", "reason"]
        rows = [
            [game.match, game.game, ", ".join(game.bots), len(game.moves), game.winner or "", game.reason]
            for game in self[:MOST_SHOWN]
        ]
        more = len(self) - len(rows)
        return table(titles, rows) + (f"<p>and {more} more</p>" if more > 0 else "")


def read(path):
    """The games of a file: records, one JSON object for each line, or the journal of a tournament."""
    records = Records()
    with open(path, encoding="utf-8", newline="\n") as lines:
        for number, text in enumerate(lines, 1):
            if not text.strip():
                continue
            try:
                _add(records, json.loads(text))
            except (ValueError, KeyError, TypeError) as error:
                if records.header and not text.endswith("\n"):
                    break  # the tournament was stopped while it wrote this line
                problem = f"`{error.args[0]}` is missing" if isinstance(error, KeyError) else error
                raise ValueError(f"{path}, line {number}: not a record: {problem}") from None
    return records


def _add(records, line):
    if "journal" in line:
        if line["journal"] > FORMAT:
            raise ValueError(f"format {line['journal']} is newer than this module, which knows {FORMAT}")
        records.header = line
    elif "end" in line:
        records.end = line
    elif "change" not in line:
        records.append(Record.of(line))


def _frame(rows):
    try:
        import pandas
    except ImportError:
        raise ImportError("frames need pandas: `pip install pandas`; `rows()` works without it") from None
    return pandas.DataFrame(rows)


def table(titles, rows):
    """A table for a notebook. All text may be a stranger's."""
    line = lambda tag, cells: "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)
    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{line('th', titles)}</tr></thead><tbody>{body}</tbody></table>"
