# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/OptionsPresets.cpp, compiler/import/nir/StepBody.cpp.
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


def loop(kind, weight, bias, **fields):
    """A population that a dense node leads back to itself."""
    return File([("input", "n"), ("n", "w"), ("w", "n"), ("n", "output")],
                n=(kind, fields), w=("Affine", dict(weight=weight, bias=bias)))


def expect(name, what, file, expected, *flags, differs=True):
    found = run(file, "--import", f"preset={name}", *flags)
    check(not isinstance(found, str) and np.allclose(found, expected, atol=1e-12),
          f"{name}, {what}: {[round(float(v), 4) for v in expected]}"
          + ("" if not isinstance(found, str) else f" but {found}"))
    check(any(expected), f"{name}, {what}: the example is not silent")
    if not differs:
        return
    usual = run(file, *flags)
    check(isinstance(usual, str) or not np.allclose(usual, expected, atol=1e-12),
          f"{name}, {what}: the usual policy gives something else")


def refuses(name, file, words):
    found = run(file, "--import", f"preset={name}")
    check(isinstance(found, str) and words in found, f"{name}: refuses, {words!r}")


def norse():
    """Euler steps of 1 ms; r of IF and LIF and v_reset ignored; the state of a
    loop is None in the first step, so that nothing comes round, no bias either.
    States start at v_leak (norse 1.1.0, module/lif_box.py and
    leaky_integrator_box.py: initial_state)."""
    for w, b in ((None, None), (-0.6, 0.4)):
        what = "loop" if w else "feed-forward"
        make = (lambda kind, **f: loop(kind, w, b, **f)) if w else chain
        back = lambda t, z: w * z + b if w and t else 0.0  # noqa: E731, B023
        v = z = 0.0
        spikes = []
        for t, x in enumerate(DRIVE.ravel()):
            v += x + back(t, z)
            z = float(v > 1)
            v = 0.0 if z else v
            spikes.append(z)
        expect("norse", f"IF {what}", make("IF", r=5, v_threshold=1, v_reset=-3), spikes)
        v, z = 0.1, 0.0
        spikes = []
        for t, x in enumerate(DRIVE.ravel()):
            v += 1e-3 / 4e-3 * (0.1 - v + x + back(t, z))
            z = float(v > 0.3)
            v = 0.0 if z else v
            spikes.append(z)
        expect("norse", f"LIF {what}", make("LIF", tau=4e-3, r=7, v_leak=0.1,
                                            v_threshold=0.3, v_reset=-1), spikes)
        # v_leak drives the synapse as well; the membrane reads the new current.
        i, v, z = 0.2, 0.2, 0.0
        spikes = []
        for t, x in enumerate(DRIVE.ravel()):
            i += 1e-3 / 2e-3 * (0.2 - i + 3 * (x + back(t, z)))
            v += 1e-3 / 3e-3 * (0.2 - v + 2 * i)
            z = float(v > 1)
            v = 0.0 if z else v
            spikes.append(z)
        expect("norse", f"CubaLIF {what}",
               make("CubaLIF", tau_syn=2e-3, tau_mem=3e-3, r=2, v_leak=0.2, w_in=3,
                    v_threshold=1, v_reset=-1), spikes)
    i = v = 0.2
    values = []
    for x in DRIVE.ravel():
        i += 1e-3 / 5e-3 * (0.2 - i + x)
        v += 1e-3 / 8e-3 * (0.2 - v + 2 * i)
        values.append(v)
    expect("norse", "CubaLI", chain("CubaLI", tau_syn=5e-3, tau_mem=8e-3, r=2, v_leak=0.2,
                                    w_in=1), values)
    v, values = 0.0, []
    for t, x in enumerate(DRIVE.ravel()):
        v += 0.5 * (x + (4 - 0.5 * v if t else 0) - v)
        values.append(v)
    expect("norse", "LI loop", loop("LI", -0.5, 4, tau=2e-3, r=1, v_leak=0), values,
           "--import", "dt=1e-3")


