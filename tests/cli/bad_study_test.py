# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/study/Study.cpp, compiler/import/study/Meta.cpp.
"""Bad study networks (.npz and .json): exit code 1 and one error that names the
file and the array or key, and says what was found."""
import copy
import json
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
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
subprocess.run([DENDROLITH, "generate", FOLDER / "good", "--neurons", "60",
                "--recipe", "inputs=6,fanout=5", "--cores", "4", "--steps",
                "20", "--recipe", "in-rate=0.5"], check=True, stdout=subprocess.DEVNULL)
GOOD = dict(np.load(FOLDER / "good.npz"))
META = json.loads((FOLDER / "good.json").read_text())
failed = 0


def refused(title, *patterns, arrays=None, meta=None, without=None):
    """`arrays`: those that differ; `meta`: a function that changes the text."""
    global failed
    content = {**GOOD, **(arrays or {})}
    content.pop(without, None)
    np.savez(FOLDER / "bad.npz", **content)
    text = copy.deepcopy(META)
    if meta:
        meta(text)
    (FOLDER / "bad.json").write_text(json.dumps(text))
    done = subprocess.run([DENDROLITH, "run", FOLDER / "bad.npz"],
                          capture_output=True, text=True, timeout=60)
    wrong = [p for p in (r"bad\.(npz|json)", *patterns)
             if not re.search(p, done.stderr)]
    if done.returncode != 1 or done.stderr.count("error: ") != 1 or wrong:
        failed += 1
        print(f"FAILED {title}: exit code {done.returncode}, no {wrong} in "
              f"{done.stderr!r}")


def at(key, index, value):
    array = GOOD[key].copy()
    array[index] = value
    return {key: array}


for key in ("col", "row_ptr", "weight", "core", "in_t", "in_id", "ref_t", "ref_id"):
    refused(f"without {key}", f"expected an array '{key}', found none",
            without=key)
for key, wrong in (("col", np.int64), ("row_ptr", np.int32),
                   ("weight", np.int32), ("core", np.uint32),
                   ("in_t", np.float32), ("ref_id", ">i4")):
    refused(f"dtype of {key}", f"'{key}': expected elements of type '<i",
            arrays={key: GOOD[key].astype(wrong)})
refused("axes", r"'weight': expected one axis, found shape \(66, 5\)",
        arrays={"weight": GOOD["weight"].reshape(66, 5)})
refused("falling rows", "'row_ptr': expected rising row starts, found 5 after "
        "10 at source 2", arrays=at("row_ptr", 3, 5))
refused("first row", "'row_ptr': expected row starts from 0", "found 1 to 330",
        arrays=at("row_ptr", 0, 1))
refused("last row", "'row_ptr': expected row starts", "found 0 to 331",
        arrays=at("row_ptr", -1, 331))
refused("target", "'col': expected target neurons from 0 to 59, found 60 at 7",
        arrays=at("col", 7, 60))
refused("negative target", "'col'.*found -1 at 0", arrays=at("col", 0, -1))
refused("twice", "'col': source 0 reaches neuron [0-9]+ by two synapses",
        arrays=at("col", 1, GOOD["col"][0]))
refused("weight", "'weight': expected weights of 8 bits and a sign, from -255 "
        "to 255, found 256 at 3", arrays=at("weight", 3, 256))
refused("core", "'core': expected cores below 'mapping.cores'", "found 4 at 9",
        arrays=at("core", 9, 4))
refused("step 0", "'in_t': expected steps from 1 to 20, found 0 at 0",
        arrays=at("in_t", 0, 0))
refused("input", "'in_id': expected ids from 0 to 5, found 6",
        arrays=at("in_id", 0, 6))
refused("order", "'ref_t': expected spikes in order",
        arrays={"ref_t": GOOD["ref_t"][::-1].copy(),
                "ref_id": GOOD["ref_id"][::-1].copy()})
wrong = GOOD["ref_id"].copy()
wrong[-1] = (wrong[-1] + 1) % 60
refused("digest", "'reference.raster_sha256': expected [0-9a-f]{64}",
        arrays={"ref_id": wrong})
refused("other spikes", "expected neuron [0-9]+ in step [0-9]+ as spike",
        arrays={"ref_id": wrong},
        meta=lambda m: m["reference"].pop("raster_sha256"))
