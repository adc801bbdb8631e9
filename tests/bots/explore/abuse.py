# Abuses exploring in one way: abuse.py HOW
import json, os, sys

how = sys.argv[1]


def say(text):
    os.write(1, text.encode())


def explore(**steps):
    return json.dumps({"type": "explore", **steps}) + "\n"


def read():
    return sys.stdin.readline()


def abuse(legal):
    if how == "floods":  # and never reads
        while True:
            say(explore(at=0, play=legal[0]) * 100)
    elif how == "reads-and-floods":
        while True:
            say(explore(at=0, play=legal[0]) * 20)
            for _ in range(20):
                read()
    elif how == "wrong-forever":
        while True:
            say(explore(at=0, play="nonsense"))
            read()
    elif how == "idles-forever":  # asks for nothing new
        while True:
            say('{"type":"explore"}\n' * 20)
            for _ in range(20):
                read()
    elif how == "long-paths":
        while True:
            say(explore(at=0, play=["x"] * 10_001))
            read()
    elif how == "huge-line":
        say('{"type":"explore","play":"' + "x" * 100_000 + '"}\n')
        read()
    elif how == "huge-move":
        while True:
            say(explore(at=0, play="x" * 60_000))
            read()
    elif how == "back-too-far":
        while True:
            say(explore(at=7))
            assert '"problem":"no_such_node"' in read()
    elif how == "imagines":  # where nothing is hidden, this goes to the root
        for seed in range(50):
            say(explore(play=legal[0]) + explore(imagine=seed) + explore(imagine=seed, play=legal[0]))
            assert [json.loads(read())["depth"] for _ in range(3)] == [1, 0, 1]
            say(explore(at=0))
            read()
    elif how == "huge-lists":
        for moves in [legal[:2] * 4_000, legal[:1] * 9_000, [""] * 9_000, [legal[0], 1], [[]], [None]]:
            say(explore(at=0, play=moves))
            answer = read()
            assert '"depth":0,"problem":"' in answer, answer
    elif how in ("in-others-turns", "floods-others-turns"):
        requests = explore(at=0, play=legal[0]) * (200 if how == "in-others-turns" else 1_500)
        say(json.dumps({"move": legal[0]}) + "\n" + requests)
        return False
    elif how == "huge-numbers":
        for number in ["1e400", "-1", "18446744073709551616", "99999999999999999999999", "1.5", '"1"', "[]", "{}"]:
            for key in ["at", "imagine", "tag", "id", "view"]:
                say('{"type":"explore","%s":%s}\n' % (key, number))
                answer = read()
                assert '"problem":"' in answer, answer
    elif how == "after-the-move":
        say(json.dumps({"move": legal[0]}) + "\n" + explore(at=0, play=legal[0]) * 5)
        return False
    elif how == "half-a-request":
        say('{"type":"explore"')
        sys.stdin.read()
    elif how == "closes-its-input":
        os.close(0)
        say(explore(at=0, play=legal[0]) * 5_000)
        while True:
            pass
    elif how == "not-json":
        say('{"type":"explore","at":0,}\n')
        read()
    return True


for line in iter(read, ""):
    message = json.loads(line)
    if message["type"] == "turn" and abuse(message["legal"]):
        say(json.dumps({"move": message["legal"][0]}) + "\n")
