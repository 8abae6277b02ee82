# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An open chip's own Verilog beside the cycle engine: `dendrolith cosim`.

The network's loader files go into the chip's RTL in Icarus Verilog or Verilator, its inputs
are played, and spikes, potentials and clocks of every operation are compared. An operation
is an event on ODIN and tinyODIN, a tick on RANC, a step on Catalyst N1. The RTL is the
user's own checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from .binary import find_binary, shipped
from .errors import DendrolithError

# Where the Verilog of a chip lies in a checkout, its top level, the language, and the
# bench beside which chip's numbers.
CHIPS = {
    "odin": ("src", "ODIN", "-g2005", "odin", []),
    "tinyodin": ("", "tinyODIN", "-g2005", "odin", ["-DTINY"]),
    "catalyst-n1": ("rtl", "neuromorphic_top", "-g2012", "catalyst-n1", []),
    "ranc": ("hardware/IP/RANCNetwork/src/sources", "RANCNetworkGrid", "-g2012", "ranc", []),
}
# A simulator of RTL: the program that builds, that which it needs, and its name for people.
SIMULATORS = {"icarus": ("iverilog", "vvp", "Icarus Verilog"),
              "verilator": ("verilator", "g++", "Verilator")}
LEAVE = signal.SIGTERM, signal.SIGINT, signal.SIGHUP
BUS = 8  # clocks that a spike of ODIN takes outside


@dataclass
class Operation:
    """What the chip does at once, and what the cycle engine says of it."""

    tick: int
    what: str  # for people
    spikes: set[int] = field(default_factory=set)  # numbers of neurons or outputs
    potentials: dict[int, int] = field(default_factory=dict)
    clocks: int = 0


@dataclass
class Seen:
    """What the RTL printed of an operation."""

    state: int = 0
    spikes: dict[int, int] = field(default_factory=dict)  # number -> clock
    potentials: dict[int, int] = field(default_factory=dict)
    clocks: int = 0


def cosim(model: str, chip: str, rtl: str, inputs: list[str], options: list[str] | None = None,
          limit: float = 1800.0, engine: str = "icarus") -> str:
    """Compare, and return lines that say what was equal.

    chip: as --target takes it. rtl: the folder of the checkout. inputs: as --input of
    `dendrolith run` takes them, of one sample. options: further options of a run.
    limit: seconds for each of building and playing. engine: "icarus" or "verilator", which
    plays the RTL. Raises DendrolithError with the first difference.
    """
    name = chip.split(",")[0]
    if name not in CHIPS:
        raise DendrolithError(f"--target: no RTL of '{name}' is known; give one of {', '.join(CHIPS)}")
    sources = _sources(name, Path(rtl))
    if engine not in SIMULATORS:
        raise DendrolithError(f"--engine: expected {' or '.join(SIMULATORS)}, found '{engine}'")
    if engine == "verilator" and name == "ranc":
        raise DendrolithError("--engine verilator: the buffers of 'ranc' assign at once, at a clock's edge, "
                              "what others read at it, so its result is that of an order; give "
                              "--engine icarus")
    builder, needed, spoken = SIMULATORS[engine]
    if not shutil.which(builder) or not shutil.which(needed):
        other = next(key for key in SIMULATORS if key != engine)
        raise DendrolithError(f"cosim needs {spoken}, which is not there: apt install {builder}"
                              f"{'' if needed == 'vvp' else ' ' + needed}, put it into PATH, or give "
                              f"--engine {other}")
    try:
        scratch = tempfile.TemporaryDirectory(prefix="dendrolith-cosim-")
    except OSError as error:
        raise DendrolithError("TMPDIR: expected a folder for temporary files, found none: "
                              f"{error.strerror}") from None
    with scratch as folder:
        work = Path(folder)
        session = {"ranc": Grid, "catalyst-n1": Mesh}.get(name, Events)(name, chip, work)
        session.load(model, inputs, options or [])
        if session.samples != 1:
            raise DendrolithError(f"--input: {session.samples} samples, and a chip keeps its state from "
                                  "one to the next; give one sample")
        operations = session.operations()
        seen, seconds = _play(session, sources, work, limit, engine)
        return _compare(session, operations, seen) + (
            f"\ntime: RTL in {spoken} {seconds[1]:.2f} s, built in {seconds[0]:.1f} s; the command with "
            f"the cycle engine {session.wall:.2f} s")


