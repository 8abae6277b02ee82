# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/GraphCycles.cpp.
"""Structure alone decides where loops wait: random recurrent networks give the
same outputs after their nodes are renamed and their edges shuffled, and those
of an executor with a rule of its own.

usage: loops_test.py DENDROLITH [GRAPHS [FIRST_SEED]]

The rule of the executor looks at single connections of populations, not at
loops one after the other: a connection waits if its source comes back to its
target past populations that are no earlier than the target. Earlier is what
the input reaches past fewer ticks of Delay nodes, then past fewer populations,
then what is farther from the output.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py  # noqa: F401
    import numpy as np
except ImportError:
    print("skipped: needs numpy and h5py")
    sys.exit(77)

import random_graphs

STEPS, SIZE = 24, 2
FAR = (10 ** 9, 10 ** 9)


class Network:
    """Populations 0..n-1; the input is -1, the output n. A connection has a
    matrix and the ticks of a Delay node on its source's elements."""

    def __init__(self, rng):
        self.count = int(rng.integers(2, 6))
        self.tau = rng.uniform(2, 10, (self.count, SIZE))
        self.theta = rng.uniform(0.2, 0.8, (self.count, SIZE))
        pairs = {(-1, int(rng.integers(self.count)))}
        pairs |= {(-1, int(i)) for i in rng.integers(self.count, size=rng.integers(0, 2))}
        for _ in range(int(rng.integers(self.count, 3 * self.count))):
            a, b = rng.integers(self.count, size=2)
            pairs.add((int(a), int(b)))
        if rng.random() < 0.7:  # else some may be fed by nothing
            pairs |= {(i, i + 1) for i in range(self.count - 1)} | {(-1, 0)}
        pairs |= {(int(i), self.count) for i in rng.integers(self.count, size=2)}
        self.connections = []
        for a, b in sorted(pairs):
            ticks = np.zeros(SIZE, int)
            if b != self.count and rng.random() < 0.3:
                ticks = rng.integers(0, 4, SIZE)
            self.connections.append((a, b, rng.uniform(-0.3, 1.6, (SIZE, SIZE)), ticks))
        fed = {b for _, b, _w, _t in self.connections}
        self.meets_before = [i in fed and rng.random() < 0.4 for i in range(self.count)]


def earliness(network):
    def ways(start, forward):
        way = {node: FAR for node in range(-1, network.count + 1)}
        for node in start:
            way[node] = (0, 0)
        for _ in range(network.count + 2):
            for a, b, _weights, ticks in network.connections:
                a, b = (a, b) if forward else (b, a)
                past = (way[a][0] + int(ticks.min()), way[a][1] + (0 <= a < network.count))
                if way[a] != FAR and past < way[b]:
                    way[b] = past
        return way
    fed = {b for _, b, _w, _t in network.connections}
    reached = ways([-1] + [i for i in range(network.count) if i not in fed], True)
    left = ways([network.count], False)
    return [(reached[i], (-left[i][0], -left[i][1])) for i in range(network.count)]


def waits(network):
    """For each connection, whether it waits."""
    early = earliness(network)
    found = []
    for a, b, _w, ticks in network.connections:
        if a < 0 or b == network.count or ticks.min() > 0:
            found.append(False)
            continue
        seen = {b}
        while True:
            more = {d for c, d, _w, t in network.connections
                    if c in seen and d < network.count and t.min() == 0
                    and early[d] >= early[b]} - seen
            if not more:
                break
            seen |= more
        found.append(a in seen and early[a] >= early[b])
    return found


