# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are spikes, states and clock cycles those of Catalyst N1's RTL?

    compare.py [FOLDER_OR_CASE...] [--dendrolith build/bin/dendrolith] [--engines LIST] [--keep DIR]
    compare.py --random N [--seed S] [--model n1_model.py] [...]

Without a folder those are compared that ship beside this file, and the shared
recordings ($DENDROLITH_SHARED, else ../shared) where they are present. Each case becomes a network (network.py) and runs in the engines; every value of every
step is compared with what the RTL gave, and, in the cycle engine, the length of every
step with the RTL's. With --random the cases are made up (generate.py), and what a
model of the RTL says of them stands for the RTL. Prints a line for each case and the first difference by core,
neuron and step; the exit code is 1 if there is one. Where the RTL loses or replaces
something, which no engine copies, the comparison ends before the first step that does
and the line says so; engines have to warn of the same step.
"""
import argparse
import json
import os
import pathlib
import re
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
from generate import cases as random_cases  # noqa: E402
from network import Unexpressed, network, outputs_of, replay  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", HERE.parents[2] / "shared"))
ENGINES = ("reference", "functional", "cycle")
STATES = (("v", "v"), ("r", "refractory"), ("u", "u"), ("j", "acc"))
CLOCK = 16000  # ps, of the timing sets that are used here


class Failure(Exception):
    pass


def run(dendrolith, case, engine, folder, inputs):
    """The outputs of one engine by name, and its result and tables."""
    inputs = [word for name in inputs for word in ("--input", f"{name}={name}.npy")]
    command = [str(dendrolith), "run", "case.mlir", *inputs, "--engine", engine,
               "--target", target_of(case), "--out", engine, "--report", "none"]
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
            "limits.synapse_memory_words=1048576,microcode.state_bytes=unlimited,"
            # The port Z, which the chip has not, and the ports of a core of joins.
            "synapse_memory.index_bit_codes=0+16,"
            # A step's passes over the neurons, and three cycles for each join, which
            # is the product of the programs (joins.py).
            f"timing.core.update_active={4 * case.updates * CLOCK},"
            f"timing.core.update_inactive={4 * case.updates * CLOCK},"
            f"timing.core.microcode.cycle={CLOCK},timing.core.microcode.cycles.mac=3")


def write(case, folder, text, inputs):
    """Writes a network, and the values of its inputs by name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.mlir").write_text(text)
    for name, values in inputs.items():
        np.save(folder / f"{name}.npy", values)
    (folder / "placement.yaml").write_text("".join(
        f"- {{population: n{c}, first: 0, count: {case.size}, core: {c}}}\n"
        for c in range(len(case.cores))))


def first_difference(case, engine, found, steps):
    """Values compared, and the first that differs, by step, core and neuron."""
    compared, first = 0, None
    for c in range(len(case.cores)):
        spikes = sum(found[f"s{c}{output[1:]}"].reshape(case.steps, -1).astype(int)
                     for output in outputs_of(case.updates))
        pairs = [("spikes", spikes, case.payloads(c) if case.graded else case.spikes(c))]
        pairs += [(name, found[f"{output}{c}"].reshape(case.steps, -1).astype(int),
                   case.per_core(name)[c])
                  for output, name in STATES if f"{output}{c}" in found]
        for name, have, want in pairs:
            have, want = have[:steps], want[:steps]
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


def warned_step(result):
    """The first step of which an engine says that it exceeds a limit, as the RTL counts
    steps; nothing if it says none."""
    steps = [int(re.match(r"step (\d+) of sample 0 ", warning["text"])[1])
             for warning in result["warnings"] if warning["code"] == "step-limit"]
    return min(steps, default=None)


