# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/session/ResultFiles.cpp, simulator/record/Recorder.cpp,
# runtime/arrays/LoadSamples.cpp, runtime/session/Drift.cpp.
"""Long sequences: outputs are written while the run goes on and are the bytes of shorter
runs, memory does not grow with the length, the correlation with float does not fall along
the sequence, an interrupted run leaves nothing, and traces that no memory holds are refused."""
import os
import pty
import re
import signal
import subprocess
import sys
import time

from support import FOLDER, DENDROLITH, ROOT, check, np, run, sha_of

sys.path.insert(0, str(ROOT / "models" / "dendattn"))
import reference  # noqa: E402

# Longer outputs than so many values do not stay in memory, nor longer inputs.
KEPT_OUTPUT, KEPT_INPUT, VOCABULARY = 1 << 20, 1 << 22, 64
SHORT, MIDDLE, LONG = 4096, 17000, 70000
assert MIDDLE * VOCABULARY > KEPT_OUTPUT and LONG * VOCABULARY > KEPT_INPUT


def one_layer():
    """da_mqar.mlir without its second layer, and random weights for it."""
    lines = (ROOT / "models/dendattn/da_mqar.mlir").read_text().split("\n")
    kept, rest = [], 0
    for line in lines:
        rest = 2 if "@H1 :" in line else rest - 1
        second = "@l1_" in line or "project @R1" in line
        if '@R2["n"]' in line:
            kept.append(line.replace("@R2", "@R1"))
        elif not second and rest < 0 and "H1" not in line and "@R2" not in line:
            kept.append(line)
    path = FOLDER / "one.mlir"
    path.write_text("\n".join(kept))
    parameters = reference.effective(reference.random_checkpoint(3, small=False))
    np.savez(FOLDER / "w.npz", **parameters)
    return path


def save_tokens(steps, dtype=np.int8):
    x = np.zeros((steps, VOCABULARY), dtype)
    x[np.arange(steps), np.random.default_rng(1).integers(0, VOCABULARY, LONG)[:steps]] = 1
    path = FOLDER / f"x{steps}_{x.dtype}.npy"
    np.save(path, x)
    return path


np.save(FOLDER / "calib.npy", np.eye(VOCABULARY, dtype=np.float32)[
    np.random.default_rng(2).integers(0, VOCABULARY, (8, 64))])
NET = [one_layer(), "--weights", FOLDER / "w.npz", "--target", "ideal", "--calibrate",
       FOLDER / "calib.npy"]


def command(steps, *flags, dtype=np.int8):
    return [str(a) for a in (DENDROLITH, "run", *NET, "--input", save_tokens(steps, dtype), *flags)]


def peak(steps):
    """Megabytes that a run takes at most, float32 inputs and the comparison included."""
    # Machine code has memory of its own, and by itself only the long run would have it.
    child = subprocess.Popen(command(steps, "--jit", "on", "--compare", "float", "--out",
                                     FOLDER / "peak", dtype=np.float32),
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    check(child.returncode == 0, f"{steps} tokens run")
    return used.ru_maxrss / 1024


_, short, _ = run("short", *NET, "--input", save_tokens(SHORT))
result, middle, _ = run("middle", *NET, "--input", save_tokens(MIDDLE), "--compare", "float")
check(middle.shape == (MIDDLE, VOCABULARY) and np.array_equal(middle[:SHORT], short)
      and np.any(middle[SHORT:]), "an output that is streamed is that which is not")
check(result["hashes"]["outputs_sha256"] == sha_of(FOLDER / "middle" / "outputs.npy"),
      "its hash is the file's")
correlation = result["compare"]["correlation"]
stretches = correlation["stretches"]
check(correlation["all"] > 0.95 and max(stretches) - min(stretches) < 0.02,
      f"no drift: correlation {correlation['all']:.4f}, by tenths "
      + " ".join(f"{s:.4f}" for s in stretches))
both = [np.load(FOLDER / "middle" / "outputs.npy").astype(float).ravel(),
        run("float", *NET, "--input", save_tokens(MIDDLE), "--engine", "float")[1].ravel()]
check(abs(np.corrcoef(*both)[0, 1] - correlation["all"]) < 1e-9, "which is numpy's")

peaks = [peak(SHORT), peak(LONG)]
check(peaks[1] - peaks[0] < 16, f"{SHORT} and {LONG} tokens take at most "
      f"{peaks[0]:.0f} and {peaks[1]:.0f} MB")

out = FOLDER / "interrupted"
child = subprocess.Popen(command(LONG, "--out", out), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
while not any(part.stat().st_size for part in out.glob(".outputs.npy.*.part")):
    check(child.poll() is None, "it still runs") if child.poll() is not None else time.sleep(0.01)
child.send_signal(signal.SIGINT)
_, told = child.communicate()
check(child.returncode == -signal.SIGINT and not out.exists(),
      "an interrupted run leaves nothing, not even its folder")
check("\r" not in told and "engine" not in told, "nothing is shown of progress in a pipe")

child, terminal = pty.fork()
if child == 0:
    arguments = command(MIDDLE)
    os.execv(arguments[0], arguments)
shown = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # the other end is closed
        break
    if not part:
        break
    shown += part
os.waitpid(child, 0)
check(re.search(rb"functional engine: +\d+ % \(\d+ of \d+\)", shown),
      "on a terminal progress is shown")

states = ",".join(f"H0:S{e}{m}" for e in range(4) for m in range(2))
huge = FOLDER / "huge.npy"
np.lib.format.open_memmap(huge, "w+", np.int8, (1 << 19, VOCABULARY))  # zeros, and no disk
refused = subprocess.run([str(a) for a in (DENDROLITH, "run", *NET, "--input", huge, "--trace",
                                           states, "--out", FOLDER / "refused")],
                         capture_output=True, text=True)
check(refused.returncode == 1 and "GB; run fewer samples or ticks" in refused.stderr
      and refused.stderr.count("error:") == 1 and not (FOLDER / "refused").exists(),
      "traces that no memory holds are refused: " + refused.stderr.strip()[-240:])
