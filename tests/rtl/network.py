# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a case as a network of the dialect `dend`.

The chip's neuron is a step body in 24 and 16 bits that wrap. Each synapse stays one
of its own, also where several join the same two neurons or add nothing: the chip
spends time on it. A spike of a step is seen in the next one, so a delay d of the
chip is `delay d + 1`. Several passes over the neurons in a step are one after the
other in the body, each with an output of its own. A core whose neurons join others
within a step is one neuron of as many compartments (joins.py).
"""
import numpy as np

from case import signed
from joins import Compartments

WIDE, HALF, RATIO = "!dend.fx<24, 0>", "!dend.fx<16, 0>", "!dend.fx<16, -12>"
PRODUCT = "!dend.fx<40, -12>"
BINARY, GRADED = "!dend.spike<binary>", "!dend.spike<int, 0, 255>"
SHIFT = 7  # of a graded product


class Unexpressed(Exception):
    """The case has something that no network says today."""


class Body:
    """The lines of a step body, pass by pass: a name that a pass computes gets the
    pass's suffix."""

    def __init__(self, shared):
        self.lines, self.suffix = [], ""
        self.shared = set(shared)  # names of all passes
        self.alias = {}  # what a pass has instead

    def begin(self, number, alias):
        self.suffix, self.alias = f"_{number}" if number else "", alias

    def at(self, name):
        if name in self.alias:
            return self.alias[name]
        return name if name in self.shared else name + self.suffix

    def add(self, line):
        self.lines.append("    " + line)

    def op(self, name, result, a, b, kind=WIDE):
        wrap = " overflow wrap" if name in ("add", "sub") else ""
        self.add(f"%{self.at(result)} = dend.{name} %{self.at(a)}, %{self.at(b)}{wrap} "
                 f": ({kind}, {kind}) -> {kind}")

    def compare(self, how, result, a, b, kind=WIDE):
        self.add(f"%{self.at(result)} = dend.cmp {how} %{self.at(a)}, %{self.at(b)} "
                 f": ({kind}, {kind}) -> i1")

    def select(self, result, mask, a, b, kind=WIDE):
        self.add(f"%{self.at(result)} = dend.select %{self.at(mask)}, %{self.at(a)}, "
                 f"%{self.at(b)} : (i1, {kind}, {kind}) -> {kind}")

    def unary(self, line, result, value, kinds):
        """`line` has its operand as {}."""
        self.add(f"%{self.at(result)} = dend.{line.format('%' + self.at(value))} : {kinds}")

    def literal(self, result, value, kind=WIDE):
        self.shared.add(result)
        self.add(f"%{result} = dend.literal {value} : i64 as {kind}")


