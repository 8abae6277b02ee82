# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks of this folder on a simulated chip, as the tables of CHIP.md.

    python3 on_chip.py --dendrolith ../../build/bin/dendrolith [--net d32 ...] [--flags="..."]

Every number is one that `dendrolith` printed or counted: scores over the committed test
sets (values do not depend on time, so the functional engine), work, latency and energy
over their first sequences (cycle engine).
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from markdown import header, row  # noqa: E402
NETS = {"d32": 32, "d32_dense": 32, "d32_single": 32, "d64": 64, "d64_dense": 64,
        "d128": 128}
TIMED = 4  # sequences in the cycle engine
CACHED_BYTES = 2  # of a number in attention's cache: 16 bits, as is usual
TOKENS = (64, 1024, 16384, 524288)


class Chip:
    def __init__(self, dendrolith, target, flags, folder):
        self.dendrolith, self.target, self.flags = dendrolith, target, flags
        self.folder = pathlib.Path(folder)

    def __call__(self, *arguments):
        return subprocess.run([self.dendrolith, *map(str, arguments)], check=True,
                              capture_output=True, text=True).stdout

    def model(self, net):
        return [HERE / f"{net}.npz", "--target", self.target, "--calibrate",
                HERE / f"calib_d{NETS[net]}_x.npy", *self.flags]

    def run(self, net, engine, count=None, *flags):
        """result.json of a checkpoint on its test set, or on `count` of it."""
        files = []
        for part in "xy":
            given = np.load(HERE / f"test_d{NETS[net]}_{part}.npy")[:count]
            files.append(self.folder / f"{part}.npy")
            np.save(files[-1], given)
        out = self.folder / "out"
        self("run", *self.model(net), "--input", files[0], "--labels", files[1],
             "--engine", engine, "--out", out, *flags)
        return json.loads((out / "result.json").read_text())

    def state_bytes(self, net):
        """Bytes of all states of the network in integers."""
        text = self("compile", *self.model(net), "--emit", "dend-fixed")
        body = sum(int(rows) * int(columns) * int(bits) for rows, columns, bits in
                   set_of_states(text))
        neurons = re.findall(r"dend\.population @H\d+ : @\S+\[(\d+)\]", text)
        return body * int(neurons[0]) * meta_of(net)["L"] // 8


def set_of_states(text):
    """The matrices that the first head model declares, with their bits."""
    found = {}
    for name, *shape in re.findall(r"(%S\d+_\d+) : tensor<(\d+)x(\d+)x!dend\.fx<(\d+),",
                                   text):
        found.setdefault(name, shape)
    return found.values()


def meta_of(net):
    with np.load(HERE / f"{net}.npz") as file:
        return json.loads(str(file["meta"]))


def parameters(net):
    with np.load(HERE / f"{net}.npz") as file:
        return sum(file[key].size for key in file.files
                   if key != "meta" and not key.endswith("_ex"))


def scores(chip, nets):
    header("net", "parameters", "branches", "run per token", "answers", "float %",
           "chip %", "difference", "same answer %", "tokens/s")
    for net in nets:
        meta = meta_of(net)
        result = chip.run(net, "functional", None, "--compare", "float")
        score, compare = result["score"], result["compare"]
        on, real = 100 * score["value"], 100 * compare["score"]["value"]
        row(f"`{net}`", f"{parameters(net):,}", meta["Es"] + meta["Er"],
            meta["Es"] + meta["topk"], f"{score['answers']:,}", f"{real:.2f}",
            f"{on:.2f} ({100 * score['low']:.2f} to {100 * score['high']:.2f})",
            f"{on - real:+.2f}", f"{100 * compare['same_class'] / compare['answers']:.2f}",
            f"{result['samples'] * result['ticks'] / result['wall_s']['simulate']:.0f}")


def total(counts, *keys):
    return sum(counts["synops"][key] for key in keys)


def work(chip, nets):
    """What a token costs; heads are the wide neurons with the branches."""
    header("net", "cores", "messages", "synaptic operations", "program operations",
           "of these in heads", "latency us", "events uJ", "static uJ")
    heads = {}
    for net in nets:
        result = chip.run(net, "cycle", TIMED)
        tokens, counts = result["samples"] * result["ticks"], result["counts"]["total"]
        steps = result["ticks"]
        inside = sum(sum(layer["counts"]["microcode"].values())
                     for layer in result["layers"]
                     if layer["kind"] == "population" and layer["population"].startswith("H"))
        heads[net] = inside / tokens
        ends = [[result["summary"][f"{part}_per_sample_pJ"][end] / steps / 1e6
                 for end in ("low", "high")] for part in ("energy", "static")]
        row(f"`{net}`", result["summary"]["cores"], f"{counts['messages'] / tokens:,.0f}",
            f"{total(counts, 'dense', 'sparse', 'conv') / tokens:,.0f}",
            f"{sum(counts['microcode'].values()) / tokens:,.0f}", f"{heads[net]:,.0f}",
            f"{result['latency']['per_sample_ns']['mean'] / steps / 1e3:.2f}",
            *("{:.3f} to {:.3f}".format(*end) for end in ends))
    for net in nets:
        if f"{net}_dense" in heads:
            print(f"\nheads of {net} make {heads[net] / heads[net + '_dense']:.3f} of the "
                  f"program operations of {net}_dense, whose branches all run")


def memory(chip, nets):
    """State, which is the same at every token, beside the keys and values that
    attention of the same layers and width would keep."""
    header("net", "state bytes", *(f"cache of {tokens:,} tokens" for tokens in TOKENS),
           "as large at tokens")
    for net in nets:
        meta, state = meta_of(net), chip.state_bytes(net)
        token = meta["L"] * meta["H"] * (meta["dk"] + meta["dv"]) * CACHED_BYTES
        row(f"`{net}`", f"{state:,}", *(f"{token * tokens:,}" for tokens in TOKENS),
            state // token)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dendrolith", required=True, help="the command to run")
    parser.add_argument("--target", default="loihi2")
    parser.add_argument("--net", action="append", choices=NETS, help="these only")
    parser.add_argument("--flags", default="", help="more flags of dendrolith, as one text")
    options = parser.parse_args()
    nets = options.net or list(NETS)
    with tempfile.TemporaryDirectory() as folder:
        chip = Chip(options.dendrolith, options.target, shlex.split(options.flags), folder)
        try:
            scores(chip, nets)
            work(chip, nets)
            memory(chip, nets)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{' '.join(map(str, error.cmd))}: {error.stderr.strip()}")


if __name__ == "__main__":
    main()
