# Says in its log what it can reach: a port of this machine, and a file.
import json, socket, sys

def tried(act):
    try:
        act()
        return "reached"
    except BaseException as error:
        return f"walled off by {type(error).__name__}"

port = tried(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[1])), 2))
file = tried(lambda: open(sys.argv[2]).read())
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        print(json.dumps({"type": "log", "text": f"port {port}, file {file}"}))
        print(json.dumps({"move": message["legal"][0]}), flush=True)