def snntorch():
    """Leaky and Synaptic: beta = 1 - dt/tau with dt 0.1 ms, reset to zero in the
    same step; RLeaky and RSynaptic add their weights times the last spikes, and
    the bias from the first step on."""
    for w, b in ((None, None), (-0.6, 0.4)):
        what = "loop" if w else "feed-forward"
        make = (lambda kind, **f: loop(kind, w, b, **f)) if w else chain
        back = lambda z: w * z + b if w else 0.0  # noqa: E731, B023
        v = z = 0.0
        spikes = []
        for x in DRIVE.ravel():
            v = 0.75 * v + x + back(z)
            z = float(v > 1)
            v = 0.0 if z else v
            spikes.append(z)
        expect("snntorch", f"LIF {what}", make("LIF", tau=4e-4, r=4, v_leak=0, v_threshold=1,
                                               v_reset=-2), spikes)
        i = v = z = 0.0
        spikes = []
        for x in DRIVE.ravel():
            i = 0.5 * i + x + back(z)
            v = 0.8 * v + i
            z = float(v > 1.7)
            v = 0.0 if z else v
            spikes.append(z)
        expect("snntorch", f"CubaLIF {what}",
               make("CubaLIF", tau_syn=2e-4, tau_mem=5e-4, r=5, w_in=2, v_leak=0,
                    v_threshold=1.7, v_reset=-2), spikes)
        # IF becomes Leaky(beta=0.9).
        v = z = 0.0
        spikes = []
        for x in DRIVE.ravel():
            v = 0.9 * v + x + back(z)
            z = float(v > 2.4)
            v = 0.0 if z else v
            spikes.append(z)
        expect("snntorch", f"IF {what}", make("IF", r=1, v_threshold=2.4, v_reset=-1),
               spikes)
    refuses("snntorch", chain("IF", r=2, v_threshold=1), "r is not 1")
    refuses("snntorch", chain("LI", tau=1e-3, r=1, v_leak=0.5), "v_leak is not 0")


def spyx():
    """A call fires on the potential that the last one left, and its spikes come
    round a loop in the same call."""
    for w, b in ((None, None), (-0.8, 0.3)):
        what = "loop" if w else "feed-forward"
        make = (lambda kind, **f: loop(kind, w, b, **f)) if w else chain
        back = lambda z: w * z + b if w else 0.0  # noqa: E731, B023
        # IF, RIF: V = V + x + feedback - spikes * threshold.
        v, spikes = 0.0, []
        for x in DRIVE.ravel():
            z = float(v > 1.1)
            v = v + x + back(z) - 1.1 * z
            spikes.append(z)
        expect("spyx", f"IF {what}", make("IF", r=1, v_threshold=1.1), spikes)
        # LIF, RLIF: V = beta V + x + feedback - spikes * threshold.
        v, spikes = 0.0, []
        for x in DRIVE.ravel():
            z = float(v > 1.1)
            v = 0.75 * v + 0.25 * 6 * (x + back(z)) - 1.1 * z
            spikes.append(z)
        expect("spyx", f"LIF {what}", make("LIF", tau=4e-4, r=6, v_leak=0, v_threshold=1.1),
               spikes)
        # RCuBaLIF: V = V - spikes * threshold; I = alpha I + x + feedback;
        # V = beta V + I. CuBaLIF takes spikes * threshold off once more there.
        i = v = 0.0
        spikes, once = [], []
        for x in DRIVE.ravel():
            z = float(v > 1.1)
            v -= 1.1 * z
            i = 0.5 * i + x + back(z)
            v = 0.8 * v + i - (0 if w else 1.1 * z)
            spikes.append(z)
        expect("spyx", f"CubaLIF {what}", make("CubaLIF", tau_syn=2e-4, tau_mem=5e-4, r=5,
                                               w_in=2, v_leak=0, v_threshold=1.1), spikes)
    # What leaves a loop leaves in the call of its spikes, as every output does.
    i = v = 0.0
    values, total = [], 0.0
    for x in DRIVE.ravel():
        z = float(v > 1.1)
        v -= 1.1 * z
        i = 0.5 * i + x - 0.8 * z + 0.3
        v = 0.8 * v + i
        total = 0.9 * total + 2 * z
        values.append(total)
    file = File([("input", "n"), ("n", "w"), ("w", "n"), ("n", "out"), ("out", "li"),
                 ("li", "output")],
                n=("CubaLIF", dict(tau_syn=2e-4, tau_mem=5e-4, r=5, w_in=2, v_leak=0,
                                   v_threshold=1.1)),
                w=("Affine", dict(weight=-0.8, bias=0.3)),
                out=("Linear", dict(weight=2)), li=("LI", dict(tau=1e-3, r=10, v_leak=0)))
    expect("spyx", "LI behind a loop", file, values)
    wide = File([("input", "a"), ("a", "b"), ("b", "a"), ("b", "output")],
                a=("IF", dict(r=1, v_threshold=1)), b=("IF", dict(r=1, v_threshold=1)))
    refuses("spyx", wide, "no loop of one spiking node")
    # The two outputs of a looping population on chips: the same integers.
    folder = pathlib.Path(FOLDER.name)
    random_graphs.write(folder / "net.nir", file)
    np.save(folder / "x.npy", (DRIVE > 0.5) * 1.0)
    for target in ("ideal", "loihi2"):
        done = subprocess.run(
            [sys.argv[1], "run", folder / "net.nir", "--import", "preset=spyx", "--target", target,
             "--input", folder / "x.npy", "--engine", "cycle", "--verify"],
            capture_output=True, text=True)
        check(done.returncode == 0, f"spyx: a loop on {target}, verified {done.stderr}")


