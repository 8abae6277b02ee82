# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are spikes, potentials and clocks those of ODIN's and tinyODIN's RTL?

    events.py [FOLDER_OR_CASE...] [--dendrolith build/bin/dendrolith] [--engines LIST] [--keep DIR]

In these chips everything is an event. A recorded case becomes a network with the
neuron of targets/odin or targets/tinyodin, and each operation of the chip's controller
a tick: the synapses of a source, a single synapse, a time reference. The order of the
operations is the recorded one; where no spike waits behind another, the network runs
a second time by itself, on what came from outside alone. Every spike and every watched potential is compared in
each engine, and the clocks of the operations in the cycle engine. Learning,
Izhikevich's neurons and bursts are not expressed, and the line says so.
"""
import argparse
import collections
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

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = HERE.parents[1] / "targets"
SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", HERE.parents[2] / "shared"))
ENGINES = ("reference", "functional", "cycle")
CLOCK = {"odin": 13333, "tinyodin": 10000, "ranc": 10000}  # ps


class Unexpressed(Exception):
    """The case has something that no network says."""


def neuron_text(chip, name="neuron", start=None):
    """The chip's neuron as its target describes it, under a name and with a constant that
    its potential starts at."""
    text = (TARGETS / chip / "neuron.mlir").read_text()
    text = re.search(r"  dend\.neuron .*?\n  }\n", text, re.S)[0].replace("@neuron", f"@{name}")
    return text.replace("reset sample", f"reset sample init @{start}") if start else text


def constant(name, values):
    values = np.asarray(values).astype(int)
    shape = "".join(f"{extent}x" for extent in values.shape)
    kind = f"tensor<{shape}i32>"
    return f"  dend.constant @{name} : {kind} = dense<{json.dumps(values.tolist())}> : {kind}"


def run(dendrolith, folder, engine, target, inputs, *more):
    """The outputs of one engine by name, its result and, by step, its picoseconds."""
    words = [word for name in inputs for word in ("--input", f"{name}={name}.npy")]
    done = subprocess.run(
        [str(dendrolith), "run", "case.mlir", *words, "--engine", engine, "--target", target,
         "--out", engine, "--report", "none", *more, *["--verify"] * (engine == "cycle")],
        cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError(f"{engine}: {done.stderr.strip()}")
    read = {name: json.loads((folder / engine / f"{name}.json").read_text())
            for name in ("result", "tables")}
    length = {step["step"]: sum(v for k, v in step.items() if k.endswith("_ps"))
              for step in read["tables"]["latency"]["steps"]} if engine == "cycle" else {}
    found = folder / engine / "outputs.npz"
    return np.load(found) if found.exists() else None, read["result"], length


class Operation:
    """What the controller did between two decisions."""

    def __init__(self, chip, kind, data, first, end):
        self.kind, self.first, self.end = kind, first, end
        self.source = self.neuron = None  # all neurons, where neither is said
        self.weight = self.timed = 0
        if kind == "POP_NEUR":
            self.source = data
        elif kind == "TREF":
            self.timed = 1
            if chip == "odin":
                self.neuron = None if data & 255 == 127 else data >> 8
            else:
                self.neuron = None if data & 255 == 255 else data & 255
        elif kind == "SYNAPSE":
            self.source, self.neuron = data >> 8 & 255, data & 255
        elif kind == "POP_VIRT" and chip == "odin":
            self.neuron, self.timed = data & 255, data >> 8 & 1
            self.weight = 0 if self.timed else (-1 if data >> 9 & 1 else 1) * (data >> 10)
        elif kind == "POP_VIRT":
            self.neuron, self.weight = data & 255, (data >> 8 & 15 ^ 8) - 8
        elif kind != "PUSH":
            raise Unexpressed(f"an operation {kind}")

    @property
    def sweeps(self):
        return self.neuron is None


class Case:
    def __init__(self, path):
        read = json.loads(pathlib.Path(path).read_text())
        self.name, self.chip = read["meta"]["name"], read["meta"]["chip"].lower()
        self.config, self.recorded = read["config"], read["recorded"]
        self.bus = 6 + 2 * read["meta"]["receiver"]  # clocks that a spike takes outside
        self.watch = read["watch"]
        self.names = sorted(int(n) for n in read["neurons"] if int(n) < self.slots)
        fields = [{**read["default"], "disable": 0, **read["neurons"][str(n)]}
                  for n in self.names]
        self.refuse(fields)
        odin = self.chip == "odin"
        self.start = [f.get("core", 0) for f in fields]
        self.threshold = [f["thr"] for f in fields]
        self.leak = [f.get("leak_str", 0) * (f.get("leak_en", 0) if odin else 1) for f in fields]
        self.disabled = {n for n, f in zip(self.names, fields) if f["disable"]}
        self.weights = collections.Counter()
        for pre, post, *rest in read["synapses"]:
            mapped = len(rest) == 1 or rest[0] or self.config.get("propagate_unmapped", 0)
            if mapped and post in self.names:
                self.weights[pre, post] = -rest[-1] if pre in read.get("signs", ()) else rest[-1]
        self.all = [Operation(self.chip, *row) for row in self.recorded["ops"]]
        at = [i for i, op in enumerate(self.all) if op.kind != "PUSH"]
        self.ops = [self.all[i] for i in at]
        self.potentials = np.array([self.recorded["potentials"][i] for i in at])
        seen = [n in self.names for n in self.watch]  # beyond the last slot nothing changes
        if (self.potentials[:, np.logical_not(seen)] != self.potentials[0]
                [np.logical_not(seen)]).any():
            raise RuntimeError("a neuron changes that no event visits")
        self.potentials = self.potentials[:, seen]
        self.watch = [n for n in self.watch if n in self.names]

    def refuse(self, fields):
        if any(not f.get("lif", 1) for f in fields):
            raise Unexpressed("Izhikevich's neurons")
        if any(f.get("ca_en", 0) and f.get("thetamem", 0) for f in fields):
            raise Unexpressed("synapses that learn")

    @property
    def slots(self):
        return 256 if self.chip == "odin" else self.config["max_neur"] + 1

    def spikes(self):
        """By operation and neuron; that of one whose spikes do not leave is not seen."""
        found = np.zeros((len(self.ops), len(self.names)), int)
        for clock, neuron, *_ in self.recorded["fired"]:
            for i, op in enumerate(self.ops):
                if op.first <= clock <= op.end:
                    found[i, self.names.index(neuron)] = 1
                    break
        return found

    def own(self):
        """The operations that a neuron's spike in the one before causes, if no spike ever
        waits behind another: then the network's own synapses make them, a tick later."""
        if self.config.get("open_loop", 0):
            return set()
        before = {id(op): previous for previous, op in zip([None] + self.all, self.all)}
        own = {i for i, op in enumerate(self.ops)
               if op.kind == "POP_NEUR" and getattr(before[id(op)], "kind", "PUSH") != "PUSH"}
        loud = [n not in self.disabled for n in self.names]
        fired = [[n for n, spike, seen in zip(self.names, row, loud) if spike and seen]
                 for row in self.spikes()]
        follows = [[self.ops[i + 1].source] if i + 1 in own else [] for i in range(len(self.ops))]
        return own if all(loud) and fired == follows else set()

    def network(self, own=()):
        """The text, and the values of its inputs; operations of `own` are none of them."""
        n, ticks = len(self.names), len(self.ops)
        place = {name: k for k, name in enumerate(self.names)}
        rows = sorted({op.source for op in self.ops if op.sweeps and op.source is not None})
        inputs = {"x": np.zeros((ticks, max(len(rows), 1))), "t": np.zeros((ticks, 1))}
        for name in ("y", "q"):
            inputs[name] = np.zeros((ticks, n))
        for tick, op in enumerate(self.ops):
            if tick in own:
                continue
            if not op.sweeps:
                at = place.get(op.neuron)
                if at is not None:
                    inputs["q"][tick, at] = op.timed
                    inputs["y"][tick, at] = op.weight if op.source is None else \
                        self.weights[op.source, op.neuron]
            elif op.timed:
                inputs["t"][tick, 0] = 1
            else:
                inputs["x"][tick, rows.index(op.source)] = 1
        weights = [[self.weights[row, name] for row in rows] or [0] for name in self.names]
        inputs = {name: values for name, values in inputs.items()
                  if name in "xt" or values.any()}
        lines = ["dend.network @case {", "  dend.clock @event", constant("start", self.start),
                 constant("threshold", self.threshold), constant("leak", self.leak),
                 constant("W", weights), constant("each", np.ones((n, 1))),
                 constant("one", np.ones(n)), neuron_text(self.chip, start="start")]
        reach = {"x": ("I", "dense weight @W"), "t": ("T", "dense weight @each"),
                 "y": ("I", "diagonal weight @one"), "q": ("T", "diagonal weight @one")}
        lines += [f"  dend.input @{name} on @event : tensor<{values.shape[1]}xf64> as "
                  + ("!dend.spike<int, -8, 8>" if name == "y" else "!dend.spike<binary>")
                  for name, values in inputs.items()]
        lines.append(f"  dend.population @n : @neuron[{n}] on @event "
                     "bind {threshold = @threshold, leak = @leak}")
        lines += [f'  dend.project @{name} -> @n["{reach[name][0]}"] #dend.{reach[name][1]} '
                  "delay 0" for name in inputs]
        if own:
            lines += [constant("R", [[self.weights[pre, post] for pre in self.names]
                                     for post in self.names]),
                      '  dend.project @n["s"] -> @n["I"] #dend.dense weight @R delay 1']
        lines += ['  dend.output @s = @n["s"]', '  dend.output @v = probe @n["v"]', "}"]
        return "\n".join(lines) + "\n", inputs

    @property
    def shown(self):
        """Whether events or states leave the chip, not spikes."""
        return self.config.get("monitor_en", 0) or self.config.get("aer_src_ctrl", 0)

    def target(self, slots, seen=True):
        """The chip with its settings; single events visit one slot. `seen`: whether the
        event visits the neuron that is shown."""
        name = {"odin": "synchronous", "tinyodin": "fpga"}[self.chip]
        clock, each, between = CLOCK[self.chip], self.bus, 1
        if self.shown:
            each, between = 0, 1
        if self.config.get("monitor_en", 0) and seen:  # each write of one neuron is shown
            between = 1 + 2 * self.bus + 1
        elif self.config.get("aer_src_ctrl", 0) and seen:  # events are shown
            between = 1 + self.bus
        return (f"{self.chip},timing.{name}.spike_emit={each * clock},"
                f"timing.{name}.barrier.fixed.time={between * clock},"
                f"limits.compartments_per_core={slots},limits.in_axons=unlimited")

    def lengths(self):
        """(operation, clocks with the decision behind it): the recorded length, and the
        distance to the next operation where that one waited in the queue."""
        next_of = {id(op): next for op, next in zip(self.all, self.all[1:])}
        spikes, last = self.spikes(), self.slots - 1
        late = self.names.index(last) if last in self.names else None
        tiny = self.chip == "tinyodin"
        for i, op in enumerate(self.ops):
            pop = int(tiny and op.kind == "POP_NEUR")
            # The bus may be busy beyond the end.
            if self.shown:
                busy = tiny and op.kind == "TREF"
            elif op.sweeps:
                busy = late is not None and spikes[i, late] and not pop
            else:
                busy = spikes[i].any()
            if op.sweeps or not self.shown:
                yield i, op.end - op.first - pop + self.bus * int(busy) + 1
            next = next_of.get(id(op))
            if op.kind != "TREF" and next is not None and next.kind.startswith("POP"):
                yield i, next.first - op.first - pop


