#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for faults with every target of tests/fuzz, in turns, and prints what was done.

The target with the least processor time goes next, so that all have equal shares
whenever the campaign is stopped. FOLDER keeps inputs, faults and sums; a later
call goes on from there.

    python3 tests/fuzz/campaign.py build-asan FOLDER --minutes 60 [--target NAME ...]

Prints one row a target: processor time in minutes, inputs tried, edges of the
program's flow that were reached, and faults. Exits with 1 where a fault was found.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPORA = {"lava-run": ["tests/fuzz/corpus/lava"], "jit": ["tests/fuzz/corpus/program"],
           "yaml": ["tests/fuzz/corpus/yaml", "targets"], "mlir": ["tests", "models/neurons"]}
LIBRARY = "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0"


def seeds(target):
    """The folders that a target starts from. Of the networks only texts are taken."""
    folders = [ROOT / name for name in CORPORA.get(target, [f"tests/fuzz/corpus/{target}"])]
    return [folder for folder in folders if folder.is_dir()]


def copy_texts(target, inputs):
    if any(inputs.iterdir()) or target != "mlir":
        return
    for folder in seeds(target):
        for path in folder.rglob("*.mlir"):
            (inputs / f"{path.parent.name}-{path.name}").write_bytes(path.read_bytes())


def slice_of(build, folder, target, seconds, row):
    """Runs one target for some seconds and adds to its row. Returns 0 where it found no fault."""
    inputs, faults = folder / target, folder / "faults"
    inputs.mkdir(parents=True, exist_ok=True)
    faults.mkdir(exist_ok=True)
    copy_texts(target, inputs)
    beside = [] if target == "mlir" else seeds(target)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [build / "bin" / f"dendrolith-fuzz-{target}", f"-max_total_time={seconds}",
         "-print_final_stats=1", "-timeout=60", "-rss_limit_mb=4096",
         f"-artifact_prefix={faults}/{target}-", inputs, *beside],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
        env={**os.environ, "ASAN_OPTIONS": LIBRARY}, start_new_session=True)
    try:
        text = process.communicate(timeout=4 * seconds + 600)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text = process.communicate()[1]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    row["seconds"] += (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    row["tried"] += int((re.findall(r"number_of_executed_units: (\d+)", text) or [0])[-1])
    row["edges"] = max([row["edges"], *map(int, re.findall(r"cov: (\d+)", text))])
    if process.returncode:
        row["faults"] += 1
        (folder / "faults" / f"{target}-{row['faults']}.log").write_text(text[-20000:])
        print(f"{target}: a fault, see {folder}/faults", file=sys.stderr, flush=True)
    return process.returncode


def table(rows):
    print("| target | minutes | inputs tried | edges | faults |\n|---|---|---|---|---|")
    for target, row in sorted(rows.items()):
        print(f"| `{target}` | {row['seconds'] / 60:.1f} | {row['tried']:,} | "
              f"{row['edges']:,} | {row['faults']} |")
    print(f"| together | {sum(row['seconds'] for row in rows.values()) / 60:.0f} | "
          f"{sum(row['tried'] for row in rows.values()):,} | | "
          f"{sum(row['faults'] for row in rows.values())} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=60, help="of the clock")
    parser.add_argument("--slice", type=int, default=60, help="seconds of one turn")
    parser.add_argument("--target", nargs="+")
    asked = parser.parse_args()
    targets = asked.target or sorted(path.name.removeprefix("dendrolith-fuzz-") for path in
                                     (asked.build / "bin").glob("dendrolith-fuzz-*"))
    if not targets:
        sys.exit(f"error: {asked.build}/bin has no targets; build the preset 'asan' first")
    asked.folder.mkdir(parents=True, exist_ok=True)
    sums = asked.folder / "sums.json"
    rows = json.loads(sums.read_text()) if sums.exists() else {}
    for target in targets:
        rows.setdefault(target, {"seconds": 0.0, "tried": 0, "edges": 0, "faults": 0})
    end = time.monotonic() + 60 * asked.minutes
    while targets and time.monotonic() < end:
        target = min(targets, key=lambda name: rows[name]["seconds"])
        if slice_of(asked.build, asked.folder.resolve(), target, asked.slice, rows[target]):
            targets.remove(target)  # it would find the same one again
        sums.write_text(json.dumps(rows, indent=1))
    table(rows)
    return int(any(row["faults"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
