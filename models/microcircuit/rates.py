# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rates of a microcircuit's eight populations beside the published ones.

    dendrolith generate out/column --mode microcircuit --recipe scale=0.1
    dendrolith run out/column.npz --target loihi1-study --out out/run
    python3 models/microcircuit/rates.py out/column.json out/run/spikes.npz
"""
import argparse
import json

import numpy as np

# Spikes a second of a neuron, in the order of the populations. README.md has the
# sources.
FULL = {
    "Potjans and Diesmann 2014":
        [0.86, None, 4.45, None, 7.59, None, 1.09, None],
    "NEST": [0.903, 2.965, 4.414, 5.876, 7.569, 8.633, 1.105, 7.829],
    "NetPyNE": [0.90, 2.80, 4.39, 5.70, 6.80, 8.22, 1.14, 7.60]}
SCALED = {  # NetPyNE with a share of neurons and synapses
    0.5: [0.75, 2.87, 4.57, 5.84, 7.35, 8.31, 1.17, 7.70],
    0.3: [0.69, 3.06, 4.71, 5.98, 8.34, 8.45, 1.18, 7.92],
    0.2: [0.78, 2.99, 4.57, 5.97, 6.17, 8.54, 1.06, 7.80],
    0.1: [0.75, 3.28, 4.76, 6.20, 6.55, 8.97, 1.10, 8.06],
    0.05: [0.69, 3.88, 4.74, 6.33, 9.66, 8.83, 1.09, 8.60],
    0.02: [0.69, 3.8, 4.15, 5.90, 7.08, 8.70, 1.02, 7.96],
    0.01: [0.71, 4.08, 3.71, 5.46, 8.33, 8.92, 0.93, 7.43]}


def measure(meta, spikes, skip):
    """Rate of each population, and its spread over four parts of the run."""
    step, index = spikes["step"].astype(np.int64), spikes["id"]
    late = step > skip
    step, index = step[late], index[late]
    seconds = (meta["timesteps"] - skip) * meta["step_s"]
    rows = []
    for population in meta["populations"]:
        first, size = population["first"], population["size"]
        mine = (index >= first) & (index < first + size)
        parts, _ = np.histogram(step[mine], 4, (skip, meta["timesteps"]))
        rates = parts / (seconds / 4) / size
        rows.append((population["name"], size, rates.mean(), rates.std()))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("meta", help="NAME.json of the network")
    parser.add_argument("spikes", help="spikes.npz of its run")
    parser.add_argument("--skip", type=int, default=2000,
                        help="steps that are left out at the start (2000)")
    flags = parser.parse_args()
    with open(flags.meta) as file:
        meta = json.load(file)
    if meta["timesteps"] <= flags.skip:
        parser.error(f"--skip {flags.skip}: expected fewer than the "
                     f"{meta['timesteps']} steps of the run")
    rows = measure(meta, np.load(flags.spikes), flags.skip)
    scale = min(SCALED, key=lambda known: abs(known - meta["scale"]))
    near = abs(scale - meta["scale"]) < 0.01
    print("population  neurons  rate/s  (parts)  published full scale"
          + (f"  at {scale}" if near else "") + "  within")
    inside = 0
    for i, (name, size, rate, parts) in enumerate(rows):
        known = [values[i] for values in FULL.values() if values[i] is not None]
        band = known + ([SCALED[scale][i]] if near else [])
        low, high = min(band), max(band)
        # A finite run knows its rate no better than its parts agree.
        good = low - parts <= rate <= high + parts
        inside += good
        off = 100 * (rate / (low if rate < low else high) - 1)
        print(f"{name:10}  {size:7}  {rate:6.2f}  {parts:7.2f}"
              f"  {min(known):12.2f} to {max(known):4.2f}"
              + (f"  {SCALED[scale][i]:6.2f}" if near else "")
              + ("  yes" if good else f"  no, {off:+.0f} %"))
    print(f"{inside} of {len(rows)} within the published values")


if __name__ == "__main__":
    main()
