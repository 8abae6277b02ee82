#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What weights of few bits cost, by network, bits and way of choosing them.

    python3 tests/bench/few_bits.py [--dendrolith build/bin/dendrolith] [--bits 8 5 4 3 2]
        [--nets lif sparse d10 elm-p4000_m3_s0 ... braille braille-hidden | --nets all]
        [--methods max default search ...]
        [--samples N]

Prints a table in Markdown: the score on the shipped test set (accuracy in percent, R2,
or for networks without a test set how much the outputs resemble the float network's),
and the seconds that compiling took. `--weight-bits` is what changes: the read-out keeps 8
where the method is auto ("default", "few", "many"), and in "all" the chip has no more.
`--samples N` scores the first N samples only. Braille needs files outside the repository
(DENDROLITH_SHARED, else ../shared) and is left out where these are missing.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
MODELS = ROOT / "models"

# The ways by themselves; "few" and "many" keep one of several networks by its answers.
ONE = ["--tuning", "{candidates: one}"]
METHODS = {
    "default": [],
    "all": [],
    "few": ["--tuning", "{candidates: few}"],
    "many": ["--tuning", "{candidates: many}"],
    "choice": ["--quantise", "search"],
    "choice-norescale": ["--quantise", "search", "--tuning", "{rescaling: false}"],
    "max": ["--quantise", "max", "--round", "nearest"],
    "max-adaptive": ["--quantise", "max", "--round", "adaptive", "--tuning", "{threshold-scale: layer}"],
    "percentile": ["--quantise", "percentile", "--round", "nearest"],
    "mse": ["--quantise", "mse", "--round", "nearest"],
    "search": ONE + ["--quantise", "search", "--round", "nearest"],
    "search-layer": ONE + ["--quantise", "search", "--round", "nearest", "--tuning",
                     "{threshold-scale: layer}"],
    "search-nobias": ONE + ["--quantise", "search", "--round", "nearest", "--tuning", "{bias-correction: false}"],
    "adaptive": ONE + ["--quantise", "search", "--round", "adaptive"],
    "adaptive-norescale": ONE + ["--quantise", "search", "--round", "adaptive", "--tuning", "{rescaling: false}"],
    "adaptive-layer": ONE + ["--quantise", "search", "--round", "adaptive", "--tuning",
                       "{threshold-scale: layer}"],
    "adaptive-nobias": ONE + ["--quantise", "search", "--round", "adaptive",
                        "--tuning", "{bias-correction: false}"],
}


USUAL = ("lif sparse dense d10 d20 elm-p4000_m3_s0 elm-p2000_m1_s0 elm-p4000_m3_s0_binary braille "
         "braille-hidden").split()


class Net:
    """A network, its target and data, and how a run's outputs are scored."""

    def __init__(self, model, target, calibrate, test, labels=None, metric=None, trace=None):
        self.model, self.target, self.calibrate, self.test = model, target, calibrate, test
        self.labels, self.metric, self.trace, self.truth = labels, metric, trace, None


def first(path, samples, folder):
    """A file with the first samples of another one; the same file for all of them."""
    if not samples:
        return path
    cut = folder / f"{path.parent.name}_{path.name}"
    np.save(cut, np.load(path)[:samples])
    return cut


def networks(folder, samples):
    cut = lambda path: first(path, samples, folder)
    nets = {}

    def add(name, file, target, data="{}", metric=None, at=None):
        """`data` names the samples of a folder, which is the file's own unless `at` says."""
        at = MODELS / (at or file.split("/")[0])
        read = lambda kind, axis: at / f"{data.format(kind)}_{axis}.npy"
        nets[name] = Net(MODELS / file, target, read("calib", "x"), cut(read("test", "x")),
                         cut(read("test", "y")), metric)

    shipped = lambda folder: sorted(path.stem for path in (MODELS / folder).glob("*.npz"))
    add("lif", "lif/shapes_lif.nir", "loihi1")
    add("cnn", "cnn/glyphs_cnn.nir", "loihi1")
    for name in shipped("mmdend"):
        add("mm-lif" if name in nets else name, f"mmdend/{name}.npz", "loihi2")
    for name in shipped("dendricl"):
        d = json.loads(str(np.load(MODELS / f"dendricl/{name}.npz")["meta"]))["d"]
        if (MODELS / f"dendricl/test_d{d}_x.npy").exists():
            add(name, f"dendricl/{name}.npz", "loihi2", f"{{}}_d{d}", "r2")
    for name in shipped("elm/family"):
        add(f"elm-{name}", f"elm/family/{name}.npz", "loihi2")
    for name in shipped("dendattn"):
        add(f"attn-{name}", f"dendattn/{name}.npz", "loihi2", f"{{}}_{name.split('_')[0]}")
    for name in ("branches", "point"):
        add(f"dhsnn-{name}", f"dhsnn/{name}.pt2", "loihi2", at="lif")
    for name in ("mingru", "s4d"):
        add(name, f"statespace/{name}.pt2", "loihi2,spikes.payload_bits=16", at="lif")
    braille = SHARED / "data" / "nir" / "braille_noDelay_bias_zero.nir"
    if braille.exists():
        sample = braille.parent / "braille_input_sample0.npy"
        nets["braille"] = Net(braille, "loihi1", sample, sample, metric="cosine")
        nets["braille-hidden"] = Net(braille, "loihi1", sample, sample, metric="cosine",
                                     trace="lif1.lif")
    return nets


def run(dendrolith, net, folder, *options):
    """A run's result and outputs, or what it says instead."""
    out = folder / "out"
    command = [dendrolith, "run", net.model, "--input", net.test, "--out", out,
               "--format", "json", *options]
    if net.labels:
        command += ["--labels", net.labels]
    if net.metric == "r2":
        command += ["--metric", "r2"]
    if net.trace:
        command += ["--trace", net.trace]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1], None
    outputs = np.load(out / "traces.npz")[net.trace] if net.trace else np.load(
        out / "outputs.npy")
    return json.loads((out / "result.json").read_text()), outputs


