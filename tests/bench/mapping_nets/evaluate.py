# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a placement of a study network costs, counted from the network and the
core of each neuron alone: nothing of the compiler or the engines is in here.

A source sends one message to each core that holds targets of it, by x first,
then by y, from its tile to that of the core; inputs come in at tile 0. Core c
lies on tile c / (cores of a tile), tiles row by row.
"""
import dataclasses

import numpy as np

CHUNK = 1 << 23  # synapses looked at together


@dataclasses.dataclass
class Mesh:
    across: int = 8
    down: int = 4
    cores_per_tile: int = 4

    @property
    def cores(self):
        return self.across * self.down * self.cores_per_tile

    def place(self, core):
        tile = core // self.cores_per_tile
        return tile % self.across, tile // self.across


def reached(net, core):
    """Distinct (source, core) pairs of the synapses that carry a weight, in
    order, as two arrays."""
    cores = int(core.max()) + 1
    sources, reach = [], []
    first = 0
    while first < net.sources:
        last = int(np.searchsorted(net.row_ptr, net.row_ptr[first] + CHUNK,
                                   "right")) - 1
        last = min(max(last, first + 1), net.sources)
        low, high = net.row_ptr[first], net.row_ptr[last]
        source = np.repeat(np.arange(first, last),
                           np.diff(net.row_ptr[first:last + 1]))
        some = net.weight[low:high] != 0
        key = np.unique(source[some] * cores + core[net.col[low:high][some]])
        sources.append(key // cores)
        reach.append(key % cores)
        first = last
    return np.concatenate(sources), np.concatenate(reach)


def link_loads(flow, mesh):
    """Messages over each link in the four directions, of a matrix of flows
    between tiles: arrays by direction of (row, link) or (column, link)."""
    x = np.arange(len(flow)) % mesh.across
    y = np.arange(len(flow)) // mesh.across
    source, target = np.nonzero(flow)
    amount = flow[source, target]

    def run(lane, lanes, begin, end, length):
        step = np.zeros((2, lanes, length + 1))
        low, high = np.minimum(begin, end), np.maximum(begin, end)
        back = (end < begin).astype(int)
        np.add.at(step, (back, lane, low), amount)
        np.add.at(step, (back, lane, high), -amount)
        return np.cumsum(step, 2)

    return (run(y[source], mesh.down, x[source], x[target], mesh.across),
            run(x[target], mesh.across, y[source], y[target], mesh.down))


def evaluate(net, core, mesh=Mesh(), rate=None):
    """Figures by name. `rate` is by source and step, the inputs first; without
    it every source counts as one."""
    rate = np.ones(net.sources) if rate is None else rate
    source, reach = reached(net, core)
    host = source < net.inputs
    own = np.full(net.sources, -1)
    own[net.inputs:] = core
    weight = rate[source]
    from_x, from_y = mesh.place(np.maximum(own[source], 0))
    from_x, from_y = np.where(host, 0, from_x), np.where(host, 0, from_y)
    to_x, to_y = mesh.place(reach)
    away = ~host & (own[source] != reach)
    tiles = mesh.across * mesh.down
    flow = np.bincount((from_y * mesh.across + from_x) * tiles
                       + to_y * mesh.across + to_x, weight,
                       tiles * tiles).reshape(tiles, tiles)
    loads = link_loads(flow, mesh)
    numbers = np.unique(core)
    in_axons = np.bincount(reach, minlength=mesh.cores)
    out_axons = np.bincount(own[source[~host]], minlength=mesh.cores)
    ew = float((weight * abs(to_x - from_x)).sum())
    ns = float((weight * abs(to_y - from_y)).sum())
    return dict(
        cores=len(numbers), km1=float(weight[away].sum()),
        messages=float(weight.sum()), hops_ew=ew, hops_ns=ns, hops=ew + ns,
        busiest_link=float(max(load.max() for load in loads)),
        in_axons=int(in_axons.max()), out_axons=int(out_axons.max()))


def lower_bound(neurons, synapses, target):
    """The fewest cores that could hold so much, of the limits that every list
    meets: neurons, and on a real chip a weight of 8 bits for each synapse; most
    lists have indices and headers beside them."""
    bound = -(-neurons // 1024)
    if target.split(",")[0] == "loihi1" and synapses:
        bound = max(bound, -(-synapses * 8 // (64 * 16384)))
    return bound
