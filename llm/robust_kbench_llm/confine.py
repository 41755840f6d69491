"""`confine.py PROGRAM ARGUMENT...`: becomes a program that cannot inspect other processes.

The helper holds keys and is not dumpable. That stops a user's programs, but not root's: these may
trace any process. So the right to do so is dropped first, for good. The program also ends when the
helper does.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
PR_CAPBSET_DROP = 24
CAP_SYS_PTRACE = 19

prctl = ctypes.CDLL(None).prctl
prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE, 0, 0, 0)  # fails if there is no such right to drop
try:
    os.execvp(sys.argv[1], sys.argv[1:])
except OSError as error:
    sys.exit(f"{sys.argv[1]}: {error.strerror}")
