#!/usr/bin/env python3
"""A bot that attacks at its first turn, says in a `log` whether the attack was held, and plays on.

attacks.py ATTACK MARKER [NUMBER…]: the marker is on the command line of whatever the bot starts.
What an attack is aimed at stands in the file targets.json beside this script's copy.
"""
import array
import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
here = os.path.dirname(os.path.abspath(__file__))
targets = json.load(open(os.path.join(here, "targets.json")))
MIB = 1 << 20


def call(name, *args):
    """A call of the C library that must not succeed."""
    if getattr(libc, name)(*args) < 0:
        raise OSError(ctypes.get_errno(), name)


def read(path):
    with open(path, "rb") as file:
        return file.read(64)


def write(path):
    with open(path, "ab") as file:
        file.write(b"changed")


def read_neighbour():
    read(targets["neighbour"])


def change_neighbour():
    write(targets["neighbour"])


def list_neighbour():
    os.listdir(os.path.dirname(targets["neighbour"]))


def read_results():
    read(targets["results"])


def change_results():
    write(targets["results"])


def replace_results():
    os.rename(targets["results"], targets["results"] + ".old")


def read_opponent():
    read(targets["opponent"])


def change_own_files():
    write(os.path.abspath(__file__))


def read_shadow():
    read("/etc/shadow")


def read_home():
    os.listdir(os.path.expanduser("~root") if os.getuid() == 0 else targets["home"])


def other_processes():
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) not in family():
            line = read(f"/proc/{entry}/cmdline")
            if b"arena" in line and entry != "1":
                return
    raise PermissionError("nobody else is there")


def family():
    return {os.getpid(), os.getppid()}


def arena_environment():
    read(f"/proc/{targets['arena']}/environ")


def arena_memory():
    open(f"/proc/{targets['arena']}/mem", "rb").close()


def arena_command_line():
    read(f"/proc/{targets['arena']}/cmdline")


def keeper_memory():
    open(f"/proc/{os.getppid()}/mem", "rb").close()


def opponent_pipes():
    found = [e for e in os.listdir("/proc") if e.isdigit() and int(e) > 1 and int(e) not in family()]
    for entry in found:
        with open(f"/proc/{entry}/fd/0", "wb") as pipe:
            pipe.write(b"nonsense\n")
        return
    raise PermissionError("nobody else is there")


def kill_arena():
    os.kill(targets["arena"], signal.SIGKILL)


def kill_keeper():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(0.05)
    if read(f"/proc/{os.getppid()}/stat"):
        raise PermissionError("it lives")


def kill_everybody():
    os.kill(-1, signal.SIGKILL)


def stop_arena():
    os.kill(targets["arena"], signal.SIGSTOP)


def trace_arena():
    call("ptrace", 16, targets["arena"], 0, 0)


def trace_keeper():
    call("ptrace", 16, os.getppid(), 0, 0)


def peek_keeper():
    call("process_vm_readv", os.getppid(), ctypes.byref(ctypes.create_string_buffer(16)), 1, None, 0, 0)


def limit_arena():
    """No process of another needs to be killed if it can be made to fail."""
    resource.prlimit(targets["arena"], resource.RLIMIT_NOFILE, (3, 1 << 20))


def write_setting():
    """A setting of the whole machine, which stays as it is."""
    path = "/proc/sys/kernel/printk_ratelimit_burst"
    value = read(path)
    os.write(os.open(path, os.O_WRONLY), value)


def offer_keeper():
    """Lets the system kill the keeper first if memory is short."""
    os.write(os.open("/proc/1/oom_score_adj", os.O_WRONLY), b"1000")


def change_mode():
    os.chmod(targets["opponent"], 0o755)


def change_own_time():
    os.utime(os.path.abspath(__file__), (1, 1))


def change_attribute():
    os.setxattr(targets["results"], "user.note", b"x")


def lease():
    with open(targets["opponent"]) if os.access(targets["opponent"], os.R_OK) else open(__file__) as file:
        fcntl.fcntl(file, 1024, fcntl.F_WRLCK)


def lease_own_file():
    with open(__file__) as file:
        fcntl.fcntl(file, 1024, fcntl.F_RDLCK)


def watch_neighbour():
    call("inotify_add_watch", libc.inotify_init(), os.path.dirname(targets["neighbour"]).encode(), 0x100)


def datagrams():
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)


def raw_datagrams():
    """Raw pairs are datagrams by another name."""
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)
    one.sendto(b"x", targets["datagrams"])


def bind_in_scratch():
    one, _ = socket.socketpair()
    one.bind("\0ludus-attack")


def nameless_memory():
    os.memfd_create("x")


def tcp():
    socket.create_connection(("127.0.0.1", targets["tcp"]), timeout=1).close()


