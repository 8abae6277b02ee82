# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many Loihi chips the cortical microcircuit of Potjans and Diesmann needs
at full size, from its rules alone: neurons share a core with others of their
population, as many as the core's limits hold, each list is stored as the chip
stores lists, and a pair of neurons has a synapse with the probability of its
populations. Nothing is built.

    python3 tests/bench/column_chips.py

With --scale a share of it is compiled with every limit of a chip and simulated in the
cycle engine, for 0.04 s of its time: cores beside what each limit alone asks for by
`dendrolith plan`, time beside its own, and all energy (events and static) over all synaptic
events, beside published figures of the full network. With more than 0.2 s (--steps) its rates
by population stand beside published ones, too (models/microcircuit/rates.py).

    python3 tests/bench/column_chips.py --scale 0.1 [--build build] [--steps 12000]
                                        [--targets loihi2 ...]
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from mapping_nets.graphs import POTJANS_P, POTJANS_SIZE

LIMITS = dict(neurons=1024, words=16384, in_axons=4096, out_axons=4096)
SYNAPSE_BITS, HEADER_BITS, WORD_BITS = 8, 10, 64  # of targets/loihi1/chip.yaml
INDEX_BITS = (0, 6, 7, 8, 9, 10)
CORES = 128  # of a Loihi chip
RATES = pathlib.Path(__file__).parents[2] / "models" / "microcircuit" / "rates.py"
SKIPPED = 2000  # steps that rates leave out
NAMES = "23E 23I 4E 4I 5E 5I 6E 6I".split()
SIZE = np.array(POTJANS_SIZE)
STEP_S = 1e-4
# A step of spinnaker2 in real time takes as long as the column's.
TARGETS = ["loihi2,board.chips_x=8,board.chips_y=8", "loihi1,board.chips_x=8,board.chips_y=8",
           "spinnaker2,board.chips_x=8,board.chips_y=6,timing.realtime.tick=100000000"]
# Full scale. Wall time over simulated time, and nJ of a synaptic event, of the whole machine.
PUBLISHED = [
    ("SpiNNaker, 2018", "20", "5,900 (from memory)", "10.3389/fnins.2018.00291"),
    ("NEST, cluster, 2018", "3", "5,800 (from memory)", "10.3389/fnins.2018.00291"),
    ("SpiNNaker, 2020", "1", "600 (from memory)", "10.1098/rsta.2019.0160"),
    ("FPGA, OpenCL, 2024", "0.8", "21", "arxiv.org/abs/2405.02019")]


def synapses():
    """Expected number of synapses, repetitions counted."""
    return sum(math.log1p(-p) / math.log1p(-1 / (pre * post))
               for row, post in zip(POTJANS_P, SIZE)
               for p, pre in zip(row, SIZE) if p)


def list_words(count, neurons):
    """Words of a list of `count` of `neurons` targets."""
    index = min(b for b in INDEX_BITS if 2**b >= neurons)
    full, rest = divmod(count, 64)
    return sum(math.ceil((k * (SYNAPSE_BITS + index) + HEADER_BITS) / WORD_BITS)
               for k in [64] * full + [rest] * (rest > 0))


def needs(population, neurons):
    """In-axons and words of a core with so many neurons of a population."""
    axons = words = 0.
    for p, size in zip(POTJANS_P[population], SIZE):
        if p == 0:
            continue
        share = np.array([math.comb(neurons, k) * p**k * (1 - p)**(neurons - k)
                          for k in range(neurons + 1)])
        axons += size * (1 - share[0])
        words += size * sum(share[k] * list_words(k, neurons)
                            for k in range(1, neurons + 1))
    return axons, words


def most(population, tables):
    """The most neurons of a population on a core, 0 for none. Without
    `tables` in-axons and out-axons count for nothing."""
    neurons = 0
    while neurons < LIMITS["neurons"]:
        axons, words = needs(population, neurons + 1)
        if words > LIMITS["words"] or tables and axons > LIMITS["in_axons"]:
            break
        neurons += 1
    return neurons


def rules():
    print(f"{SIZE.sum():,} neurons, {synapses():,.0f} synapses")
    print("population  sources of a neuron  neurons of a core: by all limits,"
          " by memory")
    cores = 0
    for t, name in enumerate(NAMES):
        held = most(t, tables=False)
        cores += math.ceil(SIZE[t] / held)
        print(f"{name:<10}  {needs(t, 1)[0]:19,.0f}  {most(t, tables=True):34}"
              f"  {held:9}")
    print("A neuron with more sources than a core has in-axons "
          f"({LIMITS['in_axons']:,}) fits no core: no number of chips holds "
          "the network.")
    print(f"With axon tables without a limit: {cores:,} cores, "
          f"{math.ceil(cores / CORES):,} chips.")


def chips(target, cores):
    """Chips of so many cores each, or of 152 of spinnaker2."""
    return math.ceil(cores / (152 if target.startswith("spinnaker2") else CORES))


def built(command, folder, target, steps):
    """A row of a share that is built: chips, cores, bound, time, energy."""
    net, image, out = folder / "column.npz", folder / "column.dlp", folder / "out"

    def call(*words):
        return subprocess.run([command, *map(str, words)], check=True,
                              capture_output=True, text=True).stdout
    plan = json.loads(call("plan", net, "--target", target, "--format", "json"))
    call("compile", net, "--target", target, "--tuning", "{solver: round-robin}",
         "--map-for", "cores", "-o", image)
    call("run", image, "--input", net, "--engine", "cycle", "--out", out)
    result = json.loads((out / "result.json").read_text())
    synops = result["counts"]["total"]["synops"]
    events = synops["dense"] + synops["sparse"]
    seconds = result["latency"]["per_sample_ns"]["mean"] * 1e-9
    cores = result["mapping"]["cores"]
    limits = {name: need for name, need in plan["cores_by_limit"].items() if need}
    limit = max(limits, key=limits.get)
    ends = [result["energy"][end] for end in ("low", "high") if result["energy"].get(end)]
    energy = sorted({f"{(e['total_pJ'] + e['static_pJ']) / 1e3 / events:.3g}"
                     for e in ends}, key=float)
    if steps > SKIPPED:
        table = subprocess.run([sys.executable, RATES, net.with_suffix(".json"),
                                out / "spikes.npz"], check=True, capture_output=True, text=True)
        print(table.stdout, file=sys.stderr)
    return (f"| {target.partition(',')[0]} | {chips(target, cores)} | {cores} | {limits[limit]:.0f} ({limit})"
            f" | {100 * (cores / limits[limit] - 1):+.0f} % | {seconds / (steps * STEP_S):.3g}"
            f" | {' to '.join(energy)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--targets", nargs="+", default=TARGETS)
    parser.add_argument("--steps", type=int, default=400)
    flags = parser.parse_args()
    if flags.scale is None:
        rules()
        return
    command = (flags.build / "bin" / "dendrolith").resolve()
    print("| chips of | chips | cores | by the limit that asks for most | gap "
          "| time over its own | nJ a synaptic event |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([command, "generate", pathlib.Path(folder) / "column", "--mode",
                        "microcircuit", "--recipe", f"scale={flags.scale}", "--steps",
                        str(flags.steps)], check=True, capture_output=True)
        for target in flags.targets:
            print(built(command, pathlib.Path(folder), target, flags.steps), flush=True)
    for name, time, energy, source in PUBLISHED:
        print(f"| {name} ({source}) | | | | | {time} | {energy} |")


if __name__ == "__main__":
    main()
