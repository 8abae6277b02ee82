# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/session/Expected.cpp.
"""--compare FILE: equal runs say so in one line, a changed value is named by
layer, neuron and step with the states there, and wrong files are refused.

compare_test.py DENDROLITH
"""
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

DENDROLITH = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[3]
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
MODEL = ROOT / "models/lif/shapes_lif.nir"
np.save(FOLDER / "x.npy", np.load(ROOT / "models/lif/test_x.npy")[:3])


def run(*arguments, engine="functional"):
    return subprocess.run(
        [DENDROLITH, "run", MODEL, "--input", FOLDER / "x.npy", "--engine", engine,
         *arguments], capture_output=True, text=True, timeout=300)


def expect(done, code, *patterns):
    text = done.stderr if code else done.stdout
    wrong = [p for p in patterns if not re.search(p, text)]
    if done.returncode != code or wrong:
        sys.exit(f"FAILED: exit code {done.returncode}, no {wrong} in {text!r}")


expect(run("--trace", "lif1:u,lif1:v,lif1,lif2:v", "--out", FOLDER / "o"), 0)
outputs = np.load(FOLDER / "o/outputs.npy")
traces = dict(np.load(FOLDER / "o/traces.npz"))
name = "traces.npz"
for engine in ("functional", "cycle", "reference"):
    done = run("--compare", FOLDER / "o/traces.npz", engine=engine)
    expect(done, 0, rf"Compared: {sum(map(np.size, traces.values()))} value\(s\) "
           r"of 4 array\(s\) equal to .*traces.npz")
expect(run("--compare", FOLDER / "o/outputs.npy"), 0, "equal to .*outputs.npy")
print("ok: outputs and traces of a run are equal to themselves in three engines")

# Two differences: the earlier step of the first sample is named.
bad = {key: array.copy() for key, array in traces.items()}
bad["lif1"][2, 0, 3] += 1
bad["lif1"][1, 7, 20] = 9
bad["lif2:v"][1, 5, 4] += 1
np.savez(FOLDER / "bad.npz", **bad)
v, u = traces["lif2:v"], traces["lif1:u"]
done = run("--compare", FOLDER / "bad.npz", "--out", FOLDER / "p")
expect(done, 1, r"bad.npz: 'lif2:v': first difference: layer 'lif2', neuron 4, "
       rf"step 6 of sample 1, u -?\d+, v {v[1, 5, 4]}: expected {v[1, 5, 4] + 1}, "
       rf"found {v[1, 5, 4]} \(3 of \d+ values differ\)")
if done.stderr.count("error: ") != 1 or not (FOLDER / "p/outputs.npy").exists():
    sys.exit(f"FAILED: {done.stderr!r}, or nothing written")
bad["lif2:v"] = traces["lif2:v"]
np.savez(FOLDER / "bad.npz", **bad)
expect(run("--compare", FOLDER / "bad.npz"), 1,
       rf"layer 'lif1', neuron 20, step 8 of sample 1, u {u[1, 7, 20]}, "
       rf"v {traces['lif1:v'][1, 7, 20]}: expected 9, found "
       rf"{traces['lif1'][1, 7, 20]} ")
print("ok: the first difference has layer, neuron, step, u and v")

# One sample may lack its axis.
np.save(FOLDER / "x.npy", np.load(FOLDER / "x.npy")[1])
np.savez(FOLDER / "one.npz", **{k: a[1] for k, a in traces.items()})
expect(run("--compare", FOLDER / "one.npz"), 0, "equal to")
bad = traces["lif1"][1].copy()
bad[0, 0] = 7
np.savez(FOLDER / "one.npz", lif1=bad)
expect(run("--compare", FOLDER / "one.npz"), 1,
       rf"layer 'lif1', neuron 0, step 1, u {u[1, 0, 0]}, v -?\d+: expected 7, "
       rf"found {traces['lif1'][1, 0, 0]} ")
print("ok: a single sample")

np.save(FOLDER / "short.npy", outputs[1][:-1])
expect(run("--compare", FOLDER / "short.npy"), 1, r"short.npy: '\w+': expected "
       r"shape \(32, \d+\), found \(31, \d+\)")
np.savez(FOLDER / "names.npz", lif9=outputs)
expect(run("--compare", FOLDER / "names.npz"), 1, r"'lif9': expected an output "
       r"\(\w+\) or POPULATION\[:STATE\] of lif1, lif2, ")
np.savez(FOLDER / "names.npz", **{"lif1:w": outputs})
expect(run("--compare", FOLDER / "names.npz"), 1,
       "population 'lif1' has no state 'w'; it has u, v")
expect(run("--compare", FOLDER / "absent.npy"), 1, "absent.npy")
expect(run("--compare", FOLDER / "names.npz", engine="float"), 1,
       "the float engine has not")
(FOLDER / "text.npz").write_text("no archive")
expect(run("--compare", FOLDER / "text.npz"), 1, "text.npz")
np.savez(FOLDER / "empty.npz")
expect(run("--compare", FOLDER / "empty.npz"), 1, "empty.npz")
np.save(FOLDER / "complex.npy", outputs[1] * 1j)
expect(run("--compare", FOLDER / "complex.npy"), 1, "found complex ones")
done = run("--compare", "functional")
if done.returncode == 0 or "float,reference" not in done.stderr:
    sys.exit(f"FAILED: {done.stderr!r}")
print("ok: wrong files are refused")
