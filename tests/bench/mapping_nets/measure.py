# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One line of the table: maps a network by one solver, runs it in the cycle
engine and compares the engine's counters with the evaluator's."""
import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import time

import numpy as np

from . import baselines, catalogue, image, network
from .evaluate import evaluate

ERROR = re.compile(r"^error: ")


class Refused(Exception):
    """Neurite says that there is no such mapping; the text says why."""


def peak_kb(process):
    """The largest memory of a running process so far."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+)", status)
    return int(found.group(1)) if found else 0


class Neurite:
    def __init__(self, binary, more=()):
        self.binary = binary
        self.more = list(more)  # flags of every `neurite compile`
        self.flags = self.text("compile", "--help")

    def text(self, *words):
        done = subprocess.run([self.binary, *map(str, words)],
                              capture_output=True, text=True)
        if done.returncode:
            told = done.stderr.strip() or done.stdout.strip()
            raise Refused(ERROR.sub("", told.splitlines()[-1] if told else
                                    f"exit status {done.returncode}"))
        return done.stdout

    def __call__(self, *words):
        """Runs it; gives seconds of the wall, of processors, and peak MB."""
        start = time.monotonic()
        with tempfile.TemporaryFile("w+") as told:
            more = self.more if words[0] == "compile" else []
            process = subprocess.Popen([self.binary, *map(str, words), *more],
                                       stdout=subprocess.DEVNULL, stderr=told)
            # The peak that wait4() gives has that of this process in it, from
            # before the program was loaded, so it is looked at from outside.
            peak, ended = 0, 0
            while not ended:
                peak = max(peak, peak_kb(process.pid))
                time.sleep(.005)
                ended, status, used = os.wait4(process.pid, os.WNOHANG)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                told.seek(0)
                lines = told.read().strip().splitlines() or ["no message"]
                raise Refused(ERROR.sub("", lines[0]))
        return (time.monotonic() - start, used.ru_utime + used.ru_stime,
                peak / 1024)

    def has(self, flag):
        return flag in self.flags


@dataclasses.dataclass
class Solver:
    """NAME[@CORES][/SECONDS]: a solver of Neurite, what --map-for optimises, or
    a placement from outside; at least so many cores, and a time budget."""
    name: str
    cores: int = 0
    seconds: float = 0

    OUTSIDE = ("chunks", "metis")
    GOALS = ("time", "energy", "edp", "cores", "balanced")

    @staticmethod
    def parse(text):
        name, cores, seconds = re.fullmatch(
            r"([\w-]+)(?:@(\d+))?(?:/([\d.]+))?", text).groups()
        return Solver(name, int(cores or 0), float(seconds or 0))

    def flags(self, neurite):
        """Flags of `neurite compile`; None where it has not what is needed."""
        if self.name in self.OUTSIDE:
            return []
        goal = self.name in self.GOALS
        flags = ["--map-for" if goal else "--solver", self.name]
        if self.cores:
            flags += ["--cores", f"{self.cores}:{self.cores}"] if (
                neurite.has("--cores ")) else ["--min-cores", self.cores]
        if self.seconds:
            flags += ["--map-time", self.seconds]
        if goal and not neurite.has("--map-for"):
            return None
        if self.seconds and not neurite.has("--map-time"):
            return None
        return flags


def predicted_us(result):
    """The step time that the mapper expected, where the report has it."""
    for row in result["mapping"].get("trade_off", []):
        if row.get("chosen"):
            return row["step_ns"] / 1e3
    return None


def counted(result):
    """Figures of a run per step."""
    total, steps = result["counts"]["total"], result["steps"]
    span = result["time_ps"]
    energy = result.get("energy", {})
    busy = [(c["update"] + c["receive"]) * span / steps / 1e3
            for c in result["utilisation"]["cores"]]
    links = [link["flits"] for link in result["counts"]["links"]]
    events, static = energy.get("total_pJ"), energy.get("static_pJ")
    return dict(
        cores=result["mapping"]["cores"], messages=total["messages"] / steps,
        hops_ew=total["hops_ew"] / steps, hops_ns=total["hops_ns"] / steps,
        busiest_link=max(links, default=0) / steps,
        core_ns_max=max(busy), core_ns_mean=float(np.mean(busy)),
        us=span / steps / 1e6, predicted_us=predicted_us(result),
        events_nj=events / steps / 1e3, static_nj=static / steps / 1e3)


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
    if solver.name == "chunks":
        core = (np.arange(net.neurons) * parts // net.neurons).astype(np.int32)
    else:
        try:
            core = baselines.metis_and_anneal(net, parts, case.mesh,
                                              net.measured_rate())
        except (RuntimeError, ValueError) as error:
            raise Refused(str(error)) from error
    network.write(dataclasses.replace(net, core=core), folder / "placed",
                  case.mesh.cores)
    return folder / "placed.npz"


def compile_outside(case, solver, net, least, folder, neurite, *flags):
    """The first number of parts that the chip's limits allow is taken."""
    started = time.monotonic()
    wanted = [solver.cores] if solver.cores else sorted(
        {min(math.ceil(least * more), case.mesh.cores)
         for more in (1, 1.1, 1.25, 1.6, 2, 3, 4, 8)})
    for parts in wanted:
        placed = place_outside(case, solver, net, parts, folder)
        try:
            _, cpu, peak = neurite("compile", placed, *flags)
            return time.monotonic() - started, cpu, peak
        except Refused:
            if parts == wanted[-1]:
                raise


def measure(case, order, solver, nets, neurite):
    """The line as a dict; `refused` or `skipped` says why there is none."""
    row = dict(network=case.name, order=order, target=case.target)
    flags = solver.flags(neurite)
    if flags is None:
        return {**row, "skipped": "neurite has no such flag"}
    if solver.name in solver.OUTSIDE and case.layers:
        return {**row, "skipped": "places study networks only"}
    if solver.name == "metis" and not baselines.metis():
        return {**row, "skipped": "libmetis is not installed"}
    path = case.prepare(nets, order, neurite)
    row["bound"], row["neurons"], row["synapses"] = catalogue.bound(case, path)
    net = None if case.layers else network.read(path)
    drive = path.with_suffix(".npy") if case.layers else path
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        words = ["--target", case.target, "-o", folder / "image.nrt", *flags]
        words += ["--calibrate", drive] if case.layers else []
        try:
            if solver.name in solver.OUTSIDE:
                spent = compile_outside(case, solver, net, row["bound"], folder,
                                        neurite, *words)
            else:
                spent = neurite("compile", path, *words)
        except Refused as refused:
            return {**row, "refused": str(refused)}
        row["map_s"], row["map_cpu_s"], row["peak_mb"] = spent
        neurite("run", folder / "image.nrt", "--input", drive, "--engine",
                "cycle", "--costs", "davies2018", "--out", folder / "out")
        result = json.loads((folder / "out" / "result.json").read_text())
        row.update(counted(result))
        if net is not None:
            row["raster"] = "equal_to" in result.get("raster", {})
            core = image.cores_of_neurons(folder / "image.nrt")
            compare(case, net, next(iter(core.values())), row)
    return row
