#!/usr/bin/env python3
"""Plays the first legal move, and tries before each to get more out of it than it may: `cheats.py WAY [ARGUMENT]`."""

import ctypes
import fcntl
import json
import mmap
import os
import signal
import sys
import termios
import threading
import time

MIB = 1 << 20
PAGE = 4096
kept = []
answered = threading.Event()


def say(message):
    print(json.dumps(message), flush=True)


def compute(seconds):
    """Keeps a core busy for so long, whatever else the machine has to do."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def child(work):
    """Does some work in a child, and gives its number."""
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return pid


def ready_again():
    for _ in range(8):
        compute(0.1)
        say({"type": "ready", "protocol": 1})


def works_in_a_child():
    os.waitpid(child(lambda: compute(0.8)), 0)


def works_in_a_grandchild():
    """Whose parent is gone when it begins, so that somebody else collects it."""
    end, held = os.pipe()
    os.waitpid(child(lambda: child(lambda: compute(0.8))), 0)
    os.close(held)
    os.read(end, 1)
    os.close(end)


def works_in_forgotten_children():
    """One after another, each for less than the limit; the system is told not to keep their times."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(8):
        end, held = os.pipe()
        child(lambda: compute(0.1))
        os.close(held)
        os.read(end, 1)
        os.close(end)


def works_without_its_keeper():
    """Then nobody collects what is orphaned."""
    if kept:
        works_in_a_grandchild()
    else:
        kept.append(os.kill(os.getppid(), signal.SIGKILL))


def steals_its_output():
    """Reads from its own standard output for ever, so that nobody else finds anything in it."""
    output = os.open("/proc/self/fd/1", os.O_RDWR)
    while True:
        os.write(output, b"x")
        os.read(output, 1)


def waits_for_a_bell():
    """Answers once. Then it stands before the arena at its own standard output, and takes whatever is written there."""
    if kept:
        time.sleep(600)
    kept.append(threading.Thread(target=stand_first))
    kept[0].start()


def stand_first():
    output = os.open("/proc/self/fd/1", os.O_RDONLY)
    answered.wait()
    while any(fcntl.ioctl(output, termios.FIONREAD, b"\0" * 4)):
        pass
    while True:
        os.read(output, 1)


def fills_its_input():
    """Leaves no room for a question in its standard input."""
    writer = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(writer, b"\n" * PAGE)
    except BlockingIOError:
        time.sleep(600)


def touch(memory):
    for at in range(0, len(memory), PAGE):
        memory[at] = 1
    kept.append(memory)


def takes_shared_memory():
    touch(mmap.mmap(-1, 128 * MIB))
    time.sleep(1)


def takes_memory_in_children():
    for _ in range(4):
        child(lambda: (touch(bytearray(40 * MIB)), time.sleep(600)))
    time.sleep(1)


def shares_memory_with_children():
    """What is shared is counted once: this one is within a limit of 64 MiB."""
    if not kept:
        touch(bytearray(40 * MIB))
        for _ in range(4):
            child(lambda: time.sleep(600))
        time.sleep(0.2)


def ptrace(pid):
    attached = ctypes.CDLL(None, use_errno=True).ptrace(16, pid, None, None) == 0
    with open(sys.argv[2], "a") as notes:
        notes.write("attached\n" if attached else "refused\n")


def traces_its_keeper():
    if not kept:
        kept.append(ptrace(os.getppid()))


def traces_its_opponent():
    """Takes hold of every process that has a word of ours in its command line."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if sys.argv[3].encode() in words and b"keep" not in words and int(name) not in [os.getpid(), *kept]:
            kept.append(int(name))
            ptrace(int(name))


def ponders():
    """A child in a session of its own notes the longest time for which nothing happened. It decides when to move, too."""
    if not kept:
        (questions, ask), (answers, answer) = os.pipe(), os.pipe()
        child(lambda: ponder(questions, answer))
        kept.extend([ask, answers])
    os.write(kept[0], b"?")
    os.read(kept[1], 1)


def ponder(questions, answer):
    os.setsid()
    os.set_blocking(questions, False)
    last, longest = time.monotonic(), 0.0
    while True:
        time.sleep(0.002)
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        try:
            os.read(questions, 1)
        except BlockingIOError:
            continue
        with open(sys.argv[2], "w") as notes:
            notes.write(str(longest))
        os.write(answer, b"!")


way = globals()[sys.argv[1]]
if way is fills_its_input:
    way()
for line in sys.stdin:
    message = json.loads(line) if line.strip() else {}
    if message.get("type") == "hello":
        say({"type": "ready", "protocol": 1})
    elif message.get("type") == "turn":
        way()
        say({"move": message["legal"][0]})
        answered.set()
