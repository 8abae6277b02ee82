# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases that nobody has recorded: random networks of the chip, and what a model of its
RTL says that they do. The model is a Python file with classes `Core` (its parameters by
the names of recordings; external(), step()) and `PacketMesh` (cycle(), empty()) and a
function w16().
"""
import importlib.util

import numpy as np

from case import INJECTIONS, NO_PARENT, Case

KINDS = ("leaky", "current", "graded", "delays", "formats", "branches", "joins", "passes",
         "mesh", "mixed", "routers")


def cases(model, seed, count):
    """Kinds take turns. A case depends on the seed and its number alone."""
    spec = importlib.util.spec_from_file_location("n1_model", model)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        if kind == "routers":
            yield routers(module, np.random.default_rng([seed, number]), f"random_{seed}_{number:03}_{kind}")
            continue
        yield Made(module, np.random.default_rng([seed, number]), kind).case(
            f"random_{seed}_{number:03}_{kind}")


def routers(model, rng, name):
    """Packets through routers alone, most of them to two places, whose queues fill up to
    the sources: what comes there is lost."""
    width, height = (int(n) for n in rng.integers(2, 5, 2))
    size, span = width * height, 200
    offered = sorted({(int(rng.integers(span)), int(rng.integers(size))) for _ in range(60 * size)})
    packets = [(cycle, source, int(rng.integers(rng.choice([2, 2, size])))) for cycle, source in offered]
    net, arrival, at, cycle = model.PacketMesh(width, height, 0), [-1] * len(packets), 0, 0
    while at < len(packets) or not net.empty():
        new = []
        while at < len(packets) and packets[at][0] == cycle:
            _, source, to = packets[at]
            new.append((source, (to % width, to // width, at)))
            at += 1
        for _, (_, _, packet) in net.cycle(new):
            arrival[packet] = cycle
        cycle += 1
    return Case.of(name, {"kind": "router", "mesh_x": width, "mesh_y": height},
                   {"packets": np.array(packets), "arrival": np.array(arrival)})


class Made:
    def __init__(self, model, rng, kind):
        self.model, self.rng, self.kind = model, rng, kind
        self.cores = int(rng.integers(2, 5)) if kind == "mesh" else 1
        self.n = int(rng.integers(4, 33)) if kind in ("mesh", "joins") else \
            int(rng.integers(4, 65))
        self.steps = int(rng.integers(20, 70))
        rare = kind == "mixed"
        self.flags = {
            "graded": int(kind == "graded" or (rare or kind == "mesh") and rng.random() < .3),
            "dendritic": int(kind == "branches" or rare and rng.random() < .5),
            "skip_idle": 0, "scale_u": int(rng.random() < .3)}
        self.updates = int(rng.integers(2, 4)) if kind == "passes" or \
            kind == "joins" and rng.random() < .3 else 1
        self.joined = kind == "joins" or rare and rng.random() < .3

    def some(self, low, high, size=None):
        return self.rng.integers(low, high + 1, self.n if size is None else size)

    def where(self, chance, yes, no):
        return np.where(self.rng.random(self.n) < chance, yes, no)

    def parameters(self):
        currents = {"leaky": 0, "current": 1}.get(self.kind, self.rng.choice([0, .5, 1]))
        form = self.rng.random(self.n) < currents
        wide = self.rng.random() < .2  # numbers up to the ends of their formats
        return {
            "thr": self.some(-300 if wide else 50, 30000 if wide else 600),
            "leak": self.where(.5, self.some(-20, 60), 0),
            "rest": self.where(.3, self.some(-80, 80), 0),
            "refrac": self.where(.4, self.some(0, 5), 0) | self.where(.3, 512, 0),
            "dthr1": self.some(-20, 80), "dthr2": self.some(-20, 80),
            "dthr3": self.some(-20, 80), "dparent": self.where(.6, self.some(0, 63), 0),
            "decay_v": np.where(form, self.some(0, 4095), 0),
            "decay_u": np.where(form, self.some(0, 4095), 0),
            "bias": np.where(form, self.where(.4, self.some(0, 200) << 3 | self.some(0, 2), 0), 0),
            "parent": self.parents(), "joinop": self.some(0, 15) if self.joined else
            np.zeros(self.n, int),
            "root": self.where(.8, 1, 0) if self.joined else np.ones(self.n, int),
            "axtype": self.some(0, 7) if self.kind == "formats" else np.zeros(self.n, int),
            "vmin": np.full(self.n, -32768 if wide else -4000),
            "vmax": np.full(self.n, 32767)}

    def parents(self):
        if not self.joined:
            return np.full(self.n, NO_PARENT)
        return self.where(.6, self.some(0, self.n - 1), NO_PARENT)

    def types(self):
        types = np.zeros(32, int)
        if self.kind == "formats":
            widths = self.rng.choice([0, 1, 2, 4, 8, 9, 12], 8)
            types[:8] = widths << 8 | self.rng.integers(0, 3, 8) << 4 | self.rng.integers(0, 8, 8)
        return types

    def synapses(self):
        """Pool and index. Long lists are rare, for few contributions may wait."""
        rng, pool, index = self.rng, [], []
        forms = (0, 1, 2) if self.kind in ("formats", "mixed") else (0, )
        largest = 32767 if rng.random() < .15 else 400
        for _ in range(self.n):
            form = int(rng.choice(forms))
            count = int(rng.integers(0, min(self.n, 9)))
            base = len(pool)
            stored = 1 if form == 2 and count else count
            branch = self.flags["dendritic"] or self.kind in ("branches", "mixed")
            for _ in range(stored):
                late = self.kind in ("delays", "mixed", "formats", "graded")
                pool.append((int(rng.integers(0, self.n)),
                             int(rng.integers(-largest // 2, largest + 1)),
                             int(rng.integers(0, 4)) if branch else 0,
                             int(rng.integers(1, 64)) if late and rng.random() < .4 else 0))
            index.append((base, count, form))
        pool = np.array(pool or [(0, 0, 0, 0)])
        index = np.array(index)
        return {"pool_target": pool[:, 0], "pool_weight": pool[:, 1], "pool_comp": pool[:, 2],
                "pool_delay": pool[:, 3], "index_base": index[:, 0],
                "index_count": index[:, 1], "index_format": index[:, 2]}

    def stimulus(self):
        rng, rows = self.rng, []
        # What meets on the way between cores replaces each other.
        share = .02 if self.kind == "mesh" else .2
        for step in range(self.steps):
            for core in range(self.cores):
                for neuron in np.flatnonzero(rng.random(self.n) < share):
                    rows.append((step, core, int(neuron), int(rng.integers(-60, 400))))
        return rows

    def routes(self):
        if self.cores == 1:
            return []
        return [(core, neuron, slot, int(self.rng.integers(0, self.cores)),
                 int(self.rng.integers(0, self.n)), int(self.rng.integers(1, 300)))
                for core in range(self.cores) for neuron in range(self.n)
                for slot in range(8) if self.rng.random() < .02]

    def case(self, name):
        model, arrays, cores = self.model, {}, []
        for c in range(self.cores):
            prefix = "" if self.cores == 1 else f"c{c}_"
            parameters, types, synapses = self.parameters(), self.types(), self.synapses()
            arrays.update({f"{prefix}p_{key}": values for key, values in parameters.items()})
            arrays.update({prefix + key: values for key, values in synapses.items()})
            arrays[prefix + "axon_cfg"] = types
            cores.append(model.Core(
                self.n, {k: [int(x) for x in v] for k, v in parameters.items()},
                [int(x) for x in types],
                [synapses[f"pool_{k}"] for k in ("target", "weight", "comp", "delay")],
                [synapses[f"index_{k}"] for k in ("base", "count", "format")],
                self.flags, self.updates))
        stimulus, routes = self.stimulus(), self.routes()
        arrays.update(self.run(cores, stimulus, routes))
        # A recording may end in mid-step: spikes go on, and states do not.
        ended = self.steps - int(self.kind == "passes")
        for key in ("v", "u", "refractory", "acc", "cycles"):
            arrays[key] = arrays[key][:ended]
        meta = {"kind": "core" if self.cores == 1 else "mesh", "n": self.n,
                "steps": ended, "flags": self.flags, "updates": self.updates,
                "cores": self.cores}
        columns = slice(None) if self.cores > 1 else [0, 2, 3]
        for key, rows in (("stimulus", stimulus), ("spikes", arrays["spikes"])):
            rows = np.array(rows, int).reshape(-1, 4)
            arrays[key] = rows[:, columns]
        if self.cores > 1:
            arrays["routes"] = np.array(routes, int).reshape(-1, 6)
        return Case.of(name, meta, arrays)

    def run(self, cores, stimulus, routes):
        """What the model says of each step."""
        single = self.cores == 1
        reached = {}
        for core, neuron, _, to, target, weight in sorted(routes):
            reached.setdefault((core, neuron), []).append((to, target, weight))
        found = {name: [] for name in ("spikes", "v", "u", "refractory", "acc", "cycles")}
        inject = []
        for step in range(self.steps):
            for _, core, neuron, value in [row for row in stimulus if row[0] == step]:
                cores[core].external(neuron, value)
            for core, neuron, value in inject:
                cores[core].external(neuron, value)
            outs, lengths = zip(*(core.step() for core in cores))
            longest = max(sum(phases) + 1 for phases in lengths)
            routed = sum(len(out[:64]) for out in outs)
            found["cycles"].append(longest + 1 if single else
                                   (len(inject) + 2 if inject else 1) + 1 + longest + 3 +
                                   self.cores + 37 * routed + 2)
            inject = [(to, target,
                       self.model.w16(weight * payload >> 7 if self.flags["graded"] else weight))
                      for core, out in enumerate(outs) for neuron, payload in out[:64]
                      for to, target, weight in reached.get((core, neuron), ())][:INJECTIONS]
            found["spikes"] += [(step, core, neuron, payload)
                                for core, out in enumerate(outs) for neuron, payload in out]
            for name, of in (("v", "v"), ("u", "u"), ("refractory", "ref"), ("acc", "acc")):
                rows = [list(getattr(core, of))[:self.n] for core in cores]
                found[name].append(rows[0] if single else rows)
        return {name: rows if name == "spikes" else np.array(rows)
                for name, rows in found.items()}