class Line:
    """What is printed of a case."""

    def __init__(self, case):
        self.case, self.notes, self.differences = case, [], []
        self.values = self.cycles = 0

    def differ(self, first):
        self.differences += [first] if first else []

    def compare_cycles(self, found, steps):
        """The length of each step in clock cycles."""
        case = self.case
        saved = case.spread_cycles()[:steps]
        phase = found["result"]["schedule"]["populations"]["n0"]["phase"]
        length = {step["step"]: sum(v for k, v in step.items() if k.endswith("_ps"))
                  for step in found["tables"]["latency"]["steps"]}
        have = np.array([length[step + phase] / CLOCK for step in range(steps)]) - saved
        want = np.asarray(case.arrays["cycles"])[:steps].astype(int)
        if case.kind == "packet_mesh":
            # What the spikes of a step send leaves routers before the next one, until
            # all are empty; here a sequencer writes it.
            drained = np.asarray(case.arrays["inject_cycles"])[:steps].astype(int)
            sent = case.sent()[:steps]
            want, have = want - drained, have - np.where(sent, sent + 2, 1)
            self.notes = [note for note in self.notes if "drained" not in note]
            self.notes.append(f"cycles without the {drained.sum()} in which routers are drained")
        self.cycles = max(self.cycles, steps)
        if saved.any():
            self.notes.append(f"{saved.sum()} cycles less in the RTL, where one stored weight "
                              "is several for its targets")
        for step in np.flatnonzero(have != want)[:1]:
            self.differ(f"cycle: step {step} takes {want[step]} cycles in the RTL, "
                        f"{have[step]:g} here")

    def show(self):
        print(f"{self.case.name:32} {self.values:8} values, {self.cycles:4} steps in cycles, "
              f"{len(self.differences)} differences" + "".join("; " + n for n in self.notes))
        for difference in self.differences:
            print("    " + difference)


def compare_values(line, dendrolith, engines, folder):
    """Runs the case's network; true if all of its steps have the RTL's times."""
    case, loss = line.case, line.case.first_loss()
    steps = loss[0] if loss else case.steps
    inputs = {f"x{c}": case.stimulus(c) for c in range(len(case.cores))}
    inputs.update({f"w{c}": case.written(c) for c, core in enumerate(case.cores) if core.joined})
    write(case, folder, network(case), inputs)
    for engine in engines:
        outputs, found = run(dendrolith, case, engine, folder, inputs)
        compared, first = first_difference(case, engine, outputs, steps)
        line.values += compared
        line.differ(first)
        if engine != "reference":
            warned = warned_step(found["result"])
            unseen = case.led_back and loss and (warned is None or warned > steps)
            if warned != (steps if loss else None) and not unseen:
                line.differ(f"{engine}: warns of step {warned}, and the RTL exceeds a limit in "
                            + (f"step {steps}: {loss[1]}" if loss else "none"))
        if engine == "cycle" and not case.led_back:
            line.compare_cycles(found, steps)
    if loss:
        line.notes.append(f"values up to step {steps}, {loss[1]}")
    return not loss and not case.led_back


def compare_time(line, dendrolith, folder):
    """Runs the recorded spikes, for their time alone."""
    case, loss = line.case, line.case.first_loss(of_values=False)
    inputs = {f"x{c}": case.spikes(c) for c in range(len(case.cores))}
    write(case, folder, replay(case), inputs)
    line.compare_cycles(run(dendrolith, case, "cycle", folder, inputs)[1],
                        loss[0] if loss else case.steps)
    line.notes.append("cycles of the recorded spikes" + (f" up to {loss[1]}" if loss else ""))


def compare(dendrolith, case, engines, keep):
    """Prints a case's line; true if nothing differs."""
    line = Line(case)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (keep or pathlib.Path(temporary)) / case.name
        try:
            if case.kind == "router":
                compare_packets(line, dendrolith, folder)
            elif case.kind == "link":
                compare_links(line, dendrolith, folder)
            elif not compare_values(line, dendrolith, engines, folder) and "cycle" in engines:
                try:
                    compare_time(line, dendrolith, folder / "replay")
                except Unexpressed as reason:
                    line.notes.append(f"no cycles beyond: {reason}")
        except Unexpressed as reason:
            print(f"{case.name:32} not compared: {reason}")
            return True
        except Failure as reason:
            line.differ(str(reason))
    line.show()
    return not line.differences


