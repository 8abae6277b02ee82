# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/worker.py, binary.py, program.py and runtime/driver/ServeCommand.cpp.
"""Processes that die, are interrupted or missing, disks that are full, and many runs at
once: exceptions that say what to do, the right numbers afterwards, and nothing left."""
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

from support import FOLDER, DENDROLITH, ROOT, SCRATCH, check, finish, lif, np, dl, refused
from dendrolith.worker import POOL

path, x, y = lif()
net = dl.load(path)
program = net.compile("loihi1", calibrate=x[:8])
usual = program.run(x, labels=y)


def workers():
    return list(POOL._idle)


# A process that is killed while nobody asks: the next run starts another one.
worker, = workers()
os.kill(worker.pid, signal.SIGKILL)
while worker.is_alive:
    time.sleep(0.01)
check(np.array_equal(program.run(x).outputs, usual.outputs), "after a kill in between")

# One that is killed while it works.
worker, = workers()
threading.Timer(0.3, lambda: os.kill(worker.pid, signal.SIGKILL)).start()
many = np.concatenate([x] * 80)
refused("killed at work", lambda: program.run(many, engine="cycle", verify=True), "SIGKILL", "'run'",
        kind=dl.WorkerDied)
check(np.array_equal(program.run(x).outputs, usual.outputs), "after a kill at work")

# An interrupt ends the process and what it was about.
worker, = workers()
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
began = time.time()
try:
    program.run(many, engine="cycle", verify=True)
    check(False, "an interrupt is raised")
except KeyboardInterrupt:
    check(time.time() - began < 5 and not worker.is_alive, "an interrupt ends the process")
check(np.array_equal(program.run(x).outputs, usual.outputs), "after an interrupt")

# Python itself is killed: what it had asked for ends, and nothing of it stays.
CALLER = f"""
import sys
import numpy as np
sys.path.insert(0, {str(ROOT / "runtime" / "python")!r})
import dendrolith as dl
from dendrolith.worker import POOL
x = np.load({str(ROOT / "models" / "lif" / "test_x.npy")!r})
program = dl.load({str(path)!r}).compile("loihi1", calibrate=x[:8])
print(POOL._idle[0].pid, flush=True)
program.run(np.concatenate([x] * 40), engine=sys.argv[1])
"""
for engine in ("functional", "cycle", "float"):
    temporary = FOLDER / f"killed-{engine}"
    temporary.mkdir()
    caller = subprocess.Popen([sys.executable, "-c", CALLER, engine], stdout=subprocess.PIPE,
                              text=True, env={**os.environ, "TMPDIR": str(temporary)})
    session = int(caller.stdout.readline())
    time.sleep(0.4)
    caller.kill()
    check(caller.wait() == -signal.SIGKILL, f"{engine}: it was at work")
    until = time.time() + 5
    left = True
    while left and time.time() < until:
        time.sleep(0.05)
        left = list(temporary.iterdir()) or subprocess.run(
            ["ps", "-s", str(session), "-o", "pid="], capture_output=True, text=True).stdout.split()
    check(not left, f"{engine}: Python was killed, and {left} stay")

# Errors leave the worker as it was.
pid = workers()[0].pid
refused("an error", lambda: program.run(x, engine="quantum"), "engine")
check(workers()[0].pid == pid, "an error does not end the process")

# Many at once, on two programs.
other = dl.load(path).compile("loihi2", calibrate=x[:8])
wanted = {True: usual.outputs, False: other.run(x).outputs}
found = {}


def play(number):
    first = number % 2 == 0
    found[number] = (first, (program if first else other).run(x).outputs)


