# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks of this folder side by side, as the paper's Tables 1 and 9 compare them.

    python3 task.py --write TESTS
    python3 compare.py --dendrolith ../../build/bin/dendrolith --tests TESTS [--net d10 ...]
    python3 train.py --net d15 --out NETS       # not shipped, so they are trained first
    python3 compare.py --dendrolith ../../build/bin/dendrolith --tests TESTS --nets NETS

R2 and spikes over the 1500 tasks of TESTS (functional engine), messages, synaptic
operations, latency and energy over the first 40 of them (cycle engine), on as few
cores as hold a network.  The paper's figures stand beside ours.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import on_chip
import reference
from markdown import header, row
from on_chip import HERE

# d, and the paper's network: R2 (Tables 1, 2), parameters in thousands, spikes per
# token, energy in pJ (Table 9); None where it has none.
ROWS = {
    "d10": (10, "DendriCL", "0.807", 749, 372, 7023),
    "d20": (20, "DendriCL", "0.805", 757, 414, 15282),
    "d30": (30, "DendriCL", "0.774, 0.807 at 50000 steps", None, None, None),
    "two_layer_d10": (10, "DendriCL, L = 2", "0.811", 750, None, None),
    "cnn_d10": (10, "DendriCNN", "0.824", 749, 0, 0),
    "lif_d10": (10, "Pure LIF", "0.801", 620, 1675, 31646),
    "lsnn_d10": (10, "LSNN", "0.011", 620, 272, 5131),
    "spikformer_d10": (10, "Spikformer", "0.977", 1191, 2542, 48038),
    "active_d10": (10, "Active Dendrites", "0.668", 1294, 258, 4876),
}
# Not shipped; the paper's Tables 2 and 3.
ROWS.update({f"d{d}": (d, "DendriCL", r2, None, None, None) for d, r2 in
             {5: "0.797", 15: "0.806", 25: "0.791", 40: "0.690", 50: "0.498"}.items()})
SPIKE_PJ = 0.9  # the paper's, of a spike on Loihi
COSTED = 40  # tasks
TRAINED_ASIDE = {"meta", "alpha", "gamma", "x_ex", "out_ex"}  # at and gt are counted


def parameters(params):
    """Trained numbers of a checkpoint."""
    return sum(np.size(value) for key, value in params.items()
               if key.split(".")[-1] not in TRAINED_ASIDE)


def span(ends, unit):
    return "{:.3g} to {:.3g}".format(*(end / unit for end in ends))


def scores(chip, nets, tests):
    """R2 and spikes over all tasks of `tests`."""
    header("checkpoint", "network", "parameters", "paper's, thousands", "R2 in float",
           "R2 on the chip", "paper's R2", "spikes per token", "paper's spikes",
           "0.9 pJ a spike, nJ", "paper's nJ")
    for net in nets:
        d, title, r2, size, spikes, energy = ROWS[net]
        x, y, _ = on_chip.task_files(tests, d)
        result, _ = chip.run(net, x, y, "--compare", "float")
        fired = on_chip.spikes_of(result)
        formula = SPIKE_PJ * sum(fired.values()) * result["ticks"] / 1000
        say = lambda value, text="{}": "" if value is None else text.format(value)
        row(f"`{net}`", title, parameters(reference.load(chip.nets / f"{net}.npz")), say(size),
            f"{result['compare']['score']['value']:.4f}", f"{result['score']['value']:.4f}",
            r2, f"{sum(fired.values()):.1f}", say(spikes), f"{formula:.2f}",
            "" if energy is None else f"{energy / 1000:.2f}")


def costs(chip, nets, tests):
    """What a pass over a sample takes, of the first tasks."""
    header("checkpoint", "messages", "synaptic operations", "of graded values",
           "events, uJ", "static, uJ", "latency, us", "cores")
    for net in nets:
        few = []
        for source in on_chip.task_files(tests, ROWS[net][0])[:2]:
            few.append(chip.folder / source.name)
            np.save(few[-1], np.load(source)[:COSTED])
        result, _ = chip.run(net, *few, engine="cycle")
        bill = json.loads(chip("report", chip.folder / "out", "--format", "json"))
        summary, total = bill["summary"], result["counts"]["total"]
        kinds = ("dense", "sparse", "conv")
        each = lambda count: f"{count / result['samples']:.0f}"
        ends = lambda part: [summary[f"{part}_per_sample_pJ"][end] for end in ("low", "high")]
        row(f"`{net}`", each(total["messages"]),
            each(sum(total["synops"][kind] for kind in kinds)),
            each(sum(total["synops"]["graded"][kind] for kind in kinds)),
            span(ends("energy"), 1e6), span(ends("static"), 1e6),
            f"{result['latency']['per_sample_ns']['mean'] / 1000:.1f}", summary["cores"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dendrolith", required=True, help="the command to run")
    parser.add_argument("--target", default="loihi2")
    parser.add_argument("--tests", required=True, type=pathlib.Path, metavar="DIR",
                        help="test sets that task.py wrote")
    parser.add_argument("--net", action="append", choices=ROWS, help="these only")
    parser.add_argument("--nets", type=pathlib.Path, metavar="DIR", default=HERE,
                        help="where checkpoints lie, unless beside this script")
    options = parser.parse_args()
    nets = options.net or [net for net in ROWS if (options.nets / f"{net}.npz").exists()]
    with tempfile.TemporaryDirectory() as folder:
        chip = on_chip.Chip(options.dendrolith, options.target, folder,
                            {net: of[0] for net, of in ROWS.items()}, options.tests,
                            options.nets)
        try:
            scores(chip, nets, options.tests)
            costs(chip, nets, options.tests)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{' '.join(map(str, error.cmd))}: {error.stderr.strip()}")


if __name__ == "__main__":
    main()
