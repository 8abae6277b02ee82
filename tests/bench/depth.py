#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the seconds of a compilation grow with layers and with convolutions.

    python3 tests/bench/depth.py [--build build] [--nets linear scale ...]
                         [--layers 1250 2500 5000 10000] [--target loihi2]
                         [--convolutions cnn_s cnn_m cnn_l] [--keep FOLDER]

Chains of N layers are written as NIR, and compiled as far as the imported
network, the scheduled one and the program image. The table has the seconds of
processor time of each of the three, what they add to one another, and how often
the whole is that of the row before: 2 for twice the layers is linear growth.
Convolutions are compiled for loihi1; for them the table has microseconds a
synapse between the scheduled network and the image as well. Children's time
counts, because HDF5 files are read in one.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGES = {"import": ["--emit", "dend"], "schedule": ["--emit", "dend-fixed"],
          "image": []}
CONVOLUTIONS = {
    "cnn_s": ((2, 16, 16), [8, "P", 16, "P", 16], [10]),
    "cnn_m": ((2, 32, 32), [8, 8, "P", 16, 16, "P", 32], [64, 10]),
    "cnn_l": ((3, 32, 32), [16, 16, "P", 32, 32, "P", 32, 32, "P"], [128, 10])}


def write_nir(path, nodes):
    """A chain of nodes as a NIR file lays it out."""
    text = h5py.string_dtype("utf-8")
    names = list(nodes)
    with h5py.File(path, "w", libver="latest") as file:
        file.create_dataset("version", data="1.0.7", dtype=text)
        root = file.create_group("node")
        root.create_dataset("type", data="NIRGraph", dtype=text)
        root.create_dataset("edges", dtype=text,
                            data=np.array(list(zip(names, names[1:])), dtype=object))
        for name, node in nodes.items():
            group = root.create_group(f"nodes/{name}")
            for key, value in node.items():
                group.create_dataset(key, data=value,
                                     dtype=text if isinstance(value, str) else None)


def lif(size):
    return {"type": "LIF", "tau": np.full(size, 5e-4), "r": np.full(size, 5.0),
            "v_leak": np.zeros(size), "v_threshold": np.ones(size)}


def integrate(*shape):
    return {"type": "IF", "r": np.ones(shape), "v_threshold": np.ones(shape)}


def ends(shape, nodes, out):
    return {"input": {"type": "Input", "shape": np.array(shape)}, **nodes,
            "output": {"type": "Output", "shape": np.array(out)}}


def linear(layers, width=1):
    """N layers of LIF neurons, a matrix before each."""
    rng = np.random.default_rng(layers)
    nodes = {}
    for k in range(layers):
        nodes[f"w{k}"] = {"type": "Linear",
                          "weight": rng.uniform(0.5, 1.5, (width, width))}
        nodes[f"n{k}"] = lif(width)
    return ends([width], nodes, [width])


def wide(layers):
    return linear(layers, 8)


def scale(layers):
    """N Scale nodes, a LIF neuron behind each."""
    rng = np.random.default_rng(layers)
    nodes = {}
    for k in range(layers):
        nodes[f"s{k}"] = {"type": "Scale", "scale": rng.uniform(0.5, 1.5, 1)}
        nodes[f"n{k}"] = lif(1)
    return ends([1], nodes, [1])


def scales(layers):
    """N Scale nodes one behind the other, and one neuron at the end."""
    rng = np.random.default_rng(layers)
    nodes = {f"s{k}": {"type": "Scale", "scale": rng.uniform(0.98, 1.02, 1)}
             for k in range(layers)}
    return ends([1], {**nodes, "n": lif(1)}, [1])


CHAINS = {"linear": linear, "wide": wide, "scale": scale, "scales": scales}


def convolutions(name):
    """3x3 convolutions with IF neurons, pooling, and full layers; and how many
    synapses they have."""
    shape, maps, full = CONVOLUTIONS[name]
    start, rng = shape, np.random.default_rng(1)
    nodes, one, synapses, pool = {}, np.int64(1), 0, 1
    for k, layer in enumerate(maps):
        if layer == "P":
            nodes[f"pool{k}"] = {"type": "SumPool2d", "kernel_size": 2 * one,
                                 "stride": 2 * one, "padding": 0 * one}
            shape = (shape[0], shape[1] // 2, shape[2] // 2)
            pool = 2
            continue
        nodes[f"conv{k}"] = {
            "type": "Conv2d", "bias": np.zeros(layer), "stride": one, "padding": one,
            "dilation": one, "groups": one,
            "weight": rng.normal(0, 1 / np.sqrt(9 * shape[0]), (layer, shape[0], 3, 3))}
        nodes[f"n{k}"] = integrate(layer, *shape[1:])
        taps = (3 * shape[1] - 2) * (3 * shape[2] - 2)
        synapses += layer * shape[0] * taps * pool * pool
        shape, pool = (layer, *shape[1:]), 1
    size = int(np.prod(shape))
    nodes["flat"] = {"type": "Flatten", "input_type": np.array(shape),
                     "start_dim": 0 * one, "end_dim": -one}
    for k, width in enumerate(full):
        nodes[f"fc{k}"] = {"type": "Linear",
                           "weight": rng.normal(0, 1 / np.sqrt(size), (width, size))}
        nodes[f"m{k}"] = integrate(width)
        synapses += width * size * pool * pool
        size, pool = width, 1
    return ends(start, nodes, [size]), synapses


def seconds(dendrolith, folder, *arguments):
    """Processor time of a command with its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([dendrolith, "compile", *map(str, arguments)], cwd=folder,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        sys.exit(result.stderr.decode(errors="replace")[:2000])
    return sum(getattr(after, field) - getattr(before, field)
               for field in ("ru_utime", "ru_stime"))


def stages(dendrolith, folder, model, target):
    return [seconds(dendrolith, folder, model, "--target", target, *more, "-o", "out")
            for more in STAGES.values()]


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--nets", nargs="*", default=list(CHAINS), choices=list(CHAINS))
    parser.add_argument("--layers", nargs="+", type=int,
                        default=[1250, 2500, 5000, 10000])
    parser.add_argument("--target", default="loihi2")
    parser.add_argument("--convolutions", nargs="*", default=list(CONVOLUTIONS),
                        choices=list(CONVOLUTIONS))
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the networks")
    options = parser.parse_args()
    dendrolith = str((options.build / "bin" / "dendrolith").resolve())
    with tempfile.TemporaryDirectory() as made:
        folder = (options.keep or pathlib.Path(made)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        row("network", "layers", "import", "schedule", "image", "growth")
        row(*["---"] * 6)
        for net in options.nets:
            last = None
            for layers in options.layers:
                model = folder / f"{net}{layers}.nir"
                write_nir(model, CHAINS[net](layers))
                found = stages(dendrolith, folder, model, options.target)
                growth = f"{found[2] / last:.2f}" if last else "-"
                last = found[2]
                row(net, layers, *(f"{s:.2f} s" for s in found), growth)
        row("network", "synapses", "import", "schedule", "image",
            "us a synapse behind the schedule")
        row(*["---"] * 6)
        for net in options.convolutions:
            model = folder / f"{net}.nir"
            nodes, synapses = convolutions(net)
            write_nir(model, nodes)
            found = stages(dendrolith, folder, model, "loihi1")
            row(net, synapses, *(f"{s:.2f} s" for s in found),
                f"{(found[2] - found[1]) * 1e6 / synapses:.2f}")


if __name__ == "__main__":
    main()
