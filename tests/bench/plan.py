#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `dendrolith plan` says of five networks, beside what compile and run then take;
and what it says of one that no machine here holds.

    python3 tests/bench/plan.py [--build build] [--rounds 2] [--only random_1k ...]
    python3 tests/bench/plan.py --large

Times are seconds of processor time, the least of the rounds, of `compile` (in the order of
the file) and of `run` (functional engine, one thread), as wall time says little on a machine
with other load. Memory is the largest that the command took (`ru_maxrss`). Chips and cores
are the fewest (`--map-for cores`). With --large 10^10 synapses are planned on 1 and 1,000 ranks.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

# Network -> how it is generated, steps, target.
NETWORKS = {
    "random_1k": ("--neurons 1000 --recipe fanout=10", 20000, "loihi1"),
    "local_10k": ("--mode local --neurons 10368", 1000, "loihi1"),
    "column_10%": ("--mode microcircuit --recipe scale=0.1", 8000, "loihi2"),
    "random_100k": ("--neurons 100000", 200, "loihi1-study"),
    "local_1m": ("--mode local --neurons 1048576", 40, "loihi1-study,board.chips_x=8")}
LARGE = """
name: large
populations: [{name: e, size: 8000000, rate: 0.0005}, {name: i, size: 2000000, rate: 0.001}]
projections:
  - {from: e, to: e, fan_in: 800, within: 100000}
  - {from: e, to: i, fan_in: 800, within: 100000}
  - {from: i, to: e, fan_in: 200, within: 100000}
  - {from: i, to: i, fan_in: 200, within: 100000}
"""


def taken(*words):
    """Processor seconds and MB of a command."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        words = [str(word) for word in words]
        os.execv(words[0], words)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{' '.join(map(str, words))}: failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def planned(dendrolith, model, target, *words):
    text = subprocess.run([dendrolith, "plan", model, "--target", target, *words,
                           "--format", "json"], check=True, capture_output=True, text=True)
    return json.loads(text.stdout)


def row(dendrolith, folder, name, rounds):
    """Synapses, and (planned, taken) of each column."""
    recipe, steps, target = NETWORKS[name]
    net, image, out = folder / f"{name}.npz", folder / f"{name}.dlp", folder / name
    taken(dendrolith, "generate", folder / name, *recipe.split(), "--steps", steps)
    plan = planned(dendrolith, net, target, "--steps", str(steps))
    made = [taken(dendrolith, "compile", net, "--target", target, "--tuning",
                  "{solver: round-robin}", "--map-for", "cores", "-o", image)
            for _ in range(rounds)]
    runs = [taken(dendrolith, "run", image, "--input", net, "--engine", "functional",
                  "--threads", "1", "--out", out) for _ in range(rounds)]
    result = json.loads((out / "result.json").read_text())
    machine = plan["machine"]
    cores = result["mapping"]["cores"]
    chips = -(-cores // 128)
    return plan["network"]["synapses"], [
        (plan["chips"], chips), (plan["cores"], cores),
        (machine["compile_s"], min(made)[0]),
        (machine["compile_bytes"] / 2**20, max(m for _, m in made)),
        (machine["load_s"] + machine["run_s"], min(runs)[0]),
        (machine["memory_per_rank_bytes"] / 2**20, max(m for _, m in runs))]


def table(dendrolith, names, rounds):
    print("Planned/taken:\n\n| network | synapses | chips | cores | compile s | MB "
          "| run s | MB | farthest |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            synapses, pairs = row(dendrolith, pathlib.Path(folder), name, rounds)
            cells = [f"{a:,.0f}/{b:,.0f}" if b >= 100 or b == int(b) else
                     f"{a:.2g}/{b:.2g}" for a, b in pairs]
            worst = max((a / b - 1 for a, b in pairs), key=abs)
            print(f"| {name} | {synapses:,.0f} | {' | '.join(cells)} | {worst:+.0%} |",
                  flush=True)


def large(dendrolith):
    print("| ranks | what is divided, of a rank, GB | what each has whole, GB | load, s "
          "| step, ms | 10,000 steps, min |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "large.yaml"
        model.write_text(LARGE)
        def of(ranks):
            return planned(dendrolith, model, "loihi1-study,board.chips_x=8,board.chips_y=10",
                           "--ranks", str(ranks))
        kept = of(2**20)["machine"]["memory_per_rank_bytes"]  # of a rank without synapses
        for ranks in (1, 1000):
            plan = of(ranks)
            machine = plan["machine"]
            divided = machine["memory_per_rank_bytes"] - kept
            print(f"| {ranks:,} | {divided / 1e9:.3g} | {kept / 1e9:.3g} "
                  f"| {machine['load_s']:.3g} | {machine['step_ns'] / 1e6:.3g} "
                  f"| {machine['run_s'] / 60:.3g} |")
    print(f"\n{plan['network']['synapses']:.3g} synapses on {plan['chips']:.0f} chips; to compile "
          f"it on one host: {machine['compile_bytes'] / 1e9:.0f} GB, "
          f"{machine['compile_s'] / 60:.0f} min")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--large", action="store_true")
    flags = parser.parse_args()
    dendrolith = flags.build / "bin" / "dendrolith"
    if flags.large:
        large(dendrolith)
    else:
        table(dendrolith, flags.only, flags.rounds)


if __name__ == "__main__":
    main()