def differences(case, dendrolith, engines, folder):
    """Numbers of values and operations compared, and a line for each difference."""
    values, clocks, found = compared(case, dendrolith, engines, folder, ())
    if case.own():
        more, _, by_itself = compared(case, dendrolith, engines, folder / "own", case.own())
        values, found = values + more, found + ["by its own synapses: " + line for line in by_itself]
    return values, clocks, found


def compared(case, dendrolith, engines, folder, own):
    text, inputs = case.network(own)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.mlir").write_text(text)
    for name, values in inputs.items():
        np.save(folder / f"{name}.npy", values)
    spikes, values, clocks, found = case.spikes(), 0, set(), []
    loud = [n not in case.disabled for n in case.names]
    for engine in engines:
        # In their recorded order its own spikes take ticks, which the queue would not.
        target = case.target(case.slots) + ",scheduling.queue=0" * bool(own)
        outputs, result, length = run(dendrolith, folder, engine, target, inputs)
        have = {k: np.asarray(outputs[k]).reshape(len(case.ops), -1).astype(int) for k in "sv"}
        watched = [case.names.index(n) for n in case.watch]
        for what, ours, theirs, names in (
                ("spike", have["s"][:, loud], spikes[:, loud], np.array(case.names)[loud]),
                ("potential", have["v"][:, watched], case.potentials, case.watch)):
            values += theirs.size
            for i, k in np.argwhere(ours != theirs)[:1]:
                found.append(f"{engine}: {what} of neuron {names[k]} in operation {i}, "
                             f"{case.ops[i].kind}: RTL {theirs[i, k]}, here {ours[i, k]}")
        if engine == "cycle":
            quiet = have["s"][:, np.logical_not(loud)].sum(axis=1)
            compare_clocks(case, dendrolith, folder, result, length, quiet, clocks, found)
    return values, len(clocks), found


