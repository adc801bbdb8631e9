"""`hq submit` for tests. Only a library of HyperQueue is in the package registry, so this program
starts a server and a worker of that library for one submission."""

import sys
from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

words = sys.argv[1:]
end = words.index("--")
options, command = words[:end], words[end + 1 :]
if options[0] != "submit" or "--wait" not in options:
    sys.exit(f"not a submission that waits: {options}")


def option(name):
    for at, word in enumerate(options):
        if word == name:
            return options[at + 1]
        if word.startswith(name + "="):
            return word[len(name) + 1 :]
    sys.exit(f"{name} is missing")


first, last = map(int, option("--array").split("-"))
with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=2))
    job = Job(max_fails=None)
    for task in range(last + 1):
        # The tasks of the library are counted from 0.
        wanted = command if task >= first else ["true"]
        files = {kind: option(f"--{kind}").replace("%{TASK_ID}", str(task)) for kind in ("stdout", "stderr")}
        job.program(wanted, **files)
    client = cluster.client()
    client.wait_for_jobs([client.submit(job)])
