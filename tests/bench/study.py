#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Study networks: how fast they load and run, beside yardsticks of the same run.

    python3 tests/bench/study.py [--build build] [--sizes 1000 10000 100000]
                         [--rounds 5] [--activity 0.01 0.02 0.05 0.1]

Every round runs, one after the other: `dendrolith run` from an image (all counts
on, one thread, and then a thread for each processor) and from the archive, the same network in numpy
(spikes only), a plain scatter loop over the spikes of the file, and copies and
random rows of memory. The table has the best of the rounds; every run's spikes
are compared with the file's. Synaptic operations are synapses that a spike
reaches (fan-out x spikes), messages are those counted.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np


def numpy_reference(path):
    """Spikes of the network; returns the loop's seconds of processor time, in
    which the benchmarks count, too: others on the machine show less."""
    a = np.load(path)
    meta = json.loads(path.with_suffix(".json").read_text())
    n, n_in = meta["n_neurons"], meta["n_inputs"]
    keep = 4096 - meta["model"]["leak_4096"]
    threshold = 64 * meta["model"]["threshold"]
    width = meta["fanout"]
    col = a["col"].reshape(-1, width)
    weight = a["weight"].reshape(-1, width)
    steps = meta["timesteps"]
    inputs = [np.zeros(0, np.int64)] + [
        a["in_id"][a["in_t"] == t].astype(np.int64)
        for t in range(1, steps + 1)]
    v = np.zeros(n, np.int64)
    before = np.zeros(0, np.int64)
    spikes = 0
    start = time.process_time()
    for t in range(1, steps + 1):
        p = v * keep
        v = np.where(p >= 0, p >> 12, -((-p) >> 12))
        if len(before):
            v += 64 * np.bincount(col[before].ravel(), minlength=n,
                                  weights=weight[before].ravel()
                                  ).astype(np.int64)
        fired = np.nonzero(v > threshold)[0]
        v[fired] = 0
        spikes += len(fired)
        before = np.concatenate([inputs[t], fired + n_in])
    seconds = time.process_time() - start
    assert spikes == meta["reference"]["output_spikes"]
    return seconds


def synops(meta):
    """Synapses that spikes reach in a run of a generated network."""
    reference = meta["reference"]
    if meta["mapping"]["policy"] == "local":
        return reference["synaptic_events"]
    return meta["fanout"] * (reference["output_spikes"] + reference["input_spikes"])


def measure_bounds(bin, npz, memory):
    """What Google Benchmark prints of the engine on a network and of what bounds
    it, with copies and rows of memory if asked for: a number for each name and unit."""
    printed = subprocess.run(
        [bin / "dendrolith-bench",
         f"--benchmark_filter={'study/|memory/' if memory else 'study/'}",
         "--benchmark_min_time=0.1", "--benchmark_format=json"],
        check=True, capture_output=True, text=True,
        env={**os.environ, "DENDROLITH_STUDY": str(npz)}).stdout
    return {f"{entry['name']} {key}": entry[key]
            for entry in json.loads(printed)["benchmarks"]
            for key in ("synops/s", "messages/s", "bytes/s", "bytes/synapse")
            if key in entry}


