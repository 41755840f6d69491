"""A Slurm cluster on this machine: munge, one controller, and nodes that are daemons beside it."""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scancel", "squeue", "sinfo")
LONGEST_START_S = 60
CONFIG = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={directory}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool-%n
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd-%n.pid
SlurmctldLogFile={directory}/slurmctld.log
SlurmdLogFile={directory}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=5
MinJobAge=10
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
"""
NODE = "NodeName=node{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN\n"


def missing():
    """Why no cluster can run here, or an empty text."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    absent = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if absent:
        return f"{', '.join(absent)}: missing; apt-get install slurm-wlm munge"
    return "" if os.getuid() == 0 else "slurmd runs jobs of root alone where it is not root"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Slurm:
    """Starts the cluster in a directory. Its commands need `environment`."""

    def __init__(self, directory, nodes=3):
        self.directory = pathlib.Path(directory)
        self.nodes = {}
        self.daemons = []
        self.environment = {"SLURM_CONF": str(self.directory / "slurm.conf"),
                            "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        self.directory.mkdir(parents=True)
        (self.directory / "state").mkdir()
        self.write_config(nodes)
        self.begin_munge()
        self.begin(["slurmctld", "-D"])
        for number in range(1, nodes + 1):
            self.begin_node(f"node{number}")
        self.wait_for_nodes(nodes)

    def write_config(self, nodes):
        host = socket.gethostname().partition(".")[0]
        ports = free_ports(nodes + 1)
        text = CONFIG.format(host=host, ports=ports, directory=self.directory,
                             user=pwd.getpwuid(os.getuid()).pw_name)
        for number in range(1, nodes + 1):
            text += NODE.format(number=number, host=host, port=ports[number])
        text += f"PartitionName=test Nodes=node[1-{nodes}] Default=YES MaxTime=INFINITE State=UP\n"
        pathlib.Path(self.environment["SLURM_CONF"]).write_text(text)

    def begin(self, command):
        log = open(self.directory / "daemons.log", "ab")
        process = subprocess.Popen(command, env=os.environ | self.environment, stdout=log,
                                   stderr=log, start_new_session=True)
        log.close()
        self.daemons.append(process)
        return process

    def begin_munge(self):
        key = self.directory / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        # Munge trusts no socket in a directory that others may write, as /tmp, so it is forced.
        self.begin(["munged", "--foreground", "--force", f"--key-file={key}",
                    f"--socket={self.directory}/munge.socket",
                    f"--pid-file={self.directory}/munge.pid",
                    f"--log-file={self.directory}/munge.log",
                    f"--seed-file={self.directory}/munge.seed"])
        end = time.monotonic() + LONGEST_START_S
        while not (self.directory / "munge.socket").exists():
            if time.monotonic() > end:
                raise AssertionError("munge does not start")
            time.sleep(0.05)

    def begin_node(self, name):
        self.nodes[name] = self.begin(["slurmd", "-D", "-N", name])

    def ask(self, *command):
        return subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=os.environ | self.environment).stdout

    def wait_for_nodes(self, count):
        end = time.monotonic() + LONGEST_START_S
        while self.ask("sinfo", "-h", "-N", "-o", "%t").split().count("idle") < count:
            if time.monotonic() > end:
                raise AssertionError(f"nodes do not start: {self.ask('sinfo', '-N')}\n"
                                     + (self.directory / "daemons.log").read_text())
            time.sleep(0.1)

    def kill_node(self, name):
        """The node dies with all that runs there, as by a loss of power."""
        self.nodes[name].kill()
        self.nodes[name].wait()
        mark = f"SLURMD_NODENAME={name}".encode()
        for place in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (place / "environ").read_bytes().split(b"\0"):
                    parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
                    is_step = "slurmstepd" in pathlib.Path(f"/proc/{parent}/comm").read_text()
                    for pid in [parent] * is_step + [int(place.name)]:
                        os.kill(pid, signal.SIGKILL)
            except (OSError, ValueError):
                continue  # it has ended meanwhile

    def end(self):
        self.ask("scancel", "--signal=KILL", "--full", f"--user={os.getuid()}")
        self.ask("scancel", f"--user={os.getuid()}")
        end = time.monotonic() + 10
        while self.ask("squeue", "-h").strip() and time.monotonic() < end:
            time.sleep(0.1)
        for process in reversed(self.daemons):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in reversed(self.daemons):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
