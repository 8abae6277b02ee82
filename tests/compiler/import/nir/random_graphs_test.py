# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/Build.cpp, compiler/import/nir/Wiring.cpp and Explicit.cpp.
"""`--engine float` against an executor that shares no code with it, on random
graphs under random policies.

usage: random_graphs_test.py DENDROLITH [GRAPHS [FIRST_SEED]]

The executor is a file of its own, tools/nir_ref.py in the folder of data
(tests/README.md); without it the test says "skipped". A
spike may differ only where a potential is a rounding error away from its
threshold; such a graph is compared up to that step, and one whose loop gains
more and more spikes up to a million in a step. Every fourth graph is exported as it was
understood, too, and runs again without a key to the same bits.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

try:
    import h5py  # noqa: F401
    import numpy as np
except ImportError:
    print("skipped: needs numpy and h5py")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[4]
SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT / ".." / "shared"))
ORACLE = SHARED / "tools" / "nir_ref.py"
if not ORACLE.exists():
    print(f"skipped: no {ORACLE}")
    sys.exit(77)
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("nir_ref", ORACLE)
nir_ref = importlib.util.module_from_spec(spec)
sys.modules["nir_ref"] = nir_ref
spec.loader.exec_module(nir_ref)

import random_graphs  # noqa: E402

STEPS = 30
EXPORTED = 4  # every so many graphs
NEAR = 1e-9  # of a threshold, relative to the larger of the two
RUNAWAY = 1e6  # spikes in a step


@dataclass
class Policy:
    """One choice of everything that NIR leaves open."""
    unit: float  # dt in the file's unit of time
    flags: list  # for the command
    reference: object
    integrator: str
    reset: str
    feed_forward: bool = False


def draw_policy(rng):
    pick = lambda *choices: choices[int(rng.integers(len(choices)))]  # noqa: E731
    time_unit = pick("s", "s", "ms", "steps")
    seconds = pick(1e-4, 1e-3)
    dt = {"s": seconds, "ms": seconds * 1e3, "steps": 1.0}[time_unit]
    chosen = {
        "integrator": pick("euler", "euler", "exact", "expdecay"),
        "reset": pick("value", "value", "subtract"),
        "reset-when": pick("same", "same", "next"),
        "spike-when": pick("same", "same", "next"),
        "current-order": pick("new", "old"),
        "if-convention": pick("r", "r", "dt"),
        "loop-start": pick("zero", "skip"),
    }
    many = chosen["reset"] == "subtract" and rng.random() < 0.3
    v_min = pick(None, None, 1.0, 0.25)
    dirac = not many and rng.random() < 0.2
    inclusive = not many and rng.random() < 0.3
    flags = ["--import", f"time-unit={time_unit}"]
    flags += [] if time_unit == "steps" else ["--import", f"dt={seconds!r}"]
    for name, value in chosen.items():
        flags += ["--import", f"{name}={value}"]
    flags += ["--import", "spikes-per-step=many"] if many else []
    flags += ["--import", f"v-min={v_min}"] if v_min is not None else []
    flags += ["--import", "spike-value=dirac"] if dirac else []
    flags += ["--import", "threshold=ge"] if inclusive else []
    reference = nir_ref.Policy(
        dt=dt, integrator=chosen["integrator"], reset=chosen["reset"],
        reset_when=chosen["reset-when"], emit=chosen["spike-when"],
        cuba_order=chosen["current-order"], if_dt=chosen["if-convention"] == "dt",
        compare="ge" if inclusive else "gt", multispike=many, v_min=v_min,
        spike_scale=1 / dt if dirac else 1.0, rec_t0=chosen["loop-start"])
    return Policy(dt, flags, reference, chosen["integrator"], chosen["reset"])


class Watched(nir_ref.Executor):
    """Notes how close each step comes to a threshold."""

    def step(self, inputs):
        self.margin = np.inf
        return super().step(inputs)

    def _note(self, v, theta, many=False):
        theta = np.broadcast_to(theta, np.shape(v))
        if many:  # a neuron that runs away is at a threshold too
            count = v / theta
            away = np.abs(count - np.maximum(np.rint(count), 1))
            away = np.where(np.abs(count) < RUNAWAY, away / np.maximum(np.abs(count), 1), 0)
        else:
            away = np.abs(v - theta) / np.maximum(np.maximum(np.abs(v), np.abs(theta)), 1e-9)
        if np.size(away):
            self.margin = min(self.margin, float(np.min(away)))

    def _eval(self, name, x):
        out = super()._eval(name, x)
        node = self.nodes[name]
        if node["type"] == "Threshold":
            self._note(x, node["threshold"])
        elif node["type"] in nir_ref.SPIKING:
            self._note(self.state[name]["v_pre"], node["v_threshold"], self.p.multispike)
        return out


def reference_run(path, policy, inputs):
    executor = Watched(str(path), policy.reference)
    found, ties = {k: [] for k in executor.outputs}, []
    for t in range(STEPS):
        now = executor.step({k: v[t] for k, v in inputs.items()})
        ties.append(executor.margin < NEAR)
        for k in found:
            found[k].append(np.array(now[k]))
    return {k: np.stack(v) for k, v in found.items()}, np.array(ties)


def command_run(dendrolith, path, flags, inputs, folder):
    arguments = []
    for i, (name, values) in enumerate(inputs.items()):
        np.save(folder / f"{i}.npy", values)
        arguments.append(f"{name}={folder / f'{i}.npy'}" if len(inputs) > 1
                         else folder / f"{i}.npy")
    out = folder / "out"
    done = subprocess.run([dendrolith, "run", path, "--engine", "float", "--input",
                           *arguments, *flags, "--out", out],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    several = out / "outputs.npz"
    if several.exists():
        return dict(np.load(several))
    return {"output": np.load(out / "outputs.npy")}


def check_export(dendrolith, path, policy, inputs, folder, found):
    """Raises where the exported file needs a key, or is another network."""
    told = folder / "told.nir"
    done = subprocess.run([dendrolith, "export", path, "--format", "nir", "-o", told,
                           *policy.flags], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"export: {done.stderr.strip()}")
    again = command_run(dendrolith, told, [], inputs, folder)
    for name, values in found.items():
        if not np.array_equal(values, again[name], equal_nan=True):
            differ = int((values != again[name]).sum())
            raise RuntimeError(f"its export differs in {differ} of {values.size} values of "
                               f"'{name}' with {' '.join(policy.flags)}")


def compare(seed, dendrolith, folder):
    rng = np.random.default_rng(seed)
    policy = draw_policy(rng)
    graph = random_graphs.make(rng, policy)
    path = folder / "graph.nir"
    random_graphs.write(path, graph)
    inputs = {}
    for name in ("input", "second"):
        if name in graph.nodes:
            shape = (STEPS, *graph.nodes[name]["shape"])
            inputs[name] = ((rng.random(shape) < 0.4).astype(float)
                            if rng.random() < 0.6 else rng.normal(0.3, 0.6, shape))
    expected, ties = reference_run(path, policy, inputs)
    found = command_run(dendrolith, path, policy.flags, inputs, folder)
    if seed % EXPORTED == 0:
        check_export(dendrolith, path, policy, inputs, folder, found)
    end = int(np.argmax(ties)) if ties.any() else STEPS
    worst, spikes = 0.0, 0
    for name, values in expected.items():
        a, b = values[:end], found[name].reshape(values.shape)[:end]
        if not np.all(np.isfinite(a)):  # an unstable graph says nothing
            continue
        if np.size(a):
            worst = max(worst, float(np.max(np.abs(a - b)) /
                                     max(1.0, float(np.max(np.abs(a))))))
        spikes += int(np.count_nonzero(a))
    kinds = {n["type"] for n in graph.nodes.values()}
    kinds |= {n["type"] for s in graph.nodes.values() if s["type"] == "NIRGraph"
              for n in s["nodes"].values()}
    return worst, spikes, end < STEPS, kinds, policy


def main():
    dendrolith = sys.argv[1]
    graphs = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    worst, where, emitted, cut, seen = 0.0, None, 0, 0, {}
    for seed in range(first, first + graphs):
        with tempfile.TemporaryDirectory() as folder:
            try:
                difference, spikes, tied, kinds, policy = compare(
                    seed, dendrolith, pathlib.Path(folder))
            except RuntimeError as error:
                print(f"FAILED: graph {seed}: {error}")
                sys.exit(1)
        if difference > 1e-6:
            print(f"FAILED: graph {seed}: outputs differ by {difference:.3g} with "
                  f"{' '.join(policy.flags)}; kinds {sorted(kinds)}")
            sys.exit(1)
        emitted += spikes > 0
        cut += tied
        for kind in kinds:
            seen[kind] = seen.get(kind, 0) + 1
        if difference > worst:
            worst, where = difference, seed
    print(f"ok: {graphs} graphs of {STEPS} steps; worst difference {worst:.3g} of the "
          f"largest output (graph {where}); no spike differs; {emitted} graphs with "
          f"output, {cut} compared up to a tie or a runaway only")
    print("graphs by node type: " + ", ".join(f"{k} {n}" for k, n in sorted(seen.items())))
    missing = set(random_graphs.NEURONS) - set(seen)
    if graphs >= 100 and (missing or len(seen) < 19):
        print(f"FAILED: only {len(seen)} node types were drawn")
        sys.exit(1)


if __name__ == "__main__":
    main()
