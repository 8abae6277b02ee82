# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explore a chip: explore_chip.md beside this file tells the story.

    /usr/bin/python3 runtime/python/tutorial/explore_chip.py out/chips

prints what the page quotes, and writes the figure, the table and the points into the
folder. It needs matplotlib and a built `neurite`.
"""
import csv
import pathlib
import subprocess
import sys

import matplotlib
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
matplotlib.use("Agg")  # draws into files
sys.path.insert(0, str(ROOT / "runtime" / "python"))  # where the package is not installed

import matplotlib.pyplot as pyplot  # noqa: E402
import neurite as nr  # noqa: E402
from neurite.binary import find_binary  # noqa: E402

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/chips")
folder.mkdir(parents=True, exist_ok=True)
LIF = ROOT / "models" / "lif"

# 1. A quick question from Python: how many cores should the network take? Every choice of the
# compiler and every number of a chip can be a list.
swept = nr.sweep(LIF / "shapes_lif.nir", np.load(LIF / "test_x.npy")[:40],
                 np.load(LIF / "test_y.npy")[:40], targets=["loihi1"],
                 cores=[":2", ":8", ":32"], calibrate=np.load(LIF / "calib_x.npy"))
print("cores  accuracy  events (uJ)  static (uJ)  time (us)")
for row in swept:
    print(f"{row['cores']:>5} {100 * row['score']:>8.1f} %{1e6 * row['energy_low_J']:>12.3f}"
          f"{1e6 * row['static_low_J']:>13.3f}{1e6 * row['latency_mean_s']:>11.2f}")


# 2. A question about chips is a study: a file that names the axes, what is good, and what has
# to hold. The command measures each design once and keeps it in a folder; a study that was
# stopped goes on where it was.
def explore(*arguments):
    command = [find_binary(), "explore", *map(str, arguments)]
    print(f"\n> neurite explore {' '.join(pathlib.Path(str(a)).name for a in arguments)}")
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


points = folder / "points"
print(explore(HERE / "explore_chip.yaml", "-o", points, "--jobs", "2").splitlines()[-2])

# 3. What does no other design beat? And what is the cheapest chip that is fast enough?
print(explore(points, "--pareto", "latency.mean,together,area"), end="")
print(explore(points, "--best", "together", "latency.mean < 20 us", "accuracy > 0.95"), end="")
# Two designs beside each other, on the same samples.
print("\n".join(explore(points, "--diff", "P1", "P4").splitlines()[:18]))

# 4. The figure: every design, those drawn as a line that no other one beats in time and energy.
explore(points, "--csv", folder / "chips.csv")
explore(points, "--html", folder / "chips.html")
with open(folder / "chips.csv", newline="") as file:
    rows = list(csv.DictReader(file))


def beaten(row):
    return any(float(other["latency.mean"]) <= float(row["latency.mean"]) and
               float(other["together.high"]) <= float(row["together.low"]) and other is not row
               for other in rows)

figure, ax = pyplot.subplots(figsize=(7, 3.8), constrained_layout=True)
for across, mark, colour in zip("8421", "os^D", ("#0072B2", "#D55E00", "#009E73", "#CC79A7")):
    mine = [row for row in rows if row["mesh.tiles_x"] == across]
    area = float(mine[0]["area"])
    ax.scatter([float(row["latency.mean"]) for row in mine],
               [float(row["together.low"]) for row in mine], s=3 * area, marker=mark, alpha=0.7,
               color=colour, label=f"{16 * int(across)} cores, {area:.0f} mm2")
for row in rows:
    if not beaten(row):
        ax.annotate(row["id"], (float(row["latency.mean"]), float(row["together.low"])),
                    textcoords="offset points", xytext=(4, 9))
front = sorted((float(row["latency.mean"]), float(row["together.low"]))
               for row in rows if not beaten(row))
ax.plot(*zip(*front), color="black", lw=1, ls="--", zorder=0, label="not beaten in both")
ax.set(xlabel="us of a sample", ylabel="uJ of a sample, static and events", ylim=(0, None))
ax.legend(fontsize="small", loc="lower left")
figure.savefig(folder / "explore_chip.png", dpi=80)
print(f"\nwrote {', '.join(sorted(path.name for path in folder.glob('*.*')))} to {folder.name}")