class Neuron:
    """The neuron of a core: which ports, parameters and states its body has."""

    def __init__(self, core, ignored, graded, passes):
        p, flags = core.parameters, core.flags
        self.graded, self.passes = graded, passes
        self.current = bool(core.currents.any())
        self.mixed = self.current and not core.currents.all()
        self.branched = bool(flags["dendritic"])
        self.scaled = bool(flags["scale_u"])
        self.ports = {"I": WIDE}
        if self.branched:
            self.ports.update(D1=HALF, D2=HALF, D3=HALF)
        if ignored:
            self.ports["Z"] = HALF
        self.states = ["v", "r"] + (["u"] if self.current else [])
        self.values = {
            "theta": p["thr"], "leak": p["leak"], "rest": p["rest"],
            "period": p["refrac"] & 255, "low": p["vmin"], "high": p["vmax"]}
        if not p["root"].all():
            self.values["root"] = p["root"]
        if self.current:
            self.values.update(
                relative=p["refrac"] >> 9 & 1, dv=p["decay_v"], du=p["decay_u"],
                bias=[signed(signed(b >> 3, 13) << (b & 7), 24) for b in p["bias"]])
        if self.mixed:
            self.values["form"] = core.currents
        self.halves = {"dv": RATIO, "du": RATIO}
        if self.branched:
            parent = [p["dparent"] >> shift & 3 for shift in (0, 2, 4)]
            gates = {"p10": parent[0] == 0, "p20": parent[1] == 0, "p21": parent[1] == 1,
                     "p30": parent[2] == 0, "p31": parent[2] == 1, "p32": parent[2] == 2}
            gates.update({f"h{i}": p[f"dthr{i}"] for i in (1, 2, 3)})
            self.values.update(gates)
            self.halves.update({name: HALF for name in gates})

    def kind(self, parameter):
        return self.halves.get(parameter, WIDE)

    def text(self, name):
        body = Body([*self.ports, *self.values, *self.states])
        body.literal("zero", 0)
        body.literal("one", 1)
        if self.branched:
            body.literal("zero16", 0, HALF)
        if self.graded:
            body.literal("largest", 255)
        alias, emitted = {}, []
        for number in range(self.passes):
            body.begin(number, alias)
            spike, states = self.one_pass(body, first=number == 0)
            emitted.append(body.at(spike))
            # What arrived is gone, and states go on.
            alias = {"I": "zero", "D1": "zero16", "D2": "zero16", "D3": "zero16"}
            states = [body.at(state) for state in states]
            alias.update(zip(self.states, states))
        kinds = ", ".join([WIDE] * len(states))
        of = "i1" if not self.graded else WIDE
        body.add(f"dend.yield states({', '.join('%' + s for s in states)} : {kinds}) "
                 f"emit({', '.join('%' + e for e in emitted)} : {', '.join([of] * self.passes)})")
        ports = ", ".join(f"%{k} : {t}" for k, t in self.ports.items())
        params = ", ".join(f"%{k} : {self.kind(k)} per_neuron" for k in self.values)
        states = ", ".join(f"%{k} : {WIDE} reset sample" for k in self.states)
        outputs = ", ".join(f"{o} : {GRADED if self.graded else BINARY}"
                            for o in outputs_of(self.passes))
        return [f"  dend.neuron @{name} ports({ports})", f"      params({params})",
                f"      states({states})", f"      outputs({outputs}) {{",
                *body.lines, "  }"]

    def one_pass(self, body, first):
        """Names what is emitted and the states behind."""
        total = self.total(body, first)
        body.compare("gt", "held", "r", "zero")
        body.op("sub", "less", "r", "one")
        if not self.current or self.mixed:
            leaky(body, total)
        if self.current:
            self.with_current(body, total)
        if self.mixed:
            body.compare("gt", "isCurrent", "form", "zero")
            body.select("keep", "isCurrent", "keepC", "keepL")
            body.select("fires", "isCurrent", "firesC", "firesL")
            body.select("u1", "isCurrent", "u1C", "zero")
        # A neuron that is held keeps silent.
        body.select("armed", "held", "zero", "fires" if self.mixed else
                    "firesC" if self.current else "firesL")
        body.compare("gt", "s", "armed", "zero")
        body.select("v1", "s", "rest", "keep" if self.mixed else
                    "keepC" if self.current else "keepL")
        body.select("r0", "held", "less", "r")
        body.select("r1", "s", "period", "r0")
        body.op("max", "v2", "v1", "low")
        body.op("min", "v3", "v2", "high")
        spike = "s"
        if "root" in self.values:
            body.select("shown", "s", "root", "zero")
            body.compare("gt", "seen", "shown", "zero")
            spike = "seen"
        if self.graded:
            # How far the sum is above the threshold, in either form.
            body.op("add", "reach", "v", total)
            body.op("sub", "leaked", "reach", "leak")
            body.op("sub", "excess", "leaked", "theta")
            body.op("max", "atLeast", "excess", "one")
            body.op("min", "payload", "atLeast", "largest")
            body.select("sent", spike, "payload", "zero")
            spike = "sent"
        return spike, ["v3", "r1"] + (["u1" if self.mixed else "u1C"] if self.current else [])

    def total(self, body, first):
        """The soma's sum and what its branches add; names the value."""
        total = "I"
        if self.branched:
            branches(body)
            body.unary("rescale {} round floor overflow wrap", "tree", "t16",
                       f"({HALF}) -> {WIDE}")
            body.op("add", "withTree", total, "tree")
            total = "withTree"
        if first and "Z" in self.ports:
            # Nothing is above the largest number: what comes here adds nothing.
            body.literal("top", 32767, HALF)
            body.compare("gt", "above", "Z", "top", HALF)
            body.select("kept", "above", "one", total)
            total = "kept"
        return total

    def with_current(self, body, total):
        quotient(body, "u", "du", "su")
        quotient(body, "v", "dv", "sv")
        drive = total
        if self.scaled:
            quotient(body, total, "du", "drive")
            drive = "drive"
        body.op("sub", "u0", "u", "su")
        body.op("add", "u1C", "u0", drive)
        body.op("sub", "v0", "v", "sv")
        body.op("add", "va", "v0", "u")  # the current before this step's input
        body.op("add", "xC", "va", "bias")
        body.compare("ge", "overC", "xC", "theta")
        body.select("firesC", "overC", "one", "zero")
        body.op("sub", "back", "v0", "bias")
        body.compare("gt", "falls", "relative", "zero")
        body.select("heldC", "falls", "back", "rest")
        body.select("keepC", "held", "heldC", "xC")