threads = [threading.Thread(target=play, args=(n,)) for n in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
check(len(found) == 8 and all(np.array_equal(o, wanted[first]) for first, o in found.values()),
      "eight threads get their own numbers")

# More programs than a worker holds.
several = [dl.load(path).compile("loihi1", calibrate=x[:8]) for _ in range(18)]
check(all(len(w.held) <= 16 for w in workers()), "a worker holds a few programs")
check(np.array_equal(several[0].run(x).outputs, usual.outputs), "a program that was dropped")

# A model that changed is not run as if it had not.
copy = FOLDER / "copy.nir"
copy.write_bytes(path.read_bytes())
changing = dl.load(copy).compile("loihi1")
dl.close()
copy.write_bytes(path.read_bytes() + b" ")
refused("a changed file", lambda: changing.run(x), "changed after it was compiled")

# Outputs larger than memory should hold stay readable although their file is gone.
large = program.run(np.concatenate([x] * 40))
check(isinstance(large.outputs, np.memmap) and
      np.array_equal(large.outputs[-len(x):], usual.outputs), "large outputs are mapped")

# Binaries that are none.
for title, text, words in (
        ("too old", "#!/bin/sh\necho 'A subcommand is required' >&2; exit 2\n", ["older", "required"]),
        ("an older C library", "#!/bin/sh\necho \"$0: version 'GLIBC_2.28' not found\" >&2; exit 1\n",
         ["GLIBC_2.28", "glibc 2.28", "DENDROLITH_BIN"]),
        ("a crash", "#!/bin/sh\nkill -SEGV $$\n", ["SIGSEGV", "install it anew"]),
        ("no room", "#!/bin/sh\necho 'error: cannot make a folder; set TMPDIR' >&2; exit 1\n", ["set TMPDIR"]),
        ("another processor", "\x7fELF\2\1\1" + "\0" * 9 + "\2\0\xb7\0" + "\0" * 100,
         ["Exec format error", "x86-64"]),
        ("another program", "#!/bin/sh\nread x; echo hello; read x\n", ["no dendrolith"]),
        ("another protocol", "#!/bin/sh\nread x; echo '{\"id\":1,\"ok\":{\"dendrolith\":\"9\",\"schema\":3,"
         "\"protocol\":2,\"folder\":\"/nonexistent\"}}'; read x\n", ["protocol 2", "schema 3"])):
    fake = FOLDER / "fake"
    fake.write_bytes(text.encode("latin-1"))
    fake.chmod(0o755)
    os.environ["DENDROLITH_BIN"] = str(fake)
    refused(title, lambda: dl.load(path).inputs, *words)
for answer in ("[]", "5", "null", '"text"', "{}", '{"id":1}', '{"ok":5}', '{"ok":{}}', '{"error":{}}',
               '{"error":"text"}', '{"ok":{"dendrolith":"9"}}', '{"error":{"message":5}}'):
    fake.write_text(f"#!/bin/sh\nread x; echo '{answer}'; read x\n")
    refused(f"a binary that answers {answer}", lambda: dl.load(path).inputs, "no dendrolith", "DENDROLITH_BIN")
os.environ["DENDROLITH_BIN"] = str(FOLDER / "absent")
refused("no binary", lambda: dl.load(path).inputs, "DENDROLITH_BIN", "absent")
os.environ["DENDROLITH_BIN"] = DENDROLITH

# No folder for what is on its way.
dl.close()
for wrong in (FOLDER / "nowhere", FOLDER / "copy.nir"):
    os.environ["TMPDIR"] = str(wrong)
    refused(f"TMPDIR is {wrong.name}", lambda: program.run(x), "TMPDIR names", wrong.name)
os.environ["TMPDIR"] = str(SCRATCH)

# A full disk.
small = FOLDER / "small"
small.mkdir()
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small],
                  capture_output=True).returncode == 0:
    try:
        os.environ["TMPDIR"] = str(small)
        dl.close()
        refused("a full disk", lambda: program.run(np.concatenate([x] * 10)), "TMPDIR")
    finally:
        os.environ["TMPDIR"] = str(SCRATCH)
        dl.close()
        check(not list(small.iterdir()), "a full disk keeps nothing")
        subprocess.run(["umount", small], check=True)
else:
    print("skipped: no file system can be mounted, a full disk is not tried")

# Runs share a room, which holds the files of none that is over, failed or not.
dl.close()
program.run(x)
room = pathlib.Path(POOL._idle[0].folder) / "run"
before = room.stat().st_ino
refused("samples of another width", lambda: program.run(np.ones((1, 4, 7))), "shape")
program.run(x)
check(room.stat().st_ino == before, "runs share a room")
check(not [one for one in room.rglob("*") if one.is_file()], "a run leaves no file")

# What is wrong is named, not repeated, and by no file of the package's own.
for title, work in (("a target", lambda long: net.compile(long)), ("costs", lambda long: program.run(x, costs=long)),
                    ("words", lambda long: net.compile("loihi1", tuning="y " * 20000)),
                    ("an input", lambda long: program.run({long: x})), ("a model", lambda long: dl.load(long).inputs)):
    told = str(refused(f"{title} of 20 kB", lambda work=work: work("x" * 20000), "are left out here"))
    check(len(told) < 2100, f"{title} of 20 kB: an error of {len(told)}")
check("\x1b" not in str(dl.DendrolithError("a\x1b[31m")), "no error moves a terminal's cursor")
for title, labels in (("one label", np.int64(3)), ("a label a step", np.zeros((len(x), x.shape[1]), int))):
    told = str(refused(title, lambda labels=labels: program.run(x, labels=labels), "labels: expected"))
    check("npy" not in told, told)
refused("above 2^63", lambda: program.run(x.astype("u8") << np.uint64(63)), "input 'input'", "2^63 - 1")

# Python that is killed takes the worker along, which removes its folder.
script = (f"import sys, os, time; sys.path.insert(0, {str(ROOT / 'runtime/python')!r})\n"
          f"import dendrolith as dl; net = dl.load({str(path)!r}); net.inputs\n"
          "from dendrolith.worker import POOL; print(POOL._idle[0].pid, flush=True); time.sleep(60)")
child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
pid = int(child.stdout.readline())
child.kill()
child.wait()
for _ in range(100):
    if not os.path.exists(f"/proc/{pid}") or "Z" in open(f"/proc/{pid}/stat").read().split()[2]:
        break
    time.sleep(0.05)
else:
    check(False, "the worker of a killed Python ends")
finish()