for key in ("n_neurons", "n_synapses", "timesteps"):
    refused(f"without {key}", f"expected the key '{key}', found none",
            meta=lambda m, key=key: m.pop(key))
refused("neurons", "'row_ptr': expected 68 elements", "found 67",
        meta=lambda m: m.update(n_neurons=61))
refused("synapses", "'col': expected 331 elements", "found 330",
        meta=lambda m: m.update(n_synapses=331))
refused("spikes", "'ref_t': expected 1 elements",
        meta=lambda m: m["reference"].update(output_spikes=1))
refused("input spikes", "'in_t': expected 0 elements",
        meta=lambda m: m["reference"].update(input_spikes=0))
refused("negative", "'n_inputs': expected an integer from 1", "found -1",
        meta=lambda m: m.update(n_inputs=-1))
refused("fraction", "'model.leak_4096': expected an integer", "found 0.5",
        meta=lambda m: m["model"].update(leak_4096=0.5))
refused("threshold", "'model.threshold': expected an integer from 0 to 131071",
        meta=lambda m: m["model"].update(threshold=1 << 17))
for key, value in (("kind", "cuba"), ("frac_bits", 5), ("reset", 1),
                   ("compare", "greater_equal"), ("axon_delay_steps", 2),
                   ("leak_rounding", "down")):
    refused(key, f"'model.{key}': expected .*, found",
            meta=lambda m, k=key, v=value: m["model"].update({k: v}))
refused("version", "'version': expected 1, found 2",
        meta=lambda m: m.update(version=2))
refused("format", "'format': expected \"bench-random-snn\", found \"other\"",
        meta=lambda m: m.update(format="other"))
refused("no leak", "neuron [0-9]+: expected a potential within 24 bits",
        "leak of 0/4096", meta=lambda m: m["model"].update(leak_4096=0))
np.savez(FOLDER / "bad.npz", **GOOD)
for title, text, pattern in (("text", "{", "expected JSON"),
                             ("nesting", "[" * 10**6, "at most 64 levels"),
                             ("list", "[]", "expected the key 'format'")):
    (FOLDER / "bad.json").write_text(text)
    done = subprocess.run([DENDROLITH, "run", FOLDER / "bad.npz"],
                          capture_output=True, text=True, timeout=60)
    if done.returncode != 1 or pattern not in done.stderr:
        failed += 1
        print(f"FAILED {title}: {done.stderr!r}")
(FOLDER / "bad.json").unlink()
done = subprocess.run([DENDROLITH, "run", FOLDER / "bad.npz"], capture_output=True,
                      text=True, timeout=60)
if done.returncode != 1 or "found no such file" not in done.stderr:
    failed += 1
    print(f"FAILED without text: {done.stderr!r}")
for flags, pattern in (
        (["--neurons", "10", "--recipe", "fanout=10"], "a fan-out below"),
        (["--mode", "local", "--neurons", "1000"], "81 neurons or more"),
        (["--recipe", "leak=5000"], "a leak of 0 to 4096"),
        (["--recipe", "threshold=-5"], "a threshold of 0 to 131071, found -5"),
        (["--recipe", "threshold=131072"], "a threshold of 0 to 131071"),
        (["--steps", str(1 << 40)], "at most 2147483647 steps"),
        (["--steps", str(1 << 30)], "updates, expected at most 1e+11"),
        (["--steps", str(1 << 25)], "GB, expected at most 4 GB"),
        (["--steps", str(1 << 40), "--mode", "microcircuit"], "at most 2147483647 steps"),
        (["--steps", str(1 << 30), "--mode", "microcircuit"], "updates, expected at most 1e+11"),
        (["--recipe", "wmax-rec=300"], "largest weights of 1 to 255")):
    done = subprocess.run([DENDROLITH, "generate", FOLDER / "no", *flags],
                          capture_output=True, text=True, timeout=60)
    if done.returncode != 1 or pattern not in done.stderr or list(
            FOLDER.glob("no*")):
        failed += 1
        print(f"FAILED generate {flags}: {done.stderr!r}")
done = subprocess.run([DENDROLITH, "generate", f"{FOLDER}/"], capture_output=True,
                      text=True, timeout=60)
if done.returncode != 1 or "a name at its end" not in done.stderr or (FOLDER / ".npz").exists():
    failed += 1
    print(f"FAILED generate into a folder: {done.stderr!r}")
sys.exit(failed > 0)