def leaky(body, total):
    body.op("add", "sum", "v", total)
    body.op("sub", "x", "sum", "leak")
    body.compare("ge", "over", "x", "theta")
    body.select("firesL", "over", "one", "zero")
    body.compare("gt", "above0", "sum", "leak")
    body.select("free", "above0", "x", "rest")
    body.select("keepL", "held", "rest", "free")


def quotient(body, value, ratio, result):
    """value * ratio / 4096: a positive product is rounded away from zero, a negative
    one that leaves a rest to one below its floor."""
    r = result
    body.add(f"%{body.at(r + 'p')} = dend.mul %{body.at(value)}, %{ratio} "
             f": ({WIDE}, {RATIO}) -> {PRODUCT}")
    body.unary("neg {}", f"{r}n", f"{r}p", f"({PRODUCT}) -> {PRODUCT}")
    for name, of in (("floor", "p"), ("floorN", "n")):
        body.unary("rescale {} round floor overflow wrap", r + name, r + of,
                   f"({PRODUCT}) -> {WIDE}")
    body.op("sub", f"{r}ceil", "zero", f"{r}floorN")
    body.op("sub", f"{r}rest", f"{r}ceil", f"{r}floor")
    body.op("sub", f"{r}below", f"{r}floor", f"{r}rest")
    body.compare("lt", f"{r}neg", value, "zero")
    body.select(r, f"{r}neg", f"{r}below", f"{r}ceil")


def branches(body):
    """Three branches, each a sum above its threshold, that lead to each other or to
    the soma."""
    def gate(mask, value, result):
        body.compare("gt", result + "On", mask, "zero16", HALF)
        body.select(result, result + "On", value, "zero16", HALF)

    def excess(value, threshold, result):
        body.compare("gt", result + "Over", value, threshold, HALF)
        body.op("sub", result + "Rest", value, threshold, HALF)
        body.select(result, result + "Over", result + "Rest", "zero16", HALF)

    excess("D3", "h3", "o3")
    gate("p32", "o3", "g32")
    body.op("add", "i2", "D2", "g32", HALF)
    excess("i2", "h2", "o2")
    gate("p21", "o2", "g21")
    gate("p31", "o3", "g31")
    body.op("add", "i1a", "D1", "g21", HALF)
    body.op("add", "i1", "i1a", "g31", HALF)
    excess("i1", "h1", "o1")
    gate("p10", "o1", "g10")
    gate("p20", "o2", "g20")
    gate("p30", "o3", "g30")
    body.op("add", "ta", "g10", "g20", HALF)
    body.op("add", "t16", "ta", "g30", HALF)


