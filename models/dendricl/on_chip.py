# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks of this folder on a simulated chip, as the tables of CHIP.md.

    python3 task.py --write TESTS
    python3 on_chip.py --dendrolith ../../build/bin/dendrolith --tests TESTS [--net d10 ...]
    python3 on_chip.py --dendrolith ../../build/bin/dendrolith --contexts [--net d10]

Every number is one that `dendrolith` printed or a probe of what it recorded: R2 and
spikes over the 1500 tasks (values do not depend on time, so the functional engine),
latency and energy over the 300 committed ones (cycle engine).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import probe
import task

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from markdown import header, row  # noqa: E402
NETS = {"d10": 10, "d20": 20, "d20_sparse": 20, "small_sparse": 10, "tiny": 5, "lif_d10": 10}
CONTEXTS = {5: 0.355, 10: 0.565, 20: 0.807, 40: 0.940}  # the paper's Table 3
# Its Table 8, by the standard deviation of w; all are trained at 1.
PRIORS = {0.25: 0.633, 0.5: 0.761, 1: 0.784, 1.5: 0.778, 2: 0.706, 3: 0.522, 5: 0.162}
LEAST_SHARE = 5  # per cent of a bill, of an event that is listed


class Chip:
    """Runs checkpoints of the folder `nets`, whose d is what `sizes` says, calibrated
    with the files of `tests`."""

    def __init__(self, dendrolith, target, folder, sizes=NETS, tests=HERE, nets=HERE):
        self.dendrolith, self.target, self.folder = dendrolith, target, pathlib.Path(folder)
        self.sizes, self.tests, self.nets = sizes, tests, nets

    def __call__(self, *arguments):
        return subprocess.run([self.dendrolith, *map(str, arguments)], check=True,
                              capture_output=True, text=True).stdout

    def run(self, net, x, y, *flags, engine="functional"):
        """result.json and traces of a checkpoint on tasks."""
        out = self.folder / "out"
        self("run", self.nets / f"{net}.npz", "--target", self.target, "--calibrate",
             self.tests / f"calib_d{self.sizes[net]}_x.npy", "--input", x, "--labels", y, "--metric",
             "r2", "--engine", engine, "--map-for", "cores", "--out", out, *flags)
        traces = out / "traces.npz"
        return json.loads((out / "result.json").read_text()), traces

    def paper(self):
        """The last run beside Table 9's accounting."""
        return json.loads(self("report", self.folder / "out", "--conventions",
                               "--format", "json"))


def spikes_of(result):
    """Mean binary spikes per token, by layer."""
    tokens = result["samples"] * result["ticks"]
    return {layer: values["1"] / tokens for layer, values in result["spike_values"].items()
            if set(values) == {"0", "1"}}


def task_files(tests, d):
    return [tests / f"test_d{d}_{part}.npy" for part in "xyw"]


def scores(chip, nets, tests):
    """R2, spikes and probes over all tasks of `tests`."""
    header("net", "R2 on the chip", "in float", "difference", "probe, true w", "in float",
           "spikes per token", "compile s", "tokens/s", "peak MB")
    for net in nets:
        x, y, w = task_files(tests, NETS[net])
        plain = net.startswith("lif")
        traces = [] if plain else ["--trace", "apical:u"]
        result, stored = chip.run(net, x, y, "--compare", "float", *traces)
        probes = ["", ""]
        if not plain:
            tokens, true = np.load(x), np.load(w).astype(np.float64)
            probes = [f"{probe.ridge(probe.states(source, tokens), true):.3f}"
                      for source in (stored, HERE / f"{net}.npz")]
        on, real = result["score"]["value"], result["compare"]["score"]["value"]
        spikes = spikes_of(result)
        wall = result["wall_s"]
        row(f"`{net}`", f"{on:.4f}", f"{real:.4f}", f"{on - real:+.4f}", *probes,
            f"{sum(spikes.values()):.1f} (" +
            " + ".join(f"{spikes[k]:.1f}" for k in sorted(spikes, reverse=not plain)) + ")",
            f"{wall['compile']:.2f}",
            f"{result['samples'] * result['ticks'] / wall['simulate']:.0f}",
            f"{result['peak_rss_bytes'] / 1e6:.0f}")


