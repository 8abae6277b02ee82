# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/pipelines/Explain.cpp, compiler/import/nir/OptionsChoices.cpp.
"""What `compile --explain` says of nodes that are kept, approximated, refused."""
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py  # noqa: F401
    import numpy as np
except ImportError:
    print("skipped: needs numpy and h5py")
    sys.exit(77)

import random_graphs


class File:
    old = False

    def __init__(self, weight, kind="IF", maps=(1, 6, 6), **neuron):
        out = (weight.shape[0], *maps[1:])
        full = {k: np.full(out, float(v)) for k, v in neuron.items()}
        self.nodes = {
            "input": {"type": "Input", "shape": np.array(maps)},
            "conv": {"type": "Conv2d", "weight": weight, "bias": np.zeros(len(weight)),
                     "stride": np.int64(1), "padding": np.int64(1),
                     "dilation": np.int64(1), "groups": np.int64(1),
                     "input_shape": np.array(maps[1:])},
            "neuron": {"type": kind, **full},
            "output": {"type": "Output", "shape": np.array(out)}}
        names = list(self.nodes)
        self.edges = list(zip(names, names[1:]))


def check(condition, text):
    print(("ok: " if condition else "FAILED: ") + text, flush=True)
    if not condition:
        sys.exit(1)


def explain(file, *flags):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "net.nir"
        random_graphs.write(path, file)
        done = subprocess.run([sys.argv[1], "compile", path, "--explain", *flags],
                              capture_output=True, text=True)
    table = done.stdout.split("\n\n")[0]
    rows = {line.split()[0]: line for line in table.splitlines()}
    return rows, done.stdout, done.stderr, done.returncode


rng = np.random.default_rng(0)
whole = rng.integers(-7, 8, (2, 1, 3, 3)) / 8
rows, text, _, code = explain(File(whole, r=1, v_threshold=1), "--target", "loihi1")
check(code == 0 and "20 weights and biases in the file" in text,
      "the weights of the file are counted")
check("kept exactly" in rows["conv"] and "exact in 8 bits" in rows["conv"],
      "eighths are kept exactly")
check("kept exactly" in rows["neuron"] and "off by up to 0 % of the threshold"
      in rows["neuron"], "so is an IF neuron with a threshold of 1")
check("kept exactly" in rows["input"] and "kept exactly" in rows["output"],
      "ends are kept")

real = rng.normal(0, 1, (2, 1, 3, 3))
rows, _, _, _ = explain(File(real, r=1, v_threshold=1), "--target", "loihi1")
check("approximated" in rows["conv"] and "% of the largest weight" in rows["conv"],
      "reals are approximated, with the error")

leaky = File(whole, kind="LIF", tau=7e-4, r=1, v_leak=0, v_threshold=0.3)
rows, _, _, _ = explain(leaky, "--target", "loihi1")
check("approximated" in rows["neuron"] and "in what is kept per tick" in rows["neuron"],
      "a decay is approximated, with the error")

rows, _, error, code = explain(File(real, r=1, v_threshold=1), "--target", "loihi1",
                               "--import", "reset=subtract")
check(code == 1 and "refused" in rows["neuron"] and "resets by subtraction"
      in rows["neuron"], "a refused node says why")
check("not reached" in rows["conv"], "the others were not reached")
check("resets by subtraction" in error, "and the command ends with the error")

huge = File(rng.normal(0, 1, (8, 1, 3, 3)), maps=(1, 200, 200), r=1, v_threshold=1)
rows, _, error, code = explain(huge, "--target", "loihi1")
check(code == 1 and all(word in error for word in (
    "population 'neuron' does not fit", "320000 neurons", "fewer neurons",
    "--override-limit")), "what does not fit: layer, resource, how much, what helps")
check("approximated" in rows["conv"], "beside what the nodes became")

wide = File(rng.normal(0, 1, (32, 32, 3, 3)), maps=(32, 16, 16), r=1, v_threshold=1)
_, _, error, code = explain(wide, "--target", "loihi1,mesh.tiles_x=2,mesh.tiles_y=1")
check(code == 1 and all(word in error for word in (
    "no fewer than 8 cores (neurons), found ", " in the given order, the target has 8;",
    "; with feature maps in tiles: found ")), "what packs neither in order nor in tiles")

ignored = File(real, kind="IF", r=3, v_threshold=1)
rows, _, _, _ = explain(ignored, "--target", "ideal", "--import", "if-convention=unit")
check("its r is ignored" in rows["neuron"], "what a policy drops is said at the node")

_, text, _, _ = explain(File(real, r=1, v_threshold=1), "--target", "loihi1", "--import",
                        "preset=norse,spike-value=unit")
check("preset: norse" in text and "if-convention: unit: v += x" in text
      and "a loop carries nothing at first" in text,
      "the image holds the preset and what it sets")
