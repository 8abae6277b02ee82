# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One line of the table: maps a network by one solver, runs it in the cycle
engine and compares the engine's counters with the evaluator's."""
import dataclasses
import hashlib
import json
import math
import pathlib
import tempfile
import time

import numpy as np

from . import baselines, catalogue, image, network
from .command import Refused
from .evaluate import evaluate

def predicted_us(result):
    """The step time that the mapper expected, where the report has it."""
    for term in result["mapping"].get("terms", []):
        if term["name"] == "step":
            return term["value"] / 1e3
    return None


def energy_of(result):
    """pJ of events and of static power; of a band of prices the mean."""
    bills = [result["energy"][end] for end in ("low", "high")]
    return [sum(bill[key] for bill in bills) / len(bills)
            for key in ("total_pJ", "static_pJ")]


def counted(result, tables):
    """Figures of a run per step."""
    total, steps = result["counts"]["total"], result["steps"]
    # A model with samples states the steps of one of them.
    steps *= result["samples"]
    span = result["times"]["run_ps"]
    busy = [(c["update"] + c["receive"]) * span / steps / 1e3
            for c in tables["utilisation"]["cores"]]
    links = [link["flits"] for link in tables["counts"]["links"]]
    events, static = energy_of(result)
    return dict(
        cores=result["mapping"]["cores"], messages=total["messages"] / steps,
        hops_ew=total["hops_ew"] / steps, hops_ns=total["hops_ns"] / steps,
        busiest_link=max(links, default=0) / steps,
        core_ns_max=max(busy), core_ns_mean=float(np.mean(busy)),
        us=span / steps / 1e6, predicted_us=predicted_us(result),
        events_nj=events / steps / 1e3, static_nj=static / steps / 1e3)


def answers(folder):
    """What a run put out, in a few characters: spikes or other outputs."""
    digest = hashlib.sha256()
    for name in ("spikes.npz", "outputs.npy"):
        if not (folder / name).exists():
            continue
        found = np.load(folder / name)
        arrays = found if name.endswith("z") else {"": found}
        for key in sorted(arrays):
            digest.update(f"{key} {arrays[key].shape}".encode())
            digest.update(np.ascontiguousarray(arrays[key]).tobytes())
    return digest.hexdigest()[:12]


def compare(case, net, core, row):
    """Adds what the evaluator finds; says where the engine counts otherwise."""
    found = evaluate(net, core, case.mesh, net.measured_rate())
    differ = [key for key in ("messages", "hops_ew", "hops_ns", "busiest_link")
              if abs(found[key] - row[key]) * net.steps > .5]
    row.update(km1=found["km1"], in_axons=found["in_axons"],
               out_axons=found["out_axons"],
               evaluator="differs: " + ", ".join(differ) if differ else "agrees")
    if net.rate is not None:
        of_rule = np.concatenate([np.zeros(net.inputs), net.rate])
        row["km1_rule"] = evaluate(net, core, case.mesh, of_rule)["km1"]


def place_outside(case, solver, net, parts, folder):
    """A file whose neurons lie where another method puts them."""
    try:
        core = baselines.place(solver.name, net, parts, case.mesh)
    except (RuntimeError, ValueError) as error:
        raise Refused(str(error)) from error
    network.write(dataclasses.replace(net, core=core), folder / "placed",
                  case.mesh.cores)
    return folder / "placed.npz"


def compile_outside(case, solver, net, least, folder, dendrolith, *flags):
    """The first number of parts that the chip's limits allow is taken."""
    wanted = [solver.cores] if solver.cores else sorted(
        {min(math.ceil(least * more), case.mesh.cores)
         for more in (1, 1.1, 1.25, 1.6, 2, 3, 4, 8)})
    for parts in wanted:
        started = time.process_time()
        placed = place_outside(case, solver, net, parts, folder)
        method = time.process_time() - started
        try:
            cpu, peak = dendrolith("compile", placed, *flags)
            return cpu + method, peak
        except Refused:
            if parts == wanted[-1]:
                raise


def skipped(case, solver, dendrolith):
    """Why there cannot be such a line, or None."""
    if solver.name in (*solver.OUTSIDE, *solver.ABLATIONS) and case.model:
        return "for study networks only"
    if solver.name == "metis" and not baselines.metis():
        return "libmetis is not installed"
    return None


def run(image, drive, engine, folder, dendrolith, *flags):
    dendrolith("run", image, "--input", drive, "--engine", engine, "--out",
            folder / engine, *flags)
    result, tables = (json.loads((folder / engine / name).read_text())
                      for name in ("result.json", "tables.json"))
    return result, tables, answers(folder / engine)


def measure(case, order, solver, nets, dendrolith):
    """The line as a dict; `refused` or `skipped` says why there is none."""
    row = dict(network=case.name, order=order, target=case.target)
    why = skipped(case, solver, dendrolith)
    if why:
        return {**row, "skipped": why}
    path = case.prepare(nets, order, dendrolith)
    row["bound"], row["neurons"], row["synapses"] = catalogue.bound(case, path)
    net = None if case.model else network.read(path)
    drive = path.with_suffix(".npy") if case.model else path
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        image_path = folder / "image.dlp"
        words = ["--target", case.target, "-o", image_path,
                 *solver.flags()]
        words += ["--calibrate", drive] if case.model else []
        try:
            if solver.name in solver.OUTSIDE:
                spent = compile_outside(case, solver, net, row["bound"], folder,
                                        dendrolith, *words)
            else:
                source = path
                if solver.name in solver.ABLATIONS:
                    network.write(network.apart(net), folder / "apart")
                    source = folder / "apart.npz"
                spent = dendrolith("compile", source, *words)
        except Refused as refused:
            return {**row, "refused": str(refused)}
        row["map_cpu_s"], row["peak_mb"] = spent
        prices = ["--costs", "davies2018"] if "loihi1" in case.target else []
        result, tables, row["answers"] = run(image_path, drive, "cycle", folder,
                                             dendrolith, *prices)
        row.update(counted(result, tables))
        *_, other = run(image_path, drive, "functional", folder, dendrolith)
        row["engines"] = "agree" if other == row["answers"] else "differ"
        if row["bound"] is None:
            row["bound"] = max(b["cores"] for b in result["mapping"]["bounds"])
        if net is not None:
            row["raster"] = result["raster"] is not None
            core = image.cores_of_neurons(image_path)
            compare(case, net, next(iter(core.values())), row)
    return row
