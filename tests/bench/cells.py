#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what becomes of cells of PyTorch, as a table in Markdown.

    python3 tests/bench/cells.py build/bin/dendrolith

Recorded cells (data/dendritic_tools of ../shared or $DENDROLITH_SHARED) are compared with
what torch gave in double; neurons of the libraries that are installed are traced as they
are, ten behind a linear layer, and compared over 20 steps. Integers are loihi2's, of the
cycle engine: for spikes the share that is equal, else the rms error over the spread.
Below it are medians of processor time: from_torch but for the engine, and a file as dend.
"""
import collections
import importlib
import importlib.util
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ["DENDROLITH_BIN"] = str(pathlib.Path(sys.argv[1]).resolve())
sys.path[:0] = [str(ROOT / "runtime" / "python"), str(ROOT / "tests" / "compiler" / "import" / "torch")]
import numpy as np  # noqa: E402

import dendrolith as dl  # noqa: E402
import pt2  # noqa: E402

SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
CASES = SHARED / "data" / "dendritic_tools"
INPUTS, NEURONS = 8, 10
BACK = {"linear_features": NEURONS}
TRACING, READING = [], []


def core(x, v, a):
    """A step of FlexSN: an adaptive neuron in operations of tensors."""
    v = 0.9 * v + x
    s = (v >= 1 + 0.3 * a).to(v)
    return s, v * (1 - s), 0.95 * a + s


SIZES = {"input_size": NEURONS, "hidden_size": NEURONS}
LIBRARIES = {
    "snntorch": {"Leaky": {"beta": 0.9}, "Synaptic": {"alpha": 0.9, "beta": 0.8},
                 "Alpha": {"alpha": 0.9, "beta": 0.8}, "Lapicque": {"beta": 0.5},
                 "RLeaky": {"beta": 0.9, **BACK}, "RSynaptic": {"alpha": 0.9, "beta": 0.8, **BACK},
                 "SLSTM": SIZES},
    "spikingjelly.activation_based.neuron": {name: {} for name in (
        "IFNode", "LIFNode", "ParametricLIFNode", "QIFNode", "EIFNode", "IzhikevichNode", "KLIFNode",
        "CUBALIFNode", "ComplementaryLIFNode", "ILIFNode", "SimpleIFNode", "HalfThresholdIFNode",
        "RAFNode", "TernaryIFNode", "TernaryLIFNode", "OTTTLIFNode", "SLTTLIFNode", "ActivationAwareIFNode")}
    | {"SimpleLIFNode": {"tau": 2.0, "decay_input": True},
       "LIAFNode": {"act": lambda v: v.relu(), "threshold_related": False},
       "SlidingPSN": {"k": 4, "step_mode": "s"},
       "FlexSN": {"core": core, "num_states": 2, "step_mode": "s"}},
    "norse.torch": {name: {} for name in ("LIFBoxCell", "LIFCell", "LICell", "LIBoxCell", "IAFCell", "LSNNCell",
                                          "LIFAdExCell", "LIFExCell", "LIFRefracCell", "LIFAdExRefracCell")}
    | {name: SIZES for name in ("LIFRecurrentCell", "LIFExRecurrentCell", "LIFAdExRecurrentCell",
                                "LIFRefracRecurrentCell", "LSNNRecurrentCell", "LILinearCell")},
}
for kind, options in LIBRARIES["snntorch"].items():
    LIBRARIES["snntorch"][kind] = {**options, "init_hidden": True}


def first(result):
    outputs = result.outputs
    return np.asarray(next(iter(outputs.values())) if isinstance(outputs, dict) else outputs, dtype=float)


def structure(file):
    """Which structure raising finds in the bodies, by dendrolith-opt beside the command."""
    binary = pathlib.Path(os.environ["DENDROLITH_BIN"])
    text = file.with_suffix(".mlir")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(text, "w") as out:
        subprocess.run([binary, "compile", file, "--emit", "dend"], check=True, stdout=out)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    READING.append(sum(getattr(after, key) - getattr(before, key) for key in ("ru_utime", "ru_stime")))
    raised = subprocess.run([binary.with_name("dendrolith-opt"), text, "--dend-raise-structure"],
                            check=True, capture_output=True, text=True).stdout
    counts = collections.Counter(re.findall(r"= dend\.(compartment|fire|branch|ssf)\b", raised))
    return ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())) or "none"


def off(found, wanted):
    found = found.reshape(wanted.shape)
    if np.isin(wanted, (0, 1)).all():
        return f"{100 * np.mean(found == wanted):.2f} %"
    return f"{np.sqrt(np.mean((found - wanted) ** 2)) / (wanted.std() or 1):.4f}"


def row(name, file, x, difference, wanted):
    net, found = dl.load(file), structure(file)
    try:
        program = dl.compile(net, "loihi2", calibrate=x)
        result = program.run(x, engine="cycle")
    except dl.DendrolithError as error:
        print(f"| {name} | {difference:.1e} | refused: {error.message[:90]} | | | | {found} | |", flush=True)
        return
    energy, latency = result.energy, result.latency
    cores = program.facts["mapping"]["cores"]
    fixed = "yes" if dl.check(net, ["loihi1"], calibrate=x) else "no"
    print(f"| {name} | {difference:.1e} | {off(first(result), wanted)} | {cores} | {1e6 * energy.low:.3f} to "
          f"{1e6 * energy.high:.3f} | {1e6 * latency.mean:.2f} | {found} | {fixed} |", flush=True)


def recorded(file):
    for case in sorted(CASES.glob("*.json")):
        data = dict(np.load(case.with_suffix(".npz")))
        parts = [{k[2:]: v for k, v in data.items() if k.startswith(p)} for p in ("p:", "c:")]
        pt2.write(file, json.loads(case.read_text()), *parts)
        x, wanted = data["x"].astype(float), data["y"].astype(float)
        difference = np.abs(first(dl.load(file).run(x)).reshape(wanted.shape) - wanted).max()
        row(case.stem, file, x, difference / max(1, np.abs(wanted).max()), wanted)


def neurons():
    """Name and maker of each neuron of the libraries that are installed."""
    for library, kinds in LIBRARIES.items():
        try:
            module = importlib.import_module(library)
        except ImportError:
            print(f"(not installed: {library})")
            continue
        for kind, options in kinds.items():
            yield f"{library.split('.')[0]} {kind}", lambda: getattr(module, kind)(**options)


def traced(file):
    import torch
    x = (np.random.default_rng(5).random((3, 60, INPUTS)) < 0.4).astype(float)
    for name, make in neurons():
        torch.manual_seed(0)
        layer = torch.nn.Linear(INPUTS, NEURONS)
        torch.nn.init.uniform_(layer.weight, -0.5, 1.5)

        class After(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer, self.neuron = layer, make()

            def forward(self, x, *states):
                return self.neuron(self.layer(x), *states)

        begin = time.process_time()
        try:
            net = dl.from_torch(After(), torch.rand(1, INPUTS))
            TRACING.append(time.process_time() - begin)
        except dl.DendrolithError as error:
            print(f"| {name} | refused: {error.message[:90]} | | | | | | |", flush=True)
            continue
        net.write(file)
        row(name, file, x, net.difference, first(net.run(x)))


def main():
    warnings.simplefilter("ignore")
    print("| cell | float, largest difference | loihi2 | cores | uJ of events a sample | us | raised | on loihi1 |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        recorded(pathlib.Path(folder) / "cell.pt2")
        if importlib.util.find_spec("torch"):
            traced(pathlib.Path(folder) / "neuron.pt2")
    for title, times in (("traced", TRACING), ("read", READING)):
        if times:
            print(f"{title} in {1e3 * statistics.median(times):.0f} ms of processor, of {len(times)} the median")


if __name__ == "__main__":
    main()
