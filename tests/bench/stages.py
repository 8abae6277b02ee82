#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the time of a network goes, from its file to its result, stage by stage.

    python3 tests/bench/stages.py [--build build] [--rounds 3] [--only lif random_10k]
                                  [--large] [--keep FOLDER]

One row for each of eight networks, from the smallest that is shipped to a random one
of 100,000 neurons (--large: 300,000). Times are milliseconds of processor time, the
least of the rounds, as wall time says little on a machine with other load: `import`,
`quantise` (calibration is part of it) and `map` (with lowering and the writing of the
image) from what `neurite compile` takes as far as each, less its start; `read`, by the
clock, is the image's way into the engine with its checks, and `functional` and `cycle`
are the rest of a run of the test samples. `start` is `neurite --version`.
`x pass` is their sum in passes: how often numpy could have added all synapses of the
image into their targets once (bincount), measured in the same round.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
# Network -> its file, chip, calibration and test samples.
SHIPPED = {
    "relay": ("relay/relay.mlir", "loihi1", None, "relay/x.npy"),
    "lif": ("lif/shapes_lif.nir", "loihi1", "lif/calib_x.npy", "lif/test_x.npy"),
    "mmdend": ("mmdend/sparse.npz", "loihi2", "mmdend/calib_x.npy", "mmdend/test_x.npy"),
    "dendricl": ("dendricl/d10.npz", "loihi2", "dendricl/calib_d10_x.npy",
                 "dendricl/calib_d10_x.npy"),
    "glyphs_cnn": ("cnn/glyphs_cnn.nir", "loihi1", "cnn/calib_x.npy", "cnn/test_x.npy")}
GENERATED = {"random_1k": 1000, "random_10k": 10_000, "random_100k": 100_000}
LARGE = {"random_300k": 300_000}
STAGES = ["import", "quantise", "map", "read", "functional", "cycle"]


def spent(*command):
    """Seconds of processor time of a command with its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(getattr(after, key) - getattr(before, key) for key in ("ru_utime", "ru_stime"))


class Network:
    def __init__(self, name, arguments, folder):
        self.name, self.folder = name, folder
        self.neurite = arguments.build / "bin" / "neurite"
        self.image = folder / f"{name}.nrt"
        self.best = {}
        if name in SHIPPED:
            model, self.target, calibrate, test = SHIPPED[name]
            self.model = MODELS / model
            self.calibrate = ["--calibrate", MODELS / calibrate] if calibrate else []
            self.input = ["--input", MODELS / test]
        else:
            self.model, self.target = folder / f"{name}.npz", "loihi1-study"
            subprocess.run([self.neurite, "generate", folder / name, "--neurons",
                            str({**GENERATED, **LARGE}[name])], check=True,
                           stdout=subprocess.DEVNULL)
            self.calibrate, self.input = [], ["--input", self.model]
        self.compile(self.image)
        self.facts = self.run("functional", 1)[1]

    def compile(self, to, *words):
        return spent(self.neurite, "compile", self.model, "--target", self.target,
                     *self.calibrate, *words, "-o", to)

    def run(self, engine, keep=False):
        out = self.folder / "out"
        seconds = spent(self.neurite, "run", self.image, *self.input, "--engine", engine,
                        "--threads", 1, "--out", out)
        return seconds, json.loads((out / "result.json").read_text()) if keep else None

    def passes(self):
        """Seconds of one pass of numpy over as many synapses, into as many targets."""
        synapses = sum(source["synapses"] for layer in self.facts["layers"]
                       for source in layer["sources"])
        neurons = sum(layer["neurons"] for layer in self.facts["layers"])
        random = np.random.default_rng(1)
        target = random.integers(0, max(neurons, 1), max(synapses, 1), dtype=np.int32)
        weight = np.ones(len(target))
        begin = time.process_time()
        np.bincount(target, weight, neurons)
        return time.process_time() - begin, synapses, neurons

    def round(self):
        start = spent(self.neurite, "--version")
        text = self.folder / "stage.mlir"
        imported = self.compile(text, "--emit", "dend")
        fixed = self.compile(text, "--emit", "dend-fixed")
        image = self.compile(self.image)
        cycle = self.run("cycle")[0]
        functional, result = self.run("functional", True)
        wall = result["wall_s"]
        read = wall["load"] + wall["prepare"]
        pass_s, self.synapses, self.neurons = self.passes()
        found = {"start": start, "import": imported - start, "quantise": fixed - imported,
                 "map": image - fixed, "read": read, "functional": functional - start - read,
                 "cycle": cycle - start - read, "pass": pass_s,
                 "MB": result["peak_rss_bytes"] / 1e6}
        for key, value in found.items():
            self.best[key] = min(value, self.best.get(key, value))

    def row(self):
        once = sum(self.best[stage] for stage in STAGES)
        return [self.name, f"{self.neurons:,}", f"{self.synapses:,}",
                *(f"{1000 * max(self.best[key], 0):.1f}"
                  for key in ("start", *STAGES, "pass")),
                f"{once / self.best['pass']:,.0f}", f"{self.best['MB']:.0f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    names = [*SHIPPED, *GENERATED, *(LARGE if arguments.large else [])]
    rows = [["network", "neurons", "synapses", "start", *STAGES, "pass", "x pass", "MB"]]
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or pathlib.Path(temporary)).resolve()
        for name in arguments.only or names:
            network = Network(name, arguments, folder)
            for _ in range(arguments.rounds):
                network.round()
            rows.append(network.row())
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)))


if __name__ == "__main__":
    main()
