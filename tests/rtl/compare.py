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
from network import Unexpressed, network, replay  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get("NEURITE_SHARED", HERE.parents[2] / "shared"))
ENGINES = ("reference", "functional", "cycle")
STATES = (("v", "v"), ("r", "refractory"), ("u", "u"))


class Failure(Exception):
    pass


def run(neurite, case, engine, folder):
    """The outputs of one engine by name, and its result and tables."""
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
        {name: json.loads((folder / engine / f"{name}.json").read_text())
         for name in ("result", "tables")}


def target_of(case):
    """The chip with as many cores and neurons as the RTL was built with."""
    return (f"catalyst-n1,limits.compartments_per_core={case.size},"
            f"mesh.tiles_x={len(case.cores)},mesh.tiles_y=1,"
            "limits.synapse_memory_words=131072")


def write(case, folder, text, inputs):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.mlir").write_text(text)
    for c in range(len(case.cores)):
        np.save(folder / f"x{c}.npy", inputs(c))
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


class Line:
    """What is printed of a case."""

    def __init__(self, case):
        self.case, self.notes, self.differences = case, [], []
        self.values = self.cycles = 0

    def differ(self, first):
        self.differences += [first] if first else []

    def compare_cycles(self, found, steps):
        """The length of each step in clock cycles."""
        clock = 16000  # ps, of both timing sets that are used here
        saved = self.case.shared_cycles()[:steps]
        phase = found["result"]["schedule"]["populations"]["n0"]["phase"]
        length = {step["step"]: sum(v for k, v in step.items() if k.endswith("_ps"))
                  for step in found["tables"]["latency"]["steps"]}
        have = np.array([length[step + phase] / clock for step in range(steps)]) - saved
        want = np.asarray(self.case.arrays["cycles"])[:steps]
        self.cycles = steps
        if saved.any():
            self.notes.append(f"{saved.sum()} cycles less in the RTL for lists of one stored weight")
        for step in np.flatnonzero(have != want)[:1]:
            self.differ(f"cycle: step {step} takes {want[step]} cycles in the RTL, "
                        f"{have[step]:g} here")

    def show(self):
        print(f"{self.case.name:32} {self.values:8} values, {self.cycles:4} steps in cycles, "
              f"{len(self.differences)} differences" + "".join("; " + n for n in self.notes))
        for difference in self.differences:
            print("    " + difference)


def compare_values(line, neurite, engines, folder):
    """Runs the case's network; true if its steps have the times of the RTL's, too."""
    case, loss = line.case, line.case.first_loss()
    steps = loss[0] if loss else case.steps
    write(case, folder, network(case), case.stimulus)
    for engine in engines:
        outputs, found = run(neurite, case, engine, folder)
        compared, first = first_difference(case, engine, outputs, steps)
        line.values += compared
        line.differ(first)
        if engine == "cycle" and not loss:
            line.compare_cycles(found, steps)
    if loss:
        line.notes.append(f"values up to step {steps}, {loss[1]}")
    return not loss


def compare_time(line, neurite, folder):
    """Runs the recorded spikes, for their time alone."""
    case, loss = line.case, line.case.first_loss(of_values=False)
    write(case, folder, replay(case), case.spikes)
    line.compare_cycles(run(neurite, case, "cycle", folder)[1], loss[0] if loss else case.steps)
    line.notes.append("cycles of the recorded spikes" + (f" up to {loss[1]}" if loss else ""))


def compare(neurite, path, engines, keep):
    """Prints a case's line; true if nothing differs."""
    case = Case(path)
    if case.kind == "link":
        print(f"{case.name:32} not compared: links between chips")
        return True
    line = Line(case)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (keep or pathlib.Path(temporary)) / case.name
        try:
            if case.kind == "router":
                compare_packets(line, neurite, folder)
            else:
                timed = False
                try:
                    timed = compare_values(line, neurite, engines, folder)
                except Unexpressed as reason:
                    line.notes.append(f"values not compared: {reason}")
                if not timed and "cycle" in engines:
                    compare_time(line, neurite, folder / "replay")
        except Unexpressed as reason:
            print(f"{case.name:32} not compared: {reason}")
            return True
        except Failure as reason:
            line.differ(str(reason))
    line.show()
    return not line.differences


def compare_packets(line, neurite, folder):
    """Packets of routers alone, through the mesh with the chip's times."""
    tool = neurite.parent / "neurite-noc-traffic"
    if not tool.exists():
        raise Unexpressed(f"needs {tool.name}")
    case, clock = line.case, 16000
    folder.mkdir(parents=True, exist_ok=True)
    packets = np.asarray(case.arrays["packets"])
    (folder / "packets.csv").write_text("time_ps,source,destination\n" + "".join(
        f"{cycle * clock},{source},{to}\n" for cycle, source, to in packets))
    done = subprocess.run(
        [str(tool), "--packets", "packets.csv", "--target", "catalyst-n1", "--timing", "packet",
         "--mesh", f"{case.meta['mesh_x']}x{case.meta['mesh_y']}"],
        cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Failure(done.stderr.strip())
    have = np.array(done.stdout.split()[1:], int) / clock
    want = np.asarray(case.arrays["arrival"])
    line.values = want.size
    line.notes.append("packets")
    for packet in np.flatnonzero(have != want)[:1]:
        cycle, source, to = packets[packet]
        line.differ(f"packet {packet} of cycle {cycle} from router {source} to {to} arrives at "
                    f"{want[packet]} in the RTL, {have[packet]:g} here; "
                    f"{(have != want).sum()} of {want.size} differ")


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