def turning_point(first, second):
    """What a synaptic operation of a graded message would have to cost, in those of a
    spike, for the synapses of both networks to cost the same."""
    (a, p), (b, q) = (
        (sum(synops[kind] for kind in ("dense", "sparse", "conv")),
         sum(synops["graded"][kind] for kind in ("dense", "sparse", "conv")))
        for synops in (first, second))
    return ((b - q) - (a - p)) / (p - q)


def energies(chip, nets):
    """Counted energy of a pass over the committed tasks, and Table 9's."""
    rows, shares, synops = [], {}, {}
    header("net", "R2", "latency us", "events uJ", "static uJ", "together uJ",
           "doubled high uJ", "0.9 pJ per spike nJ", "events / that", "doubled / that",
           "tokens/s, cycle")
    for net in nets:
        d = NETS[net]
        result, _ = chip.run(net, HERE / f"test_d{d}_x.npy", HERE / f"test_d{d}_y.npy",
                             engine="cycle")
        priced = chip.paper()
        events, still = (np.array([priced["summary"][f"{part}_per_sample_pJ"][end]
                                   for end in ("low", "high")]) for part in ("energy", "static"))
        formula = next(each["per_sample_pJ"] for each in priced["conventions"]
                       if each["name"] == "dendricl2026-loihi")
        latency = result["latency"]["per_sample_ns"]["mean"] / 1000
        row(f"`{net}`", f"{result['score']['value']:.4f}", f"{latency:.1f}",
            *("{:.2f} to {:.1f}".format(*ends / 1e6) for ends in (events, still, events + still)),
            f"{2 * events[1] / 1e6:.1f}", f"{formula / 1e3:.2f}",
            "{:.0f} to {:.0f}".format(*events / formula), f"{2 * events[1] / formula:.0f}",
            f"{result['samples'] * result['ticks'] / result['wall_s']['simulate']:.0f}")
        shares[net] = {end: {event: entry["energy_pJ"] / priced["energy"][end]["total_pJ"] * 100
                             for event, entry in priced["energy"][end]["by_event"].items()
                             if entry["energy_pJ"] is not None}
                       for end in ("low", "high")}
        rows.append(net)
        synops[net] = result["counts"]["total"]["synops"]
    events = sorted({event for ends in shares.values() for bill in ends.values()
                     for event, share in bill.items() if share >= LEAST_SHARE})
    header("share of the energy, low and high %", *(f"`{net}`" for net in rows))
    for event in events:
        row(event, *(" and ".join(f"{shares[net][end].get(event, 0):.1f}"
                                  for end in ("low", "high")) for net in rows))
    if {"d10", "lif_d10"} <= set(nets):
        print(f"\nsynapses of d10 and lif_d10 cost the same where one of a graded message costs "
              f"{turning_point(synops['d10'], synops['lif_d10']):.2f} of a spike's")


def contexts(chip, net):
    """One network at other context lengths, and where w has another spread."""
    for name, title, papers, count, of in (
            ("k", "k", CONTEXTS, task.TEST, "paper, trained per k"),
            ("spread", "standard deviation of w", PRIORS, task.COMMITTED, "paper")):
        found = {}
        for value in papers:
            stem = task.write(chip.folder, count, NETS[net], **{name: value})
            found[value], _ = chip.run(net, f"{stem}_x.npy", f"{stem}_y.npy", "--compare", "float")
        header(title, "R2 on the chip", "in float", of)
        for value, result in found.items():
            row(value, f"{result['score']['value']:.4f}", f"{result['compare']['score']['value']:.4f}",
                f"{papers[value]:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dendrolith", required=True, help="the command to run")
    parser.add_argument("--target", default="loihi2")
    parser.add_argument("--net", action="append", choices=NETS, help="these only")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--tests", type=pathlib.Path, metavar="DIR",
                       help="test sets that task.py wrote: R2, probes, energy")
    which.add_argument("--contexts", action="store_true", help="k = 5, 10, 20, 40; other spreads of w")
    options = parser.parse_args()
    nets = options.net or list(NETS)
    with tempfile.TemporaryDirectory() as folder:
        chip = Chip(options.dendrolith, options.target, folder)
        try:
            if options.contexts:
                contexts(chip, (options.net or ["d10"])[0])
            else:
                scores(chip, nets, options.tests)
                energies(chip, nets)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{' '.join(map(str, error.cmd))}: {error.stderr.strip()}")


if __name__ == "__main__":
    main()