def outputs_of(passes):
    return ["s"] + [f"s_{number}" for number in range(1, passes)]


class Lists:
    """Synapses between two populations, as projections that hold each pair once."""

    def __init__(self):
        self.found = {}  # (port, delay) -> [{source: {target: weight}}, ...]

    def layer(self, port, delay, fits):
        layers = self.found.setdefault((port, delay), [])
        for layer in layers:
            if fits(layer):
                return layer
        layers.append({})
        return layers[-1]

    def add(self, source, target, weight, port, delay):
        """Adds a synapse with a weight of its own: where its list would become one
        of equal weights side by side, which a core may keep as one weight, it goes
        to another projection."""

        def fits(layer):
            row = layer.get(source, {})
            return target not in row and weight not in (row.get(target - 1), row.get(target + 1))

        self.layer(port, delay, fits).setdefault(source, {})[target] = weight

    def add_run(self, source, run):
        """Adds synapses of one stored weight."""
        port, _, _, delay = run[0]
        row = self.layer(port, delay, lambda layer: source not in layer)
        row[source] = {target: weight for _, target, weight, _ in run}

    def add_lists(self, core):
        """Adds those of a core; whether some of them add nothing."""
        for source in range(core.size):
            if core.index["format"][source] == 2:
                for run in core.runs(source):
                    self.add_run(source, run)
            else:
                for port, target, weight, delay in core.placed(source):
                    self.add(source, target, weight, port, delay)
        return any(port == "Z" for port, _ in self.found)

    def at_one_port(self, port):
        """Whatever they add to, for what they take."""
        found, self.found = self.found, {}
        for (_, delay), layers in sorted(found.items()):
            self.found.setdefault((port, delay), []).extend(layers)

    def text(self, name, source, target, passes=1, graded=False):
        lines = []
        for (port, delay), layers in sorted(self.found.items()):
            shift = f" product_shift {SHIFT}" if graded and port != "Z" else ""
            for k, layer in enumerate(layers):
                at = f"{name}_{port}_{delay}_{k}"
                rows = sorted((s, t, weight) for s, row in layer.items()
                              for t, weight in row.items())
                count = len(rows)
                lines += [constant(f"W{at}", [w for _, _, w in rows], f"{count}xi32"),
                          constant(f"X{at}", [[t, s] for s, t, _ in rows], f"{count}x2xi32")]
                lines += [f'  dend.project @{source}["{output}"] -> @{target}["{port}"] '
                          f"#dend.sparse weight @W{at} indices @X{at} delay {delay + 1}{shift}"
                          for output in outputs_of(passes)]
        return lines


def constant(name, values, shape):
    text = str(np.asarray(values).astype(int).tolist())
    return f"  dend.constant @{name} : tensor<{shape}> = dense<{text}> : tensor<{shape}>"


def remote_lists(case):
    remote = {}
    for core, neuron, _, to, target, weight in case.routes:
        remote.setdefault((core, to), Lists()).add(neuron, target, weight, "I", 0)
    return remote


