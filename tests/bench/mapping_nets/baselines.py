# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placements by others' means: METIS cuts the graph, annealing puts the parts
on the mesh. Dendrolith checks, prices and simulates what comes out."""
import ctypes

import numpy as np

from .evaluate import reached

IDX = ctypes.POINTER(ctypes.c_int32)


def traffic(net, part, rate=None):
    """Messages between the parts of one partition, and from the host; without
    rates every source sends one."""
    parts = int(part.max()) + 1
    source, to = reached(net, part)
    own = np.concatenate([np.full(net.inputs, parts), part])[source]
    flow = np.bincount(own * parts + to, None if rate is None else rate[source],
                       (parts + 1) * parts)
    flow = flow.reshape(parts + 1, parts)
    return flow[:parts], flow[parts]


def metis():
    """libmetis with 32-bit numbers (that of Debian), or None."""
    try:
        return ctypes.CDLL("libmetis.so.5")
    except OSError:
        return None


def graph(net, rate):
    """Neurons as a graph without directions: begin, neighbour, weight. An edge
    weighs the rates of its sources, about 100 for the mean."""
    source = net.source_of_synapse() - net.inputs
    of_neuron = source >= 0
    source, target = source[of_neuron], net.col[of_neuron].astype(np.int64)
    weight = rate[net.inputs + source]
    scale = 100 / weight.mean() if weight.any() else 0
    weight = np.maximum(np.rint(weight * scale), 1)
    key = np.concatenate([source * net.neurons + target,
                          target * net.neurons + source])
    weight = np.concatenate([weight, weight])
    other = np.concatenate([source, source]) != np.concatenate([target, target])
    key, where = np.unique(key[other], return_inverse=True)
    total = np.bincount(where, weight[other])
    begin = np.searchsorted(key // net.neurons, np.arange(net.neurons + 1))
    return (begin.astype(np.int32), (key % net.neurons).astype(np.int32),
            total.astype(np.int32))


def partition(net, parts, capacity, rate, seed=1, library=None):
    """Part of each neuron: METIS k-way, then the fullest parts give away what
    is beyond `capacity`."""
    if parts == 1:
        return np.zeros(net.neurons, np.int64)
    library = library or metis()
    begin, neighbour, weight = graph(net, rate)
    options = np.full(40, -1, np.int32)
    library.METIS_SetDefaultOptions(options.ctypes.data_as(IDX))
    options[8] = seed  # METIS_OPTION_SEED
    slack = parts * capacity / net.neurons
    options[16] = min(max(int((slack - 1) * 1000), 1), 30)  # UFACTOR, in 1/1000
    part = np.zeros(net.neurons, np.int32)
    one = [ctypes.c_int32(v) for v in (net.neurons, 1, parts, 0)]
    status = library.METIS_PartGraphKway(
        ctypes.byref(one[0]), ctypes.byref(one[1]),
        begin.ctypes.data_as(IDX), neighbour.ctypes.data_as(IDX), None, None,
        weight.ctypes.data_as(IDX), ctypes.byref(one[2]), None, None,
        options.ctypes.data_as(IDX), ctypes.byref(one[3]),
        part.ctypes.data_as(IDX))
    if status != 1:
        raise RuntimeError(f"METIS ended with status {status}")
    return within(part.astype(np.int64), parts, capacity, begin, neighbour,
                  weight)


def within(part, parts, capacity, begin, neighbour, weight):
    """Moves neurons out of parts that hold too many, each to the part with room
    that it is connected with most."""
    size = np.bincount(part, minlength=parts)
    if size.sum() > parts * capacity:
        raise ValueError(f"{size.sum()} neurons for {parts} x {capacity}")
    for full in np.nonzero(size > capacity)[0]:
        members = np.nonzero(part == full)[0]
        to = np.zeros((len(members), parts))
        for row, v in enumerate(members):
            edges = slice(begin[v], begin[v + 1])
            to[row] = np.bincount(part[neighbour[edges]], weight[edges], parts)
        gain = to - to[:, [full]]
        while size[full] > capacity:
            gain[:, size >= capacity] = -np.inf
            row, other = np.unravel_index(np.argmax(gain), gain.shape)
            part[members[row]] = other
            gain[row] = -np.inf
            size[full] -= 1
            size[other] += 1
    return part


def anneal(flow, host, mesh, moves=200_000, seed=1):
    """Core of each part under message-hops: swaps of two cores of the chip, of
    which one may be empty, by simulated annealing."""
    parts, cores = len(flow), mesh.cores
    rng = np.random.default_rng(seed)
    x, y = mesh.place(np.arange(cores))
    distance = (abs(x[:, None] - x) + abs(y[:, None] - y)).astype(float)
    both = np.zeros((cores, cores))
    both[:parts, :parts] = flow + flow.T
    np.fill_diagonal(both, 0)
    to_host = np.zeros(cores)
    to_host[:parts] = host
    near = np.argsort(distance[0], kind="stable")  # parts lie by the host first
    at = near.copy()  # by part, empty ones last
    cost = best = 0.0
    kept = at.copy()
    first = rng.integers(0, parts, moves)
    second = rng.integers(0, cores, moves)
    chance = np.log(rng.random(moves))
    hot = None
    samples = []
    for step in range(moves):
        a, b = first[step], second[step]
        if a == b:
            continue
        p, q = at[a], at[b]
        nearer = distance[q, at] - distance[p, at]
        nearer[a] = nearer[b] = 0
        change = (both[a] - both[b]) @ nearer
        change += (to_host[a] - to_host[b]) * (distance[0, q] - distance[0, p])
        if hot is None:
            samples.append(abs(change))
            if len(samples) == 200:
                hot = np.mean(samples) or 1.0
            continue
        if change > 0:
            heat = .5 * hot * 1e-3 ** (step / moves)
            if chance[step] > -change / heat:  # exp(-change / heat) < a draw
                continue
        at[a], at[b] = q, p
        cost += change
        if cost < best - 1e-9:
            best, kept = cost, at.copy()
    return kept[:parts]


def chunks(net, parts):
    """Neurons in order, in equal parts."""
    return np.arange(net.neurons) * parts // net.neurons


def place(name, net, parts, mesh, capacity=1024, moves=200_000):
    """Core of each neuron: equal parts in the file's order on core 0, 1, ...
    (`chunks`), the same parts annealed (`in-order`), or those of METIS annealed."""
    rate = net.measured_rate()
    part = (partition(net, parts, capacity, rate) if name == "metis" else
            chunks(net, parts))
    if name != "chunks":
        part = anneal(*traffic(net, part, rate), mesh, moves)[part]
    return part.astype(np.int32)
