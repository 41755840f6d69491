"""Runs a test as if a person had started it.

Below ctest rkb takes a cap and hosts from the person's own configuration alone (docs/models.md). A
test's variables and options only count in a process without a build tool above it.
"""

import os
import sys
import traceback

FAILED = 1


def in_own_session(main):
    """The exit status of main(), which runs in a process whose parent has ended."""
    ended, ending = os.pipe()
    child = os.fork()
    if child > 0:
        os.close(ending)
        os.waitpid(child, 0)
        status = os.read(ended, 1)
        return status[0] if status else FAILED
    os.close(ended)
    parent = os.getpid()
    if os.fork() > 0:
        os._exit(0)
    os.setsid()
    while os.getppid() == parent:  # the parent ends at once
        pass
    status = FAILED
    try:
        status = main()
    except BaseException:  # the other process must get every error
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(ending, bytes([status]))
    os._exit(status)
