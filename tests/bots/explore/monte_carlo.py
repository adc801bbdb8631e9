# Imagines positions and plays each move at random to the end, in every game: monte_carlo.py [DREAMS]
import json, random, sys

LONGEST = 80  # a longer random game says nothing
DREAMS = int(sys.argv[1]) if len(sys.argv) > 1 else 3


def explore(**steps):
    print(json.dumps({"type": "explore", **steps}), flush=True)
    return json.loads(sys.stdin.readline())


def worth(node, me):
    """The share of the other seats that are behind, and a little for points."""
    others = [seat for seat in range(len(node["places"])) if seat != me]
    behind = sum(node["places"][seat] > node["places"][me] for seat in others)
    return behind / max(1, len(others)) + node["scores"][me] / 1_000


def play_out(node, me, dice):
    while "over" not in node and node["depth"] < LONGEST:
        node = explore(play=dice.choice(node["legal"]))
    return worth(node, me) if "over" in node else 0


dice = random.Random(0)
for line in sys.stdin:
    turn = json.loads(line)
    if turn["type"] == "start":
        dice = random.Random(turn["bot_seed"])
    if turn["type"] == "turn":
        me, totals = turn["seat"], {move: 0 for move in turn["legal"]}
        for _ in range(DREAMS if len(totals) > 1 else 0):
            dream = explore(imagine=dice.getrandbits(50))
            assert dream["turn"] == me and dream["legal"] == turn["legal"], dream
            for move in totals:
                totals[move] += play_out(explore(at=0, play=move), me, dice)
        print(json.dumps({"id": turn["id"], "move": max(totals, key=totals.get)}), flush=True)