def tcp_listen():
    socket.create_server(("127.0.0.1", 0)).close()


def udp():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))


def unix_socket():
    socket.socket(socket.AF_UNIX).connect(targets["socket"])


def abstract_socket():
    socket.socket(socket.AF_UNIX).connect("\0" + targets["abstract"])


def raw_socket():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


def netlink():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)


def user_namespace():
    call("unshare", 0x10000000)


def mount():
    call("mount", b"none", b"/tmp", b"tmpfs", 0, None)


def keyring():
    call("syscall", 250 if os.uname().machine == "x86_64" else 219, 0, -3, 0)


def io_uring():
    call("syscall", 425, 4, ctypes.byref(ctypes.create_string_buffer(120)))


def userfault():
    call("syscall", 323 if os.uname().machine == "x86_64" else 282, 0)


def other_cores():
    os.sched_setaffinity(0, range(os.cpu_count()))


def priority():
    os.setpriority(os.PRIO_PROCESS, 0, -5)


def become_root():
    os.setuid(0 if os.getuid() else 1)


def open_files():
    [open("/dev/null") for _ in range(2_000)]


def terminal():
    open("/dev/tty").close()


def processes():
    for _ in range(600):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)


def threads():
    for _ in range(600):
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()


def disk():
    for number in range(8):
        with open(os.path.join(os.environ["TMPDIR"], f"fill{number}"), "wb") as file:
            file.write(b"x" * (32 * MIB))


def large_file():
    with open(os.path.join(os.environ["TMPDIR"], "large"), "wb") as file:
        file.truncate(1 << 40)


def many_folders():
    for number in range(20_000):
        os.mkdir(os.path.join(os.environ["TMPDIR"], f"folder{number}"))


def shared_memory():
    with open("/dev/shm/ludus", "wb") as file:
        file.write(b"x" * (128 * MIB))


def system_v_memory():
    call("shmget", 0, 128 * MIB, 0o1600)


def leave_note():
    write("/tmp/ludus-note")


def leave_note_beside():
    write(os.path.join(here, "note"))


def find_note():
    """The second game finds what the first has left in the scratch folder."""
    note = os.path.join(os.environ["TMPDIR"], "note")
    found = os.path.exists(note)
    write(note)
    if not found:
        raise FileNotFoundError("nothing was left")


def count_up(count, how):
    """The second game finds how far the first has counted something up."""
    found = count()
    if found > 400:
        return
    for _ in range(500):
        how()
    raise FileNotFoundError("nothing was left")


def leave_shared_memory():
    found = os.listdir("/dev/shm")
    write("/dev/shm/note")
    if not found:
        raise FileNotFoundError("nothing was left")


def count_files():
    path = os.path.join(os.environ["TMPDIR"], "counted")

    def make():
        with open(path, "w"):
            pass
        number = os.stat(path).st_ino
        os.unlink(path)
        return number

    count_up(make, make)


def count_processes():
    """Processes get their numbers in turn."""

    def fork():
        if os.fork() == 0:
            os._exit(0)
        os.wait()

    first = os.getpid()
    for _ in range(150):
        fork()
    if os.getppid() == 1 and first % 300 > 20:
        return
    raise FileNotFoundError("the number says nothing")


def count_page_faults():
    """The keeper has waited for the bot of the first game."""
    mib = mmap.mmap(-1, 512 * 4096)

    def touch():
        mib.madvise(mmap.MADV_DONTNEED)
        for page in range(0, len(mib), 4096):
            mib[page] = 1

    def count():
        with open(f"/proc/{os.getppid()}/stat") as file:
            return int(file.read().rsplit(") ", 1)[1].split()[8]) // 512

    count_up(count, touch)


def system_call(number, *args):
    call("syscall", ctypes.c_long(number), *args)


def read_to_remember():
    """The system notes when a file was last read. The second game finds that the first has read."""
    path = os.path.join(here, "unread")
    about = os.stat(path)
    read(path)
    if about.st_atime_ns <= about.st_mtime_ns:
        raise FileNotFoundError("nothing was left")


def what_is_there():
    """All that a bot can tell of the place where it is. The next game must not find more or less."""
    write(os.path.join(os.environ["TMPDIR"], "note"))
    with open("/proc/self/mountinfo") as file:
        mounts = [line.split()[4] for line in file]
    own = [mounts.index(at) for at in ("/proc", os.environ["TMPDIR"], "/dev/shm") if at in mounts]
    left = os.listdir("/dev/shm")
    raise PermissionError(f"process {os.getpid()}, folders in order: {sorted(own) == own}, left: {left}")


def mount_numbers():
    """They are never given out twice, so that they tell how many mounts there were."""
    system_call(332, -100, b"/proc", 0, 0x4000, ctypes.create_string_buffer(256))


