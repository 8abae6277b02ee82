# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small networks beside the optimum.

cuts        neurons in equal parts on 2 to 4 cores, cut anywhere: the least km1
            over all partitions, and where they are few the least message-hops
placements  9 blocks on 3 x 3 cores: the least message-hops over all placements
            of the parts that the solver made
layers      9 layers on 2 x 2 cores: the least message-hops over all ways to lay
            whole layers on cores; cutting layers may do better

Every source counts as one, in ours as in the optimum.
"""
import json
import pathlib
import re
import subprocess
import tempfile

import numpy as np

from . import graphs, image, milp, network, optimum
from .evaluate import Mesh, evaluate
from .measure import Refused, Solver

SOLVERS = ("iterative-split", "default", "time", "energy", "balanced")
MESHES = {2: Mesh(2, 1, 1), 3: Mesh(3, 1, 1), 4: Mesh(2, 2, 1)}
SHAPES = ((12, 2), (20, 2), (32, 2), (48, 2), (12, 3), (15, 3), (21, 3),
          (24, 3), (12, 4), (20, 4))  # neurons and cores
QUICKLY = 150_000  # partitions looked at even where CBC could do it
AT_ALL = 3_000_000


def target_of(mesh, capacity):
    return (f"loihi1-study,mesh.tiles_x={mesh.across},mesh.tiles_y={mesh.down},"
            f"mesh.cores_per_tile={mesh.cores_per_tile},"
            f"limits.compartments_per_core={capacity}")


def ours(net, mesh, capacity, solver, neurite):
    """Core of each neuron by a solver of Neurite, or None."""
    flags = solver.flags(neurite)
    if flags is None:
        return None
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        network.write(net, folder / "net", mesh.cores)
        try:
            neurite("compile", folder / "net.npz", "--target",
                    target_of(mesh, capacity), "-o", folder / "net.nrt", *flags)
        except Refused as refused:
            print(f"{solver.name}: refused: {refused}")
            return None
        return next(iter(image.cores_of_neurons(folder / "net.nrt").values()))


def clustered(net, cores, capacity, neurite):
    """km1 of the partitioner alone, where its tool is built, or None."""
    tool = pathlib.Path(neurite.binary).with_name("neurite-cluster-bench")
    if not tool.exists():
        return None
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        network.write(net, folder / "net", cores)
        done = subprocess.run(
            [tool, folder / "net.npz", "--target",
             target_of(MESHES[cores], capacity), "--cores", str(cores)],
            capture_output=True, text=True)
        if done.returncode:
            return None
        return json.loads(done.stdout.splitlines()[-1]).get("km1")


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
    """Least km1, least hops or None, and how they were found."""
    size = net.neurons // cores
    count = optimum.partitions(net.neurons, size)
    if count > (QUICKLY if milp.installed() else AT_ALL):
        km1, how = milp.least_km1(net, cores, size)
        return km1, None, how
    flow, host = optimum.flows(net, optimum.equal_partitions(net.neurons, size))
    apart = ~np.eye(cores, dtype=bool)
    hops = optimum.least_hops(flow, host, MESHES[cores]).min()
    return int((flow * apart).sum((1, 2)).min()), int(hops), f"all {count:,}"


def gap(found, best):
    if found is None or best is None:
        return "-"
    over = f" (+{100 * (found - best) / best:.1f} %)" if best else ""
    return f"{found:.0f}{over}"


def cuts(neurite, solvers):
    for name, net, cores in cut_cases():
        km1, hops, how = least_cut(net, cores)
        size = net.neurons // cores
        cells = [name, f"km1 {km1}" + (f", hops {hops}" if hops else ""), how]
        for solver in solvers:
            core = ours(net, MESHES[cores], size, solver, neurite)
            found = (evaluate(net, core, MESHES[cores])
                     if core is not None else {})
            cells.append(gap(found.get("km1"), km1)
                         + (f", {gap(found.get('hops'), hops)}" if hops else ""))
        yield cells + [gap(clustered(net, cores, size, neurite), km1)]


def placements(neurite, solvers):
    mesh = Mesh(3, 3, 1)
    for seed in range(1, 6):
        net = network.settle(graphs.blocks(seed, steps=20))
        blocks = np.arange(net.neurons) // 600
        best = optimum.least_placement(*optimum.traffic(net, blocks), mesh)
        cells = [f"blocks, seed {seed}", f"hops {best:.0f}", "all 362,880"]
        for solver in solvers:
            core = ours(net, mesh, 600, solver, neurite)
            if core is None:
                cells.append("-")
                continue
            least = optimum.least_placement(*optimum.traffic(net, core), mesh)
            cells.append(gap(evaluate(net, core, mesh)["hops"], least))
        yield cells + ["-"]


def layers(neurite, solvers):
    mesh = Mesh(2, 2, 1)
    for seed in range(6):
        net, layer = graphs.chain(seed, 9, steps=20)
        best = optimum.least_layers(network.settle(net), layer, mesh, 1024)
        cells = [f"9 layers, seed {seed}", f"hops {best}", "all 4^9"]
        for solver in solvers:
            core = ours(net, mesh, 1024, solver, neurite)
            cells.append("-" if core is None else gap(
                evaluate(net, core, mesh)["hops"], best))
        yield cells + ["-"]


def table(neurite, rows=""):
    solvers = [Solver(name) for name in SOLVERS
               if Solver(name).flags(neurite) is not None]
    head = ["network", "optimum", "by", *(s.name for s in solvers), "cluster"]
    lines = [head, ["---"] * len(head)]
    for part in (cuts, placements, layers):
        if not re.search(rows, part.__name__):
            continue
        for cells in part(neurite, solvers):
            lines.append(cells)
            print(*cells, sep="  ", flush=True)
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
