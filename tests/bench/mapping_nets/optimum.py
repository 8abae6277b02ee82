# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fewest messages and the least message-hops, by looking at every answer.

Every source counts as one, inputs too.
"""
import itertools

import numpy as np

from .evaluate import reached


def equal_partitions(neurons, size):
    """All partitions into parts of `size`: rows of the parts' bit masks."""
    def choose(free):
        if not free:
            return [()]
        first, rest = free[0], free[1:]
        rows = []
        for others in itertools.combinations(rest, size - 1):
            mask = 1 << first | sum(1 << v for v in others)
            left = tuple(v for v in rest if not mask >> v & 1)
            rows += [(mask, *row) for row in choose_once(left)]
        return rows

    known = {}

    def choose_once(free):
        if free not in known:
            known[free] = choose(free)
        return known[free]

    return np.array(choose_once(tuple(range(neurons))), np.int64)


def partitions(neurons, size):
    """How many there are."""
    count = 1
    for left in range(neurons, 0, -size):
        for i in range(1, size):
            count = count * (left - i) // i
    return count


def nets_of(net):
    """Bit masks of the targets of each source."""
    return [sum(1 << int(v) for v in
                net.col[net.row_ptr[s]:net.row_ptr[s + 1]])
            for s in range(net.sources)]


def least_messages(net, masks):
    """Over the partitions, given as the bit masks of their parts."""
    count = np.zeros(len(masks), np.int64)
    for targets in nets_of(net):
        count += ((masks & targets) != 0).sum(1)
    return int(count.min())


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


def distances(mesh):
    x, y = mesh.place(np.arange(mesh.cores))
    return abs(x[:, None] - x) + abs(y[:, None] - y)


def least_placement(flow, host, mesh):
    """The least message-hops of parts on as many cores, over all placements."""
    away = distances(mesh)
    place = np.array(list(itertools.permutations(range(mesh.cores))))
    hops = np.zeros(len(place))
    for a in range(len(flow)):
        hops += host[a] * away[0][place[:, a]]
        for b in range(len(flow)):
            if a != b:
                hops += flow[a, b] * away[place[:, a], place[:, b]]
    return hops.min()


def least_layers(net, layer, mesh, capacity):
    """The least message-hops of whole layers on cores, over all of them."""
    layers = int(layer.max()) + 1
    size = np.bincount(layer)
    core = np.array(list(itertools.product(range(mesh.cores), repeat=layers)))
    held = np.zeros((len(core), mesh.cores), int)
    for l in range(layers):
        held[np.arange(len(core)), core[:, l]] += size[l]
    core = core[(held <= capacity).all(1)]
    away = distances(mesh)
    source, to = reached(net, layer)
    hops = np.zeros(len(core))
    # A source whose targets lie in several layers sends once to each core.
    key = np.concatenate([np.full(net.inputs, -1), layer])[source]
    begin = np.searchsorted(source, np.arange(net.sources + 1))
    kinds = {}
    for s in range(net.sources):
        if begin[s] < begin[s + 1]:
            kind = (key[begin[s]], *to[begin[s]:begin[s + 1]])
            kinds[kind] = kinds.get(kind, 0) + 1
    for (own, *targets), count in kinds.items():
        at = core[:, own] if own >= 0 else np.zeros(len(core), int)
        for c in range(mesh.cores):
            hit = (core[:, targets] == c).any(1)
            hops += count * hit * away[at, c]
    return hops.min()
