#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the time of a network goes, from its file to its result, stage by stage.

    python3 tests/bench/stages.py [--build build] [--rounds 3] [--only lif random_10k]
                                  [--large] [--million] [--interpreters] [--keep FOLDER]

One row for each of eight networks, from the smallest that is shipped
to random ones of 100,000 (--large: 300,000, too; --million: 1,000,000, a matter of
minutes and several GB). Times are milliseconds of processor time, the least of the rounds, as
wall time says little on a machine with other load. `dendrolith-stage-times` takes those of
each stage, the calls of `dendrolith run --jit off` on one thread; `start` is `dendrolith --version`.
`map` is the mapper alone, and `lower` the pass that maps (once more) and lowers.
`check` and `read` are the image's way back from bytes. With --interpreters `float` and
`reference` run, too, where the network has no more than 20,000 neurons: minutes, where
test samples are many.
The second table has the same in passes: how often numpy could have added all synapses of
the image into their targets once (bincount), measured in the same round.
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
MILLION = {"random_1m": 1_000_000}
STAGES = ["load", "calibrate", "quantise", "map", "lower", "emit", "write", "check", "read",
          "functional", "cycle", "float", "reference"]
SMALL = 20_000  # neurons that the interpreters run


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
        self.interpreters = arguments.interpreters
        self.dendrolith = arguments.build / "bin" / "dendrolith"
        self.image = folder / f"{name}.dlp"
        self.best = {}
        if name in SHIPPED:
            model, self.target, calibrate, test = SHIPPED[name]
            self.model = MODELS / model
            self.calibrate = ["--calibrate", MODELS / calibrate] if calibrate else []
            self.input = ["--input", MODELS / test]
        else:
            # A core of loihi1-study has room for 1,024 neurons.
            self.model = folder / f"{name}.npz"
            self.target = "ideal" if name in MILLION else "loihi1-study"
            subprocess.run([self.dendrolith, "generate", folder / name, "--neurons",
                            str({**GENERATED, **LARGE, **MILLION}[name])], check=True,
                           stdout=subprocess.DEVNULL)
            self.calibrate, self.input = [], ["--input", self.model]
        command = [self.dendrolith, "compile", self.model, "--target", self.target,
                   *self.calibrate, "-o", self.image]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
        out = folder / "out"
        command = [self.dendrolith, "run", self.image, *self.input, "--out", out]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
        facts = json.loads((out / "result.json").read_text())
        self.synapses = sum(source["synapses"] for layer in facts["layers"]
                            for source in layer["sources"])
        self.neurons = sum(layer["neurons"] for layer in facts["layers"])

    def stages(self):
        """What dendrolith-stage-times prints."""
        engines = "functional" if self.target == "ideal" else "functional,cycle"
        if self.interpreters and self.neurons <= SMALL:
            engines += ",float,reference"
        command = [self.dendrolith.with_name("dendrolith-stage-times"), self.model, "--target",
                   self.target, *self.calibrate, *self.input, "--engine", engines]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{self.name}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def passes(self):
        """Seconds of one pass of numpy over as many synapses, into as many targets."""
        random = np.random.default_rng(1)
        target = random.integers(0, max(self.neurons, 1), max(self.synapses, 1), dtype=np.int32)
        weight = np.ones(len(target))
        best = float("inf")
        for _ in range(5):
            begin = time.process_time()
            np.bincount(target, weight, self.neurons)
            best = min(best, time.process_time() - begin)
        return best

    def round(self):
        found = {"start": spent(self.dendrolith, "--version"), **self.stages(),
                 "pass": self.passes()}
        for key, value in found.items():
            self.best[key] = min(value, self.best.get(key, value))

    def row(self, unit, form):
        """Times in `unit` seconds."""
        return [self.name, *(form.format(max(self.best[key], 0) / unit) if key in self.best
                             else "-" for key in ("start", *STAGES))]

    def size(self):
        return [f"{self.neurons:,}", f"{self.synapses:,}", f"{1000 * self.best['pass']:.3f}",
                f"{self.best['MB']:.0f}"]


def show(title, rows):
    print(title)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)))
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--interpreters", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    names = [*SHIPPED, *GENERATED, *(LARGE if arguments.large else []),
             *(MILLION if arguments.million else [])]
    networks = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or pathlib.Path(temporary)).resolve()
        for name in arguments.only or names:
            networks.append(Network(name, arguments, folder))
            for _ in range(arguments.rounds):
                networks[-1].round()
            print(f"measured {name}", file=sys.stderr, flush=True)
    if not arguments.interpreters:
        STAGES[-2:] = []
    head = ["network", "start", *STAGES]
    show("milliseconds", [head[:1] + ["neurons", "synapses", "pass", "MB"] + head[1:]] + [
        [row[0], *network.size(), *row[1:]]
        for network in networks for row in [network.row(1e-3, "{:.1f}")]])
    show("passes", [head] + [network.row(network.best["pass"], "{:,.1f}")
                             for network in networks])


if __name__ == "__main__":
    main()