def score(net, result, outputs):
    if outputs is None:
        return "refused"
    if net.metric == "cosine":
        now = outputs.reshape(-1, outputs.shape[-1]).sum(0)
        truth = net.truth.reshape(-1, outputs.shape[-1]).sum(0)
        return f"{now @ truth / np.linalg.norm(now) / np.linalg.norm(truth):.4f}"
    value = result["score"]["value"]
    return f"{value:.3f}" if net.metric == "r2" else f"{100 * value:.1f}"


def compile_seconds(dendrolith, net, target, options, folder):
    command = [dendrolith, "compile", net.model, "--target", target,
               "--calibrate", net.calibrate, "-o", folder / "net.dlp", *options]
    start = time.time()
    subprocess.run([str(part) for part in command], capture_output=True)
    return time.time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dendrolith", default=ROOT / "build/bin/dendrolith")
    parser.add_argument("--bits", type=int, nargs="+", default=[8, 5, 4, 3, 2])
    parser.add_argument("--nets", nargs="+", default=USUAL, help="or all that are shipped")
    parser.add_argument("--methods", nargs="+", default=["max", "default", "adaptive"],
                        choices=METHODS)
    parser.add_argument("--samples", type=int, default=0)
    parser.add_argument("--seconds", action="store_true", help="also time compile")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        nets = networks(folder, arguments.samples)
        print("| network | method | " + " | ".join(map(str, arguments.bits)) + " |")
        print("|---|---|" + "---|" * len(arguments.bits))
        for key in nets if arguments.nets == ["all"] else arguments.nets:
            if key not in nets and key in USUAL:  # without what is not in the repository
                continue
            net = nets[key]
            result, net.truth = run(arguments.dendrolith, net, folder, "--engine", "float")
            if net.metric != "cosine":
                print(f"| {key} | float | {score(net, result, net.truth)} |"
                      + " |" * (len(arguments.bits) - 1))
            for method in arguments.methods:
                row = []
                for bits in arguments.bits:
                    target, ways = net.target, METHODS[method]
                    if method == "all":
                        target += f",formats.weight_bits={bits}"
                    else:
                        ways = ["--weight-bits", str(bits), *ways]
                    result, outputs = run(arguments.dendrolith, net, folder, "--target", target,
                                          "--calibrate", net.calibrate, *ways)
                    row.append(score(net, result, outputs))
                    if arguments.seconds:
                        seconds = compile_seconds(arguments.dendrolith, net, target, ways,
                                                  folder)
                        row[-1] += f" ({seconds:.1f} s)"
                print(f"| {key} | {method} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
