#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what the build takes from nothing: processor time (user and system, of all
processes) and the memory of the largest one, for the objects of `./quickstart` and for
what `./check` adds. Configures as these do, with an empty compiler cache, in a folder
that is removed afterwards (1.5 GB, up to an hour).

    python3 tests/bench/build_time.py [--jobs N] [--first]
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def options():
    """How ./quickstart configures, but for the folder."""
    text = (ROOT / "quickstart").read_text().replace("\\\n", " ")
    return re.search(r"cmake -S \. -B build (.*?) >", text).group(1).split()


def spent():
    """Processor seconds of all processes that have ended, and the most memory in MB
    that one of them had."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(name, command, environment):
    before = spent()[0]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(done.stdout[-4000:] + f"\nerror: {' '.join(map(str, command))} failed")
    after, memory = spent()
    print(f"{name:28} {(after - before) / 60:9.1f} {memory:11,.0f}", flush=True)
    return after - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    parser.add_argument("--first", action="store_true", help="only what ./quickstart builds")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="build-time-") as scratch:
        environment = {**os.environ, "CCACHE_DIR": f"{scratch}/cache"}
        build = ["cmake", "--build", f"{scratch}/build", "-j", asked.jobs]
        print(f"{'step':28} {'CPU min':>9} {'most MB':>11}")
        total = measure("configure", ["cmake", "-S", ROOT, "-B", f"{scratch}/build",
                                      *options()], environment)
        total += measure("first: the two programs", [*build, "--target", "dendrolith",
                                                     "dendrolith-opt"], environment)
        if not asked.first:
            total += measure("second: tests and benchmarks", build, environment)
        print(f"{'together':28} {total / 60:9.1f}")


if __name__ == "__main__":
    main()
