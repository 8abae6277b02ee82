#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SANA-FE beside Dendrolith: the same random networks on the same constants.

    python3 tests/bench/sanafe_beside.py [--build build] [--rows REGEX]

It needs SANA-FE (`pip install sanafe`, 2.2.9 here), whose own Loihi file gives the chip of the one side; the timing set
and cost table 'silicon-fit-2025' of loihi1 hold the same constants. `dendrolith generate` makes the networks, of ten
inputs, so that the host's port does not matter. Spikes and synaptic events of both are compared first: a row whose
counts differ is not timed. Energies are split by unit, so that a difference has a place.
"""
import argparse
import collections
import contextlib
import importlib.metadata
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS, INPUTS, CORES_OF_TILE = 40, 10, 4
Row = collections.namedtuple("Row", "neurons cores fanout mapping threshold")
ROWS = [Row(256, 4, 16, "block", 40), Row(256, 4, 64, "roundrobin", 60),
        Row(1024, 16, 16, "block", 40), Row(1024, 16, 64, "roundrobin", 60),
        Row(1000, 1, 64, "block", 60), Row(4096, 64, 16, "block", 40),
        Row(4096, 64, 64, "roundrobin", 100), Row(4096, 8, 64, "block", 100),
        Row(8192, 128, 16, "roundrobin", 40), Row(8192, 128, 100, "block", 120),
        Row(8192, 128, 100, "roundrobin", 120)]
# What SANA-FE counts to a unit, by the groups of our events.
UNITS = {"synapse": ("synops", "synmem_words"), "soma": ("neuron_updates", "spikes", "join_ops"),
         "network": ("messages", "flits", "within_tile", "hops", "axon_reads")}


def generate(binary, row, prefix):
    recipe = (f"inputs={INPUTS},in-rate=0.9,fanout={row.fanout},mapping={row.mapping},"
              f"threshold={row.threshold}")
    subprocess.run([binary, "generate", prefix, "--neurons", str(row.neurons), "--cores", str(row.cores),
                    "--steps", str(STEPS), "--recipe", recipe], check=True, stdout=subprocess.DEVNULL)
    return dict(np.load(f"{prefix}.npz")), json.loads(pathlib.Path(f"{prefix}.json").read_text())


def write_architecture(inputs_of_core, path):
    """SANA-FE's Loihi with as many input units on a core as the network has inputs there, and room for its neurons."""
    import sanafe
    text = (pathlib.Path(sanafe.__file__).parent / "examples" / "loihi.yaml").read_text()
    text = re.sub(r"loihi_inputs\[0\.\.\d+\]", f"loihi_inputs[0..{max(inputs_of_core, 1) - 1}]", text)
    path.write_text(re.sub(r"max_neurons_supported: \d+", "max_neurons_supported: 1100", text))


def write_network(net, meta, path):
    """A netlist: group 0 has the neurons, and each input is a group, which names its unit."""
    neurons, inputs = meta["n_neurons"], meta["n_inputs"]
    decay = (4096 - meta["model"]["leak_4096"]) / 4096
    units = collections.Counter()
    lines = [f"g {neurons} soma_hw_name=loihi_lif synapse_hw_name=loihi_dense_synapse "
             f"dendrite_hw_name=loihi_dendrites threshold={float(meta['model']['threshold'])} reset=0.0 "
             f"leak_decay={decay} log_spikes=0"]
    for i in range(inputs):
        lines.append(f"g 1 soma_hw_name=loihi_inputs[{units[net['core'][i]]}]")
        units[net["core"][i]] += 1
    spikes = np.zeros((inputs, meta["timesteps"]), int)
    spikes[net["in_id"], net["in_t"] - 1] = 1
    lines += [f"n {i + 1}.0 {{spikes: [{','.join(map(str, spikes[i]))}]}}" for i in range(inputs)]
    names = [f"{i + 1}.0" for i in range(inputs)] + [f"0.{n}" for n in range(neurons)]
    for source, name in enumerate(names):
        synapses = slice(net["row_ptr"][source], net["row_ptr"][source + 1])
        lines += [f"e {name}->0.{target} w={weight}"
                  for target, weight in zip(net["col"][synapses].tolist(), net["weight"][synapses].tolist())]
    lines += [f"& {name}@{core // CORES_OF_TILE}.{core % CORES_OF_TILE}"
              for name, core in zip(names, net["core"].tolist())]
    path.write_text("\n".join(lines) + "\n")
    return max(units.values())


