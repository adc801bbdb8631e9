"""The kit for Python: the loop, the rules, the clock. One file, with nothing but Python.

A bot is a function that takes a position and returns one of its legal moves:

    import ludus

    def choose(position):
        return position.legal[0]

    if __name__ == "__main__":
        ludus.play(choose)

The position knows the rules, because the arena answers for it. So a bot can play moves and take
them back while it thinks. The game itself stays where it is.

In a debugger or a notebook there is no arena that asks. Make a position there yourself:

    position = ludus.Position.of("tic-tac-toe", ["b2", "a1"])
    choose(position)

This starts `arena query`. The environment variable ARENA names the program if it is not on the path.
"""

import json
import math
import os
import random
import subprocess
import sys
import time

WIN = 1_000_000  # what a won game is worth
NEAR = 100  # so many nodes before its limit a search should stop


class Problem(Exception):
    """A move that is not legal, or a question that has no answer."""


class Position:
    """A position to think about. It begins where your bot must decide."""

    def __init__(self, start, turn, ask, dice):
        self.start = start  # the message `start`: `params`, `seats`, `clock` and more
        self.game = turn["game"]
        self.seat = turn["seat"]  # you
        self.friends = next((team for team in start.get("teams", []) if self.seat in team), [self.seat])
        self.clock = turn.get("clock")
        self.events = turn.get("events", [])  # what has happened since your last turn
        self.nodes = 0  # positions visited in this turn
        self.notes = {}
        self._began = time.monotonic()
        self._ask = ask
        self._dice = dice
        self._path = [{**turn, "turn": self.seat}]  # what the arena has told about each position

    @classmethod
    def of(cls, game, moves=(), params=None, seed=0, seat=None):
        """A position without a bot's turn, for a debugger or a notebook."""
        query = _Query(game, moves, params, seed, seat)
        return cls(query.start, query.turn, query.ask, random.Random(seed))

    @property
    def depth(self):
        """The number of moves played since the turn."""
        return len(self._path) - 1

    @property
    def legal(self):
        """The legal moves; none if the game is over."""
        return [] if self.over else self._fact("legal", legal=True)

    @property
    def turn(self):
        """The seat that decides here; None if the game is over."""
        return self._path[-1].get("turn")

    @property
    def ours(self):
        """Do you decide here, or a seat of your team?"""
        return self.turn in self.friends

    @property
    def simultaneous(self):
        """Do other seats decide at the same time?"""
        return self._path[-1].get("simultaneous", False)

    @property
    def over(self):
        """Why the game is over; None if the game goes on."""
        return self._path[-1].get("over")

    @property
    def value(self):
        """Your result when the game is over: 1, 0 or -1."""
        return self._path[-1]["value"]

    @property
    def places(self):
        """The place of each seat when the game is over; 1 is best."""
        return self._path[-1]["places"]

    @property
    def scores(self):
        """The points of each seat when the game is over."""
        return self._path[-1]["scores"]

    @property
    def view(self):
        """What the seat that decides here can see."""
        return self._fact("view", legal=False, view=True)

    def evaluate(self):
        """How good the position is for you, from -WIN to WIN; 0 where the arena gives no estimate."""
        if self.over:
            return self.value * WIN
        if not self.start.get("explore", {}).get("evaluate"):
            return 0
        return self._fact("evaluation", legal=False, evaluate=True)

    def play(self, move, leaf=False):
        """Plays a move. At a leaf you want the evaluation, not the legal moves: this is quicker."""
        evaluate = leaf and self.start.get("explore", {}).get("evaluate", False)
        self._path.append(self._explore(at=self.depth, play=move, legal=not leaf, evaluate=evaluate))
        self.nodes += 1

    def undo(self):
        """Takes the last move back."""
        if self.depth == 0:
            raise Problem("there is no move to take back")
        self._path.pop()

    def imagine(self, seed):
        """Goes back to the turn, and imagines all that you can't know. Each seed gives other cards."""
        self._explore(imagine=seed, legal=False)
        self._path = self._path[:1]
        self.nodes += 1

    def time_left(self):
        """Seconds that you may go on thinking: half of the time for a move, and a little of the bank.

        0 if the arena soon allows no more nodes.
        """
        if self.nodes + NEAR > self.start.get("explore", {}).get("nodes", math.inf):
            return 0
        if not self.clock:
            return math.inf
        spent = time.monotonic() - self._began
        return (self.clock["move_ms"] / 2 + self.clock["bank_ms"] / 40) / 1000 - spent

    def random(self, count):
        """A whole number below `count`. The same game gives the same numbers."""
        return self._dice.randrange(count)

    def log(self, text):
        """Writes a note into the record; `arena show` prints the note beside the move."""
        _say({"type": "log", "text": str(text)}, sys.stdout if self.clock else sys.stderr)

    def info(self, **fields):
        """Says what your search has found: `depth`, `score`, `pv`, `text` and more."""
        self.notes.update(fields)

    def _fact(self, name, **question):
        node = self._path[-1]
        if name not in node:
            node.update(self._explore(at=self.depth, **question))
        return node[name]

    def _explore(self, **request):
        node = self._ask({"type": "explore", **request})
        if "message" in node:  # a `problem`, or the `error` that ends the game
            raise Problem(node["message"])
        return node