class Case:
    def __init__(self, arguments, folder, name, flags, target):
        self.name, self.target = name, target
        self.bin = arguments.build / "bin"
        self.folder = folder
        self.npz = folder / f"{name}.npz"
        self.image = folder / f"{name}.dlp"
        self.dendrolith("generate", folder / name, *flags)
        self.dendrolith("compile", self.npz, "--target", target, "-o", self.image)
        self.meta = json.loads((folder / f"{name}.json").read_text())
        self.best = {}

    def dendrolith(self, *words):
        subprocess.run([self.bin / "dendrolith", *map(str, words)], check=True,
                       stdout=subprocess.DEVNULL)

    @property
    def synops(self):
        return synops(self.meta)

    def keep(self, key, value, largest=False):
        better = max if largest else min
        self.best[key] = better(value, self.best.get(key, value))

    def run(self, *words, threads=1):
        out = self.folder / "out"
        self.dendrolith("run", *words, "--threads", threads, "--out", out)
        return json.loads((out / "result.json").read_text())

    def round(self, bandwidth):
        result = self.run(self.image, "--input", self.npz)
        wall = result["wall_s"]
        self.keep("load", wall["load"] + wall["prepare"])
        self.keep("simulate", wall["simulate"])
        self.keep("memory", result["peak_rss_bytes"] / 1e6)
        self.messages = result["counts"]["total"]["messages"]
        wall = self.run(self.image, "--input", self.npz, threads=0)["wall_s"]
        self.keep("load, threads", wall["load"] + wall["prepare"])
        self.keep("simulate, threads", wall["simulate"])
        wall = self.run(self.npz, "--target", self.target)["wall_s"]
        self.keep("compile", wall["load"] + wall["compile"] + wall["prepare"])
        self.keep("numpy", numpy_reference(self.npz))
        for key, value in measure_bounds(self.bin, self.npz, bandwidth).items():
            self.keep(key, value, True)

    def row(self):
        b = self.best
        rate = b["study/functional synops/s"]
        numpy = self.synops / b["numpy"]
        scatter = b["study/scatter synops/s"]
        return [self.name, f"{self.meta['n_synapses']:,}",
                f"{100 * self.meta['reference']['mean_rate']:.1f}",
                f"{b['load']:.2f}", f"{b['compile']:.2f}",
                f"{b['memory']:.0f}",
                f"{b['study/functional bytes/synapse']:.2f}",
                f"{rate / 1e6:.0f}", f"{self.synops / b['simulate'] / 1e6:.0f}",
                f"{self.synops / b['simulate, threads'] / 1e6:.0f}",
                f"{b['simulate'] / b['simulate, threads']:.2f}",
                f"{b['load, threads']:.2f}",
                f"{b['study/functional messages/s'] / 1e6:.0f}",
                f"{numpy / 1e6:.0f}", f"{rate / numpy:.1f}",
                f"{rate / scatter:.2f}"]


HEAD = ["network", "synapses", "% active", "load s", "from .npz s", "peak MB",
        "B/synapse", "M synops/s", "(command)", "(threads)", "x one",
        "load s", "M messages/s", "numpy M",
        "x numpy", "x scatter"]


def print_table(rows):
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(c.rjust(w) for c, w in zip(row, widths)))


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build")
    parser.add_argument("--sizes", type=int, nargs="*",
                        default=[1000, 10000, 100000])
    parser.add_argument("--activity", type=float, nargs="*",
                        default=[0.01, 0.02, 0.1])
    parser.add_argument("--local", type=int, default=131072,
                        help="neurons of the local network; 0 = none")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        cases = [Case(arguments, folder, f"random-{n}", ["--neurons", n],
                      "loihi1-study") for n in arguments.sizes]
        cases += [Case(arguments, folder, f"random-10000-{rate:g}",
                       ["--neurons", 10000, "--recipe", f"rate={rate}", "--recipe", f"in-rate={rate}"],
                       "loihi1-study") for rate in arguments.activity]
        if arguments.local:
            cases.append(Case(arguments, folder, f"local-{arguments.local}",
                              ["--neurons", arguments.local, "--mode", "local"],
                              "loihi1"))
        for _ in range(arguments.rounds):
            for case in cases:
                case.round(bandwidth=case is cases[0])
        print_table([HEAD] + [case.row() for case in cases])
        best = cases[0].best
        rows = best["memory/rows bytes/s"]
        print(f"memory: copy {best['memory/copy bytes/s'] / 1e9:.1f} GB/s, "
              f"random rows of 400 bytes {rows / 1e9:.1f} GB/s")
        for case in cases:
            used = (case.best["study/functional synops/s"] *
                    case.best["study/functional bytes/synapse"])
            print(f"{case.name}: rows read at {used / 1e9:.2f} GB/s, "
                  f"{100 * used / rows:.0f} % of random rows")


if __name__ == "__main__":
    main()
