"""A pilot that ssh starts by the line of docs/cluster.md, on this machine.

usage: ssh_test.py BUILD DIRECTORY

Exits with 77 where sshd is missing, unless root has ROBUST_KBENCH_CI set, which says that it must be
there.
"""

import getpass
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from recorded_run import ROOT, RecordedRun, candidates
from slurm import free_ports

BUILD, DIRECTORY = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
CONFIG = """Host localhost
  HostName 127.0.0.1
  Port {port}
  User {user}
  IdentityFile {directory}/key
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
"""


def begin_sshd(sshd, port):
    for name in ("host_key", "key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", DIRECTORY / name],
                       check=True)
    shutil.copy(DIRECTORY / "key.pub", DIRECTORY / "authorized")
    (DIRECTORY / "config").write_text(CONFIG.format(port=port, user=getpass.getuser(),
                                                    directory=DIRECTORY))
    pathlib.Path("/run/sshd").mkdir(exist_ok=True)
    return subprocess.Popen([sshd, "-D", "-e", "-f", "/dev/null", "-p", str(port),
                             "-o", "ListenAddress=127.0.0.1", "-o", "StrictModes=no",
                             "-o", f"HostKey={DIRECTORY}/host_key", "-o", "UsePAM=no",
                             "-o", f"AuthorizedKeysFile={DIRECTORY}/authorized",
                             "-o", f"PidFile={DIRECTORY}/sshd.pid"],
                            stderr=open(DIRECTORY / "sshd.txt", "w"))


def command_of_page(run):
    line = re.search(r"^ssh localhost .*$", (ROOT / "docs/cluster.md").read_text(), re.M)[0]
    words = line.replace("/path/to/rkb", str(run.rkb)).replace(
        "/shared/my_run", str(run.run_directory)).split()
    return [words[0], "-F", DIRECTORY / "config", *words[1:], "--device", "cpu", "--slots", "1",
            "--recorded", run.recorded]


def main(sshd):
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    DIRECTORY.mkdir(parents=True)
    daemon = begin_sshd(sshd, free_ports(1)[0])
    run = RecordedRun(BUILD, DIRECTORY, candidates(2))
    try:
        time.sleep(0.5)
        coordinator = run.coordinator(pilots=1)
        pilot = run.begin("pilot", command_of_page(run))
        assert coordinator.wait() == 0, coordinator.text() + pilot.text()
        assert pilot.wait() == 0, pilot.text()
        shown = run.rkb_text("archive", "show", run.run_id(), "--pilots")
        assert "by_ssh" in shown, shown
    finally:
        run.end()
        daemon.terminate()
        daemon.wait()


if __name__ == "__main__":
    found = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
    if found is None or os.getuid() != 0:
        print("skipped: sshd is missing, or this is not root; apt-get install openssh-server")
        sys.exit(1 if os.environ.get("ROBUST_KBENCH_CI") and os.getuid() == 0 else 77)
    main(found)
