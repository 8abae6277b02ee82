# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figure of a study, from the table of `dendrolith explore STUDY --format csv`.

    python3 figures.py core core.csv core.svg

Bands are drawn from their low to their high end.  Needs Debian's python3-matplotlib.
"""
import argparse
import csv
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker
except ImportError:
    matplotlib = None

# Told apart also by those who do not see colours as others do (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = "osD^vPX"


def done(path):
    with open(path, newline="") as rows:
        return [row for row in csv.DictReader(rows) if row["state"] == "done"]


def value(row, name):
    return float(row[name])


def band(row, name):
    return value(row, f"{name}.low"), value(row, f"{name}.high")


def draw_band(axes, x, ends, colour, mark="_"):
    axes.plot([x, x], ends, color=colour, linewidth=0.8, alpha=0.6)
    axes.plot([x, x], ends, color=colour, marker=mark, markersize=3, linestyle="none", alpha=0.8)


def by_key(rows, *names):
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def plain(*scales):
    """Logarithmic axes with numbers as people write them."""
    for scale in scales:
        scale.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        scale.set_major_formatter(ticker.FuncFormatter(lambda number, _: f"{number:g}"))
        scale.set_minor_formatter(ticker.NullFormatter())


def beside(axes, named=None):
    """A legend right of `axes`, of what `named` or they themselves show."""
    axes.legend(*(named or axes).get_legend_handles_labels(), fontsize=7, loc="upper left",
                bbox_to_anchor=(1.01, 1), borderaxespad=0)


def core(rows, figure):
    """Energy over latency at the first supply, that of the chip; colours are lanes, marks the number of cores."""
    rows = [row for row in rows if row["voltage.supply"] == rows[0]["voltage.supply"]]
    models = by_key(rows, "model")
    panels = figure.subplots(1, len(models), squeeze=False)[0]
    lanes = sorted({int(row["microcode.lanes"]) for row in rows})
    meshes = sorted({int(row["mesh.tiles_x"]) * int(row["mesh.tiles_y"]) * 4 for row in rows})
    for axes, ((model,), points) in zip(panels, sorted(models.items())):
        for row in points:
            cores = int(row["mesh.tiles_x"]) * int(row["mesh.tiles_y"]) * 4
            draw_band(axes, value(row, "latency.mean"), band(row, "together"),
                      COLOURS[lanes.index(int(row["microcode.lanes"]))], MARKS[meshes.index(cores)])
        for number, each in enumerate(lanes):
            axes.plot([], [], color=COLOURS[number], label=f"{each} lane" + "s" * (each > 1))
        for number, each in enumerate(meshes):
            axes.plot([], [], color="grey", marker=MARKS[number], linestyle="none", label=f"{each} cores")
        axes.set(title=model, xlabel="latency, us", ylabel="events and static, uJ", xscale="log", yscale="log")
        plain(axes.xaxis, axes.yaxis)
    beside(panels[-1])


def spikes(rows, figure):
    """Latency and energy over the width of the network on chip."""
    latency, energy = figure.subplots(1, 2)
    # A payload changes nothing as long as values fit into it.
    rows = [row for row in rows if row["spikes.payload_bits"] == "32"]
    for number, ((model, form), points) in enumerate(sorted(by_key(rows, "model", "compile.spikes").items())):
        points.sort(key=lambda row: int(row["mesh.flit_bits"]))
        widths = [int(row["mesh.flit_bits"]) for row in points]
        colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
        latency.plot(widths, [value(row, "latency.mean") for row in points], color=colour, marker=mark,
                     markersize=4, label=f"{model}, {form}")
        for width, row in zip(widths, points):
            draw_band(energy, width * (1 + 0.03 * number), band(row, "together"), colour, mark)
    latency.set(xlabel="bits of a flit", ylabel="latency, us", xscale="log", yscale="log")
    energy.set(xlabel="bits of a flit", ylabel="events and static, uJ", xscale="log", yscale="log")
    plain(latency.xaxis, latency.yaxis, energy.xaxis, energy.yaxis)
    beside(energy, latency)


def neurons(rows, figure):
    """Who is right how often, over the energy of a sample."""
    axes = figure.subplots()
    complexity = sorted({int(row["model"].split("_m")[1].split("_")[0]) for row in rows})
    budgets = sorted({row["model"].split("_")[0] for row in rows})
    for row in rows:
        budget, memory = row["model"].split("_")[0], int(row["model"].split("_m")[1].split("_")[0])
        low, high = band(row, "together")
        colour = COLOURS[complexity.index(memory)]
        axes.plot([low, high], [100 * value(row, "accuracy")] * 2, color=colour, linewidth=0.8,
                  marker=MARKS[budgets.index(budget)], markersize=4)
    for number, each in enumerate(complexity):
        axes.plot([], [], color=COLOURS[number], label=f"{each} memory units")
    for number, each in enumerate(budgets):
        axes.plot([], [], color="grey", marker=MARKS[number], linestyle="none", label=f"{each[1:]} parameters")
    axes.set(xlabel="events and static, uJ of a sample, low to high", ylabel="accuracy, %", xscale="log")
    plain(axes.xaxis)
    beside(axes)


DRAW = {"core": core, "spikes": spikes, "neurons": neurons}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("study", choices=DRAW)
    parser.add_argument("table", help="what `dendrolith explore STUDY --format csv` prints")
    parser.add_argument("figure", help="SVG to write")
    options = parser.parse_args()
    if matplotlib is None:
        sys.exit("python3-matplotlib is not installed")
    # The same points give the same bytes.
    matplotlib.rcParams["svg.hashsalt"] = "dendrolith"
    figure = pyplot.figure(figsize=(8, 3.6), layout="constrained")
    DRAW[options.study](done(options.table), figure)
    figure.savefig(options.figure, metadata={"Date": None})


if __name__ == "__main__":
    main()
