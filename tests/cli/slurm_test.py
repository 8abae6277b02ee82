# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/explore/workers/Slurm.cpp.
"""`dendrolith explore --slurm` on a cluster of two nodes on this machine, whose daemons
run without systemd and without munge: the points are those of local workers, a task
that is queued again goes on, and the array is what was asked for."""
import atexit
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

from command import W, check, finish, dendrolith
from explore_study import points, write_study

PLUGINS = [pathlib.Path(p) for p in ("/usr/lib/x86_64-linux-gnu/slurm-wlm",
                                     "/usr/lib/aarch64-linux-gnu/slurm-wlm")]
os.environ["PATH"] += ":/usr/sbin"
missing = [name for name in ("slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
if missing or not any((p / "auth_none.so").exists() for p in PLUGINS):
    print(f"skipped: Slurm is not installed ({', '.join(missing) or 'auth_none'})")
    sys.exit(77)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


slurm, user = W / "slurm", subprocess.check_output(["id", "-un"], text=True).strip()
host = socket.gethostname().split(".")[0]
control, first, second = free_ports(3)
for folder in ("state", "spool.n0", "spool.n1"):
    (slurm / folder).mkdir(parents=True)
(slurm / "slurm.conf").write_text(f"""
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={slurm}/state
SlurmdSpoolDir={slurm}/spool.%n
SlurmctldPidFile={slurm}/ctld.pid
SlurmdPidFile={slurm}/%n.pid
SlurmdLogFile={slurm}/%n.log
SlurmctldLogFile={slurm}/ctld.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
NodeName=n0 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=2 RealMemory=1000
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=2 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
os.environ["SLURM_CONF"] = str(slurm / "slurm.conf")
daemons = []


def stop():
    for daemon in reversed(daemons):
        daemon.terminate()
    for daemon in reversed(daemons):
        try:
            daemon.wait(10)
        except subprocess.TimeoutExpired:
            daemon.kill()


atexit.register(stop)
with open(slurm / "daemons.log", "w") as log:
    for words in (["slurmctld", "-D"], ["slurmd", "-D", "-N", "n0"],
                  ["slurmd", "-D", "-N", "n1"]):
        daemons.append(subprocess.Popen(words, stdout=log, stderr=log))


def ask(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=60).stdout.strip()


def wait(what, good, seconds=90):
    end = time.time() + seconds
    while not good():
        if time.time() > end:
            print(f"skipped: {what} did not happen in {seconds} s; Slurm cannot run here")
            print((slurm / "daemons.log").read_text()[-1000:])
            sys.exit(77 if what == "an idle cluster" else 1)
        time.sleep(0.3)


wait("an idle cluster", lambda: set(ask("sinfo", "-h", "-o", "%T").split()) == {"idle"})

study = write_study(W / "study.yaml", lanes=[1, 2, 4, 8], buffers=[4, 8, 16, 24], samples=40)
local = dendrolith("explore", study, "-o", W / "local", "--jobs", 1)
check(local.returncode == 0, local.stderr)

done = dendrolith("explore", study, "-o", W / "array", "--slurm", "-p main --mem=100", "--jobs", 4)
check(done.returncode == 0, f"submitted: {done.stderr}")
job = re.match(r"job (\d+) with 4 tasks", done.stdout)
check(job is not None, f"names the job: {done.stdout}")
tasks = ask("scontrol", "show", "job", job[1])
check("ArrayTaskId=0" in tasks and "Requeue=1" in tasks, f"is an array: {tasks}")
# The first task is taken away in the middle, and queued again.
wait("a running task", lambda: ask("squeue", "-h", "-j", f"{job[1]}_0", "-o", "%T") == "RUNNING"
     and len(points(W / "array")) > 0)
again = subprocess.run(["scontrol", "requeue", f"{job[1]}_0"], capture_output=True, text=True)
check(again.returncode == 0, f"queued again: {again.stderr}")
wait("another start", lambda: "Restarts=1" in ask("scontrol", "show", "job", f"{job[1]}_0"))


def release():
    """A task that was queued again waits for two minutes, which nobody needs here."""
    subprocess.run(["scontrol", "update", f"JobId={job[1]}_0", "StartTime=now"],
                   capture_output=True)
    return not ask("squeue", "-h", "-j", job[1])


wait("the end of the array", release, 240)
check(points(W / "array") == points(W / "local"), "the points are those of local workers")
check(len(points(W / "array")) == 16, f"all are there: {len(points(W / 'array'))}")
check("all right" in dendrolith("explore", W / "array", "--audit").stdout, "nothing is wrong")

bad = dendrolith("explore", study, "-o", W / "array", "--slurm", "-p nowhere")
check(bad.returncode == 1 and "sbatch refused" in bad.stderr, f"a refusal: {bad.stderr}")
finish()
