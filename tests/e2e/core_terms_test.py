# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/report/text/CoreTerms.cpp, runtime/driver/ReportCommand.cpp.
"""`dendrolith report --core-terms`: no mean step is below its bound, and over products of matrix and vector of 64 to
1,024 neurons on 1 to 120 cores both follow each other."""
import hashlib
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

DENDROLITH = sys.argv[1]
STEPS = 8
failed = []


def check(good, title):
    if not good:
        failed.append(title)
        print(f"FAILED {title}")


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


def command(*words):
    done = subprocess.run([DENDROLITH, *map(str, words)], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def measure(neurons, cores, folder):
    prefix, out = folder / "mv", folder / "out"
    write_product(neurons, cores, prefix)
    code, _, error = command("run", f"{prefix}.npz", "--target", "loihi2", "--engine", "cycle", "--report", "none", "--out", out)
    check(code == 0, error)
    code, text, error = command("report", out, "--core-terms")
    check(code == 0, error)
    found = re.search(r"Bound: ([\d.]+) ns by the (.*); the engine's mean step: ([\d.]+) ns", text)
    bound, engine = float(found[1]), float(found[3])
    check(engine > bound - 0.1, f"{neurons} on {cores}: {engine} ns below the bound of {bound} ns")
    check((engine > 1.1 * bound) == ("Above the bound because" in text), f"{neurons} on {cores}: the reason is named")
    return bound, engine


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    points = [measure(neurons, cores, folder) for neurons in (64, 128, 256, 512, 1024)
              for cores in (1, 2, 4, 8, 16, 32, 64, 120) if cores <= neurons // 8 and neurons * neurons / cores < 150_000]
    correlation = np.corrcoef(np.array(points).T)[0, 1]
    print(f"{len(points)} products: correlation of engine and bound {correlation:.5f}, engine over bound "
          f"{min(e / b for b, e in points):.2f} to {max(e / b for b, e in points):.2f}")
    check(correlation >= .999, f"correlation {correlation}")
    check(math.isfinite(correlation) and len(points) >= 20, "enough products")
    code, _, error = command("run", folder / "mv.npz", "--target", "loihi2", "--report", "none", "--out", folder / "untimed")
    check(code == 0, error)
    code, _, error = command("report", folder / "untimed", "--core-terms")
    check(code == 1 and "run with --engine cycle" in error, f"a run without times: {code} {error}")
print(f"failed: {len(failed)}" if failed else "all passed")
sys.exit(1 if failed else 0)
