# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks of this folder in plain float64: slow, obvious, without PyTorch.

    python3 reference.py branches.pt2                        # accuracy and spikes
    python3 reference.py branches.pt2 --save outputs.npy     # (samples, steps, 10) read-out

Reads the weights of the exported file (raw arrays in a zip) and steps README.md's
equations.
"""
import argparse
import json
import pathlib
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
TASK = HERE.parent / "lif"


def load(path):
    """The weights by name, in float64."""
    with zipfile.ZipFile(path) as archive:
        folder = archive.namelist()[0].split("/")[0] + "/data/weights/"
        config = json.loads(archive.read(folder + "model_weights_config.json"))["config"]
        return {name.split(".", 1)[1]: np.frombuffer(
                    archive.read(folder + entry["path_name"]), "<f4").reshape(
                    [size["as_int"] for size in entry["tensor_meta"]["sizes"]]).astype(float)
                for name, entry in config.items() if name.startswith("net.")}


def logistic(x):
    return 1 / (1 + np.exp(-x))


def run(p, x):
    """Read-out (samples, steps, classes) and spikes (samples, steps, neurons) of
    x (samples, steps, inputs)."""
    a, b, c = (logistic(p[name]) for name in ("branch_keep", "soma_keep", "read_keep"))
    w, neurons = p["weight"] * p["mask"], len(b)
    d, v = np.zeros((len(x),) + a.shape), np.zeros((len(x), neurons))
    z, y, read, spikes = np.zeros_like(v), np.zeros((len(x), len(c))), [], []
    for now in np.moveaxis(x.astype(float), 1, 0):
        d = a * d + (1 - a) * np.einsum("nbs,ks->knb", w, np.concatenate([now, z], axis=1))
        v = b * v + (1 - b) * d.sum(axis=2)
        z = (v > p["theta"]).astype(float)
        v = v - p["theta"] * z
        y = c * y + z @ p["read.weight"].T + p["read.bias"]
        read.append(y), spikes.append(z)
    return np.stack(read, 1), np.stack(spikes, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", type=pathlib.Path)
    parser.add_argument("--save", type=pathlib.Path)
    options = parser.parse_args()
    x, y = np.load(TASK / "test_x.npy"), np.load(TASK / "test_y.npy")
    read, spikes = run(load(options.network), x)
    right = int((read.mean(1).argmax(1) == y).sum())
    print(f"{100 * right / len(y):.1f} % of {len(y)} right, {spikes.sum() / len(y):.1f} spikes a sample")
    if options.save:
        np.save(options.save, read)


if __name__ == "__main__":
    main()
