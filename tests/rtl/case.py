# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases: what was put into the RTL of Catalyst N1, and what it did.

A case is a numpy archive (.npz), as the shared recordings are, or the same arrays
as JSON (.json), as the cases beside this file are. `meta` says of which kind it is.
A core's arrays have names of their own in a `core` case, and c0_, c1_, ... in
front of them where there are several cores.
"""
import json
import pathlib

import numpy as np

BUCKET = 64  # delayed contributions that a core keeps for one step
FIFO = 64  # spikes of a step that a core keeps for the next one
INJECTIONS = 512  # contributions of a step that the chip keeps for other cores
NO_PARENT = 1023


class Core:
    """One core: its parameters, and its synapses one by one."""

    def __init__(self, arrays, prefix, meta):
        self.size, self.flags = meta["n"], meta["flags"]
        self.parameters = {
            name[len(prefix) + 2:]: np.asarray(arrays[name]).astype(int)
            for name in arrays if name.startswith(prefix + "p_")}
        self.types = np.asarray(arrays[prefix + "axon_cfg"]).astype(int)
        self.pool = {name: np.asarray(arrays[f"{prefix}pool_{name}"]).astype(int)
                     for name in ("target", "weight", "comp", "delay")}
        self.index = {name: np.asarray(arrays[f"{prefix}index_{name}"]).astype(int)
                      for name in ("base", "count", "format")}

    @property
    def joined(self):
        """Whether some neuron's spike adds to another neuron within the step."""
        return bool((self.parameters["parent"] != NO_PARENT).any())

    def placed(self, source):
        """(port, target, weight, delay) of each entry of a neuron's list in a network.
        Entries that add nothing take their time all the same, at port Z."""
        for target, weight, compartment, delay in self.synapses(source):
            if target >= self.size or weight == 0 or \
                    (compartment and not self.flags["dendritic"]):
                yield "Z", target % self.size, 1, delay
            else:
                yield f"D{compartment}" if compartment else "I", target, weight, delay

    def runs(self, source):
        """The list in runs of equal weights that lie side by side: one run, where a list
        has one stored weight and the types of its targets make no others of it."""
        runs = []
        for port, target, weight, delay in self.placed(source):
            if not runs or runs[-1][-1] != (port, target - 1, weight, delay):
                runs.append([])
            runs[-1].append((port, target, weight, delay))
        return runs

    @property
    def currents(self):
        """Which neurons have the current-based form; the others are leaky."""
        p = self.parameters
        return (p["decay_v"] != 0) | (p["decay_u"] != 0) | (p["bias"] != 0)

    def synapses(self, source):
        """(target, weight, compartment, delay) of each entry of a neuron's list."""
        base, count, form = (int(self.index[k][source]) for k in ("base", "count", "format"))
        if not count:
            return
        width = self.types[self.parameters["axtype"][source]] >> 8 & 15
        packed = form == 1 and self.types[self.parameters["axtype"][source]] & 1 \
            and width in (1, 2, 4, 8)
        in_word = 16 // width if packed else 1
        for i in range(count):
            at = base + (0 if form == 2 else i // in_word)
            target = int(self.pool["target"][at if form == 0 else base])
            if form:
                target = (target + i) % 1024
            weight = int(self.pool["weight"][at])
            if packed:
                weight = signed((weight & 0xFFFF) >> i % in_word * width, 16)
            yield (target, self.decoded(weight, target),
                   int(self.pool["comp"][at]), int(self.pool["delay"][at]))

    def decoded(self, weight, target):
        """A stored weight as the type of its target reads it."""
        kind = int(self.types[self.parameters["axtype"][target]]) if target < self.size else 0
        width = kind >> 8 & 15
        if not width:
            return weight
        raw = weight & (1 << width) - 1 if width <= 9 else weight
        negative = bool(kind & 4)
        if kind & 2 and width > 1:  # sign and magnitude
            negative = bool(raw >> width - 1 & 1)
            raw = raw & (1 << width - 1) - 1 if width <= 9 else raw
        exponent = signed(kind >> 4, 4)
        value = signed(raw << exponent, 16) if exponent >= 0 else raw >> -exponent
        return signed(-value, 16) if negative else value


class Case:
    """A recorded or hand-made case."""

    def __init__(self, path):
        self.name = pathlib.Path(path).stem
        if str(path).endswith(".json"):
            read = json.loads(pathlib.Path(path).read_text())
            self.meta = read.pop("meta")
            self.arrays = read if self.meta["kind"] == "link" else \
                {name: np.array(values) for name, values in read.items()}
        else:
            archive = np.load(path)
            self.arrays = {name: archive[name] for name in archive.files}
            self.meta = json.loads(str(self.arrays.pop("meta")))
        self.read()

    @classmethod
    def of(cls, name, meta, arrays):
        """A case that lies in no file."""
        case = cls.__new__(cls)
        case.name, case.meta, case.arrays = name, meta, arrays
        case.read()
        return case

    def read(self):
        self.kind = self.meta["kind"]
        if self.kind in ("router", "link"):
            return
        self.steps, self.size = self.meta["steps"], self.meta["n"]
        self.updates = self.meta.get("updates", 1)
        self.graded = bool(self.meta["flags"]["graded"])
        single = self.kind == "core"
        self.cores = [Core(self.arrays, "" if single else f"c{c}_", self.meta)
                      for c in range(1 if single else self.meta["cores"])]
        self.routes = [tuple(int(x) for x in row) for name in ("routes", "global_routes")
                       for row in self.arrays.get(name, [])]

    def per_core(self, name):
        """A recorded state, (steps, neurons), of each core."""
        values = np.asarray(self.arrays[name]).astype(int)
        return [values] if self.kind == "core" else list(values.transpose(1, 0, 2))

    def table(self, name):
        """Rows (step, core, neuron, value) of the stimulus or of the spikes, but for
        those of a step in whose middle the recording ends."""
        rows = np.asarray(self.arrays[name]).astype(int)
        if self.kind == "core":
            rows = np.insert(rows.reshape(-1, 3), 1, 0, axis=1)
        return rows[rows.reshape(-1, 4)[:, 0] < self.steps]

    def spikes(self, core):
        """How often each neuron fired, by step and neuron."""
        fired = np.zeros((self.steps, self.size), int)
        for step, at, neuron, _ in self.table("spikes"):
            fired[step, neuron] += at == core
        return fired

    def payloads(self, core):
        """The sum of what its spikes carry, by step and neuron."""
        sums = np.zeros((self.steps, self.size), int)
        for step, at, neuron, payload in self.table("spikes"):
            sums[step, neuron] += payload * (at == core)
        return sums

    def stimulus(self, core):
        """What the host writes: the last value of several counts."""
        values = np.zeros((self.steps, self.size))
        for step, at, neuron, value in self.table("stimulus"):
            if at == core:
                values[step, neuron] = signed(int(value), 16)
        return values

    def written(self, core):
        """Where the host writes, be it a zero."""
        mask = np.zeros((self.steps, self.size))
        for step, at, neuron, _ in self.table("stimulus"):
            mask[step, neuron] = max(mask[step, neuron], at == core)
        return mask

    def sent(self):
        """By step, how many contributions to other cores the spikes of the step before
        have, lost ones included."""
        slots = {}
        for core, neuron, *_ in self.routes:
            slots[core, neuron] = slots.get((core, neuron), 0) + 1
        sent = np.zeros(self.steps + 1, int)
        for step, core, neuron, _ in self.table("spikes"):
            sent[step + 1] += slots.get((core, neuron), 0)
        return sent

    def spread_cycles(self):
        """By step, the cycles that lists of one stored weight save on the chip and not
        here: where the types of their targets make several weights of the one, each
        run of equal ones begins with the cycle that the first entry takes."""
        saved = np.zeros(self.steps + 1, int)
        for step, core, neuron, _ in self.table("spikes"):
            if self.cores[core].index["format"][neuron] == 2 and self.kind == "core":
                saved[step + 1] += max(len(self.cores[core].runs(neuron)) - 1, 0)
        return saved[:self.steps]

    @property
    def led_back(self):
        """Whether tables lead back to their own core: a list of ours does that
        without the sequencer."""
        return any(core == to for core, _, _, to, *_ in self.routes)

    def first_loss(self, of_values=True):
        """The first step in which the RTL loses, moves or replaces something, and
        what; nothing if it never does. No engine copies that. What is replaced takes
        its time all the same."""
        found = [f(self) for f in (full_bucket, lost_spike, lost_injection) +
                 (replaced, ) * of_values]
        return min([f for f in found if f], default=None)


def signed(value, bits):
    half = 1 << bits - 1
    return (value + half & (1 << bits) - 1) - half


def full_bucket(case):
    """A delay bucket that is full delivers at once what comes then."""
    for c, core in enumerate(case.cores):
        delays = [[s[3] for s in core.synapses(n)] for n in range(case.size)]
        waiting = np.zeros((case.steps + 66, ), int)
        for step, at, neuron, _ in case.table("spikes"):
            if at != c:
                continue
            for delay in delays[neuron]:
                waiting[step + 1 + delay] += delay > 0
                if waiting[step + 1 + delay] > BUCKET:
                    return step + 1, f"delayed_per_step: more than {BUCKET} wait for one step"
    return None


def lost_spike(case):
    """Spikes beyond the queue of a core are shown and never delivered."""
    fired = np.array([case.spikes(c).sum(axis=1) for c in range(len(case.cores))])
    steps = np.flatnonzero((fired > FIFO).any(axis=0))
    return (int(steps[0]) + 1, f"spikes_per_step: more than {FIFO}") if steps.size else None


def lost_injection(case):
    """Contributions to other cores beyond the chip's queue are lost."""
    steps = np.flatnonzero(case.sent() > INJECTIONS)
    return (int(steps[0]), f"injections_per_step: more than {INJECTIONS}") \
        if steps.size else None


def replaced(case):
    """A contribution of another core or the host replaces the sum it meets."""
    reached = {}
    for core, neuron, _, to, target, _ in case.routes:
        reached.setdefault((core, neuron), []).append((to, target))
    # A zero of the host adds as little as it leaves.
    written = {(step, core, neuron)
               for step, core, neuron, value in case.table("stimulus") if value}
    for step, core, neuron, _ in case.table("spikes"):
        for to, target in reached.get((core, neuron), ()):
            if (step + 1, to, target) in written:
                return int(step) + 1, "injections_per_neuron: two contributions to one neuron"
            written.add((step + 1, to, target))
    return None
