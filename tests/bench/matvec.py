# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrix and vector of 64 to 4,096 neurons on 1 to 120 cores of loihi2: the cycle engine's step beside its
bound by counts alone (`dendrolith report --by bound`).

    python3 tests/bench/matvec.py build/bin/dendrolith [NEURONS ...]

What a core's memory does not hold runs with that limit lifted, and is marked. Exit code 1 if the engine is below the bound, or if both
correlate by less than .999.
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

STEPS = 8
CORES = (1, 2, 4, 8, 16, 32, 64, 120)


def write_product(neurons, cores, prefix):
    """A study network in which an input wakes all neurons, and each then keeps all firing."""
    random = np.random.default_rng(neurons)
    weights = np.concatenate([np.full(neurons, 200), random.integers(1, 8, neurons * neurons)]).astype(np.int16)
    step = np.repeat(np.arange(2, STEPS + 1, dtype=np.int32), neurons)
    who = np.tile(np.arange(neurons, dtype=np.int32), STEPS - 1)
    np.savez(f"{prefix}.npz", row_ptr=np.arange(neurons + 2, dtype=np.int64) * neurons, weight=weights,
             col=np.tile(np.arange(neurons, dtype=np.int32), neurons + 1),
             core=np.concatenate([[0], np.arange(neurons) * cores // neurons]).astype(np.int32),
             in_t=np.ones(1, np.int32), in_id=np.zeros(1, np.int32), ref_t=step, ref_id=who)
    raster = hashlib.sha256(np.stack([step, who], 1).astype("<i4").tobytes()).hexdigest()
    model = {"kind": "lif", "frac_bits": 6, "leak_4096": 512, "leak_rounding": "toward_zero", "threshold": 1,
             "compare": "strictly_greater", "reset": 0, "axon_delay_steps": 1}
    reference = {"output_spikes": len(step), "input_spikes": 1, "synaptic_events": neurons * (1 + neurons * (STEPS - 1)),
                 "mean_rate": (STEPS - 1) / STEPS, "mean_rate_second_half": 1.0,
                 "spikes_first_10_steps": [0] + [neurons] * (STEPS - 1), "raster_sha256": raster}
    pathlib.Path(f"{prefix}.json").write_text(json.dumps(
        {"format": "bench-random-snn", "version": 1, "seed": 1, "n_neurons": neurons, "n_inputs": 1, "fanout": neurons,
         "n_synapses": neurons * (neurons + 1), "timesteps": STEPS, "model": model,
         "mapping": {"policy": "block", "cores": cores}, "reference": reference}))


def command(binary, *words):
    done = subprocess.run([str(binary), *map(str, words)], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def measure(binary, neurons, cores, folder, *options):
    """Raises RuntimeError where the command refuses. Returns bound, the engine's mean step, both in ns, and the report that says so."""
    prefix, out = folder / "mv", folder / "out"
    write_product(neurons, cores, prefix)
    code, _, error = command(binary, "run", f"{prefix}.npz", "--target", "loihi2", "--engine", "cycle", "--report",
                             "none", "--out", out, *options)
    if code:
        raise RuntimeError(error)
    code, text, error = command(binary, "report", out, "--by", "bound")
    if code:
        raise RuntimeError(error)
    found = re.search(r"Bound: ([\d.]+) ns by the (.*); the engine's mean step: ([\d.]+) ns", text)
    return float(found[1]), float(found[3]), text


def correlation(points):
    """The correlation of bounds and what the engine takes."""
    return np.corrcoef(np.array(points).T)[0, 1]


def fitting(binary, neurons, cores, folder):
    """Returns bound, engine, and a mark for what fits without the limit of memory alone."""
    try:
        return *measure(binary, neurons, cores, folder)[:2], ""
    except RuntimeError as error:
        if "of core memory" not in str(error):
            raise
    return *measure(binary, neurons, cores, folder, "--override-limit", "core_memory_bytes")[:2], "*"


def main(binary, sizes):
    points, below = {"": [], "*": []}, 0
    print("| neurons | cores | bound ns | engine ns | engine / bound |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        for neurons, cores in ((n, c) for n in sizes for c in CORES if c <= n // 8):
            bound, engine, mark = fitting(binary, neurons, cores, pathlib.Path(name))
            points[mark].append((bound, engine))
            below += engine < bound - 0.1
            print(f"| {neurons:,} | {cores}{mark} | {bound:,.1f} | {engine:,.1f} | {engine / bound:.2f} |", flush=True)
    every = points[""] + points["*"]
    ratios = [engine / bound for bound, engine in every]
    print(f"\n{len(every)} products: r {correlation(every):.5f}, engine over bound {min(ratios):.2f} to {max(ratios):.2f}, "
          f"{below} below the bound; the {len(points[''])} that fit: r {correlation(points['']):.5f}; * over a core's memory")
    return 0 if below == 0 and min(correlation(points[""]), correlation(every)) >= .999 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [int(size) for size in sys.argv[2:]] or (64, 128, 256, 512, 1024, 2048, 4096)))
