# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `dendrolith`, and says which of its flags a solver of the table means."""
import dataclasses
import os
import pathlib
import re
import subprocess
import tempfile
import time

ERROR = re.compile(r"^error: ")


class Refused(Exception):
    """Dendrolith says that there is no such mapping; the text says why."""


def peak_kb(process):
    """The largest memory of a running process so far."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+)", status)
    return int(found.group(1)) if found else 0


class Dendrolith:
    def __init__(self, binary, more=()):
        self.binary = binary
        self.more = list(more)  # flags of every `dendrolith compile`

    def text(self, *words):
        done = subprocess.run([self.binary, *map(str, words)],
                              capture_output=True, text=True)
        if done.returncode:
            told = done.stderr.strip() or done.stdout.strip()
            raise Refused(ERROR.sub("", told.splitlines()[-1] if told else
                                    f"exit status {done.returncode}"))
        return done.stdout

    def __call__(self, *words):
        """Runs it; gives seconds of processors, user and system, and peak MB."""
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
        return used.ru_utime + used.ru_stime, peak / 1024


@dataclasses.dataclass
class Solver:
    """NAME[@CORES][/SECONDS]: a solver of Dendrolith, what --map-for optimises, or
    a placement from outside; so many cores, and a time budget."""
    name: str
    cores: int = 0
    seconds: float = 0

    OUTSIDE = ("chunks", "in-order", "metis")
    ABLATIONS = ("apart",)
    GOALS = ("time", "energy", "edp", "cores", "balanced")

    @staticmethod
    def parse(text):
        name, cores, seconds = re.fullmatch(
            r"([\w-]+)(?:@(\d+))?(?:/([\d.]+))?", text).groups()
        return Solver(name, int(cores or 0), float(seconds or 0))

    def flags(self):
        """Flags of `dendrolith compile`."""
        if self.name in self.OUTSIDE:
            return []
        goal = "balanced" if self.name == "apart" else self.name
        is_goal = goal in self.GOALS
        flags = ["--map-for", goal] if is_goal else (
            ["--tuning", f"{{solver: {goal}}}"])
        if self.cores:
            flags += ["--cores", f"{self.cores}:{self.cores}"]
        if self.seconds:
            flags += ["--tuning", f"{{map-time: {self.seconds}}}"]
        return flags