@contextlib.contextmanager
def silence():
    """SANA-FE tells its progress on both streams, from C++."""
    sys.stdout.flush()
    kept = [os.dup(stream) for stream in (1, 2)]
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    try:
        yield
    finally:
        for stream, old in zip((1, 2), kept):
            os.dup2(old, stream)
            os.close(old)
        os.close(nothing)


def run_sanafe(folder):
    import sanafe
    found = {}
    for mode in ("simple", "detailed"):
        architecture = sanafe.load_arch(str(folder / "arch.yaml"))
        network = sanafe.load_net(str(folder / "net.net"), architecture, use_netlist_format=True)
        chip = sanafe.SpikingChip(architecture)
        chip.load(network)
        found[mode] = chip.sim(STEPS, timing_model=mode, processing_threads=1, scheduler_threads=0)
    return found


def run_ours(binary, prefix, folder):
    subprocess.run([binary, "run", f"{prefix}.npz", "--target", "loihi1-study", "--timing", "silicon-fit-2025", "--costs",
                    "silicon-fit-2025", "--engine", "cycle", "--threads", "1", "--report", "none", "--out",
                    folder / "ours"], check=True)
    return json.loads((folder / "ours" / "result.json").read_text())


def ours_by_unit(result):
    """Energy of a step in uJ by SANA-FE's units."""
    events = result["energy"]["low"]["by_event"]
    return {unit: sum((each.get("energy_pJ") or 0) for name, each in events.items() if name.startswith(starts))
            / STEPS / 1e6 for unit, starts in UNITS.items()}


def compare(binary, row, folder):
    prefix = folder / "net"
    net, meta = generate(binary, row, prefix)
    write_architecture(write_network(net, meta, folder / "net.net"), folder / "arch.yaml")
    with silence():
        theirs = run_sanafe(folder)
    ours = run_ours(binary, prefix, folder)
    synops = sum(ours["counts"]["total"]["synops"][kind] for kind in ("dense", "sparse", "conv"))
    fired = meta["reference"]["output_spikes"] + meta["reference"]["input_spikes"]
    counts = (theirs["simple"]["neurons_fired"], theirs["simple"]["spikes"])
    label = f"{row.neurons} x {row.fanout} on {row.cores}, {row.mapping}"
    if abs(counts[0] - fired) > fired // 100:
        return f"| {label} | not compared: {counts[0]} spikes there, {fired} here |"
    ns = ours["latency"]["per_sample_ns"]["mean"] / STEPS
    simple, detailed = (theirs[mode]["sim_time"] / STEPS * 1e9 for mode in ("simple", "detailed"))
    total = theirs["detailed"]["energy"]["total"] / STEPS * 1e6
    mine = ours["energy"]["low"]["total_pJ"] / STEPS / 1e6
    parts = ours_by_unit(ours)
    apart = max(UNITS, key=lambda unit: abs(parts[unit] - theirs["detailed"]["energy"][unit] / STEPS * 1e6))
    return (f"| {label} | {counts[1] / STEPS:.0f} / {synops / STEPS:.0f} | {simple / 1e3:.2f} | {detailed / 1e3:.2f} | "
            f"{ns / 1e3:.2f} | {ns / detailed:.2f} | {total:.4f} | {mine:.4f} | {mine / total:.3f} | "
            f"{apart} {parts[apart] - theirs['detailed']['energy'][apart] / STEPS * 1e6:+.4f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--rows", default="", help="only rows whose words match")
    given = parser.parse_args()
    try:
        version = importlib.metadata.version("sanafe")
    except importlib.metadata.PackageNotFoundError:
        sys.exit("sanafe is not installed: pip install sanafe")
    binary = given.build / "bin" / "dendrolith"
    ours = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"SANA-FE {version} beside {ours}, {STEPS} steps, {INPUTS} inputs\n\n"
          "| network | synaptic events there / here | simple, us | detailed, us | cycle, us | cycle / detailed | uJ there "
          "| uJ here | ratio | largest difference by unit, uJ |\n" + "|---" * 10 + "|")
    for row in ROWS:
        if re.search(given.rows, " ".join(map(str, row))):
            with tempfile.TemporaryDirectory() as folder:
                print(compare(binary, row, pathlib.Path(folder)), flush=True)


if __name__ == "__main__":
    main()
