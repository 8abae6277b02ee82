# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dendrolith for agents: a server of the Model Context Protocol on standard input
and output.

    pip install 'dendrolith[mcp]'
    python3 -m dendrolith.mcp --folder work --seconds 600 --points 200

It writes below `--folder` alone, and ends work at a budget of seconds and designs.
Every answer has units, both ends of bands, and the SHA-256 of what it is about.
"""

from __future__ import annotations

import argparse
import atexit
import csv
import functools
import hashlib
import io
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from .binary import find_binary
from .errors import DendrolithError
from .result import Result
from .texts import clean

_UNITS = {
    "pJ": "picojoule",
    "nJ": "nanojoule",
    "uJ": "microjoule",
    "ns": "nanosecond",
    "ps": "picosecond",
    "us": "microsecond",
    "mm2": "square millimetre",
    "rule": "the end of a key, or `unit` beside a value, is its unit; two numbers in a list, "
    "or low and high, are the ends of a band",
}


def _digest(path: str) -> Optional[str]:
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Budget:
    """What is left of the time and of the designs that an agent may spend."""

    def __init__(self, seconds: float, points: int) -> None:
        self.seconds, self.points = seconds, points

    def time_left(self) -> float:
        if self.seconds <= 0:
            raise DendrolithError(
                "the budget of time is spent; start the server with more --seconds"
            )
        return self.seconds

    def take_points(self, count: int) -> None:
        if count > self.points:
            raise DendrolithError(
                f"{count} designs are to be measured and the budget has {self.points} "
                "left; ask for fewer, or start the server with more --points"
            )

    def state(self) -> Dict[str, Any]:
        return {"seconds_left": round(max(self.seconds, 0), 2), "points_left": self.points}


class ProposedStudy:
    """A study whose designs an agent proposes: a process that stays, so that what one
    design has compiled serves the next."""

    def __init__(self, folder: str, command: Sequence[str]) -> None:
        self.folder, self.number = folder, 0
        while os.path.exists(os.path.join(folder, f"answer-{self.number + 1}.csv")):
            self.number += 1
        self.told = b""
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def propose(self, rows: List[Dict[str, str]], seconds: float) -> List[Dict[str, str]]:
        self.number += 1
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        question = os.path.join(self.folder, f"ask-{self.number}.csv")
        with open(question + ".part", "w", encoding="utf-8") as file:
            file.write(text.getvalue())
        os.replace(question + ".part", question)
        answer = os.path.join(self.folder, f"answer-{self.number}.csv")
        end = time.monotonic() + seconds
        # The process says when it has answered, so that nobody looks for the file.
        while not os.path.exists(answer):
            if not select.select([self.process.stdout], [], [], max(end - time.monotonic(), 0))[0]:
                raise DendrolithError(
                    "the budget of time ended before the designs were measured; what was "
                    "measured is kept"
                )
            said = os.read(self.process.stdout.fileno(), 1 << 16)  # type: ignore[union-attr]
            if not said:
                raise DendrolithError(self._last_words())
            self.told = self.told[-1 << 16:] + said
        with open(answer, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def _last_words(self) -> str:
        said = self.told.decode(errors="replace")
        lines = re.findall(r"^error: (.*)", said, re.MULTILINE)
        return lines[-1] if lines else said.strip()[-500:] or "the study ended"

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.stdout.close()  # type: ignore[union-attr]


class Door:
    """The tools, whatever protocol asks for them."""

    def __init__(self, folder: str, seconds: float, points: int) -> None:
        if not os.path.isdir(folder):
            raise DendrolithError(
                f"{folder}: no such folder, expected --folder, where answers may be written",
                file=folder,
            )
        self.folder = os.path.realpath(folder)
        self.budget = Budget(seconds, points)
        self._lock = threading.RLock()
        self._studies: Dict[str, ProposedStudy] = {}
        atexit.register(self.close)

    def close(self) -> None:
        for one in self._studies.values():
            one.close()
        self._studies.clear()

    # ---- Paths and processes

    def _read(self, path: str) -> str:
        """A file or folder that is read; relative ones lie below the folder."""
        full = os.path.join(self.folder, clean(path, "path"))
        if not os.path.exists(full):
            raise DendrolithError(f"{path}: no such file; relative paths begin at {self.folder}")
        return os.path.realpath(full)

    def _write(self, path: str) -> str:
        full = os.path.realpath(os.path.join(self.folder, clean(path, "path")))
        if os.path.commonpath([full, self.folder]) != self.folder or full == self.folder:
            raise DendrolithError(
                f"{path}: lies outside {self.folder}, below which alone files are written; "
                "give a name in it",
                file=path,
            )
        return full

    def _call(self, *arguments: str, fails: bool = False) -> str:
        """Run the command within the budget; `fails` where exit 1 is an answer, too."""
        for argument in arguments:
            clean(argument, arguments[0])
        left, begin = self.budget.time_left(), time.monotonic()
        process = subprocess.Popen(
            [find_binary(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            start_new_session=True,
        )
        try:
            out, told = process.communicate(timeout=left)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise DendrolithError(
                    f"{arguments[0]}: the budget of time ended after {left:.1f} s; ask for "
                    "less (fewer samples, designs), or start the server with more --seconds"
                ) from None
            raise
        finally:
            self.budget.seconds -= time.monotonic() - begin
        if process.returncode and not (fails and process.returncode == 1 and out.strip()):
            said = told.decode(errors="replace").strip()
            raise DendrolithError(re.sub(r"^error: ", "", said, flags=re.MULTILINE))
        return out.decode(errors="replace")

    def _answer(self, result: Any, files: Mapping[str, str], **more: Any) -> Dict[str, Any]:
        digests = {name: _digest(path) for name, path in files.items()}
        return {
            "result": result,
            "units": _UNITS,
            "digests": {k: v for k, v in {**digests, **more}.items() if v},
            "budget": self.budget.state(),
        }

    def _flags(self, options: Optional[Mapping[str, Any]], **paths: Optional[str]) -> List[str]:
        """`options` are flags of the command by name. Those that write are arguments
        of their own here."""
        flags: List[str] = []
        for name, value in (options or {}).items():
            name = str(name).replace("_", "-")
            # "html=x" would be a flag with its value.
            if not re.fullmatch("[a-z][a-z-]*", name):
                raise DendrolithError(f"option {name!r:.40}: expected a name as 'map-for'")
            if name in ("out", "o", "html", "timeline", "emit", "config", "slurm"):
                raise DendrolithError(f"option '{name}' writes files or starts others; leave it out")
            for one in value if isinstance(value, list) else [value]:
                if one is not True and (one is False or not isinstance(one, (str, int, float))):
                    raise DendrolithError(
                        f"option '{name}': expected text, a number or true, found {one!r:.40}"
                    )
                flags.append(f"--{name}" if one is True else f"--{name}={one}")
        for name, path in paths.items():
            if path:
                flags.append(f"--{name}={self._read(path)}")
        return flags

    # ---- Tools

    def check(self, model: str, targets: List[str], calibrate: Optional[str] = None,
              options: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Say all that is wrong with a trained network (.nir, .npz, .pt2, .mlir, .net),
        and whether it fits chips ("loihi1", "loihi2", "loihi2,microcode.lanes=4"): needs
        against limits by resource. `calibrate` is an .npy file of samples."""
        with self._lock:
            path = self._read(model)
            flags = [flag for target in targets for flag in ("--target", target)]
            said = self._call("check", path, *flags, *self._flags(options, calibrate=calibrate),
                              "--format", "json", fails=True)
            return self._answer(json.loads(said), {"model": path})

    def plan(self, description: str, target: str,
             options: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Say what a network would take before anything is built: cores, messages, time of
        a step. `description` is a .yaml of sizes, connections and rates, or a .npz that
        `generate` made."""
        with self._lock:
            path = self._read(description)
            said = self._call("plan", path, "--target", target, *self._flags(options),
                              "--format", "json")
            return self._answer(json.loads(said), {"description": path})

    def compile(self, model: str, target: str, out: str, calibrate: Optional[str] = None,
                options: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Quantise and map a network for a chip, and write the program image `out` (.dlp)
        in the folder. `options` are flags of `dendrolith compile` by name:
        {"map-for": "energy", "weight-bits": 4}."""
        with self._lock:
            path, image = self._read(model), self._write(out)
            text = self._call("compile", path, "--target", target, "-o", image,
                              *self._flags(options, calibrate=calibrate))
            return self._answer(text, {"model": path, "program": image})

    def run(self, model: str, target: str, input: str, out: str,
            labels: Optional[str] = None, calibrate: Optional[str] = None,
            engine: str = "cycle", options: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Run a network or an image on a chip and keep the result in the folder `out`.
        Gives what people quote: score with its interval, energy and latency of a sample
        with their bands, and warnings. `engine` is "cycle" (times), "functional" or
        "float"; `input` and `labels` are .npy files."""
        with self._lock:
            path, kept = self._read(model), self._write(out)
            self._call("run", path, "--target", target, f"--engine={engine}", "--report=none",
                       f"--out={kept}",
                       *self._flags(options, input=input, labels=labels, calibrate=calibrate))
            return self._told(kept, {"model": path})

    def explain(self, result: str, by: str = "summary") -> Dict[str, Any]:
        """Say where energy and time of a stored run go: `by` is "summary" (with what closed
        the slowest steps), "layer", "core", "event" or "sample"."""
        with self._lock:
            folder = self._read(result)
            flags = [] if by == "summary" else ["--by", by]
            text = self._call("report", folder, *flags)
            return self._answer(text, {"result": os.path.join(folder, "result.json")})

    def diff(self, first: str, second: str, study: Optional[str] = None) -> Dict[str, Any]:
        """Say how two stored runs differ, or with `study` two designs of it ("P1", "P4") on
        the same samples and under the same unknown prices."""
        with self._lock:
            if study is None:
                both = [self._read(first), self._read(second)]
                files = {name: os.path.join(folder, "result.json")
                         for name, folder in zip(("first", "second"), both)}
                return self._answer(self._call("report", *both), files)
            store = self._read(study)
            said = self._call("explore", store, "--diff", first, second, "--format", "json")
            return self._answer(json.loads(said), {"study": os.path.join(store, "study.yaml")})

    def explore(self, study: str, out: str,
                objectives: Optional[List[str]] = None) -> Dict[str, Any]:
        """Measure the designs of a study (a .yaml file, or its text) that are missing in the folder
        `out`, and give the front: what no other design beats, certainly or possibly. Each
        new design takes a point of the budget."""
        with self._lock:
            path, store = self._study(study, out), self._write(out)
            said = self._call("explore", path, "-o", store, "--dry-run")
            found = re.search(r"([\d,]+) designs?(?:, of which 'where' excludes ([\d,]+))?", said)
            total = int(found.group(1).replace(",", "")) if found else 0
            before = self._points(store)
            self.budget.take_points(max(total - before, 0))
            try:
                self._call("explore", path, "-o", store, "--jobs", "1")
            finally:
                self.budget.points -= max(self._points(store) - before, 0)
            names = [",".join(objectives)] if objectives else []
            front = self._call("explore", store, "--pareto", *names, "--format", "json")
            return self._answer(json.loads(front), {"study": path})

    def propose(self, study: str, out: str, designs: List[Dict[str, Any]]) -> Dict[str, Any]:
        """Measure designs that you propose: one value of every axis of the study (a .yaml
        file, or its text, with `vary` and without `strategy`) for each. The process stays, so that
        proposals one by one cost what a study of them costs."""
        with self._lock:
            path, store = self._study(study, out), self._write(out)
            if not designs or any(set(one) != set(designs[0]) for one in designs):
                raise DendrolithError("expected designs with the same axes, at least one")
            self.budget.take_points(len(designs))
            proposed = self._studies.get(store) or self._begin(path, store)
            rows = [{key: str(value) for key, value in one.items()} for one in designs]
            begin = time.monotonic()
            try:
                answers = proposed.propose(rows, self.budget.time_left())
            except DendrolithError:
                self._studies.pop(store).close()
                raise
            finally:
                self.budget.seconds -= time.monotonic() - begin
            self.budget.points -= len(designs)
            return self._answer(answers, {"study": path})

    def _study(self, study: str, out: str) -> str:
        """The path of a study, which may be given as its text."""
        if "\n" not in study:
            return self._read(study)
        path = self._write(out + ".yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(study)
        return path

    def _begin(self, path: str, store: str) -> ProposedStudy:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if re.search(r"^strategy:", text, re.MULTILINE):
            raise DendrolithError(f"{path}: has a strategy of its own; propose needs none")
        if os.path.dirname(path) != os.path.dirname(store):
            raise DendrolithError(
                f"{path}: lies beside another folder than {store}, and paths in it would mean "
                "other files; give its text, or an `out` beside it"
            )
        folder = store + ".ask"
        os.makedirs(folder, exist_ok=True)
        ours = store + ".ask.yaml"
        with open(ours, "w", encoding="utf-8") as file:
            file.write(text.rstrip("\n") + f"\nstrategy: {{ask: {json.dumps(folder)}}}\n")
        command = [find_binary(), "explore", ours, "-o", store, "--jobs", "1"]
        proposed = self._studies[store] = ProposedStudy(folder, command)
        return proposed

    def _points(self, store: str) -> int:
        if not os.path.isdir(store):
            return 0
        said = self._call("explore", store, "--status", "--format", "json")
        status = json.loads(said)["status"]
        return int(status["points"]) - int(status["left"])

    def _told(self, folder: str, files: Dict[str, str]) -> Dict[str, Any]:
        result = Result(folder)
        data, energy = result.data, result.energy
        costs = data["costs"] or {}
        told = {
            **result.summary(),
            "unpriced_events": energy.unpriced,
            "latency_interval_95_ns": (
                (data["latency"] or {}).get("per_sample_ns") or {}).get("interval"),
            "warnings": [str(warning) for warning in result.warnings],
        }
        return self._answer(
            told,
            {**files, "result": os.path.join(folder, "result.json")},
            program=data["program_sha256"],
            target=(data["target"] or {}).get("sha256"),
            timing=(data["timing"] or {}).get("sha256"),
            costs_low=(costs.get("low") or {}).get("sha256"),
            costs_high=(costs.get("high") or {}).get("sha256"),
            outputs=data["hashes"]["outputs_sha256"],
        )


TOOLS = ("check", "plan", "compile", "run", "explain", "diff", "explore", "propose")


def server(door: Door) -> Any:
    """Return the server of the protocol's SDK with the tools of a door."""
    try:
        try:
            from mcp.server import MCPServer as Server  # type: ignore[import]
            from mcp.server.mcpserver.exceptions import ToolError  # type: ignore[import]
        except ImportError:  # the first version of the SDK
            from mcp.server.fastmcp import FastMCP as Server  # type: ignore[import]
            from mcp.server.fastmcp.exceptions import ToolError  # type: ignore[import]
    except ImportError as error:
        raise DendrolithError(
            "the package mcp is not installed; install it (pip install 'dendrolith[mcp]', "
            "or pip install mcp)",
            hint="pip install mcp",
        ) from error

    def told(tool: Callable[..., Any]) -> Callable[..., Any]:
        """Errors of ours are answers, others are faults of the server."""

        @functools.wraps(tool)
        def work(*arguments: Any, **named: Any) -> Any:
            try:
                return tool(*arguments, **named)
            except DendrolithError as error:
                raise ToolError(str(error)) from error

        return work

    made = Server("dendrolith", instructions=__doc__)
    for name in TOOLS:
        made.tool(name=name)(told(getattr(door, name)))
    return made


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m dendrolith.mcp", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True, help="below it alone files are written")
    parser.add_argument("--seconds", type=float, default=600, help="of work, all calls together")
    parser.add_argument("--points", type=int, default=200, help="designs that may be measured")
    given = parser.parse_args(arguments)
    try:
        server(Door(given.folder, given.seconds, given.points)).run("stdio")
    except DendrolithError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
