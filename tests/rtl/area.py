# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cells of an open chip's RTL by module, beside our table of areas.

    area.py CHIP CHECKOUT [--dendrolith build/bin/dendrolith] [--limit 900]

Yosys reads the checkout and maps its logic to simple gates. Memories are left out, whose
bits our table has, and modules that take it too long; they are named. A cell is no area:
what is beside each other is how the logic divides.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "runtime" / "python"))
sys.dont_write_bytecode = True
from dendrolith.cosim import CHIPS, _run, _sources  # noqa: E402
from dendrolith.errors import DendrolithError  # noqa: E402

# Modules without their content.
LEFT = {"odin": ["SRAM_*", "izh_neuron_state"], "tinyodin": ["SRAM_*"]}


def cells_of(chip, checkout, limit):
    """The top level, cells and flip-flops of each module, and the modules in each."""
    top = CHIPS[chip][1]
    steps = [f"read_verilog {path}" for path in _sources(chip, pathlib.Path(checkout))]
    steps += [f"blackbox {' '.join(LEFT[chip])}", f"synth -top {top} -run begin:fine", "techmap",
              "opt -fast", "abc -fast", "opt_clean", "stat"]
    told = _run(["yosys", "-Q", "-T", "-p", "; ".join(steps)], pathlib.Path.cwd(), limit, "yosys",
                "give a longer --limit")
    modules, inside = {}, {}
    for name, body in re.findall(r"=== (\S+) ===\n(.*?)(?=\n===|\Z)", told[told.rindex("Printing statistics"):],
                                 re.S):
        rows = dict((kind, int(count)) for kind, count in re.findall(r"^ {5}(\S+) +(\d+)$", body, re.M))
        inside[name] = {kind: n for kind, n in rows.items() if not kind.startswith("$_")}
        own = {kind: n for kind, n in rows.items() if kind.startswith("$_")}
        modules[name] = sum(own.values()), sum(n for kind, n in own.items() if "DFF" in kind or "DLATCH" in kind)
    return top, modules, inside


def short(name):
    """A module's own name, without its parameters."""
    parts = name.split("\\")
    return parts[1] if name.startswith("$paramod\\") else parts[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("chip", choices=sorted(LEFT))
    parser.add_argument("checkout")
    parser.add_argument("--dendrolith", default=os.environ.get("DENDROLITH_BIN", "build/bin/dendrolith"))
    parser.add_argument("--limit", type=float, default=900)
    given = parser.parse_args()
    if not shutil.which("yosys"):
        sys.exit("error: area.py needs Yosys, which is not there: apt install yosys")
    try:
        top, modules, inside = cells_of(given.chip, given.checkout, given.limit)
    except DendrolithError as error:
        sys.exit(f"error: {error}")
    times, todo = {}, [(top, 1)]
    while todo:
        name, n = todo.pop()
        times[name] = times.get(name, 0) + n
        todo += [(below, n * count) for below, count in inside.get(name, {}).items()]
    total = sum(modules[name][0] * n for name, n in times.items() if name in modules)
    print(f"{given.chip}: {total:,} cells in '{top}', without {', '.join(LEFT[given.chip])}")
    for name, n in sorted(times.items(), key=lambda row: -modules.get(row[0], (0, 0))[0] * row[1]):
        if name in modules:
            cells, flops = modules[name]
            print(f"  {short(name):28} {n:3} x {cells:7,} cells, {flops:6,} flip-flops, "
                  f"{100 * n * cells / total:5.1f} %")
    told = subprocess.run([given.dendrolith, "targets", given.chip], capture_output=True, text=True).stdout
    table = re.search(r"^area and leakage\n(.*?)\n\n", told, re.S | re.M)
    print(table[1] if table else "our table has no area for it")


if __name__ == "__main__":
    main()
