"""Runs work on several items at a time, each with CPUs of its own."""

import os
import queue
from concurrent.futures import ThreadPoolExecutor


def add_options(parser):
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--cpus", type=int, default=2, help="of each run, where there are several")


def side_by_side(options, work, items):
    """Calls work(item, pin). `pin` is for subprocess's preexec_fn, None where there is one job."""
    usable = sorted(os.sched_getaffinity(0))
    if options.jobs > 1 and options.jobs * options.cpus > len(usable):
        raise SystemExit(f"--jobs {options.jobs} with {options.cpus} CPUs each are more than the "
                         f"{len(usable)} CPUs here")
    shares = queue.Queue()
    for job in range(options.jobs):
        shares.put(set(usable[job * options.cpus:(job + 1) * options.cpus]))

    def one(item):
        cpus = shares.get()
        try:
            return work(item, (lambda: os.sched_setaffinity(0, cpus)) if options.jobs > 1 else None)
        finally:
            shares.put(cpus)

    with ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(one, items))