def replay(case):
    """A network whose neurons fire when their input says so, with the synapses and
    routes of a case: for the time that recorded spikes take, whatever caused them."""
    if case.updates != 1 or any(core.joined for core in case.cores):
        raise Unexpressed("joins and several passes take time that spikes do not show")
    lines = ["dend.network @n1 {", "  dend.clock @step"]
    lines += [f"  dend.neuron @relay ports(%I : {WIDE}, %Z : {WIDE}) params()",
              f"      states(%v : {WIDE} reset sample) outputs(s : !dend.spike<binary>) {{",
              f"    %zero = dend.literal 0 : i64 as {WIDE}",
              f"    %s = dend.cmp gt %I, %zero : ({WIDE}, {WIDE}) -> i1",
              f"    dend.yield states(%Z : {WIDE}) emit(%s : i1)", "  }"]
    ends, lists = [], {}
    for c, core in enumerate(case.cores):
        lists[c, c] = Lists()
        lists[c, c].add_lists(core)
        lines += [f"  dend.input @x{c} on @step : tensor<{core.size}xf64> "
                  "as !dend.spike<int, -32768, 32767>",
                  f"  dend.population @n{c} : @relay[{core.size}] on @step",
                  f"  dend.constant @one{c} : tensor<{core.size}xi32> = dense<1> "
                  f": tensor<{core.size}xi32>"]
        ends += [f'  dend.project @x{c} -> @n{c}["I"] #dend.diagonal weight @one{c} delay 0',
                 f'  dend.output @s{c} = @n{c}["s"]',
                 f'  dend.output @v{c} = probe @n{c}["v"]']
    for core, neuron, _, to, target, _ in case.routes:
        # A table may lead back to its own core, which a list of ours does without the
        # sequencer; that takes the same for any core.
        to = (core + 1) % len(case.cores) if to == core else to
        lists.setdefault((core, to), Lists()).add(neuron, target, 1, "Z", 0)
    for (core, to), found in sorted(lists.items()):
        found.at_one_port("Z")
        ends += found.text(f"{core}to{to}", f"n{core}", f"n{to}")
    return "\n".join(lines + ends + ["}"]) + "\n"


def network(case):
    """The text of a case's network: populations n0, n1, ... with inputs x0, x1, ...
    (and w0, w1, ..., where the host writes, for cores with joins) and outputs s0, v0,
    r0, u0, ..., and s0_1, ... of further passes."""
    lines = ["dend.network @n1 {", "  dend.clock @step"]
    ends = []
    passes, graded = case.updates, case.graded
    if len(case.cores) > 1 and any(core.joined for core in case.cores):
        raise Unexpressed("joins beside contributions of other cores, which replace them")
    for c, core in enumerate(case.cores):
        lists = Lists()
        ignored = lists.add_lists(core)
        kind = Compartments if core.joined else Neuron
        neuron = kind(core, ignored, graded, passes)
        size = core.size
        lines.append(f"  dend.input @x{c} on @step : tensor<{size}xf64> "
                     "as !dend.spike<int, -32768, 32767>")
        lines += neuron.text(f"neuron{c}")
        for name, values in neuron.values.items():
            width = 16 if neuron.kind(name) != WIDE else 32
            lines.append(constant(f"{name}{c}", values, f"{size}xi{width}"))
        bind = ", ".join(f"{name} = @{name}{c}" for name in neuron.values)
        lines.append(f"  dend.population @n{c} : @neuron{c}[{1 if core.joined else size}] "
                     "on @step" + (f" bind {{{bind}}}" if bind else ""))
        lines.append(f"  dend.constant @one{c} : tensor<{size}xi32> = dense<1> "
                     f": tensor<{size}xi32>")
        if core.joined:
            lines.append(f"  dend.input @w{c} on @step : tensor<{size}xf64> as {BINARY}")
            ends.append(f'  dend.project @w{c} -> @n{c}["W"] #dend.diagonal weight @one{c} '
                        "delay 0")
        ends.append(f'  dend.project @x{c} -> @n{c}["{"X" if core.joined else "I"}"] '
                    f"#dend.diagonal weight @one{c} delay 0")
        ends += lists.text(f"{c}", f"n{c}", f"n{c}", passes, graded)
        ends += [f'  dend.output @s{c}{output[1:]} = @n{c}["{output}"]'
                 for output in outputs_of(passes)]
        ends += [f'  dend.output @{state}{c} = probe @n{c}["{state}"]' for state in neuron.states]
    for (core, to), lists in sorted(remote_lists(case).items()):
        ends += lists.text(f"{core}to{to}", f"n{core}", f"n{to}", passes, graded)
    return "\n".join(lines + ends + ["}"]) + "\n"
