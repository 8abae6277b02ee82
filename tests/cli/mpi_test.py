# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/host/StartRanks.cpp, runtime/host/mpi/MpiRanks.cpp,
# simulator/timing/RunCycle.cpp.
"""A command that mpirun starts several times acts as one: the same files to the last byte
for any number of processes, one message for an error of any of them, and nothing that is
half written when one is lost."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

from command import DENDROLITH, W, check, finish, dendrolith

MODULE = pathlib.Path(DENDROLITH).parents[1] / "lib" / "dendrolith" / "dendrolith-mpi.so"
if not shutil.which("mpirun") or not MODULE.exists():
    print("skipped: no mpirun, or Dendrolith is built without MPI")
    sys.exit(77)
# More processes than processors, started by root, as in a container.
LAUNCH = ["mpirun", "--oversubscribe", "--allow-run-as-root"]
CHIP = "loihi1,mesh.tiles_x=2,mesh.tiles_y=2,board.chips_x=2,board.chips_y=2"


def launched(count, *arguments, **options):
    return subprocess.run([*LAUNCH, "-np", str(count), DENDROLITH, *map(str, arguments)],
                          capture_output=True, text=True, timeout=300, **options)


def content(folder):
    """What a run has written, but for the time and memory that it took."""
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    result = json.loads(files["result.json"])
    del result["wall_s"], result["peak_rss_bytes"]
    files["result.json"] = json.dumps(result)
    return files


random = np.random.default_rng(1)
np.save(W / "x.npy", (random.random((3, 20, 40)) < 0.2).astype(np.uint8))
np.save(W / "long.npy", (random.random((1, 400000, 40)) < 0.2).astype(np.uint8))
done = dendrolith("generate", W / "net", "--neurons", 400, "--recipe", "fanout=30", "--cores", 40,
               "--steps", 20, "--recipe", "in-rate=0.2,rate=0.1")
check(done.returncode == 0, done.stderr)
done = dendrolith("compile", W / "net.npz", "--target", CHIP, "-o", W / "net.dlp")
check(done.returncode == 0, done.stderr)

for engine in "functional", "cycle":
    run = ("run", W / "net.dlp", "--input", W / "x.npy", "--engine", engine)
    done = dendrolith(*run, "--out", W / f"{engine}-alone")
    check(done.returncode == 0, f"{engine}: {done.stderr}")
    alone = content(W / f"{engine}-alone")
    for count in 1, 2, 3, 4:
        out = W / f"{engine}-{count}"
        done = launched(count, *run, "--out", out)
        check(done.returncode == 0, f"{engine} on {count}: {done.stderr}")
        check(done.stdout.count("Energy:") == 1, f"{engine} on {count} prints {done.stdout}")
        if out.exists():
            several = content(out)
            for name in alone:
                check(alone[name] == several.get(name),
                      f"{engine} on {count}: {name} differs")


def refused(title, done, *words):
    check(done.returncode != 0, f"{title}: exit code {done.returncode}")
    check(done.stderr.count("error:") == 1 and all(word in done.stderr for word in words),
          f"{title}: {done.stderr}")


RUN = ("run", W / "net.dlp", "--input", W / "x.npy")
refused("a model", launched(2, "run", W / "net.npz", "--target", CHIP), "program image")
refused("no such image", launched(2, "run", W / "none.dlp", "--input", W / "x.npy"), "none.dlp")
refused("verification", launched(2, *RUN, "--engine", "cycle", "--verify"), "--verify")
refused("too many", launched(60, *RUN), "at most one process for each core")
refused("an unknown trace", launched(2, *RUN, "--trace", "nobody", "--out", W / "trace"),
        "nobody")
check(not (W / "trace").exists(), "a refused run leaves a folder")
done = launched(2, *RUN, "--metrik", "r2")
check(done.returncode == 2 and done.stderr.count("did you mean") == 1, f"a wrong flag: {done.stderr}")


# Processes that were given different things say so before the first step.
def apart(title, first, second, *words):
    """Rank 0 with some arguments, rank 1 with others."""
    begun = time.monotonic()
    done = subprocess.run([*LAUNCH, "-np", "1", DENDROLITH, *map(str, first), ":", "-np", "1",
                           DENDROLITH, *map(str, second)], capture_output=True, text=True, timeout=60)
    refused(title, done, "rank 1", *words)
    check(time.monotonic() - begun < 20, f"{title}: not at once")


x = np.load(W / "x.npy")
np.save(W / "turned.npy", x[::-1])
np.save(W / "short.npy", x[:, :7])
shutil.copy(W / "x.npy", W / "copy.npy")
done = dendrolith("generate", W / "other", "--neurons", 400, "--recipe", "fanout=30", "--cores", 40,
                  "--steps", 20, "--seed", 2)
check(done.returncode == 0, done.stderr)
done = dendrolith("compile", W / "other.npz", "--target", CHIP, "-o", W / "other.dlp")
check(done.returncode == 0, done.stderr)
for engine in "functional", "cycle":
    run = ("run", W / "net.dlp", "--engine", engine, "--out", W / "apart", "--input")
    apart(f"{engine}: other inputs", (*run, W / "x.npy"), (*run, W / "turned.npy"), "input 'in'",
          "turned.npy", "x.npy", "SHA-256")
    apart(f"{engine}: a shorter input", (*run, W / "x.npy"), (*run, W / "short.npy"), "short.npy")
apart("another image", RUN, ("run", W / "other.dlp", *RUN[2:]), "image", "other.dlp", "net.dlp")
apart("another engine", RUN, (*RUN, "--engine", "cycle"), "flags", "--engine cycle", "none")
np.save(W / "y.npy", np.zeros(3, np.int64))
np.save(W / "others.npy", np.ones(3, np.int64))
for labels in "others.npy", "none.npy":
    apart(f"labels {labels}", (*RUN, "--labels", W / "y.npy"), (*RUN, "--labels", W / labels), labels)
apart("an image that is missing", RUN, ("run", W / "none.dlp", *RUN[2:]), "none.dlp")
apart("one that ends early", RUN, ("run", "--help"), "ended without a run")
check(not (W / "apart").exists(), "refused runs leave a folder")
done = subprocess.run([*LAUNCH, "-np", "1", DENDROLITH, *map(str, RUN), ":", "-np", "1", DENDROLITH,
                       "run", W / "net.dlp", "--input", W / "copy.npy", "--threads", "1"],
                      capture_output=True, text=True, timeout=60)
check(done.returncode == 0, f"the same bytes by another name: {done.stderr}")

# Each process reads its own sections of an image, and says what it finds there.
done = dendrolith("generate", W / "large", "--neurons", 20000, "--recipe", "fanout=350", "--steps", 2)
check(done.returncode == 0, done.stderr)
done = dendrolith("compile", W / "large.npz", "--target",
               "loihi1-study,mesh.tiles_x=8,mesh.tiles_y=8,board.chips_x=2", "-o", W / "large.dlp")
check(done.returncode == 0, done.stderr)
damaged = bytearray((W / "large.dlp").read_bytes())
damaged[len(damaged) * 9 // 10] ^= 64
(W / "damaged.dlp").write_bytes(damaged)
np.save(W / "wide.npy", np.zeros((1, 2, 2000), np.uint8))
refused("a damaged part", launched(2, "run", W / "damaged.dlp", "--input", W / "wide.npy"),
        "error: rank 1: ", "damaged.dlp: truncated or altered program image")
for file in W.glob("large.*"):
    file.unlink()

# Without the module, several processes would each do the work: refused.
alone = W / "bin" / pathlib.Path(DENDROLITH).name
alone.parent.mkdir()
shutil.copy(DENDROLITH, alone)
done = subprocess.run([*LAUNCH, "-np", "2", alone, *map(str, RUN)], capture_output=True,
                      text=True, timeout=60, env={**os.environ, "DENDROLITH_TARGETS":
                      str(pathlib.Path(__file__).resolve().parents[2] / "targets")})
check(done.returncode != 0 and "no MPI" in done.stderr, f"without MPI: {done.stderr}")

# One process is killed in the middle of a long run: all end, and nothing is left.
process = subprocess.Popen([*LAUNCH, "-np", "3", DENDROLITH, "run", W / "net.dlp", "--input",
                            W / "long.npy", "--out", W / "killed"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
begun, children = time.time(), []
while len(children) < 3 and time.time() < begun + 60:
    time.sleep(0.5)
    children = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "long.npy"], text=True,
                              capture_output=True).stdout.split()
time.sleep(1)
check(len(children) == 3, f"expected three processes to kill one of, found {children}")
if children:
    os.kill(int(children[1]), signal.SIGKILL)
output, errors = process.communicate(timeout=60)
check(process.returncode != 0, "a run that lost a process ends well")
check("rank" in errors and "steps done: " in errors, f"a lost process: {errors}")
check(not (W / "killed" / "result.json").exists() and not list(W.glob("*.part*")),
      "a run that lost a process leaves a result")
finish()
