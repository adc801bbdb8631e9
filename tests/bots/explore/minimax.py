# Minimax and alpha-beta through the arena's own rules: minimax.py [DEPTH] [alpha-beta]
import json, sys

WIN = 10_000_000
DEPTH = int(sys.argv[1]) if len(sys.argv) > 1 else 99
CUTS = "alpha-beta" in sys.argv


def explore(**steps):
    print(json.dumps({"type": "explore", **steps}), flush=True)
    return json.loads(sys.stdin.readline())


def child(at, move, depth, me, alpha, beta):
    leaf = depth == 0
    node = explore(at=at, play=move, legal=not leaf, evaluate=leaf)
    if "over" in node:
        return node["value"] * (WIN + depth)
    if leaf:
        return node["evaluation"]
    return best(node, depth, me, alpha, beta)[0]


def best(node, depth, me, alpha, beta):
    """The value of a node for `me`, and the move that has it."""
    mine, found = node["turn"] == me, None
    for move in node["legal"]:
        value = child(node["depth"], move, depth - 1, me, alpha, beta)
        if found is None or (value > found[0] if mine else value < found[0]):
            found = (value, move)
        if mine:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if CUTS and alpha >= beta:
            break
    return found


for line in sys.stdin:
    turn = json.loads(line)
    if turn["type"] == "turn":
        root = {"depth": 0, "turn": turn["seat"], "legal": turn["legal"]}
        value, move = best(root, DEPTH, turn["seat"], -2 * WIN, 2 * WIN)
        print(json.dumps({"id": turn["id"], "move": move, "info": {"score": value}}), flush=True)
