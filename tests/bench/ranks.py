#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One network on several processes (mpirun): time and memory beside one process. With
--threads 2 also one process whose workers share the sample.

    python3 tests/bench/ranks.py [--build build] [--neurons 100000] [--chips 8]
                         [--ranks 1 2 4] [--rounds 3] [--engine functional] [--weak]
                         [--mode local] [--threads 2]

A network lies on a board of `--chips` chips, whole chips on each rank, one thread
each. Rounds alternate; the table has the best time of each. `alone` is the command
without mpirun. Outputs and counts of all runs are compared. With --weak the network has
--neurons for each rank. Time is the simulation's own (`wall_s.simulate` of the result, of
the first rank, which waits for the others); memory is the largest that any rank took, as
the system says when it ends (`ru_maxrss`).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

LAUNCH = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]
# Starts a command and writes its peak memory into the file named first.
WATCH = ("import resource, subprocess, sys, os;"
         "code = subprocess.run(sys.argv[2:]).returncode;"
         "rank = os.environ.get('OMPI_COMM_WORLD_RANK', '0');"
         "open(sys.argv[1] + rank, 'w').write(str("
         "resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)); sys.exit(code)")


def network(arguments, folder, neurons, chips):
    """An image of a local network on so many chips."""
    dendrolith = arguments.build / "bin" / "dendrolith"
    target = f"loihi1-study,board.chips_x={chips}"
    cores = 128 * chips
    neurons = max(81, neurons // cores) * cores  # as many on each
    prefix = folder / f"n{neurons}"
    subprocess.run([dendrolith, "generate", prefix, "--mode", arguments.mode, "--neurons",
                    str(neurons), "--steps", str(arguments.steps),
                    *(["--cores", str(cores)] if arguments.mode == "local" else [])],
                   check=True, stdout=subprocess.DEVNULL)
    image = prefix.with_suffix(".dlp")
    subprocess.run([dendrolith, "compile", prefix.with_suffix(".npz"), "--target", target,
                    "-o", image], check=True, stdout=subprocess.DEVNULL)
    # As an array: with the archive, spikes would be recorded and compared, too.
    archive = np.load(prefix.with_suffix(".npz"))
    meta = json.loads(prefix.with_suffix(".json").read_text())
    values = np.zeros((arguments.steps, meta["n_inputs"]), np.uint8)
    values[archive["in_t"] - 1, archive["in_id"]] = 1
    np.save(prefix.with_suffix(".npy"), values)
    return prefix.with_suffix(".npy"), image


def run(arguments, folder, archive, image, ranks, threads):
    """Seconds, MB of the largest rank, MB of all, and what the run gave."""
    out = folder / "out"
    words = [arguments.build / "bin" / "dendrolith", "run", image, "--input", archive,
             "--engine", arguments.engine, "--threads", str(threads), "--out", out]
    for old in folder.glob("peak*"):
        old.unlink()
    launch = [*LAUNCH, "-np", str(ranks)] if ranks else []
    subprocess.run([*launch, sys.executable, "-c", WATCH, folder / "peak", *words],
                   check=True, stdout=subprocess.DEVNULL)
    peaks = [int(file.read_text()) / 1024 for file in folder.glob("peak*")]
    result = json.loads((out / "result.json").read_text())
    gave = {key: result[key] for key in ("counts", "times", "latency", "attribution")
            if key in result}
    return result["wall_s"]["simulate"], max(peaks), sum(peaks), gave


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--neurons", type=int, default=100000)
    parser.add_argument("--chips", type=int, default=8)
    parser.add_argument("--ranks", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--threads", type=int, nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--mode", choices=["local", "random"], default="local")
    parser.add_argument("--engine", default="functional")
    parser.add_argument("--weak", action="store_true")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ranks = [0, *arguments.ranks]
        rows = [(r, 1) for r in ranks] + [(0, t) for t in arguments.threads]
        nets = {r: network(arguments, folder, arguments.neurons *
                           (max(r, 1) if arguments.weak else 1), arguments.chips)
                for r in (ranks if arguments.weak else [0])}
        best, given = {}, {}
        for _ in range(arguments.rounds):
            for row in rows:
                found = run(arguments, folder, *nets.get(row[0], nets[0]), *row)
                if not arguments.weak or row[0] <= 1:
                    assert found[3] == given.setdefault("result", found[3]), row
                if row not in best or found[0] < best[row][0]:
                    best[row] = found
        print("| ranks | simulate, s | of alone | largest rank, MB | of alone | all, MB |")
        print("|---|---|---|---|---|---|")
        alone = best[rows[0]]
        for row in rows:
            seconds, peak, total, _ = best[row]
            name = row[0] or ("alone" if row[1] == 1 else f"alone, {row[1]} threads")
            print(f"| {name} | {seconds:.2f} | {alone[0] / seconds:.2f} x | "
                  f"{peak:.0f} | {peak / alone[1]:.2f} | {total:.0f} |")


if __name__ == "__main__":
    main()
