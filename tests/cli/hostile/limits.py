# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one command under limits and looks at what it did."""
import os
import re
import resource
import shutil
import signal
import subprocess
import time

from corpus import OUTPUT

GIB = 1 << 30
ADDRESS_SPACE, PROCESSOR_SECONDS, WALL_SECONDS = 3 * GIB, 20, 60


class Outcome:
    def __init__(self, code, said, errors, seconds):
        self.code, self.said, self.errors, self.seconds = code, said, errors, seconds

    @property
    def message(self):
        """What follows "error: ", with its further lines."""
        return self.errors.partition("error: ")[2].strip()


def can_limit_memory(dendrolith):
    """Not in a build with the address sanitizer, which maps terabytes."""
    return run_limited([dendrolith, "--version"], True).code == 0


def run_limited(arguments, memory=True, cwd=None):
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 5))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))

    start = time.monotonic()
    child = subprocess.Popen(arguments, cwd=cwd, preexec_fn=limit, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             start_new_session=True)
    try:
        said, errors = child.communicate(timeout=WALL_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        said, errors = child.communicate()
    return Outcome(child.returncode, said.decode(errors="replace"),
                   errors.decode(errors="replace"), time.monotonic() - start)


def peak_mb():
    """The most that a child has taken so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3


def contents(folder):
    """Every path below, of files with size and time of change; a folder changes
    its own when something in it comes and goes."""
    found = {}
    for path in folder.rglob("*"):
        info = path.lstat()
        found[path] = None if path.is_dir() else (info.st_size, info.st_mtime_ns)
    return found


def faults(case, corpus, outcome, before):
    """What is wrong with an outcome."""
    good = case.harmless and outcome.code == 0
    if outcome.code != 1 and not good:
        yield f"exit code {outcome.code}"
    if re.search(r"[\x00-\x09\x0b-\x1f\x7f]", outcome.said + outcome.errors):
        yield "control characters"
    if good:
        return
    lines = outcome.errors.split("\n")
    if sum(line.startswith("error: ") for line in lines) != 1:
        yield "not one error"
    if len(outcome.errors) > 8192:
        yield f"a message of {len(outcome.errors)} bytes"
    if not re.search(case.place or re.escape(case.path.name), outcome.message):
        yield "no place is named"
    for pattern in case.patterns:
        if not re.search(pattern, outcome.message):
            yield f"no {pattern!r}"
    if contents(corpus.folder) != before:
        yield "something was written"


def run_case(case, corpus, memory):
    """The outcome, and a list of what is wrong with it."""
    output = corpus.folder / "output"
    output.mkdir()
    arguments = [str(output / "o" if a == OUTPUT else a) for a in case.arguments]
    before = contents(corpus.folder)
    outcome = run_limited([corpus.dendrolith, *arguments], memory, cwd=output)
    wrong = list(faults(case, corpus, outcome, before))
    shutil.rmtree(output)
    return outcome, wrong