def through_mesh(dendrolith, folder, packets, target, mesh):
    """When packets (cycle, source, destination) arrive, in cycles of the clock."""
    tool = dendrolith.parent / "dendrolith-noc-traffic"
    if not tool.exists():
        raise Unexpressed(f"needs {tool.name}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "packets.csv").write_text("time_ps,source,destination\n" + "".join(
        f"{cycle * CLOCK},{source},{to}\n" for cycle, source, to in packets))
    done = subprocess.run(
        [str(tool), "--packets", "packets.csv", "--target", target, "--timing", "packet",
         "--mesh", mesh], cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Failure(done.stderr.strip())
    return np.array(done.stdout.split()[1:], int) / CLOCK


def compare_links(line, dendrolith, folder):
    """Packets over a serial link of so many bytes each: a link between two routers that
    takes a packet every so many cycles, and 3 more to its end."""
    pushed = line.case.arrays["pushed"]
    for name, size in (("chip_link", 4), ("multi_chip_router", 7)):
        link = {"forward": size + 3, "interval": size, "credit": size}
        changes = [f"timing.packet.noc.east_west.{key}={cycles * CLOCK}"
                   for key, cycles in link.items()]
        changes += ["timing.packet.noc.east_west.buffer=65536",
                    "timing.packet.noc.local.buffer=65536"]
        changes += [f"timing.packet.noc.local.{key}=0"
                    for key in ("inject", "eject", "credit", "interval")]
        have = through_mesh(dendrolith, folder, [(row[0], 0, 1) for row in pushed],
                            ",".join(["catalyst-n1", *changes]), "2x1")
        want = np.array([row[0] for row in line.case.arrays[name]])
        line.values += want.size
        for packet in np.flatnonzero(have != want)[:1]:
            line.differ(f"{name}: packet of cycle {pushed[packet][0]} arrives at {want[packet]} "
                        f"in the RTL, {have[packet]:g} here; {(have != want).sum()} of "
                        f"{want.size} differ")
    line.notes.append("packets over links")


def compare_packets(line, dendrolith, folder):
    """Packets of routers alone, through the mesh with the chip's times."""
    case = line.case
    packets, want = np.asarray(case.arrays["packets"]), np.asarray(case.arrays["arrival"])
    # The RTL loses what comes to a full queue, where it waits here; what is lost meets
    # no other packet.
    lost = want < 0
    packets, want = packets[~lost], want[~lost]
    have = through_mesh(dendrolith, folder, packets, "catalyst-n1",
                        f"{case.meta['mesh_x']}x{case.meta['mesh_y']}")
    line.values = want.size
    line.notes.append("packets" + f" without {lost.sum()} that find a full queue" * bool(lost.any()))
    for packet in np.flatnonzero(have != want)[:1]:
        cycle, source, to = packets[packet]
        line.differ(f"packet {packet} of cycle {cycle} from router {source} to {to} arrives at "
                    f"{want[packet]} in the RTL, {have[packet]:g} here; "
                    f"{(have != want).sum()} of {want.size} differ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path,
                        default=[HERE / "cases", SHARED / "data" / "rtl"])
    parser.add_argument("--dendrolith", type=pathlib.Path, default="build/bin/dendrolith")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--keep", type=pathlib.Path, help="where networks and results stay")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="cases to make up")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", type=pathlib.Path, default=SHARED / "tools" / "n1_model.py",
                        help="a model of the RTL in Python, with the class Core")
    parser.add_argument("--all", action="store_true", help="ODIN, tinyODIN and RANC, too")
    arguments = parser.parse_args()
    files = []
    if arguments.random and not arguments.model.exists():
        print(f"skipped: {arguments.model} is not there")
        return 77
    for path in [] if arguments.random else arguments.paths:
        if not path.exists():
            print(f"skipped: {path} is not there")
        files += sorted([*path.glob("*.json"), *path.glob("*.npz")]) if path.is_dir() else \
            [path] if path.exists() else []
    engines = arguments.engines.split(",")
    dendrolith = arguments.dendrolith.absolute()
    made = random_cases(arguments.model, arguments.seed, arguments.random) \
        if arguments.random else map(Case, files)
    good = [compare(dendrolith, case, engines, arguments.keep) for case in made]
    print(f"{len(good)} cases, {good.count(False)} with differences", flush=True)
    codes = [77 if not good else 0 if all(good) else 1]
    if arguments.all:
        more = ["--dendrolith", dendrolith, "--engines", arguments.engines]
        codes += [subprocess.run([sys.executable, *words]).returncode for words in (
            [HERE / "events.py", *more], [HERE / "grid.py", *more],
            [HERE.parent / "runtime" / "python" / "order_test.py", dendrolith])]
    return next((code for code in codes if code not in (0, 77)), 77 if all(codes) else 0)


if __name__ == "__main__":
    sys.exit(main())
