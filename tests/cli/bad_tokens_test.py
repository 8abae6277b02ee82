# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/dendattn/Dendattn.cpp, runtime/arrays/LoadSamples.cpp,
# runtime/session/Metrics.cpp.
"""Bad DendAttn checkpoints, token ids and labels of tokens: exit code 1 and one error
that names the place, says what was expected, and what was found."""
import importlib.util
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

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location(
    "dendattn_reference", ROOT / "models" / "dendattn" / "reference.py")
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)
DENDROLITH = sys.argv[1]
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
PARAMS = reference.random_checkpoint(1)  # d 8, H 2, d_k 4, 1 + 3 branches, V 10
GOOD = {key: value for key, value in PARAMS.items() if key != "meta"}
IDS = np.array([reference.random_input(seed, PARAMS, 6) for seed in range(3)])
failed = 0


def checkpoint(meta=None, without=(), **changed):
    """The good checkpoint with changes; a value None in `meta` is a key left out."""
    said = {**PARAMS["meta"], **(meta or {})}
    said = {key: value for key, value in said.items() if value is not None}
    arrays = {**GOOD, **{key.replace("__", "."): value for key, value in changed.items()}}
    np.savez(FOLDER / "net.npz", meta=json.dumps(said),
             **{key: value for key, value in arrays.items() if key not in without})


def refused(title, *patterns, x=IDS, y=None, arguments=()):
    global failed
    np.save(FOLDER / "x.npy", x)
    if y is not None:
        np.save(FOLDER / "y.npy", y)
    command = [DENDROLITH, "run", FOLDER / "net.npz", "--input", FOLDER / "x.npy", "--out",
               FOLDER / "out", *(arguments or ["--engine", "float"])]
    command += [] if y is None else ["--labels", FOLDER / "y.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    wrong = [p for p in patterns if not re.search(p, done.stderr)]
    if (done.returncode != 1 or done.stderr.count("error: ") != 1 or wrong or
            (FOLDER / "out").exists()):
        failed += 1
        print(f"FAILED {title}: exit code {done.returncode}, no {wrong} in {done.stderr!r}")


# What meta says, alone and beside the arrays.
for key in ("H", "dk", "dv", "Es", "Er", "topk", "M", "dkb", "P", "L", "V"):
    checkpoint(meta={key: None})
    refused(f"no {key}", "net.npz: 'meta'", f'"{key}"', "found none")
for key, value, *patterns in (
        ("topk", 4, "1 to 3 of the routed branches", "found 4"),
        ("topk", 0, "1 to 3", "found 0"),
        ("topk", 1.5, "found 1.5"),
        ("dkb", 5, "1 to 4 rows", "found 5"),
        ("dkb", 0, "found 0"),
        ("P", 2, "end within 4", "row 5", "found 2"),
        ("M", 3, "end within 4", '"P"'),
        ("M", 0, "at least 1", "found 0"),
        ("H", "two", "a number", '"two"'),
        ("H", -1, "at least 1", "found -1"),
        ("d", 9, "8, the columns of emb", "found 9"),
        ("conv", 65, "the taps of each convolution"),
        ("gate", 0, "a decay for each branch"),
        ("mixture", 2, "may change what the arrays mean"),
        ("neuron", "dendatn", "dendattn", "dendatn")):
    checkpoint(meta={key: value})
    refused(f"{key} {value}", "'meta'", f'["\']{key}["\']', *patterns)
checkpoint(meta={"Er": 0, "Es": 0, "topk": 0})
refused("no branch", '"Er"', "a branch")
checkpoint(meta={"Er": 0, "Es": 4})
refused("top-k without routed branches", '"topk"', "0, as no branch is routed", "found 2")
for key, value, array, *patterns in (
        ("Er", 4, "l_0_Wb", "Er = 4", r"\(8, 10\)", r"found \(8, 8\)"),
        ("Es", 2, "l_0_Wb", "Es = 2"),
        ("H", 1, "l_0_Wq", r"\(8, 4\)"),
        ("dv", 3, "l_0_Wv", r"\(8, 6\)"),
        ("V", 11, "emb", r"\(11, 8\)", r"found \(10, 8\)"),
        ("L", 3, "l_2_nw", "found none")):
    checkpoint(meta={key: value})
    refused(f"{key} {value} is not the arrays'", f"'{array}'", *patterns)
checkpoint(l_0_EQ=PARAMS["l_0_EQ"][:, :3])
refused("a branch without a matrix", "'l_0_EQ'", r"\(2, 4, 4, 4\)", r"found \(2, 3, 4, 4\)")
checkpoint(l_1_Wr=PARAMS["l_1_Wr"][:, :, :2])
refused("a branch without a router", "'l_1_Wr'", r"\(2, 4, 3\)")
checkpoint(without=["l_1_Wo"])
refused("a key is missing", "'l_1_Wo'", "models/dendattn")
checkpoint(head=np.full((8, 10), np.nan))
refused("not finite", "'head'", "finite", "nan")
checkpoint(x_ex=np.array([[0, 10]]), y_ex=np.array([[0, 1]]))
refused("an example that is no token", "'x_ex'", "found 10 at sample 0, token 1")

# Inputs of a good one.
checkpoint()
changed = IDS.copy()
changed[1, 4] = 10
refused("beyond the vocabulary", "x.npy", "0 to 9", "found 10 at sample 1, step 4", x=changed)
changed[1, 4] = -3
refused("negative", "x.npy", "found -3 at sample 1, step 4", x=changed)
refused("no integer", "x.npy", r"1\.5 at sample 0, step 0", x=np.full((3, 6), 1.5))
refused("reals", "x.npy", "sample 0, step 0", "as integers", x=IDS.astype(float))
refused("another width", "x.npy", r"\(samples, steps, 10\)", r"found \(3, 6, 9\)",
        x=np.zeros((3, 6, 9)))
refused("no steps", "x.npy", r"found \(3, 0\)", x=np.zeros((3, 0), int))
refused("on a chip", "x.npy", "found 77 at sample 0, step 0", x=np.full((2, 5), 77),
        arguments=["--target", "ideal"])

# Labels of the tokens.
LABELS = np.full(IDS.shape, -100)
LABELS[:, 2:] = 3
refused("nothing is asked", "y.npy", "-100 everywhere", y=np.full(IDS.shape, -100))
refused("one per sample", "y.npy", r"\(3, 6\)", r"found integers of shape \(3,\)", y=LABELS[:, 2])
refused("transposed", "y.npy", r"\(3, 6\)", r"\(6, 3\)", y=LABELS.T)
refused("reals", "y.npy", "integers", "found reals", y=LABELS.astype(float))
changed = LABELS.copy()
changed[2, 5] = 10
refused("no class", "y.npy", "0 to 9", "found 10 at sample 2, step 5", y=changed)
changed[2, 5] = -1
refused("another mark", "y.npy", "-100 where nothing is asked", "found -1 at sample 2, step 5",
        y=changed)
refused("labels of steps for one answer", "y.npy", "one per sample", "accuracy:each",
        y=LABELS, arguments=["--engine", "float", "--metric", "accuracy:mean"])
refused("r2 of each", "--metric", "r2:mean", y=LABELS,
        arguments=["--engine", "float", "--metric", "r2"])
print("FAILED" if failed else "ok: every bad file is refused by name")
sys.exit(1 if failed else 0)
