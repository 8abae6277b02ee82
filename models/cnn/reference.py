# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The network on moving digits in plain float64: slow, obvious, without PyTorch.

    python3 reference.py                       # accuracy and firing rates
    python3 reference.py --bits 8              # the same with rounded weights
    python3 reference.py --save outputs.npy    # (samples, steps, 10) read-out

Reads the .nir file (a chain of nodes, as ../lif/reference.py does) and steps it
as README.md defines it.
"""
import argparse
import importlib.util
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# This folder's file has the same name.
SPEC = importlib.util.spec_from_file_location("lif_reference", HERE.parent / "lif/reference.py")
lif = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(lif)


def convolve(x, node):
    """x (samples, in, rows, columns); every output is one dot product."""
    weight, stride = node["weight"].astype(np.float64), int(node["stride"])
    pad = int(node["padding"])
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    size = weight.shape[-1]
    rows = range(0, x.shape[2] - size + 1, stride)
    columns = range(0, x.shape[3] - size + 1, stride)
    y = np.empty((len(x), len(weight), len(rows), len(columns)))
    for r, top in enumerate(rows):
        for c, left in enumerate(columns):
            patch = x[:, :, top:top + size, left:left + size]
            y[:, :, r, c] = np.tensordot(patch, weight, ((1, 2, 3), (1, 2, 3)))
    return y + node["bias"][:, None, None]


def step(node, state, x, dt):
    """One step of one node for all samples."""
    kind = node["type"]
    if kind == "Conv2d":
        return convolve(x, node)
    if kind == "Flatten":
        return x.reshape(len(x), -1)
    if kind == "LIF":
        v = state.get("v", np.zeros_like(x))
        v = v + dt / node["tau"] * (node["v_leak"] - v + node["r"] * x)
        spike = v > node["v_threshold"]
        state["v"] = np.where(spike, node["v_reset"], v)
        return spike.astype(np.float64)
    return lif.step(node, state, x, dt)


def run(chain, dt, events):
    """events (samples, steps, ...) to {node name: (samples, steps, ...)}."""
    states = {name: {} for name, _ in chain}
    record = {name: [] for name, _ in chain}
    for t in range(events.shape[1]):
        x = events[:, t].astype(np.float64)
        for name, node in chain:
            x = step(node, states[name], x, dt)
            record[name].append(x)
    return {name: np.stack(values, 1) for name, values in record.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", default=HERE / "glyphs_cnn.nir")
    parser.add_argument("--input", default=HERE / "test_x.npy")
    parser.add_argument("--labels", default=HERE / "test_y.npy")
    parser.add_argument("--bits", type=int, help="round the weights")
    parser.add_argument("--save", help="write the read-out to this file")
    options = parser.parse_args()
    chain, dt = lif.load(options.model)
    if options.bits:
        lif.round_weights(chain, options.bits)
    record = run(chain, dt, np.load(options.input))
    read, labels = record[chain[-1][0]], np.load(options.labels)
    right = int((lif.classify(read) == labels).sum())
    print(f"test accuracy {100 * right / len(labels):.1f} % ({right} of {len(labels)})")
    for name, node in chain:
        if node["type"] in ("Input", "LIF"):
            spikes = record[name]
            print(f"{name}: {spikes.mean():.4f} spikes per neuron and step, "
                  f"{spikes.sum() / len(spikes):.1f} per sample")
    if options.save:
        np.save(options.save, read)


if __name__ == "__main__":
    main()
