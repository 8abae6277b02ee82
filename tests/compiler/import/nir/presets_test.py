# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/Presets.cpp, compiler/import/nir/StepBody.cpp.
"""Each preset against what its tool is known to do, worked here step by step.

The loops below are the update rules of the tools' importers, written for one
neuron; every rule is run on a file in which it shows, and the usual policy is
run beside it to see that it does show.
"""
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py  # noqa: F401
    import numpy as np
except ImportError:
    print("skipped: needs numpy and h5py")
    sys.exit(77)

import random_graphs

FOLDER = tempfile.TemporaryDirectory()
DRIVE = np.array([0.9, 0.0, 1.4, 0.3, 2.6, -1.7, -2.0, 0.8, 3.1, 0.2, 0.7, 0.6])[:, None]


class File:
    """One input and one output around nodes of a single element."""
    old = False

    def __init__(self, edges, **nodes):
        one = np.array([1])
        self.nodes = {"input": {"type": "Input", "shape": one},
                      "output": {"type": "Output", "shape": one}}
        for name, (kind, fields) in nodes.items():
            self.nodes[name] = {"type": kind, **{
                k: np.atleast_1d(np.float64(v)) if k not in ("weight",) else
                np.array([[float(v)]]) for k, v in fields.items()}}
        self.edges = edges


def chain(kind, **fields):
    return File([("input", "n"), ("n", "output")], n=(kind, fields))


def run(file, *flags):
    folder = pathlib.Path(FOLDER.name)
    random_graphs.write(folder / "net.nir", file)
    np.save(folder / "x.npy", DRIVE)
    done = subprocess.run(
        [sys.argv[1], "run", folder / "net.nir", "--engine", "float", "--input",
         folder / "x.npy", *flags, "--out", folder / "out"],
        capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    return np.load(folder / "out" / "outputs.npy").ravel()


def check(condition, text):
    print(("ok: " if condition else "FAILED: ") + text, flush=True)
    if not condition:
        sys.exit(1)


def expect(name, file, expected, *flags):
    found = run(file, "--preset", name, *flags)
    check(not isinstance(found, str) and np.allclose(found, expected, atol=1e-12),
          f"{name}: {[round(float(v), 4) for v in expected]}"
          + ("" if not isinstance(found, str) else f" but {found}"))
    usual = run(file, *flags)
    check(isinstance(usual, str) or not np.allclose(usual, expected, atol=1e-12),
          f"{name}: the usual policy gives something else")


def refuses(name, file, words):
    found = run(file, "--preset", name)
    check(isinstance(found, str) and words in found, f"{name}: refuses, {words!r}")


def norse():
    # IF: v += x, r ignored; v_reset ignored.
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v += x
        spikes.append(float(v > 1))
        v = 0.0 if v > 1 else v
    expect("norse", chain("IF", r=5, v_threshold=1, v_reset=-3), spikes)
    # LIF: Euler steps of 1 ms, r ignored.
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v += 1e-3 / 4e-3 * (0.1 - v + x)
        spikes.append(float(v > 0.3))
        v = 0.0 if v > 0.3 else v
    expect("norse", chain("LIF", tau=4e-3, r=7, v_leak=0.1, v_threshold=0.3,
                          v_reset=-1), spikes)
    # CubaLI: v_leak drives the synapse as well; the membrane reads the new current.
    i = v = 0.0
    values = []
    for x in DRIVE.ravel():
        i += 1e-3 / 5e-3 * (0.2 - i + x)
        v += 1e-3 / 8e-3 * (0.2 - v + 2 * i)
        values.append(v)
    expect("norse", chain("CubaLI", tau_syn=5e-3, tau_mem=8e-3, r=2, v_leak=0.2,
                          w_in=1), values)
    # A loop contributes nothing in the first step, not even its bias.
    file = File([("input", "n"), ("n", "w"), ("w", "n"), ("n", "output")],
                n=("LI", dict(tau=2e-3, r=1, v_leak=0)),
                w=("Affine", dict(weight=-0.5, bias=4)))
    v, values = 0.0, []
    for t, x in enumerate(DRIVE.ravel()):
        v += 0.5 * (x + (4 - 0.5 * v if t else 0) - v)
        values.append(v)
    expect("norse", file, values, "--dt", "1e-3")


def snntorch():
    # LIF: beta = 1 - dt/tau with dt 0.1 ms, reset to zero in the same step.
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v = (1 - 1e-4 / 4e-4) * v + 1e-4 / 4e-4 * 4 * x
        spikes.append(float(v > 1))
        v = 0.0 if v > 1 else v
    expect("snntorch", chain("LIF", tau=4e-4, r=4, v_leak=0, v_threshold=1,
                             v_reset=-2), spikes)
    # IF becomes Leaky(beta=0.9).
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v = 0.9 * v + x
        spikes.append(float(v > 2.4))
        v = 0.0 if v > 2.4 else v
    expect("snntorch", chain("IF", r=1, v_threshold=2.4), spikes)
    refuses("snntorch", chain("IF", r=2, v_threshold=1), "r is not 1")
    refuses("snntorch", chain("LI", tau=1e-3, r=1, v_leak=0.5), "v_leak is not 0")


def spyx():
    # Fires on the potential of before the update, subtracts, one step late.
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        z = float(v > 1)
        v = 0.75 * v + 0.25 * 6 * x - z
        spikes.append(z)
    expect("spyx", chain("LIF", tau=4e-4, r=6, v_leak=0, v_threshold=1), spikes)


def sinabs():
    # IF: as many spikes as thresholds, v never below one threshold, r ignored.
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v += x
        n = max(math.floor(v / 0.5), 0)
        v = max(v - 0.5 * n, -0.5)
        spikes.append(float(n))
    check(max(spikes) > 1, "sinabs: several spikes in a step are in the example")
    expect("sinabs", chain("IF", r=3, v_threshold=0.5), spikes)
    # LIF: tau in steps, exponential decay, no floor.
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v = v * math.exp(-1 / 5) + 1 / 5 * 4 * x
        n = max(math.floor(v / 0.5), 0)
        v -= 0.5 * n
        spikes.append(float(n))
    expect("sinabs", chain("LIF", tau=5, r=4, v_leak=0, v_threshold=0.5), spikes)
    loop = File([("input", "n"), ("n", "n"), ("n", "output")],
                n=("IF", dict(r=1, v_threshold=1)))
    refuses("sinabs", loop, "knows no recurrence")


def nengo():
    # The membrane is exact; the remapped tau_syn makes the synapse an Euler one.
    dt, tau_syn, tau_mem = 1e-4, 5e-4, 3e-4
    remapped = -dt / math.log(1 - dt / tau_syn)
    i = v = 0.0
    spikes = []
    for x in DRIVE.ravel():
        i = math.exp(-dt / remapped) * i + (1 - math.exp(-dt / remapped)) * 3 * x
        v = i + (v - i) * math.exp(-dt / tau_mem)
        spikes.append(float(v > 0.62))
        v = 0.0 if v > 0.62 else v
    expect("nengo", chain("CubaLIF", tau_syn=tau_syn, tau_mem=tau_mem, r=1, v_leak=0,
                          v_threshold=0.62, v_reset=-1, w_in=3), spikes)
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v += x
        spikes.append(float(v > 1))
        v = 0.0 if v > 1 else v
    expect("nengo", chain("IF", r=1, v_threshold=1, v_reset=-1), spikes)
    refuses("nengo", chain("LI", tau=1e-3, r=2, v_leak=0), "r is not 1")


for preset in (norse, snntorch, spyx, sinabs, nengo):
    preset()
