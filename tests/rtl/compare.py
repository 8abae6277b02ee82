# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are spikes, states and clock cycles those of Catalyst N1's RTL?

    compare.py [FOLDER_OR_CASE...] [--neurite build/bin/neurite] [--engines LIST] [--keep DIR]

Without a folder those are compared that ship beside this file, and the shared
recordings ($NEURITE_SHARED, else ../shared) where they are present. Each case becomes a network (network.py) and runs in the engines; every value of every
step is compared with what the RTL gave, and, in the cycle engine, the length of every
step with the RTL's. Prints a line for each case and the first difference by core,
neuron and step; the exit code is 1 if there is one. Where the RTL loses or replaces
something, which no engine copies, the comparison ends before the first step that does
and the line says so.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy")
    sys.exit(77)

sys.dont_write_bytecode = True
from case import Case  # noqa: E402
from network import Unexpressed, network  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get("NEURITE_SHARED", HERE.parents[2] / "shared"))
ENGINES = ("reference", "functional", "cycle")
STATES = (("v", "v"), ("r", "refractory"), ("u", "u"))


class Failure(Exception):
    pass


def run(neurite, case, engine, folder):
    """The outputs of one engine by name, and its steps."""
    inputs = [word for c in range(len(case.cores)) for word in ("--input", f"x{c}=x{c}.npy")]
    command = [str(neurite), "run", "case.mlir", *inputs, "--engine", engine,
               "--target", target_of(case), "--out", engine, "--quiet"]
    if len(case.cores) > 1:
        command += ["--placement", "placement.yaml"]
    if case.kind == "core" and engine == "cycle":
        command += ["--timing", "core"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Failure(f"{engine}: {done.stderr.strip()}")
    return np.load(folder / engine / "outputs.npz"), \
        json.loads((folder / engine / "result.json").read_text())


def target_of(case):
    """The chip with as many cores and neurons as the RTL was built with."""
    cores = len(case.cores)
    return (f"catalyst-n1,limits.compartments_per_core={case.size},mesh.tiles_x={cores},"
            "mesh.tiles_y=1,limits.synapse_memory_words=131072")


def write(case, folder):
    (folder / "case.mlir").write_text(network(case))
    for c in range(len(case.cores)):
        np.save(folder / f"x{c}.npy", case.stimulus(c))
    (folder / "placement.yaml").write_text("".join(
        f"- {{population: n{c}, first: 0, count: {case.size}, core: {c}}}\n"
        for c in range(len(case.cores))))


def first_difference(case, engine, found, steps):
    """Values compared, and the first that differs, by step, core and neuron."""
    compared, first = 0, None
    for c in range(len(case.cores)):
        for output, name in (("s", "spikes"), *STATES):
            if f"{output}{c}" not in found:
                continue  # a leaky neuron has no current
            want = (case.spikes(c) if output == "s" else case.per_core(name)[c])[:steps]
            have = found[f"{output}{c}"].reshape(case.steps, -1)[:steps].astype(int)
            compared += want.size
            for step, neuron in np.argwhere(have != want)[:1]:
                at = (int(step), c, int(neuron), name)
                if first is None or at < first[0]:
                    first = at, int(want[step, neuron]), int(have[step, neuron])
    if first:
        (step, c, neuron, name), want, have = first
        first = (f"{engine}: {name} of core {c}, neuron {neuron}, step {step}: "
                 f"RTL {want}, here {have}")
    return compared, first


def cycle_difference(case, result, steps):
    """Steps compared by their length in clock cycles, and the first that differs."""
    clock = 16000  # ps, of both timing sets that are used here
    phase = result["schedule"]["populations"]["n0"]["phase"]
    length = {}
    for step in result["latency"]["steps"]:
        length[step["step"]] = sum(v for k, v in step.items() if k.endswith("_ps"))
    for step, want in enumerate(np.asarray(case.arrays["cycles"])[:steps]):
        have = length[step + phase] / clock
        if have != want:
            return steps, f"cycle: step {step} takes {want} cycles in the RTL, {have:g} here"
    return steps, None


def compare(neurite, path, engines, keep):
    """Prints a case's line; true if nothing differs."""
    case = Case(path)
    if case.kind == "router":
        print(f"{case.name:32} not compared: routers alone")
        return True
    folder = (keep or pathlib.Path(tempfile.mkdtemp())) / case.name
    folder.mkdir(parents=True, exist_ok=True)
    loss = case.first_loss()
    steps = loss[0] if loss else case.steps
    values = cycles = 0
    differences = []
    try:
        write(case, folder)
        for engine in engines:
            found, result = run(neurite, case, engine, folder)
            compared, first = first_difference(case, engine, found, steps)
            values += compared
            differences += [first] if first else []
            if engine == "cycle":
                cycles, first = cycle_difference(case, result, steps)
                differences += [first] if first else []
    except Unexpressed as reason:
        print(f"{case.name:32} not compared: {reason}")
        return True
    except Failure as reason:
        differences.append(str(reason))
    note = f"; up to step {steps}, {loss[1]}" if loss else ""
    print(f"{case.name:32} {values:8} values, {cycles:4} steps in cycles, "
          f"{len(differences)} differences{note}")
    for difference in differences:
        print("    " + difference)
    return not differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path,
                        default=[HERE / "cases", SHARED / "data" / "rtl"])
    parser.add_argument("--neurite", type=pathlib.Path, default="build/bin/neurite")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--keep", type=pathlib.Path, help="where networks and results stay")
    arguments = parser.parse_args()
    files = []
    for path in arguments.paths:
        if not path.exists():
            print(f"skipped: {path} is not there")
        files += sorted([*path.glob("*.json"), *path.glob("*.npz")]) if path.is_dir() else \
            [path] if path.exists() else []
    engines = arguments.engines.split(",")
    neurite = arguments.neurite.absolute()
    good = [compare(neurite, path, engines, arguments.keep) for path in files]
    print(f"{len(files)} cases, {good.count(False)} with differences")
    return 77 if not good else 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