def _sources(name: str, rtl: Path) -> list[str]:
    below, top, *_ = CHIPS[name]
    folder = rtl / below if (rtl / below).is_dir() else rtl
    try:
        found = [path for path in sorted(folder.rglob("*.v")) if path.is_file()]
        texts = {path: path.read_text("latin-1") for path in found}
    except OSError as error:
        raise DendrolithError(f"{error.filename}: {error.strerror}; give a folder of Verilog that "
                              "can be read and does not change", file=str(rtl)) from None
    if not found:
        raise DendrolithError(f"{rtl}: expected a checkout of '{name}' with Verilog (*.v), found "
                              "none; give the folder that holds its README", file=str(rtl))
    if not any(f"module {top}" in text for text in texts.values()):
        raise DendrolithError(f"{rtl}: no file has the top level 'module {top}' of '{name}'; give "
                              "its checkout, or another --target", file=str(rtl))
    # Wrappers of a system on chip need what is not here.
    return [str(path.resolve()) for path in found
            if not (name == "ranc" and path.stem.startswith("RANCNetwork")
                    and path.stem != "RANCNetworkGrid")]


def _run(words: list[str], work: Path, limit: float, what: str, remedy: str) -> str:
    """Run a program in a group of its own, which ends with it or with the limit."""
    process = subprocess.Popen(words, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL, text=True, errors="replace",
                               start_new_session=True)
    try:
        out, told = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        raise DendrolithError(f"{what} did not end within {limit:g} s; {remedy}") from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode:
        lines = (told or out).strip().splitlines()
        raise DendrolithError(f"{what} failed: {lines[0] if lines else 'without a word'}")
    return out


def _play(session: Session, sources: list[str], work: Path, limit: float, engine: str) -> tuple[
        list[Seen], tuple[float, float]]:
    _, _, language, bench, defines = CHIPS[session.name]
    files = [*defines, *session.defines(), str((shipped("targets") / bench / "bench.v").resolve()),
             *(session.named(source) for source in sources)]
    if engine == "icarus":
        build, play = ["iverilog", language, "-s", "bench", "-o", "bench"], ["vvp", "-n", "bench"]
    else:
        # Its warnings are of style, or of parts that the chip's parameters leave out.
        build = ["verilator", "--binary", "--timing", "-j", "0", "-O3", "--top-module", "bench",
                 "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-PINNOTFOUND", "--Mdir", "made",
                 "-o", "bench", *(("--default-language", "1364-2005") if language == "-g2005" else ())]
        play = ["made/bench"]
    times = [time.monotonic()]
    _run([*build, *files], work, limit, f"{build[0]}, which builds the RTL,",
         f"see whether '{build[0]} --version' ends, or give the other --engine")
    times.append(time.monotonic())
    lines = _run([*play, *session.arguments()], work, limit, "the RTL", "it never comes to rest, or "
                 "the inputs are too long: give fewer steps").splitlines()
    times.append(time.monotonic())
    if "lost" in lines or "end" not in lines:
        raise DendrolithError("the RTL did not come to its end: "
                              f"{'it lost a packet' if 'lost' in lines else (lines or ['no output'])[-1]}")
    seen: list[Seen] = []
    for kind, *rest in (line.split() for line in lines):
        if kind == "operation":
            seen.append(Seen(int(rest[1])))
        elif kind in ("spike", "clocks", "potential") and seen:
            at = seen[int(rest[0])]
            if kind == "spike":
                at.spikes[int(rest[1])] = int(rest[2])
            elif kind == "clocks":
                at.clocks = int(rest[1])
            else:
                at.potentials[int(rest[1])] = int(rest[2]) if rest[2].lstrip("-").isdigit() else None
    return seen, (times[1] - times[0], times[2] - times[1])


