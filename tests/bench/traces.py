#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recording costs beside the same run without it.

    python3 tests/bench/traces.py [--build build] [--rounds 5] [--steps 760 1520]
                                  [--engine functional]

A random network of 10,000 neurons runs from its image on one thread, without traces,
with one state of all neurons, and with both states and the spikes. Processor time of
the whole command, the least of rounds in which all of them take turns, and the peak
of the memory, which does not grow with the steps for traces that go to their file.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRACES = [("none", 0, []), ("lif:v", 1, ["--trace", "lif:v"]),
          ("lif,lif:u,lif:v", 3, ["--trace", "lif,lif:u,lif:v"])]
NEURONS = 10_000


def spent(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(getattr(after, key) - getattr(before, key) for key in ("ru_utime", "ru_stime"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, nargs="+", default=[760, 1520])
    parser.add_argument("--engine", default="functional")
    arguments = parser.parse_args()
    dendrolith = arguments.build.resolve() / "bin" / "dendrolith"
    print("traces           steps  M values  processor s  of none  peak MB")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for steps in arguments.steps:
            spent(dendrolith, "generate", folder / "n", "--neurons", NEURONS, "--steps", steps)
            spent(dendrolith, "compile", folder / "n.npz", "--target", "loihi1-study",
                  "-o", folder / "n.dlp")
            best, memory = {}, {}
            for _ in range(arguments.rounds):
                for name, _, flags in TRACES:
                    seconds = spent(dendrolith, "run", folder / "n.dlp", "--input",
                                    folder / "n.npz", "--engine", arguments.engine,
                                    "--threads", 1, *flags, "--out", folder / "out")
                    best[name] = min(seconds, best.get(name, seconds))
                    result = json.loads((folder / "out/result.json").read_text())
                    memory[name] = result["peak_rss_bytes"] / 1e6
            for name, count, _ in TRACES:
                print(f"{name:15} {steps:6} {count * steps * NEURONS / 1e6:9.1f} "
                      f"{best[name]:12.2f} {best[name] / best['none']:7.2f}x "
                      f"{memory[name]:8.0f}", flush=True)


if __name__ == "__main__":
    main()
