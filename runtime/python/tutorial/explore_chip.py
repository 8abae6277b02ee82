# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explore a chip: explore_chip.md beside this file tells the story.

    /usr/bin/python3 runtime/python/tutorial/explore_chip.py out/chips

prints what the page quotes, and writes the figure, the table and the points into the
folder. It needs matplotlib and a built `dendrolith`.
"""
import pathlib
import sys

try:
    import matplotlib
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "this draws: pip install matplotlib, or Debian's python3-matplotlib for /usr/bin/python3"
    ) from error
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
matplotlib.use("Agg")  # draws into files
sys.path.insert(0, str(ROOT / "runtime" / "python"))  # where the package is not installed

import matplotlib.pyplot as pyplot  # noqa: E402
import dendrolith as dl  # noqa: E402

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/chips")
folder.mkdir(parents=True, exist_ok=True)
LIF = ROOT / "models" / "lif"

# 1. A quick question from Python: how many cores should the network take? Every choice of the
# compiler and every number of a chip can be a list.
few = dl.explore(LIF / "shapes_lif.nir", x=np.load(LIF / "test_x.npy")[:40],
                 labels=np.load(LIF / "test_y.npy")[:40], targets="loihi1",
                 cores=[":2", ":8", ":32"], calibrate=np.load(LIF / "calib_x.npy"))
print("cores  accuracy  events (uJ)  static (uJ)  time (us)")
for row in few:
    print(f"{row['cores']:>5} {100 * row['score']:>8.1f} %{1e6 * row['energy_low_J']:>12.3f}"
          f"{1e6 * row['static_low_J']:>13.3f}{1e6 * row['latency_mean_s']:>11.2f}")


# 2. A question about chips is a study: a file that names the axes, what is good, and what has
# to hold. Each design is measured once and kept in a folder; a study that was stopped goes on
# where it was. `dendrolith explore` does the same without Python.
study = dl.explore(HERE / "explore_chip.yaml", out=folder / "designs", jobs=2)
print(f"\n{len(study)} designs")

# 3. What does no other design beat?
print("\nnot beaten in time, energy and area")
for design in study.front("latency.mean", "together", "area"):
    print(f"  {design['id']:<4}{16 * design['mesh.tiles_x']:>4} cores,"
          f"{design['formats.weight_bits']:>2} bits:{design['latency.mean']:>6.2f} us,"
          f"{design['together.low']:>6.3f} uJ,{design['area.low']:>6.1f} to "
          f"{design['area.high']:>4.1f} mm2,{100 * design['accuracy']:>5.1f} % ({design['standing']})")

# Which is the cheapest that is fast and right enough? And how do two designs differ, on the
# same samples?
print("\n" + study.best("together", "latency.mean < 20 us", "accuracy > 0.95"))
print("\n".join(study.difference("P1", "P4").splitlines()[:15]))

# 4. The figure: every design, and a line through those that no other one beats in time and energy.
study.to_csv(folder / "designs.csv")
study.report(folder / "designs.html")


def beaten(design):
    return any(other["latency.mean"] <= design["latency.mean"] and
               other["together.high"] <= design["together.low"] and other is not design
               for other in study.rows)


figure, ax = pyplot.subplots(figsize=(7, 3.8), constrained_layout=True)
for across, mark, colour in zip((8, 4, 2, 1), "os^D", ("#0072B2", "#D55E00", "#009E73", "#CC79A7")):
    mine = [design for design in study.rows if design["mesh.tiles_x"] == across]
    area = mine[0]["area"]
    ax.scatter([design["latency.mean"] for design in mine],
               [design["together.low"] for design in mine], s=3 * area, marker=mark, alpha=0.7,
               color=colour, label=f"{16 * across} cores, {area:.0f} mm2")
front = sorted(((design["latency.mean"], design["together.low"], design["id"])
                for design in study.rows if not beaten(design)))
for time, energy, name in front:
    ax.annotate(name, (time, energy), textcoords="offset points", xytext=(4, 9))
ax.plot([row[0] for row in front], [row[1] for row in front], color="black", lw=1, ls="--",
        zorder=0, label="not beaten in both")
ax.set(xlabel="us of a sample", ylabel="uJ of a sample, static and events", ylim=(0, None))
ax.legend(fontsize="small", loc="lower left")
figure.savefig(folder / "explore_chip.png", dpi=80)
print(f"\nwrote {', '.join(sorted(path.name for path in folder.glob('*.*')))} to {folder.name}")