def play(choose):
    """Answers the arena until the arena says `quit`. `choose` takes a position and returns a move."""
    start, dice, named = {}, random.Random(), {}

    def ask(request):
        _say({**request, **named})
        named.clear()  # only the first request of a game has to name the game
        return json.loads(sys.stdin.readline() or sys.exit())

    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            start, dice = message, random.Random(message["bot_seed"])
            named["match"] = message["match"]
        elif message["type"] == "turn":
            position = Position(start, message, ask, dice)
            move = choose(position)
            info = {"nodes": position.nodes} if position.nodes else {}
            _say({"move": move, "id": message["id"], "info": {**info, **position.notes}})
        elif message["type"] == "error":
            sys.exit(message["message"])
        elif message["type"] == "quit":
            return


def _say(message, output=sys.stdout):
    print(json.dumps(message), file=output, flush=True)


class _Query:
    """Answers the requests of a position from `arena query`, which knows the rules but no clock."""

    def __init__(self, game, moves, params, seed, seat):
        self.question = {"game": game, "params": params or {}, "seed": seed}
        self.moves, self.path = list(moves), []
        arena = [os.environ.get("ARENA", "arena"), "query"]
        self.process = subprocess.Popen(arena, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        found = self.answer(self.moves, views=True, evaluate=True)
        if found["outcome"]:
            raise Problem("the game is over")
        self.seat = found["turn"][0] if seat is None else seat
        if self.seat not in found["turn"]:
            raise Problem(f"seat {self.seat} does not decide here")
        self.turns = [self.seat]  # who decides at each depth
        self.start = {
            "params": self.question["params"],
            "seats": len(found["views"]) - 2,  # the others are a spectator's and the referee's
            "teams": found.get("teams", []),
            "explore": {"evaluate": found["evaluation"] is not None},
        }
        self.turn = {
            "game": game,
            "seat": self.seat,
            "simultaneous": len(found["turn"]) > 1,
            "legal": found["legal"][str(self.seat)],
            "view": found["views"][str(self.seat)],
        }

    def answer(self, moves, **more):
        question = json.dumps({**self.question, "moves": moves, **more})
        print(question, file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline() or sys.exit("`arena query` has ended"))
        if "error" in answer:
            raise Problem(answer["error"]["message"])
        return answer

    def ask(self, request):
        """The answer to an explore request: a node."""
        if "imagine" in request:
            raise Problem("`arena query` can't imagine")
        del self.path[request["at"] :], self.turns[request["at"] + 1 :]
        path = self.path + ([f"{self.turns[-1]}:{request['play']}"] if "play" in request else [])
        moves = self.moves + path
        found = self.answer(moves, views=request.get("view", False), evaluate=request.get("evaluate", False))
        over, node = found["outcome"], {}
        if over:
            places = over["places"]
            value = 0 if max(places) == 1 < len(places) else 1 if places[self.seat] == 1 else -1
            node = {"over": over["reason"], "value": value, "places": places, "scores": over["scores"]}
        else:
            turn = self.seat if self.seat in found["turn"] else found["turn"][0]
            node = {"turn": turn, "simultaneous": len(found["turn"]) > 1, "legal": found["legal"][str(turn)]}
            if found.get("evaluation"):
                node["evaluation"] = found["evaluation"][str(self.seat)]
        if "views" in found:
            node["view"] = found["views"][str(node.get("turn", self.seat))]
        if "play" in request:
            self.path, self.turns = path, self.turns + [node.get("turn")]
        return node
