# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A core whose neurons join others within a step, as one neuron of `dend`.

Neurons are updated in the order of their ids, and a spike adds to its parent's sum
at once: a parent with a higher id sees it in the same step, another one in the next.
No neuron of `dend` sees another one, but compartments of a neuron see each other. So
all are compartments here, one after the other in the body, with their parameters as
numbers in it. A spike joins by a sum, by what is farther from zero (`dend.join
absmax`) or by bits.
"""
from case import NO_PARENT, signed

WIDE, HALF, RATIO = "!dend.fx<24, 0>", "!dend.fx<16, 0>", "!dend.fx<16, -12>"
PRODUCT = "!dend.fx<40, -12>"
BITS = 24


class Compartments:
    """The neuron, with what network.py asks of it."""

    def __init__(self, core, ignored, graded, passes):
        self.core, self.p, self.size = core, core.parameters, core.size
        self.graded, self.passes = graded, passes
        self.branched = bool(core.flags["dendritic"])
        self.current = bool(core.currents.any())
        self.ports = {"I": WIDE, "X": WIDE, "W": HALF}
        if self.branched:
            self.ports.update(D1=HALF, D2=HALF, D3=HALF)
        if ignored:
            self.ports["Z"] = HALF
        # j is what joins leave for the next step.
        self.states = ["v", "r"] + (["u"] if self.current else []) + ["j"]
        self.values = {}  # all are numbers in the body
        self.lines, self.literals, self.count = [], {}, 0

    def kind(self, _):
        return WIDE

    def vector(self, kind):
        return f"tensor<{self.size}x{kind}>"

    # Lines; each returns the name of its value.

    def add(self, text, depth=0):
        self.count += 1
        name = f"%t{self.count}"
        self.lines.append("    " + "  " * depth + f"{name} = dend.{text}")
        return name

    def number(self, value, kind=WIDE):
        if (value, kind) not in self.literals:
            self.literals[value, kind] = f"%c{len(self.literals)}"
        return self.literals[value, kind]

    def op(self, name, a, b, kind=WIDE, depth=0):
        wrap = " overflow wrap" if name in ("add", "sub") else ""
        return self.add(f"{name} {a}, {b}{wrap} : ({kind}, {kind}) -> {kind}", depth)

    def compare(self, how, a, b, kind=WIDE):
        return self.add(f"cmp {how} {a}, {b} : ({kind}, {kind}) -> i1")

    def select(self, mask, a, b, kind=WIDE):
        return self.add(f"select {mask}, {a}, {b} : (i1, {kind}, {kind}) -> {kind}")

    def element(self, vector, n, kind):
        return self.add(f"element %{vector}[{n}] : ({self.vector(kind)}) -> {kind}")

    def gather(self, values, kind):
        return self.add(f"concat {', '.join(values)} : ({', '.join([kind] * len(values))}) "
                        f"-> {self.vector(kind)}")

    def text(self, name):
        size = range(self.size)
        v = [self.element("v", n, WIDE) for n in size]
        r = [self.element("r", n, WIDE) for n in size]
        u = [self.element("u", n, WIDE) if self.current else None for n in size]
        # What joins have left is replaced where the host writes.
        sums = []
        for n in size:
            writes = self.compare("gt", self.element("W", n, HALF), self.number(0, HALF), HALF)
            kept = self.select(writes, self.element("X", n, WIDE), self.element("j", n, WIDE))
            sums.append(self.op("add", kept, self.element("I", n, WIDE)))
        if "Z" in self.ports:
            # Nothing is above the largest number: what comes here adds nothing.
            above = self.compare("gt", self.element("Z", 0, HALF), self.number(32767, HALF), HALF)
            sums[0] = self.select(above, self.number(1), sums[0])
        emitted = [[self.update(n, v, r, u, sums, number == 0) for n in size]
                   for number in range(self.passes)]
        kind = WIDE if self.graded else "i1"
        outputs = [self.gather(values, kind) for values in emitted]
        states = [self.gather(values, WIDE)
                  for values in [v, r] + ([u] if self.current else []) + [sums]]
        vector = self.vector(WIDE)
        self.lines.append(
            f"    dend.yield states({', '.join(states)} : {', '.join([vector] * len(states))}) "
            f"emit({', '.join(outputs)} : {', '.join([self.vector(kind)] * len(outputs))})")
        literals = [f"    {name} = dend.literal {value} : i64 as {kind}"
                    for (value, kind), name in self.literals.items()]
        literals += [f"    %one = dend.literal dense<1> : tensor<1xi64> as tensor<1x{WIDE}>"]
        literals += [f"    %{at} = dend.literal dense<{[by * k + start for k in range(BITS)]}> "
                     f": tensor<{BITS}xi64> as tensor<{BITS}xi32>"
                     for at, by, start in (("down", -1, 0), ("below", -1, -1), ("up", 1, 0))]
        ports = ", ".join(f"%{k} : {self.vector(t)}" for k, t in self.ports.items())
        held = ", ".join(f"%{k} : {vector} reset sample" for k in self.states)
        spike = "!dend.spike<int, 0, 255>" if self.graded else "!dend.spike<binary>"
        names = ["s"] + [f"s_{number}" for number in range(1, self.passes)]
        return [f"  dend.neuron @{name} ports({ports}) params()", f"      states({held})",
                f"      outputs({', '.join(f'{o}[{self.size}] : {spike}' for o in names)}) {{",
                *literals, *self.lines, "  }"]

    def update(self, n, v, r, u, sums, first):
        """One neuron in one pass: replaces its entries, and returns what it emits."""
        p = {name: int(values[n]) for name, values in self.p.items()}
        zero, rest, theta = self.number(0), self.number(p["rest"]), self.number(p["thr"])
        leak = self.number(p["leak"])
        old_v, old_u, gathered = v[n], u[n], sums[n]
        total = gathered
        if self.branched:
            total = self.op("add", total, self.tree(n, p, first))
        held = self.compare("gt", r[n], zero)
        current = bool(p["decay_v"] or p["decay_u"] or p["bias"])
        if current:
            x, held_v, new_u = self.with_current(p, old_v, old_u, total)
            free = x
        else:
            summed = self.op("add", old_v, total)
            x = self.op("sub", summed, leak)
            free = self.select(self.compare("gt", summed, leak), x, rest)
            held_v, new_u = rest, zero
        over = self.select(self.compare("ge", x, theta), self.number(1), zero)
        spike = self.compare("gt", self.select(held, zero, over), zero)
        new_v = self.select(spike, rest, self.select(held, held_v, free))
        less = self.op("sub", r[n], self.number(1))
        r[n] = self.select(spike, self.number(p["refrac"] & 255), self.select(held, less, r[n]))
        v[n] = self.op("min", self.op("max", new_v, self.number(p["vmin"])),
                       self.number(p["vmax"]))
        u[n], sums[n] = new_u if self.current else None, zero
        if p["parent"] != NO_PARENT:
            given = theta
            if current:
                given = (theta, old_v, old_u, gathered)[p["joinop"] >> 2 & 3]
            self.join(spike, given, p["joinop"] & 3, p["parent"], sums)
        return self.emitted(p, spike, old_v, total, leak, theta)

    def emitted(self, p, spike, v, total, leak, theta):
        if not self.graded:
            seen = self.select(spike, self.number(p["root"]), self.number(0))
            return self.compare("gt", seen, self.number(0))
        excess = self.op("sub", self.op("sub", self.op("add", v, total), leak), theta)
        payload = self.op("min", self.op("max", excess, self.number(1)), self.number(255))
        return self.select(spike, payload if p["root"] else self.number(0), self.number(0))

    def with_current(self, p, v, u, total):
        step_u, step_v = self.quotient(u, p["decay_u"]), self.quotient(v, p["decay_v"])
        drive = self.quotient(total, p["decay_u"]) if self.core.flags["scale_u"] else total
        bias = self.number(signed(signed(p["bias"] >> 3, 13) << (p["bias"] & 7), BITS))
        new_u = self.op("add", self.op("sub", u, step_u), drive)
        rest_v = self.op("sub", v, step_v)
        free = self.op("add", self.op("add", rest_v, u), bias)
        held = self.op("sub", rest_v, bias) if p["refrac"] & 512 else self.number(p["rest"])
        return free, held, new_u

    def quotient(self, value, ratio):
        """As network.py has it: away from zero, and one below the floor of a negative
        product that leaves a rest."""
        if not ratio:
            return self.number(0)
        product = self.add(f"mul {value}, {self.number(ratio, RATIO)} "
                           f": ({WIDE}, {RATIO}) -> {PRODUCT}")
        minus = self.add(f"neg {product} : ({PRODUCT}) -> {PRODUCT}")
        floor, other = (self.add(f"rescale {x} round floor overflow wrap : ({PRODUCT}) -> {WIDE}")
                        for x in (product, minus))
        ceil = self.op("sub", self.number(0), other)
        below = self.op("sub", floor, self.op("sub", ceil, floor))
        return self.select(self.compare("lt", value, self.number(0)), below, ceil)

    def tree(self, n, p, first):
        """What its branches add. Where each leads does not change."""
        lead = [p["dparent"] >> shift & 3 for shift in (0, 2, 4)]
        nothing = self.number(0, HALF)
        came = [self.element(f"D{k}", n, HALF) if first else nothing for k in (1, 2, 3)]

        def excess(value, threshold):
            threshold = self.number(p[threshold], HALF)
            return self.select(self.compare("gt", value, threshold, HALF),
                               self.op("sub", value, threshold, HALF), nothing, HALF)

        def plus(a, b, gate):
            return self.op("add", a, b, HALF) if gate else a

        out3 = excess(came[2], "dthr3")
        out2 = excess(plus(came[1], out3, lead[2] == 2), "dthr2")
        out1 = excess(plus(plus(came[0], out2, lead[1] == 1), out3, lead[2] == 1), "dthr1")
        tree = nothing
        for out, to in zip((out1, out2, out3), lead):
            tree = plus(tree, out, to == 0)
        return self.add(f"rescale {tree} round floor overflow wrap : ({HALF}) -> {WIDE}")

    def join(self, spike, given, how, parent, sums):
        """A spike adds `given` to its parent's sum. The product of one term is what
        takes the chip's three cycles, for a neuron has no other one."""
        exists = parent < self.size
        held = sums[parent] if exists else self.number(0)
        self.count += 1
        result = f"%t{self.count}"
        self.lines.append(f"    {result} = dend.when {spike} keep({held} : {WIDE}) -> ({WIDE}) {{")
        one = f"tensor<1x{WIDE}>"
        term = self.add(f"splat {given} : ({WIDE}) -> {one}", 1)
        if how == 3 or not exists:
            term = self.add(f"sub {term}, {term} overflow wrap : ({one}, {one}) -> {one}", 1)
        value = self.add(f"dot {term}, %one : ({one}, {one}) -> {WIDE}", 1)
        if how == 1:
            value = self.add(f"join absmax({held}, {value}) : ({WIDE}, {WIDE}) -> {WIDE}", 1)
        elif how == 2:
            value = self.either(held, value)
        else:
            value = self.op("add", held, value, depth=1)
        self.lines += [f"      dend.give {value} : {WIDE}", "    }"]
        if exists:
            sums[parent] = result
        else:
            # Nothing is below the lowest number, so that this changes nothing.
            low = self.compare("lt", result, self.number(-1 << BITS - 1))
            sums[0] = self.select(low, result, sums[0])

    def either(self, a, b):
        """All bits that one of both has."""
        all_bits = f"tensor<{BITS}x{WIDE}>"
        amounts = f"({all_bits}, tensor<{BITS}xi32>) -> {all_bits}"
        both = f"({all_bits}, {all_bits}) -> {all_bits}"

        def bits(x):
            x = self.add(f"splat {x} : ({WIDE}) -> {all_bits}", 1)
            down, below = (self.add(f"shift {x} by %{by} round floor : {amounts}", 1)
                           for by in ("down", "below"))
            rest = self.add(f"sub {down}, {below} overflow wrap : {both}", 1)
            return self.add(f"sub {rest}, {below} overflow wrap : {both}", 1)

        either = self.add(f"max {bits(a)}, {bits(b)} : {both}", 1)
        up = self.add(f"shift {either} by %up round floor : {amounts}", 1)
        return self.add(f"reduce sum {up} : ({all_bits}) -> {WIDE}", 1)