def sinabs():
    """As many spikes as thresholds; the input is added as it is (norm_input off)."""
    # IF: v never below one threshold, r ignored.
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v += x
        n = max(math.floor(v / 0.5), 0)
        v = max(v - 0.5 * n, -0.5)
        spikes.append(float(n))
    check(max(spikes) > 1, "sinabs: several spikes in a step are in the example")
    expect("sinabs", "IF", chain("IF", r=3, v_threshold=0.5), spikes)
    # LIF: tau in steps, exponential decay, no floor, r ignored.
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v = v * math.exp(-1 / 5) + x
        n = max(math.floor(v / 0.5), 0)
        v -= 0.5 * n
        spikes.append(float(n))
    expect("sinabs", "LIF", chain("LIF", tau=5, r=4, v_leak=0, v_threshold=0.5), spikes)
    # LI is ExpLeak.
    v, values = 0.0, []
    for x in DRIVE.ravel():
        v = v * math.exp(-1 / 5) + x
        values.append(v)
    # Without the preset it is known as Sinabs' and read the same.
    expect("sinabs", "LI", chain("LI", tau=5, r=1, v_leak=0), values, differs=False)
    refuses("sinabs", chain("LI", tau=5, r=2, v_leak=0), "r is not 1")
    refuses("sinabs", chain("LIF", tau=5, r=1, v_leak=0.1, v_threshold=1), "v_leak is not 0")
    for kind, fields in (("IF", dict(r=1, v_threshold=1)),
                         ("LIF", dict(tau=5, r=1, v_leak=0, v_threshold=1)),
                         ("LI", dict(tau=5, r=1, v_leak=0))):
        refuses("sinabs", loop(kind, 0.5, 0, **fields), "knows no recurrence")


def nengo():
    """Exact membranes; the remapped tau_syn makes the synapse an Euler one; LIF is
    clipped at min_voltage 0, the rectifier that stands for IF is not."""
    dt, tau_syn, tau_mem = 1e-4, 5e-4, 2e-4
    remapped = -dt / math.log(1 - dt / tau_syn)
    for w, b in ((None, None), (-0.6, 0.4)):
        what = "loop" if w else "feed-forward"
        make = (lambda kind, **f: loop(kind, w, b, **f)) if w else chain
        i = v = z = 0.0
        spikes, below = [], False
        for x in DRIVE.ravel():
            x += w * z + b if w else 0.0
            i = math.exp(-dt / remapped) * i + (1 - math.exp(-dt / remapped)) * x
            v = 6 * i + (v - 6 * i) * math.exp(-dt / tau_mem)
            z = float(v > 0.62)
            below |= v < 0
            v = 0.0 if z else max(v, 0.0)
            spikes.append(z)
        check(below or w, "nengo: the least voltage is in the example")
        expect("nengo", f"CubaLIF {what}",
               make("CubaLIF", tau_syn=tau_syn, tau_mem=tau_mem, r=2, v_leak=0,
                    v_threshold=0.62, v_reset=-1, w_in=3), spikes)
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v = x + (v - x) * math.exp(-dt / tau_mem)
        z = float(v > 0.3)
        v = 0.0 if z else max(v, 0.0)
        spikes.append(z)
    expect("nengo", "LIF", chain("LIF", tau=tau_mem, r=1, v_leak=0, v_threshold=0.3,
                                 v_reset=-1), spikes)
    v, values = 0.0, []
    for x in DRIVE.ravel():
        v = x + (v - x) * math.exp(-dt / tau_mem)
        values.append(v)
    expect("nengo", "LI", chain("LI", tau=tau_mem, r=1, v_leak=0), values)
    v, spikes = 0.0, []
    for x in DRIVE.ravel():
        v += x
        spikes.append(float(v > 1))
        v = 0.0 if v > 1 else v
    expect("nengo", "IF", chain("IF", r=1, v_threshold=1, v_reset=-1), spikes)
    refuses("nengo", chain("LI", tau=1e-3, r=2, v_leak=0), "r is not 1")
    for kind, fields in (("IF", dict(r=1, v_threshold=1)),
                         ("LIF", dict(tau=1e-3, r=1, v_leak=0, v_threshold=1))):
        refuses("nengo", loop(kind, 0.5, 0, **fields), "without CubaLIF or LI")
    v, values = 0.0, []
    for x in DRIVE.ravel():
        x += -0.5 * v + 0.2
        v = x + (v - x) * math.exp(-dt / tau_mem)
        values.append(v)
    expect("nengo", "LI loop", loop("LI", -0.5, 0.2, tau=tau_mem, r=1, v_leak=0), values)


for preset in (norse, snntorch, spyx, sinabs, nengo):
    preset()
