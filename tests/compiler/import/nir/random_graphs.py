# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random NIR graphs with every node type, as files that any writer might make.

A graph is a chain of nodes from one or two inputs to one or two outputs, with
skips, repeated edges, loops and nested graphs. What is never made: a loop over
more than one stateless node (the oracle starts such loops otherwise).
"""
import h5py
import numpy as np

NEURONS = ("I", "IF", "LI", "LIF", "CubaLI", "CubaLIF")
NAMES = ("if", "lambda", "lif1.lif", "a b", "größe", "0", "10", "2", "conv", "class")


class Graph:
    """Nodes (name -> dict with `type`), edges, and what the tests want to know."""

    def __init__(self, rng):
        self.rng, self.nodes, self.edges, self.shapes = rng, {}, [], {}
        self.old = rng.random() < 0.4  # 0-d parameters, no v_reset, contiguous

    def name(self, kind):
        free = [n for n in NAMES if n not in self.nodes]
        if free and self.rng.random() < 0.3:
            return str(self.rng.choice(free))
        return f"{kind.lower()}_{len(self.nodes)}"

    def add(self, kind, size, source=None, name=None, **fields):
        name = name or self.name(kind)
        self.nodes[name] = {"type": kind, **fields}
        self.shapes[name] = tuple(int(n) for n in size)
        if source is not None:
            self.edges.append((source, name))
        return name

    def numbers(self, shape, low, high):
        values = self.rng.uniform(low, high, shape)
        pick = self.rng.random()
        if pick < 0.1:
            return np.rint(values * 2).astype(np.int64)
        return values.astype(np.float32 if pick < 0.6 else np.float64)

    def per_neuron(self, shape, low, high):
        if self.old and self.rng.random() < 0.5:
            return np.float64(self.rng.uniform(low, high))
        same = self.rng.random() < 0.3
        drawn = self.rng.uniform(low, high, () if same else shape)
        return np.broadcast_to(drawn, shape).astype(np.float64)


def neuron(graph, policy, shape, source):
    rng, p = graph.rng, graph.per_neuron
    kind = str(rng.choice(NEURONS))
    tau = lambda: p(shape, 4 * policy.unit, 40 * policy.unit)  # noqa: E731
    if policy.integrator != "expdecay" and rng.random() < 0.1:
        tau = lambda: p(shape, 1.2 * policy.unit, 3 * policy.unit)  # noqa: E731
    fields = {"r": p(shape, 0.5, 3)}
    if kind in ("LI", "LIF"):
        fields.update(tau=tau(), v_leak=p(shape, -0.2, 0.3))
    if kind in ("CubaLI", "CubaLIF"):
        fields.update(tau_syn=tau(), tau_mem=tau(), v_leak=p(shape, -0.2, 0.3))
        if rng.random() < 0.6:
            fields["w_in"] = np.float64(1.5) if rng.random() < 0.3 else p(shape, 0.5, 4)
    if kind.endswith("IF"):
        fields["v_threshold"] = p(shape, 0.2, 1.5)
        if not graph.old and policy.reset == "value" and rng.random() < 0.7:
            fields["v_reset"] = p(shape, -0.3, 0.1)
    if not graph.old:  # all parameters of a node have one shape there
        for key, value in fields.items():
            if key != "w_in":
                fields[key] = np.broadcast_to(value, shape).copy()
    name = graph.add(kind, shape, source, **fields)
    return name


def convolution(graph, shape, source):
    rng, flat = graph.rng, len(shape) == 2
    axes = 1 if flat else 2
    groups = int(rng.choice([g for g in (1, 2, 3) if shape[0] % g == 0]))
    out = groups * int(rng.integers(1, 4))
    pair = lambda low, high: rng.integers(low, high + 1, axes)  # noqa: E731
    kernel = np.minimum(pair(1, 3), shape[1:])
    stride, dilation, padding = pair(1, 2), pair(1, 2), pair(0, 2)
    room = np.array(shape[1:]) + 2 * padding - dilation * (kernel - 1)
    dilation[room < 1] = 1
    if rng.random() < 0.2:
        padding, stride = str(rng.choice(["same", "valid"])), np.ones(axes, int)
        dilation = np.ones(axes, int)
    fields = {"weight": graph.numbers((out, shape[0] // groups, *kernel), -0.6, 0.8),
              "bias": graph.numbers(out, -0.1, 0.1) * (rng.random() < 0.6),
              "stride": stride, "padding": padding, "dilation": dilation,
              "groups": np.int64(groups)}
    for key in ("stride", "padding", "dilation"):
        value = fields[key]
        if not isinstance(value, str) and (flat or (value == value[0]).all()) \
                and rng.random() < 0.5:
            fields[key] = np.int64(value[0])
    if rng.random() < 0.6:
        fields["input_shape"] = np.int64(shape[1]) if flat else np.array(shape[1:])
    if isinstance(padding, str):
        total = dilation * (kernel - 1) if padding == "same" else np.zeros(axes, int)
    else:
        total = 2 * padding
    size = (np.array(shape[1:]) + total - dilation * (kernel - 1) - 1) // stride + 1
    return graph.add("Conv1d" if flat else "Conv2d", (out, *size), source, **fields)


def pooling(graph, shape, source):
    rng = graph.rng
    kernel = np.minimum(rng.integers(1, 4, 2), shape[1:])
    stride = kernel.copy() if rng.random() < 0.6 else rng.integers(1, 3, 2)
    padding = rng.integers(0, kernel // 2 + 1)
    size = (np.array(shape[1:]) + 2 * padding - kernel) // stride + 1
    fields = {"kernel_size": kernel, "stride": stride, "padding": padding}
    for key, value in fields.items():
        if value[0] == value[1] and rng.random() < 0.5:
            fields[key] = np.int64(value[0])
    kind = str(rng.choice(["SumPool2d", "AvgPool2d"]))
    return graph.add(kind, (shape[0], *size), source, **fields)


def dense(graph, shape, source, out=None):
    rng = graph.rng
    out = out or int(rng.integers(2, 6))
    bias = rng.random() < 0.6
    fields = {"weight": graph.numbers((*shape[:-1], out, shape[-1]), -0.8, 1)}
    if bias:
        fields["bias"] = graph.numbers((*shape[:-1], out), -0.1, 0.2)
    return graph.add("Affine" if bias else "Linear", (*shape[:-1], out), source, **fields)


def flatten(graph, shape, source):
    start = int(graph.rng.integers(0, len(shape)))
    end = int(graph.rng.integers(start, len(shape)))
    out = shape[:start] + (int(np.prod(shape[start:end + 1])),) + shape[end + 1:]
    fields = {"start_dim": np.int64(start),
              "end_dim": np.int64(end if graph.rng.random() < 0.5 else end - len(shape))}
    if graph.rng.random() < 0.6:
        fields["input_type"] = np.array(shape)
    return graph.add("Flatten", out, source, **fields)


def step(graph, policy, source):
    """One more node behind `source`."""
    rng, shape = graph.rng, graph.shapes[source]
    kinds = ["neuron", "neuron", "dense", "scale", "threshold", "flatten", "delay"]
    kinds += ["conv"] * 3 if len(shape) in (2, 3) else []
    kinds += ["pool"] * 2 if len(shape) == 3 else []
    kind = str(rng.choice(kinds))
    if kind == "neuron":
        return neuron(graph, policy, shape, source)
    if kind == "threshold":
        name = graph.add("Threshold", shape, source,
                         threshold=graph.per_neuron(shape, -0.2, 0.8))
        return name
    if kind == "delay":
        ticks = rng.integers(0, 4, () if graph.old else shape)
        return graph.add("Delay", shape, source,
                         delay=np.asarray(ticks * policy.unit, float))
    if kind == "scale":
        return graph.add("Scale", shape, source,
                         scale=graph.numbers(shape, -0.5, 1.5))
    if kind == "flatten":
        return flatten(graph, shape, source)
    if kind == "dense":
        return dense(graph, shape, source)
    if kind == "conv":
        return convolution(graph, shape, source)
    return pooling(graph, shape, source)


def loop(graph, name):
    """The neuron `name` drives itself, directly or through a dense node."""
    shape = graph.shapes[name]
    if graph.rng.random() < 0.4:
        graph.edges.append((name, name))
        return
    back = dense(graph, shape, name, out=shape[-1])
    graph.nodes[back]["weight"] = graph.nodes[back]["weight"] * 0.3
    graph.edges.append((back, name))


def nest(graph, chain):
    """Puts a part of the chain into a nested graph with named ports."""
    first = int(graph.rng.integers(1, len(chain)))
    last = int(graph.rng.integers(first, len(chain)))
    inside = set(chain[first:last + 1])
    # What hangs on an inner node alone, a loop's way back, goes with it.
    for a, b in graph.edges:
        if a in inside and b not in chain and graph.nodes[b]["type"] != "Output":
            inside.add(b)
    entries = {b for a, b in graph.edges if b in inside and a not in inside}
    exits = {a for a, b in graph.edges if a in inside and b not in inside}
    if entries != {chain[first]} or not exits:
        return
    nodes = {"in": {"type": "Input", "shape": np.array(graph.shapes[chain[first - 1]])}}
    edges = [("in", chain[first])]
    for at in sorted(exits):
        port = f"out{len(nodes)}"
        nodes[port] = {"type": "Output", "shape": np.array(graph.shapes[at])}
        edges.append((at, port))
    single = len(exits) == 1
    outer = []
    port_of = {a: b for a, b in edges[1:]}
    for a, b in graph.edges:
        if a in inside and b in inside:
            edges.append((a, b))
        elif b in inside:
            outer.append((a, "sub" if graph.rng.random() < 0.5 else "sub.in"))
        elif a in inside:
            outer.append(("sub" if single else f"sub.{port_of[a]}", b))
        else:
            outer.append((a, b))
    for name in inside:
        nodes[name] = graph.nodes.pop(name)
    graph.nodes["sub"] = {"type": "NIRGraph", "nodes": nodes, "edges": edges}
    graph.edges = outer


def make(rng, policy):
    graph = Graph(rng)
    size = lambda low, high: int(rng.integers(low, high))  # noqa: E731
    shape = [(size(2, 7),), (size(1, 4), size(4, 10)),
             (size(1, 4), size(4, 9), size(4, 9))][int(rng.choice(3, p=[.3, .2, .5]))]
    at = graph.add("Input", shape, name="input", shape=np.array(shape))
    chain = [at]
    for _ in range(size(1, 8)):
        at = step(graph, policy, at)
        chain.append(at)
        kind = graph.nodes[at]["type"]
        if kind in NEURONS and not policy.feed_forward and rng.random() < 0.25:
            loop(graph, at)
        earlier = [n for n in chain[:-2] if graph.shapes[n] == graph.shapes[chain[-2]]]
        if earlier and rng.random() < 0.3:
            graph.edges.append((str(rng.choice(earlier)), at))
        if rng.random() < 0.08:
            graph.edges.append(graph.edges[-1])
    if len(chain) == 1:
        return make(rng, policy)
    graph.add("Output", graph.shapes[at], at, name="output",
              shape=np.array(graph.shapes[at]))
    if rng.random() < 0.3:
        extra = str(rng.choice(chain[1:]))
        graph.add("Output", graph.shapes[extra], extra, name="probe",
                  shape=np.array(graph.shapes[extra]))
    if rng.random() < 0.2:
        graph.add("Input", shape, name="second", shape=np.array(shape))
        graph.edges.append(("second", chain[1]))
    if rng.random() < 0.25:
        nest(graph, chain)
    graph.edges = [graph.edges[i] for i in rng.permutation(len(graph.edges))]
    return graph


def write(path, graph):
    """As the official writer lays files out: gzip since 1.0.7, and before not."""
    with h5py.File(path, "w") as f:
        f["version"] = "0.2.0" if graph.old else "1.0.7"
        write_graph(f.create_group("node"), graph.nodes, graph.edges, graph.old)


def write_graph(group, nodes, edges, old):
    text = h5py.string_dtype("utf-8")
    group.create_dataset("type", data="NIRGraph", dtype=text)
    if edges:
        group.create_dataset("edges", data=np.array(edges, dtype=object), dtype=text)
    else:
        group.create_dataset("edges", data=np.zeros(0))
    for name, node in nodes.items():
        inner = group.require_group("nodes").create_group(name)
        if node["type"] == "NIRGraph":
            write_graph(inner, node["nodes"], node["edges"], old)
            continue
        for key, value in node.items():
            if isinstance(value, str):
                inner.create_dataset(key, data=value, dtype=text)
            elif np.ndim(value) == 0 or old:
                inner.create_dataset(key, data=value)
            else:
                inner.create_dataset(key, data=value, compression="gzip")