def compare_clocks(case, dendrolith, folder, result, length, quiet, compared, found):
    """`quiet`: by operation, spikes of disabled neurons, which take no bus."""
    clock, single = CLOCK[case.chip], {}
    phase = result["schedule"]["populations"]["n"]["phase"]
    for i, want in case.lengths():
        op = case.ops[i]
        if op.sweeps:
            have = length[i + phase] / clock - (0 if case.shown else case.bus * quiet[i])
        else:
            seen = not case.shown or op.neuron == case.config.get("monitor_neur")
            if seen not in single:
                single[seen] = run_one_slot(case, dendrolith, folder / f"single_{int(seen)}", seen)
            have = single[seen][i] / clock
        compared.add(i)
        if have != want:
            found.append(f"cycle: operation {i}, {op.kind}, takes {want} clocks in the RTL, "
                         f"{have:g} here")
            return


def run_one_slot(case, dendrolith, folder, seen):
    """The time of an event that visits one neuron: a core of one slot, whose neuron
    fires when the RTL's does."""
    fires = case.spikes().any(axis=1).astype(float)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.mlir").write_text("\n".join([
        "dend.network @single {", "  dend.clock @event", constant("threshold", [1]),
        constant("leak", [0]), constant("one", [1]), neuron_text(case.chip),
        "  dend.input @x on @event : tensor<1xf64> as !dend.spike<binary>",
        "  dend.population @n : @neuron[1] on @event "
        "bind {threshold = @threshold, leak = @leak}",
        '  dend.project @x -> @n["I"] #dend.diagonal weight @one delay 0',
        '  dend.output @s = @n["s"]', "}"]) + "\n")
    np.save(folder / "x.npy", fires.reshape(-1, 1))
    _, result, length = run(dendrolith, folder, "cycle", case.target(1, seen), ["x"])
    phase = result["schedule"]["populations"]["n"]["phase"]
    return [length[i + phase] for i in range(len(case.ops))]