def list_mounts():
    request = (ctypes.c_uint64 * 3)(24, 0xFFFFFFFFFFFFFFFF, 0)
    system_call(458, ctypes.byref(request), ctypes.create_string_buffer(800), ctypes.c_size_t(100), 0)


def watch_files():
    """All processes of an account may have only so many of these."""
    call("inotify_init")


def queue_reads():
    """All processes of the machine may have only so many of these."""
    system_call(206 if os.uname().machine == "x86_64" else 0, 65_536, ctypes.byref(ctypes.c_ulong(0)))


def share_core():
    call("prctl", 62, 1, 0, 0, 0)


def make_folder_by_setting():
    """Makes a folder on Btrfs, by the right to read the folder above."""
    name = ctypes.create_string_buffer(b"\0" * 8 + b"ludus-evil", 4096)
    folder = os.open(here, os.O_RDONLY)
    fcntl.ioctl(folder, 0x5000940E, bytearray(name))


def wait_for_timers():
    timer = ctypes.c_void_p()
    for _ in range(5_000):
        call("timer_create", time.CLOCK_MONOTONIC, None, ctypes.byref(timer))


def stay_to_the_last():
    """Who is ended first, if the machine has no memory left?"""
    if int(read("/proc/self/oom_score_adj")) == 1000:
        raise PermissionError("this bot")


def attribute_by_new_call():
    text = ctypes.create_string_buffer(b"x")
    value = (ctypes.c_uint64 * 2)(ctypes.addressof(text), 1)
    path = os.path.abspath(__file__).encode()
    system_call(463, -100, path, 0, b"user.note", ctypes.byref(value), ctypes.c_size_t(16))


def settings_by_new_call():
    value = (ctypes.c_uint64 * 3)(0x80, 0, 0)
    path = os.path.abspath(__file__).encode()
    system_call(469, -100, path, ctypes.byref(value), ctypes.c_size_t(24), 0)


def change_settings():
    """The flags of a file, as `chattr` changes them."""
    with open(__file__) as file:
        flags = bytearray(8)
        fcntl.ioctl(file, 0x80086601, flags)
        fcntl.ioctl(file, 0x40086602, bytes([flags[0] ^ 0x40]) + bytes(flags[1:]))


def change_version():
    with open(__file__) as file:
        fcntl.ioctl(file, 0x40087602, (4242).to_bytes(8, "little"))


def pass_files_on():
    one, _ = socket.socketpair()
    files = array.array("i", [0] * 250)
    one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])


def secret_memory():
    system_call(447, 0)


def attach_memory():
    libc.shmat.restype = ctypes.c_ssize_t
    call("shmat", 0, None, 0)


def kill_keeper_threads():
    """Whoever is in the same jail can be killed."""
    if os.getppid() == 1:
        raise PermissionError("nobody on the list can kill its first process")
    for number in range(os.getppid(), os.getppid() + 20):
        if number != os.getpid():
            try:
                os.kill(number, signal.SIGKILL)
                return
            except OSError:
                pass
    raise PermissionError("nobody could be killed")


def leave_deep_folders():
    """So deep that no path can name them, and closed to everybody."""
    os.chdir(os.environ["TMPDIR"])
    os.makedirs("closed/inner")
    os.mkdir("sealed", 0o300)
    with contextlib.suppress(OSError):
        for _ in range(3_000):
            os.mkdir("d", 0o300)
            os.chdir("d")
    os.chdir("/")
    raise PermissionError("what is left is seen later")


def program_on_path():
    with open(os.path.join(os.environ["PATH"].split(":")[0], "ludus-evil"), "w") as file:
        file.write("x")


def daemon():
    """Goes on in another session. Whether it survives is for others to see."""
    sleep = f"import time; time.sleep(60); {sys.argv[2]!r}"
    subprocess.Popen([sys.executable, "-c", sleep, sys.argv[2]], start_new_session=True)
    raise PermissionError("whether it survives is seen later")


def new_privileges():
    subprocess.run(["su", "-c", "true"], check=True, stdin=subprocess.DEVNULL, capture_output=True)
    if os.getuid() == 0:
        read("/etc/shadow")


def legal(line):
    return json.loads(line)["legal"][0]


def main():
    attack = globals()[sys.argv[1]]
    attacked = False
    for line in sys.stdin:
        if json.loads(line)["type"] == "start":
            attacked = False
        if json.loads(line)["type"] != "turn":
            continue
        if not attacked:
            attacked = True
            try:
                attack()
                word = "DONE"
            except (OSError, RuntimeError, subprocess.SubprocessError, MemoryError) as error:
                word = f"HELD by {error}"
            print(json.dumps({"type": "log", "text": word}))
        print(json.dumps({"move": legal(line)}), flush=True)


main()
