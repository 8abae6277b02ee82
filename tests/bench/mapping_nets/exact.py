# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small networks beside the optimum.

cuts        neurons in equal parts on 2 to 4 cores of one tile, cut anywhere:
            the fewest messages over all partitions
placements  9 blocks on 3 x 3 cores: the least message-hops over all placements
            of the parts that the solver made
layers      9 layers on 2 x 2 cores: the least message-hops over all ways to lay
            whole layers on cores; cutting layers may do better

Every source spikes at every step, and a cost table prices nothing but the
messages, or the hops, so that the mapper is asked for what the optimum is of.
"""
import dataclasses
import pathlib
import re
import statistics
import tempfile

import numpy as np

from . import graphs, image, milp, network, optimum
from .command import Refused, Solver
from .evaluate import Mesh, evaluate
from .prices import price_table

SOLVERS = ("round-robin", "iterative-split", "energy")
SHAPES = ((12, 2), (20, 2), (32, 2), (48, 2), (12, 3), (15, 3), (21, 3),
          (24, 3), (12, 4), (20, 4))  # neurons and cores
QUICKLY = 150_000  # partitions looked at even where CBC could do it
AT_ALL = 3_000_000


def target_of(mesh, capacity):
    return (f"loihi1-study,mesh.tiles_x={mesh.across},mesh.tiles_y={mesh.down},"
            f"mesh.cores_per_tile={mesh.cores_per_tile},"
            f"limits.compartments_per_core={capacity}")


def always(net):
    """The network with a reference in which every source spikes every step."""
    step = np.arange(1, net.steps + 1)
    return dataclasses.replace(
        net, in_t=np.repeat(step, net.inputs).astype(np.int32),
        in_id=np.tile(np.arange(net.inputs), net.steps).astype(np.int32),
        ref_t=np.repeat(step, net.neurons).astype(np.int32),
        ref_id=np.tile(np.arange(net.neurons), net.steps).astype(np.int32))


def ours(net, mesh, capacity, solver, dendrolith, what):
    """Core of each neuron by a solver of Dendrolith, or None."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        network.write(always(net), folder / "net", mesh.cores)
        (folder / "prices.yaml").write_text(price_table(what))
        try:
            dendrolith("compile", folder / "net.npz", "--target",
                    target_of(mesh, capacity), "-o", folder / "net.dlp",
                    "--costs", folder / "prices.yaml",
                    *solver.flags())
        except Refused as refused:
            print(f"{solver.name}: refused: {refused}")
            return None
        return next(iter(image.cores_of_neurons(folder / "net.dlp").values()))


def cut_cases():
    """20 small networks, half of them in any order of their neurons."""
    for number in range(2 * len(SHAPES)):
        neurons, cores = SHAPES[number // 2]
        if number % 2:
            name, net = "uniform", graphs.uniform(neurons, 3, number, steps=20)
        else:
            name, net = "small world", graphs.small_world(
                neurons, .2, 4, number, steps=20)
        net = network.settle(net)
        if number // 2 % 2:
            net = network.shuffled(net)
        yield f"{name} {neurons} on {cores}", net, cores


def least_cut(net, cores):
    """The fewest messages, and how they were found."""
    size = net.neurons // cores
    count = optimum.partitions(net.neurons, size)
    if count > (QUICKLY if milp.installed() else AT_ALL):
        return milp.least_messages(net, cores, size)
    masks = optimum.equal_partitions(net.neurons, size)
    return optimum.least_messages(net, masks), f"all {count:,}"


def gap(found, best):
    return f"{found:.0f} ({100 * (found - best) / best:+.1f} %)"


def cuts(dendrolith, solvers):
    """Name, how the optimum was found, the optimum, ours by solver."""
    for name, net, cores in cut_cases():
        mesh = Mesh(1, 1, cores)
        best, how = least_cut(net, cores)
        found = []
        for solver in solvers:
            core = ours(net, mesh, net.neurons // cores, solver, dendrolith,
                        "messages")
            found.append(core is not None and evaluate(
                net, core, mesh)["messages"])
        yield name, how, [best] * len(found), found


def placements(dendrolith, solvers):
    mesh = Mesh(3, 3, 1)
    for seed in range(1, 6):
        net = network.settle(graphs.blocks(seed, steps=20))
        least, found = [], []
        for solver in solvers:
            core = ours(net, mesh, 600, solver, dendrolith, "hops")
            found.append(core is not None and evaluate(net, core, mesh)["hops"])
            least.append(core is not None and optimum.least_placement(
                *optimum.traffic(net, core), mesh))
        yield f"9 blocks, seed {seed}", "all 362,880", least, found


def layers(dendrolith, solvers):
    mesh = Mesh(2, 2, 1)
    for seed in range(6):
        net, layer = graphs.chain(seed, 9, steps=20)
        best = optimum.least_layers(network.settle(net), layer, mesh, 1024)
        found = []
        for solver in solvers:
            core = ours(net, mesh, 1024, solver, dendrolith, "hops")
            found.append(core is not None and evaluate(net, core, mesh)["hops"])
        yield f"9 layers, seed {seed}", "all 4^9", [best] * len(found), found


def table(dendrolith, rows=""):
    solvers = [Solver(name) for name in SOLVERS]
    head = ["network", "optimum by", *(s.name for s in solvers)]
    lines, said = [head, ["---"] * len(head)], []
    for part in (cuts, placements, layers):
        if not re.search(rows, part.__name__):
            continue
        gaps = []
        for name, how, least, found in part(dendrolith, solvers):
            lines.append([name, f"{least[-1]:.0f}, {how}", *(
                gap(f, l) if f else "refused" for f, l in zip(found, least))])
            print(*lines[-1], sep="  ", flush=True)
            if found[-1]:
                gaps.append(100 * (found[-1] / least[-1] - 1))
        said.append(
            f"{part.__name__}, {solvers[-1].name} of {len(gaps)}: mean gap "
            f"{statistics.fmean(gaps):.2f} %, worst {max(gaps):.2f} %, within "
            f"3 %: {sum(g <= 3 for g in gaps)}, within 1 %: "
            f"{sum(g <= 1 for g in gaps)}")
    print(*said, sep="\n")
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + (
        "\n" + "".join(f"* {l}\n" for l in said))