def expected(network, inputs):
    late = waits(network)
    order, left = [], set(range(network.count))
    while left:
        ready = [i for i in left if not any(
            b == i and a in left and not wait and ticks.min() == 0
            for (a, b, _w, ticks), wait in zip(network.connections, late))]
        assert ready, "the rule left a loop"
        order += ready
        left -= set(ready)
    spikes = np.zeros((STEPS, network.count + 1, SIZE))
    v = np.zeros((network.count, SIZE))
    out = np.zeros((STEPS, SIZE))
    for t in range(STEPS):
        for i in order + [network.count]:
            total = np.zeros(SIZE)
            for (a, b, weights, ticks), wait in zip(network.connections, late):
                if b != i:
                    continue
                held = np.where(ticks == 0, int(wait), ticks)
                source = inputs if a < 0 else spikes[:, a]
                x = [source[t - d, k] if t >= d else 0 for k, d in enumerate(held)]
                total += weights @ x
            if i == network.count:
                out[t] = total
                continue
            v[i] += (total - v[i]) / network.tau[i]
            spikes[t, i] = v[i] > network.theta[i]
            v[i] = np.where(spikes[t, i], 0, v[i])
    return out, sum(late)


class File:
    """The network with names of its own for all inner nodes."""
    old = False

    def __init__(self, network, rng):
        self.nodes = {"input": {"type": "Input", "shape": np.array([SIZE])},
                      "output": {"type": "Output", "shape": np.array([SIZE])}}
        self.edges = []
        self.free = iter(rng.permutation(1000))
        neurons, sums = [], []
        for i in range(network.count):
            neurons.append(self.add("LIF", tau=network.tau[i] * 1e-4, r=np.ones(SIZE),
                                    v_leak=np.zeros(SIZE), v_threshold=network.theta[i]))
            sums.append(neurons[i])
            if network.meets_before[i]:  # one node adds all that arrives
                sums[i] = self.add("Linear", weight=np.eye(SIZE))
                self.edges.append((sums[i], neurons[i]))
        for a, b, weights, ticks in network.connections:
            at = "input" if a < 0 else neurons[a]
            if ticks.any():
                delay = self.add("Delay", delay=ticks * 1e-4)
                self.edges.append((at, delay))
                at = delay
            linear = self.add("Linear", weight=weights)
            to = "output" if b == network.count else sums[b]
            self.edges += [(at, linear), (linear, to)]
        self.edges = [self.edges[i] for i in rng.permutation(len(self.edges))]

    def add(self, kind, **fields):
        name = f"n{next(self.free):03d}"
        self.nodes[name] = {"type": kind, **fields}
        return name


def run(dendrolith, file, inputs, folder, *more):
    random_graphs.write(folder / "net.nir", file)
    np.save(folder / "x.npy", inputs[None])
    done = subprocess.run([dendrolith, "run", folder / "net.nir", *(more or ["--engine", "float"]),
                           "--input", folder / "x.npy", "--out", folder / "out"],
                          capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    return np.load(folder / "out" / "outputs.npy").reshape(STEPS, SIZE)


def main():
    dendrolith = sys.argv[1]
    graphs = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    waiting = spiking = 0
    for seed in range(first, first + graphs):
        rng = np.random.default_rng(seed)
        network = Network(rng)
        inputs = (rng.random((STEPS, SIZE)) < 0.5).astype(float)
        wanted, late = expected(network, inputs)
        waiting += late > 0
        spiking += bool(np.any(wanted))
        for variant in range(2):
            with tempfile.TemporaryDirectory() as folder:
                found = run(dendrolith, File(network, rng), inputs, pathlib.Path(folder))
            if isinstance(found, str) or not np.allclose(found, wanted, atol=1e-9):
                print(f"FAILED: graph {seed}, names {variant}: {found}, expected {wanted}")
                sys.exit(1)
        if seed % 5:
            continue
        # Nor do names decide what rounding makes of it.
        integers = []
        for variant in range(2):
            with tempfile.TemporaryDirectory() as folder:
                integers.append(run(dendrolith, File(network, rng), inputs, pathlib.Path(folder), "--target",
                                    "loihi2", "--calibrate", pathlib.Path(folder) / "x.npy"))
        if isinstance(integers[0], str) or not np.array_equal(*integers):
            print(f"FAILED: graph {seed} on loihi2: {integers}")
            sys.exit(1)
    print(f"ok: {graphs} recurrent networks under 2 sets of names; a connection waits in "
          f"{waiting} of them, {spiking} have output")
    if graphs >= 40 and (waiting < graphs // 2 or spiking < graphs // 2):
        print("FAILED: too few of them say anything")
        sys.exit(1)


if __name__ == "__main__":
    main()
