#!/usr/bin/env python3
"""A bot for Ludus in Python, with nothing but the standard library.

Try it:  arena match tic-tac-toe "python3 bots/python/first_bot.py" builtin:random
"""

import json
import random
import sys

rng = random.Random()

for line in sys.stdin:  # one JSON object per line, until the arena closes the pipe
    message = json.loads(line)
    if message["type"] == "start":
        # A new game. Seeding from bot_seed makes the bot's games repeatable.
        rng = random.Random(message["bot_seed"])
    elif message["type"] == "turn":
        # Your turn: message["view"] is what you can see, message["legal"] what you may do.
        move = rng.choice(message["legal"])
        print(json.dumps({"move": move, "id": message["id"]}), flush=True)
    elif message["type"] == "error":
        # Something was wrong with your answer; standard error is yours to write to.
        print(message["message"], file=sys.stderr)
