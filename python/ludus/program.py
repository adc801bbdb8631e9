"""The program `arena`: where it is, and how it is run."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path


class ArenaError(Exception):
    """The arena refused what it was asked, or failed. `code` is its exit code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def program():
    """The path of the program: the variable ARENA, else beside this Python, else on the path."""
    found = find()
    if found is None:
        raise ArenaError(2, "the program `arena` is not there: install the wheel, or set the variable ARENA")
    return found


def find():
    """The path of the program, or None."""
    named = os.environ.get("ARENA")
    if named:
        return os.path.abspath(named) if os.sep in named else named
    schemes = map(sysconfig.get_preferred_scheme, ("prefix", "user"))
    installed = [sysconfig.get_path("scripts", scheme) for scheme in schemes]
    beside = Path(__file__).resolve().parents[1] / "bin"  # after `pip install --target`
    folders = os.pathsep.join([*installed, str(beside), os.environ.get("PATH", "")])
    return shutil.which("arena", path=folders)


def arena(*words, **options):
    """Runs a command of the arena, and returns what the command prints.

    Options are keywords: `--move-ms 500` is `move_ms=500`, and `--json` is `json=True`.
    """
    return run([*map(str, words), *flags(options)])


def run(words, folder=None):
    """Standard output of a command. Its warnings go to standard error. A bot's failure is no error."""
    words = [program(), *words]
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stdout):
        text = done.stderr.strip().removeprefix("error: ")
        raise ArenaError(done.returncode, text or f"`arena {words[1]}` ended with {done.returncode}")
    if done.stderr:
        print(done.stderr, end="", file=sys.stderr)
    return done.stdout


def flags(options):
    """`{"move_ms": 500, "json": True}` as flags of a command line. None and False give no flag."""
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            yield flag
        elif value is not None and value is not False:
            yield f"{flag}={json.dumps(value) if isinstance(value, (dict, list)) else value}"