class Session:
    """A network on a chip: its loader files, and what the cycle engine computes."""

    def __init__(self, name: str, chip: str, work: Path):
        self.name, self.chip, self.work = name, chip, work
        self.neurons: dict[int, tuple[str, int]] = {}  # number -> population, neuron
        self.wall = 0.0
        self.paths: dict[str, str] = {}  # of inputs, as they were given
        self.own: dict[str, str] = {}  # files made of those -> those
        self.lost = 0  # spikes that the chip's queue had no place for

    def load(self, model: str, inputs: list[str], options: list[str], engine: str = "cycle") -> None:
        given = [word for text in inputs for word in ("--input", text)]
        self._dendrolith(["export", model, "--format", self.name, "--target", self.chip, *options,
                          *given, "-o", str(self.work / "net")])
        self.rows = [line.split() for line in
                     (self.work / "net" / "names.txt").read_text().splitlines() if line[0] != "#"]
        self.read_names()
        self.inputs = {}
        for text in inputs:
            key, _, path = text.rpartition("=")
            if key in self.paths:
                raise DendrolithError(f"--input {text}: is given twice; give each input one file")
            self.paths[key] = path
            try:
                self.inputs[key] = np.load(path)
            except (OSError, ValueError) as error:
                raise DendrolithError(f"--input: expected an array (.npy), found '{path}': "
                                      f"{getattr(error, 'strerror', None) or 'of another kind'}; give "
                                      "an array of spikes", file=path) from None
        if "" in self.inputs:
            only = {row[2] if row[1] == "input" else row[5] for row in self.rows if "input" in row}
            self.inputs[next(iter(only), "")] = self.inputs.pop("")
            self.paths[next(iter(only), "")] = self.paths.pop("")
        given = self.played(given)
        populations = sorted({population for population, _ in self.neurons.values()})
        traces = ",".join(f"{name}:{state}" for name in populations for state in ("s", "v"))
        began = time.monotonic()
        self._dendrolith(["run", model, "--target", self.chip, *options, *given, "--engine", engine,
                          "--trace", traces, "--out", str(self.work / "run"), "--report", "none"])
        self.wall = time.monotonic() - began
        read = {name: json.loads((self.work / "run" / f"{name}.json").read_text())
                for name in ("result", "tables")}
        self.result = read["result"]
        with np.load(self.work / "run" / "traces.npz") as file:
            self.traces = {key: np.asarray(file[key]) for key in file.files}
        self.traces = {key: values.reshape(-1, *values.shape[-2:])
                       for key, values in self.traces.items()}
        self.samples, self.ticks = next(iter(self.traces.values())).shape[:2]
        self.inputs = {key: values.reshape(self.samples, self.ticks, -1) for key, values in self.inputs.items()}
        # The steps of the schedule by their length, and events with theirs.
        steps = (read["tables"].get("latency") or {}).get("steps", ())
        self.length = {step["step"]: sum(value for key, value in step.items() if key.endswith("_ps"))
                       for step in steps}
        self.events = [(step["event"], self.length[step["step"]]) for step in steps if "event" in step]

    def _dendrolith(self, words: list[str]) -> str:
        done = subprocess.run([find_binary(), *words], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        if done.returncode:
            told = done.stderr.strip().removeprefix("error: ")
            for made, own in self.own.items():
                told = told.replace(made, own)
            raise DendrolithError(told)
        return done.stdout

    def played(self, given: list[str]) -> list[str]:
        """The options of inputs: what the chip can be given of them."""
        return given

    def numbers(self) -> dict[str, str]:
        text = self._dendrolith(["targets", self.chip, "--format", "json"])
        return {record["key"]: record["value"] for record in json.loads(text)["numbers"]}

    def named(self, source: str) -> str:
        """A file of the RTL, in which the bench finds what it looks at."""
        return source

    def rewritten(self, source: str, *changes: tuple[str, str]) -> str:
        """A copy of a file of the RTL in which names are others; the checkout is not changed."""
        text = old = Path(source).read_text("latin-1")
        for pattern, new in changes:
            text = re.sub(pattern, new, text)
        if text == old:
            return source
        copy = self.work / Path(source).name
        copy.write_text(text, "latin-1")
        return str(copy)

    def clock(self) -> float:
        """Picoseconds, as the barrier of the chip says in clocks."""
        barrier = next(value for key, value in self.numbers().items()
                       if key.endswith(".barrier.fixed.time"))
        return float(barrier) / (2 if self.name == "ranc" else 1)

    def phase(self) -> int:
        return min(self.result["schedule"]["populations"][name]["phase"]
                   for name in {population for population, _ in self.neurons.values()})

    def value(self, number: int, state: str, tick: int) -> int:
        population, neuron = self.neurons[number]
        return int(self.traces[f"{population}:{state}"][0, tick, neuron])

    def text(self, number: int) -> str:
        return "neuron {1} of '{0}'".format(*self.neurons[number])


class Events(Session):
    """ODIN and tinyODIN: a tick is an event."""

    def read_names(self) -> None:
        self.address: dict[tuple[str, int], str] = {}
        self.source: dict[tuple[str, int], int | None] = {}  # None: a time reference
        self.outputs: set[int] = set()  # neurons that are shown
        for row in self.rows:
            if row[1] == "neuron":
                self.neurons[int(row[0])] = row[2], int(row[3])
                self.outputs |= {int(row[0])} if "output" in row else set()
            else:
                self.address[row[2], int(row[3])] = row[4]
                self.source[row[2], int(row[3])] = None if row[0] == "-" else int(row[0])

    def played(self, given: list[str]) -> list[str]:
        """An element that reaches no neuron has no row, so the chip never hears of it."""
        words = []
        for key, values in self.inputs.items():
            known = [k for name, k in self.address if name == key]
            if known and values.ndim:
                silent = np.ones(values.shape[-1], bool)
                silent[[k for k in known if k < len(silent)]] = False
                values = values.copy()
                values[..., silent] = 0
            path = self.work / f"input_{len(words)}.npy"
            np.save(path, values)
            self.inputs[key] = values
            self.own[str(path)] = self.paths[key]
            words += ["--input", f"{key}={path}"]
        return words

    def operations(self) -> list[Operation]:
        """The events in the order in which the cycle engine takes them."""
        lines = (self.work / "net" / "load.spi").read_text().splitlines()
        (self.work / "load.txt").write_text("".join(f"{line}\n" for line in lines
                                                    if not self._is_silent(line)))
        self.write_inputs()
        self.lost = self.result["events"]["lost"]
        if self.result["events"]["taken"] > len(self.events):
            raise DendrolithError(f"--input: {self.result['events']['taken']} events, of which "
                                  f"{len(self.events)} are compared; give fewer ticks")
        if not self.events:
            raise DendrolithError("--input: no spike reaches a neuron, so nothing is compared; give spikes")
        ticks = [event["tick"] for event, _ in self.events]
        alone = len(set(ticks)) == len(ticks)
        fires, v = (self.of_ticks(ticks) if alone else self.unrolled())
        numbers, clock = sorted(self.neurons), self.clock()
        return [Operation(event["tick"], self.told(event), {n for n, fired in zip(numbers, fires[k]) if fired},
                          {n: int(value) for n, value in zip(numbers, v[k])}, round(length / clock))
                for k, (event, length) in enumerate(self.events)]

    def told(self, event: dict[str, Any]) -> str:
        key = event["source"], event["element"]
        if key in self.source:
            return "the time reference" if self.source[key] is None else "input '{}', element {}".format(*key)
        return "the spike of neuron {1} of '{0}'".format(*key)

    def write_inputs(self) -> None:
        """The inputs of a tick as the bus brings them, the last of which ends it."""
        names = [node["name"] for node in self.result["network"]["nodes"] if node["kind"] == "input"]
        lines = []
        for tick in range(self.ticks):
            sent = [self.address[name, int(k)] for name in names if name in self.inputs
                    for k in np.flatnonzero(self.inputs[name][0, tick]) if (name, int(k)) in self.address]
            lines += [f"{address} {int(k == len(sent) - 1)}\n" for k, address in enumerate(sent)]
        (self.work / "events.txt").write_text("".join(lines))

    def of_ticks(self, ticks: list[int]) -> tuple[np.ndarray, ...]:
        return tuple(np.array([[self.value(n, state, tick) for n in sorted(self.neurons)]
                               for tick in ticks]).reshape(len(ticks), -1) for state in "sv")

    def unrolled(self) -> tuple[np.ndarray, ...]:
        """Spikes and potentials of each event: the cycle engine on the chip's neurons, with a tick for
        each event."""
        from .order import loaded, network
        text, rows = network(loaded(self))
        (self.work / "order.mlir").write_text(text)
        row = {(population, neuron): n for n, (population, neuron) in self.neurons.items()} | self.source
        x, time_ = np.zeros((len(self.events), len(rows))), np.zeros((len(self.events), 1))
        for k, (event, _) in enumerate(self.events):
            at = row[event["source"], event["element"]]
            if at is None:
                time_[k] = 1
            elif at in rows:
                x[k, rows.index(at)] = 1
        for name, values in (("x", x), ("time", time_)):
            np.save(self.work / f"{name}.npy", values)
        self._dendrolith(["run", str(self.work / "order.mlir"), "--target", self.chip, "--engine",
                          "cycle", "--trace", "n:s,n:v", "--out", str(self.work / "order"), "--report",
                          "none", "--input", f"x={self.work / 'x.npy'}", "--input",
                          f"time={self.work / 'time.npy'}"])
        with np.load(self.work / "order" / "traces.npz") as file:
            return tuple(file[key].reshape(len(self.events), -1) for key in ("n:s", "n:v"))

    def _is_silent(self, line: str) -> bool:
        """Whether the bench has that word before it is loaded: that saves minutes."""
        address, data = (int(word, 16) for word in line.split())
        if address >> 16 == 5:
            silent = 0x807FF000 if self.name == "tinyodin" else 1 << 127 | 0x1FE01
            return silent >> 8 * (address >> 8 & 15) & 255 == data
        return address >> 16 == 6 and data == 0

    def defines(self) -> list[str]:
        return []

    def arguments(self) -> list[str]:
        return [f"+neurons={max(self.neurons) + 1}"]

    def clocks_of(self, seen: Seen) -> int:
        """With the decision behind it; the bus may be busy beyond the last neuron."""
        pops, last = seen.state != 5, 255
        if self.name == "tinyodin":
            line = next(line for line in (self.work / "load.txt").read_text().splitlines()
                        if line.startswith("00003 "))
            last = int(line.split()[1], 16)
            waits = last in seen.spikes and not pops
            return seen.clocks - int(pops) + BUS * int(waits) + 1
        return seen.clocks + BUS * int(last in seen.spikes) + 1

    def signed(self, number: int, value: int) -> int:
        return value - (value >> 11 << 12) if self.name == "tinyodin" else value


class Grid(Session):
    """RANC: an operation is a tick of all cores."""

    def read_names(self) -> None:
        numbers = self.numbers()
        at = {key: int(numbers[name]) for key, name in (
            ("WIDE", "mesh.tiles_x"), ("HIGH", "mesh.tiles_y"), ("AXONS", "limits.in_axons"),
            ("NEURONS", "limits.compartments_per_core"))}
        there = {int(path.stem[-3:]) for path in (self.work / "net").glob("csram_*.mem")}
        at["BUS"] = next((c for c in range(at["WIDE"] * at["HIGH"]) if c not in there), -1)
        self.sizes, self.shown, self.packets = at, {}, {}
        for row in self.rows:
            if row[0] == "bus":
                self.shown[int(row[1])] = row[3], int(row[4])
            elif row[4] == "neuron":
                self.neurons[int(row[1]) * at["NEURONS"] + int(row[3])] = row[5], int(row[6])
            else:
                self.packets.setdefault((row[5], int(row[6])), []).append(row[8])

    def operations(self) -> list[Operation]:
        (self.work / "net").rename(self.work / "grid")
        ticks, clock, phase = self.ticks, self.clock(), self.phase()
        (self.work / "packets.txt").write_text("".join(
            f"{tick} {packet}\n" for tick in range(ticks) for name, values in sorted(self.inputs.items())
            for k in np.flatnonzero(values[0, tick]) for packet in self.packets.get((name, int(k)), ())))
        path = self.work / "run" / "outputs.npy"
        if path.exists():
            only = {name for name, _ in self.shown.values()} - {"-"}
            outputs = {next(iter(only), ""): np.load(path)}
        else:
            with np.load(self.work / "run" / "outputs.npz") as file:
                outputs = {key: np.asarray(file[key]) for key in file.files}
        outputs = {key: values.reshape(ticks, -1) for key, values in outputs.items()}
        return [Operation(tick, "a tick", {axon for axon, (name, n) in self.shown.items()
                                           if name in outputs and outputs[name][tick, n]},
                          {n: self.value(n, "v", tick) for n in self.neurons},
                          round(self.length.get(tick + phase, 0) / clock)) for tick in range(ticks)]

    def named(self, source: str) -> str:
        if Path(source).stem != "RANCNetworkGrid":
            return source
        return self.rewritten(source, (r"(if\s*\(curr_core != OUTPUT_CORE\)\s*begin)(?!\s*:)",
                                       r"\1 : place"))

    def defines(self) -> list[str]:
        return [f"-D{key}={value}" for key, value in self.sizes.items()]

    def arguments(self) -> list[str]:
        return [f"+ticks={self.ticks}"]

    def clocks_of(self, seen: Seen) -> int:
        return seen.clocks

    def signed(self, number: int, value: int) -> int:
        return value


class Mesh(Session):
    """Catalyst N1: an operation is a step of all cores."""

    def read_names(self) -> None:
        numbers = self.numbers()
        self.cores = int(numbers["mesh.tiles_x"]) * int(numbers["mesh.tiles_y"])
        self.slots = int(numbers["limits.compartments_per_core"])
        self.pool = int(numbers["limits.synapse_memory_words"])
        self.values: dict[tuple[str, int], list[tuple[tuple[int, int], int]]] = {}
        for row in self.rows:
            at = int(row[1]), int(row[3])
            if row[4] == "neuron":
                self.neurons[at[0] * self.slots + at[1]] = row[5], int(row[6])
            else:
                self.values.setdefault((row[5], int(row[6])), []).append((at, int(row[8])))

    def operations(self) -> list[Operation]:
        update = next(value for key, value in self.numbers().items() if key.endswith(".update_active"))
        clock, phase = float(update) / 4, self.phase()
        messages = [line.split() for line in (self.work / "net" / "load.uart").read_text().splitlines()]
        found = []
        for tick in range(self.ticks):
            # The chip keeps the last stimulus of a neuron, so the host adds them up.
            stimuli: dict[tuple[int, int], int] = {}
            for name, values in sorted(self.inputs.items()):
                for k in np.flatnonzero(values[0, tick]):
                    for at, value in self.values.get((name, int(k)), ()):
                        stimuli[at] = stimuli.get(at, 0) + value
            for (core, n), value in sorted(stimuli.items()):
                payload = 3, core, n >> 8, n & 255, value >> 8 & 255, value & 255
                messages.append([f"{byte:02X}" for byte in payload])
            messages.append(["04", "00", "01"])
            found.append(Operation(tick, "a step", {n for n in self.neurons if self.value(n, "s", tick)},
                                   {n: self.value(n, "v", tick) for n in self.neurons},
                                   round(self.length.get(tick + phase, 0) / clock)))
        (self.work / "messages.txt").write_text("".join(
            f"{len(message)} {' '.join(message)}\n" for message in messages))
        return found

    def named(self, source: str) -> str:
        return self.rewritten(source, (r"\bmailbox\b", "mailbox_"))  # a type of SystemVerilog

    def defines(self) -> list[str]:
        return [f"-DCORES={self.cores}", f"-DNEURONS={self.slots}", f"-DPOOL={self.pool}"]

    def arguments(self) -> list[str]:
        return []

    def clocks_of(self, seen: Seen) -> int:
        return seen.clocks

    def signed(self, number: int, value: int) -> int:
        return value


def _compare(session: Session, operations: list[Operation], seen: list[Seen]) -> str:
    def differs(k: int, what: str) -> DendrolithError:
        return DendrolithError(f"operation {k} (tick {operations[k].tick}, {operations[k].what}): {what}")

    def name(number: int) -> str:
        if session.name == "ranc":
            return "output '{0}', neuron {1}".format(*session.shown.get(number, ("-", number)))
        return session.text(number)

    spikes = values = 0
    for k, (want, have) in enumerate(zip(operations, seen)):
        for number in sorted(want.spikes ^ set(have.spikes)):
            if number in have.spikes:
                raise differs(k, f"{name(number)} fires in the RTL, in clock {have.spikes[number]}, and "
                                 "not in the cycle engine")
            raise differs(k, f"{name(number)} fires in the cycle engine, and not in the RTL")
        for number, value in sorted(want.potentials.items()):
            raw = have.potentials.get(number)
            found = raw if raw is None else session.signed(number, raw)
            if found != value:
                raise differs(k, f"{session.text(number)} has the potential "
                                 f"{'(unknown)' if found is None else found} in the RTL, {value} in the "
                                 "cycle engine")
        clocks = session.clocks_of(have)
        if clocks != want.clocks:
            raise differs(k, f"takes {clocks} clocks in the RTL, {want.clocks} in the cycle engine")
        spikes, values = spikes + len(want.spikes), values + len(want.potentials)
    if len(operations) != len(seen):
        raise DendrolithError(f"the RTL made {len(seen)} operations, the cycle engine {len(operations)}: "
                              "spikes of neurons follow others than here")
    return (f"equal: {len(seen)} operations, {spikes} spikes, {values} potentials, "
            f"{f'{session.lost} lost in the queue, ' if session.lost else ''}"
            f"{sum(session.clocks_of(have) for have in seen):,} clocks")


def _leave(number: int, frame: FrameType | None) -> None:
    """Ends the command so that its folder and its simulator go, too."""
    for each in LEAVE:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="dendrolith cosim", description=__doc__.split("\n")[0])
    parser.add_argument("MODEL", help="the network, as `dendrolith run` takes it")
    parser.add_argument("RTL", help="the folder of the chip's checkout")
    parser.add_argument("--target", required=True, help="odin, tinyodin, catalyst-n1 or ranc, with changes behind it")
    parser.add_argument("--input", action="append", default=[], help="X.npy or NAME=X.npy, one sample")
    parser.add_argument("--engine", default="icarus", help="icarus or verilator")
    parser.add_argument("--limit", type=float, default=1800, help="seconds (1800)")
    given, options = parser.parse_known_args(words)
    for each in LEAVE:
        signal.signal(each, _leave)
    try:
        print(cosim(given.MODEL, given.target, given.RTL, given.input, options, given.limit,
                    given.engine))
    except DendrolithError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