def files_of(paths):
    for path in paths:
        if not path.exists():
            print(f"skipped: {path} is not there")
        yield from sorted(path.glob("*.json")) if path.is_dir() else [path] * path.exists()


def compare_all(description, folders, compare):
    """Compares each case and prints its line; the exit code."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path, default=folders)
    parser.add_argument("--dendrolith", type=pathlib.Path, default="build/bin/dendrolith")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--keep", type=pathlib.Path, help="where networks and results stay")
    arguments = parser.parse_args()
    wrong = cases = all_values = all_clocks = 0
    for path in files_of(arguments.paths):
        with tempfile.TemporaryDirectory() as temporary:
            folder = (arguments.keep or pathlib.Path(temporary)) / path.stem
            try:
                values, clocks, found = compare(
                    path, arguments.dendrolith.absolute(), arguments.engines.split(","), folder)
            except Unexpressed as reason:
                print(f"{path.stem:24} not compared: {reason}")
                continue
            except RuntimeError as reason:
                values, clocks, found = 0, 0, [str(reason)]
        cases, wrong = cases + 1, wrong + bool(found)
        all_values, all_clocks = all_values + values, all_clocks + clocks
        print(f"{path.stem:24} {values:7} values, {clocks:4} lengths, "
              f"{len(found)} differences")
        for line in found:
            print("    " + line)
    print(f"{cases} cases, {wrong} with differences: {all_values:,} values, "
          f"{all_clocks} lengths in clocks")
    return 77 if not cases else int(bool(wrong))


def compare_events(path, dendrolith, engines, folder):
    return differences(Case(path), dendrolith, engines, folder)


if __name__ == "__main__":
    sys.exit(compare_all(__doc__, [HERE / "events"] + [
        SHARED / "data" / f"rtl_{chip}" for chip in ("odin", "tinyodin")], compare_events))
