# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shapes network in plain float64: slow, obvious, without PyTorch.

    python3 reference.py                       # accuracy and firing rates
    python3 reference.py --bits 8              # the same with rounded weights
    python3 reference.py --save outputs.npy    # (samples, steps, 10) read-out

Reads the .nir file (a chain of nodes) and steps it as README.md defines it.
"""
import argparse
import pathlib

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def load(path):
    """The nodes in the order of the chain, as (name, {dataset: value}), and
    the time step in seconds."""
    def value(dataset):
        v = dataset[()]
        return v.decode() if isinstance(v, bytes) else np.asarray(v)

    with h5py.File(path) as file:
        nodes = {name: {key: value(d) for key, d in group.items()}
                 for name, group in file["node/nodes"].items()}
        after = {a.decode(): b.decode() for a, b in file["node/edges"][()]}
        dt = float(file["node/metadata/dt"][()])
    (name,) = (n for n, p in nodes.items() if p["type"] == "Input")
    chain = [(name, nodes[name])]
    while name in after:
        name = after[name]
        chain.append((name, nodes[name]))
    return chain, dt


def step(node, state, x, dt):
    """One step of one node for all samples: x (samples, in) to (samples,
    out).  `state` holds v and i between the steps, zero before the first."""
    kind = node["type"]
    if kind in ("Input", "Output"):
        return x
    if kind in ("Linear", "Affine"):
        y = x @ node["weight"].astype(np.float64).T
        return y + node["bias"] if kind == "Affine" else y
    v = state.get("v", np.zeros_like(x))
    if kind == "LI":
        v = v + dt / node["tau"] * (node["v_leak"] - v + node["r"] * x)
        state["v"] = v
        return v
    if kind == "CubaLIF":
        i = state.get("i", np.zeros_like(x))
        i = i + dt / node["tau_syn"] * (node["w_in"] * x - i)
        v = v + dt / node["tau_mem"] * (node["v_leak"] - v + node["r"] * i)
        spike = v > node["v_threshold"]
        state["i"] = i
        state["v"] = np.where(spike, node["v_reset"], v)
        return spike.astype(np.float64)
    raise ValueError(f"unexpected node type {kind!r}")


def run(chain, dt, events):
    """events (samples, steps, inputs) to {node name: (samples, steps, n)}."""
    states = {name: {} for name, _ in chain}
    record = {name: [] for name, _ in chain}
    for t in range(events.shape[1]):
        x = events[:, t].astype(np.float64)
        for name, node in chain:
            x = step(node, states[name], x, dt)
            record[name].append(x)
    return {name: np.stack(values, 1) for name, values in record.items()}


def classify(read):
    """Class = argmax of the read-out summed over the steps."""
    return read.sum(1).argmax(1)


def round_weights(chain, bits):
    """Symmetric rounding per layer to `bits` bits, in place."""
    for _, node in chain:
        if "weight" in node:
            weight = node["weight"].astype(np.float64)
            unit = abs(weight).max() / (2 ** (bits - 1) - 1)
            node["weight"] = unit * np.rint(weight / unit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", default=HERE / "shapes_lif.nir")
    parser.add_argument("--input", default=HERE / "test_x.npy")
    parser.add_argument("--labels", default=HERE / "test_y.npy")
    parser.add_argument("--bits", type=int, help="round the weights")
    parser.add_argument("--save", help="write the read-out to this file")
    options = parser.parse_args()
    chain, dt = load(options.model)
    if options.bits:
        round_weights(chain, options.bits)
    record = run(chain, dt, np.load(options.input))
    read, labels = record[chain[-1][0]], np.load(options.labels)
    right = int((classify(read) == labels).sum())
    print(f"test accuracy {100 * right / len(labels):.1f} % "
          f"({right} of {len(labels)})")
    for name, node in chain:
        if node["type"] in ("Input", "CubaLIF"):
            print(f"{name}: {record[name].mean():.4f} spikes per neuron and "
                  f"step, {record[name].sum((1, 2)).mean():.1f} per sample")
    if options.save:
        np.save(options.save, read)


if __name__ == "__main__":
    main()
