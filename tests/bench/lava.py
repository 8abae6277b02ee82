#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lava's networks: how fast the functional engine runs them, beside the same
steps in numpy.

    python3 tests/bench/lava.py [--build build] [--steps 2000] [--rounds 5]

Two networks: a dense 200-256-200 of CUBA neurons from a NetX file (.net), and
10,000 CUBA neurons with 100 synapses each, recurrent, from a .lava.pb file with
sparse weights. Spikes of both are compared with numpy's, to the bit. Each row is
the best of the rounds, all counts on, one thread, without import and compiling:
steps/s, and synaptic operations (synapses with a weight that a spike reaches) per
second.
"""
import argparse
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
HALF = 1 << 23


def netx(path, weights, neuron):
    with h5py.File(path, "w") as file:
        for number, weight in enumerate(weights):
            layer = file.create_group(f"layer/{number}")
            layer["type"] = np.array([b"dense"])
            layer["shape"] = np.array([len(weight)])
            layer["weight"] = weight
            for key, value in neuron.items():
                layer[f"neuron/{key}"] = value


def schema(folder):
    subprocess.run(["protoc", f"--python_out={folder}", "-I", ROOT,
                    ROOT / "compiler/lava/lava.proto"], check=True)
    sys.path.insert(0, str(folder))
    return importlib.import_module("compiler.lava.lava_pb2")


def recurrent(pb, path, count, sources, targets, weight, inputs, neuron):
    """`inputs` of the host and the neurons themselves as one row of sources."""
    model = pb.Model(schema_version=1, name="recurrent")
    model.run.tag = "fixed_pt"
    cells = model.processes.add(name="cells", shape=[count],
                                lava_class="lava.proc.lif.process.LIF")
    for key, value in neuron.items():
        cells.kwargs[key].integer = value
    for name, first, size in (("in", 0, inputs), ("back", inputs, count)):
        chosen = (sources >= first) & (sources < first + size)
        rows, columns = targets[chosen], sources[chosen] - first
        order = np.lexsort((columns, rows))
        process = model.processes.add(
            name=name, lava_class="lava.proc.sparse.process.Sparse")
        tensor = process.kwargs["weights"].tensor
        tensor.dtype = "i2"
        tensor.dims.extend([count, size])
        starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=count))))
        tensor.csr.indptr = starts.astype("<i8").tobytes()
        tensor.csr.indices = columns[order].astype("<i4").tobytes()
        tensor.csr.data = weight[chosen][order].astype("<i2").tobytes()
        process.kwargs["sign_mode"].text = "MIXED"
        model.connections.add(source=name, source_port="a_out", target="cells",
                              target_port="a_in")
    model.connections.add(source="cells", source_port="s_out", target="back",
                          target_port="s_in")
    model.inputs.add(name="x", target="in", target_port="s_in", shape=[inputs],
                     highest=1)
    model.outputs.add(name="y", source="cells", source_port="s_out")
    path.write_bytes(model.SerializeToString(deterministic=True))


class Lif:
    def __init__(self, size, neuron):
        self.u = self.v = np.zeros(size, np.int64)
        self.keep_u, self.keep_v = 4095 - neuron["du"], 4096 - neuron["dv"]
        self.threshold = neuron["vth"] << 6

    def step(self, a):
        def decayed(x, keep):
            x = x * keep
            return np.where(x >= 0, x >> 12, -(-x >> 12))
        u = decayed(self.u, self.keep_u) + (a << 6)
        self.u = np.where(u > HALF, u - 2 * HALF, np.where(u <= -HALF, u + 2 * HALF, u))
        self.v = np.clip(decayed(self.v, self.keep_v) + self.u, 1 - HALF, HALF - 1)
        fired = self.v > self.threshold
        self.v = np.where(fired, 0, self.v)
        return fired


def numpy_dense(weights, x, neuron):
    """(spikes of the last layer, seconds)"""
    layers = [Lif(len(w), neuron) for w in weights]
    sent = [np.zeros(w.shape[1], bool) for w in weights]
    out = np.zeros((len(x), len(weights[-1])), int)
    weights = [w.T.copy() for w in weights]
    start = time.process_time()
    for t, values in enumerate(x):
        sums = [w[s].sum(0) for w, s in zip(weights, sent)]
        fired = [layer.step(a) for layer, a in zip(layers, sums)]
        sent, out[t] = [values.astype(bool)] + fired[:-1], fired[-1]
    return out, time.process_time() - start


def numpy_recurrent(count, fan_out, targets, weight, inputs, x, neuron):
    cells = Lif(count, neuron)
    targets, weight = (a.reshape(-1, fan_out) for a in (targets, weight))
    sent = np.zeros(0, int)
    out = np.zeros((len(x), count), int)
    start = time.process_time()
    for t, values in enumerate(x):
        a = np.zeros(count, np.int64)
        if len(sent):
            a += np.bincount(targets[sent].ravel(), minlength=count,
                             weights=weight[sent].ravel()).astype(np.int64)
        fired = cells.step(a)
        out[t] = fired
        sent = np.concatenate((np.nonzero(values)[0], inputs + np.nonzero(fired)[0]))
    return out, time.process_time() - start


def row(name, dendrolith, folder, model, x, reference, rounds):
    out, numpy_seconds = reference
    np.save(folder / "x.npy", x)
    image = folder / (model.name + ".dlp")
    subprocess.run([dendrolith, "compile", model, "-o", image], check=True,
                   stdout=subprocess.DEVNULL)
    best, counted = np.inf, 0
    for _ in range(rounds):
        subprocess.run([dendrolith, "run", image, "--input", folder / "x.npy",
                        "--threads", "1", "--out", folder / "o"], check=True,
                       stdout=subprocess.DEVNULL)
        result = json.loads((folder / "o/result.json").read_text())
        best = min(best, result["wall_s"]["simulate"])
        if not (np.load(folder / "o/outputs.npy") == out).all():
            sys.exit(f"{name}: spikes differ from numpy's")
        synaptic = result["counts"]["total"]["synops"]
        counted = sum(synaptic[kind] for kind in ("dense", "sparse", "conv"))
    print(f"{name:<28}{len(x):>7}{out.mean() * 100:>9.2f}{len(x) / best:>12,.0f}"
          f"{counted / best / 1e6:>12,.1f}{len(x) / numpy_seconds:>14,.0f}"
          f"{numpy_seconds / best:>8.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    dendrolith = options.build / "bin/dendrolith"
    rng = np.random.default_rng(1)
    print(f"{'network':<28}{'steps':>7}{'fire %':>9}{'steps/s':>12}"
          f"{'Msynops/s':>12}{'numpy steps/s':>14}{'times':>8}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        weights = [rng.integers(-64, 64, shape) * 2 for shape in
                   ((200, 200), (256, 200), (200, 256))]
        netx(folder / "dense.net", weights,
             {"type": b"CUBA", "iDecay": 1024, "vDecay": 256, "vThMant": 2000})
        neuron = {"du": 1023, "dv": 256, "vth": 2000}
        x = (rng.random((options.steps, 200)) < 0.1).astype(int)
        row("200-256-200 dense .net", dendrolith, folder, folder / "dense.net", x,
            numpy_dense(weights, x, neuron), options.rounds)

        count, inputs, fan_out = 10_000, 1_000, 100
        sources = np.repeat(np.arange(inputs + count), fan_out)
        targets = np.concatenate([rng.choice(count, fan_out, replace=False)
                                  for _ in range(inputs + count)])
        weight = rng.integers(-62, 64, len(targets)) * 2
        weight[sources < inputs] = np.abs(weight[sources < inputs]) + 2
        neuron = {"du": 4095, "dv": 256, "vth": 640}
        recurrent(schema(folder), folder / "recurrent.lava.pb", count, sources,
                  targets, weight, inputs, neuron)
        x = (rng.random((options.steps, inputs)) < 0.05).astype(int)
        row("10,000 recurrent .lava.pb", dendrolith, folder,
            folder / "recurrent.lava.pb", x,
            numpy_recurrent(count, fan_out, targets, weight, inputs, x, neuron),
            options.rounds)


if __name__ == "__main__":
    main()
