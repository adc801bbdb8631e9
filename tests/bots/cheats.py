#!/usr/bin/env python3
"""Plays the first legal move, and cheats before each move: `cheats.py WAY [ARGUMENT]`."""

import ctypes
import fcntl
import json
import mmap
import os
import signal
import socket
import sys
import termios
import threading
import time

MIB = 1 << 20
PAGE = 4096
SA_NOCLDWAIT = 2
PIDFD_GETFD = 438
libc = ctypes.CDLL(None, use_errno=True)
kept = []
answered = threading.Event()


def say(message):
    print(json.dumps(message), flush=True)


def compute(seconds):
    """Uses this many seconds of processor time, however busy the machine is."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def child(work):
    """Does some work in a child, and returns its process id."""
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
    """The parent ends first, so another process collects the grandchild. Did it finish its work?"""
    end, held = os.pipe()
    os.waitpid(child(lambda: child(lambda: (compute(0.8), os.write(held, b"!")))), 0)
    os.close(held)
    finished = os.read(end, 1) == b"!"
    os.close(end)
    return finished


def works_in_forgotten_children():
    """Children run one by one, each below the limit. The system does not keep their times."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(8):
        end, held = os.pipe()
        child(lambda: compute(0.1))
        os.close(held)
        os.read(end, 1)
        os.close(end)


class Sigaction(ctypes.Structure):
    _fields_ = [
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_char * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    ]


def have_children_forgotten():
    """Makes the system forget children, by a flag that no other process can see."""
    libc.sigaction(signal.SIGCHLD, ctypes.byref(Sigaction(flags=SA_NOCLDWAIT)), None)


def work_in_pieces(seconds, piece):
    have_children_forgotten()
    for _ in range(int(seconds / piece)):
        end, held = os.pipe()
        child(lambda: compute(piece))
        os.close(held)
        os.read(end, 1)
        os.close(end)


def works_among_sleepers():
    """Works beside sleeping processes. Each of them might have collected hidden work."""
    if not kept:
        kept.extend(child(lambda: time.sleep(600)) for _ in range(60))
    work_in_pieces(0.8, 0.2)


def works_in_short_pieces():
    """Most pieces begin and end between two looks of the arena."""
    work_in_pieces(0.8, 0.001)


def works_without_its_keeper():
    """No process collects orphans then. If the work was not done, the bot plays an illegal move."""
    if kept and not works_in_a_grandchild():
        say({"move": "caught"})
    elif not kept:
        kept.append(os.kill(os.getppid(), signal.SIGKILL))


def steals_its_output():
    """Reads its own standard output for ever, so that the arena finds nothing there."""
    output = os.open("/proc/self/fd/1", os.O_RDWR)
    while True:
        os.write(output, b"x")
        os.read(output, 1)


def waits_for_a_bell():
    """Answers once. Then it reads its own standard output before the arena does."""
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
    """Shared memory is counted once, so this bot is within a limit of 64 MiB."""
    if not kept:
        touch(bytearray(40 * MIB))
        for _ in range(4):
            child(lambda: time.sleep(600))
        time.sleep(0.2)


def takes_a_nameless_file():
    file = os.memfd_create("memory")
    for _ in range(128):
        os.write(file, bytes(MIB))
    time.sleep(1)


def leaves_memory_to_nobody():
    """In a grandchild whose keeper is gone. If the arena notices, the bot plays an illegal move."""
    if not kept:
        end, held = os.pipe()
        os.waitpid(child(lambda: child(lambda: hoard(held))), 0)
        kept.append(int(os.read(end, 20)))
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1)
    elif is_dead(kept[0]):
        say({"move": "caught"})


def hoard(held):
    os.write(held, str(os.getpid()).encode())
    time.sleep(0.5)
    touch(mmap.mmap(-1, 128 * MIB))
    time.sleep(600)


def is_dead(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(") ", 1)[1][0] == "Z"
    except OSError:
        return True


def borrow(pid, number):
    """A descriptor of another process."""
    return libc.syscall(PIDFD_GETFD, os.pidfd_open(pid), number, 0)


def has_the_arena_block():
    """Makes the arena's reads and writes block, as far as flags of its files decide that."""
    with open(f"/proc/{os.getppid()}/stat") as stat:
        arena = int(stat.read().rsplit(") ", 1)[1].split()[1])
    for name in os.listdir(f"/proc/{arena}/fd"):
        file = borrow(arena, int(name))
        if file >= 0:
            os.set_blocking(file, True)
            os.close(file)


def cuts_off_its_opponent():
    """Makes the opponent's keeper believe that the arena has ended."""
    for pid in processes_with(sys.argv[2].encode(), b"keep"):
        channel = borrow(pid, 0)
        if channel >= 0:
            socket.socket(fileno=channel).shutdown(socket.SHUT_RDWR)


def processes_with(*wanted):
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if all(word in words for word in wanted):
            yield int(name)


def ptrace(pid):
    attached = libc.ptrace(16, pid, None, None) == 0
    with open(sys.argv[2], "a") as notes:
        notes.write("attached\n" if attached else "refused\n")


def traces_its_keeper():
    if not kept:
        kept.append(ptrace(os.getppid()))


def traces_its_opponent():
    """Traces every process with a certain word in its command line."""
    rival = sys.argv[3].encode()
    keepers = list(processes_with(rival, b"keep"))
    for pid in processes_with(rival):
        if pid not in [os.getpid(), *keepers, *kept]:
            kept.append(pid)
            ptrace(pid)


def ponders():
    """A child in its own session measures the longest pause, and decides when to move."""
    if not kept:
        (questions, ask), (answers, answer) = os.pipe(), os.pipe()
        child(lambda: ponder(questions, answer))
        kept.extend([ask, answers])
    os.write(kept[0], b"?")
    os.read(kept[1], 1)


class Timer(ctypes.Structure):
    _fields_ = [("value", ctypes.c_long), ("signal", ctypes.c_int), ("notify", ctypes.c_int), ("rest", ctypes.c_char * 48)]


def ponders_by_a_timer():
    """A timer of the system wakes the stopped process."""

    if not kept:
        signal.signal(signal.SIGCONT, lambda *_: None)
        timer, often = ctypes.c_void_p(), (ctypes.c_long * 4)(0, 2_000_000, 0, 2_000_000)
        libc.timer_create(time.CLOCK_MONOTONIC, ctypes.byref(Timer(signal=signal.SIGCONT)), ctypes.byref(timer))
        libc.timer_settime(timer, 0, often, None)
        kept.append(threading.Thread(target=compute, args=[600], daemon=True))
        kept[0].start()


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
