# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Energy study of three networks on two chips: energy_study.md beside this file tells the
story.

    /usr/bin/python3 runtime/python/tutorial/energy_study.py out/energy 100

prints what the page quotes, of 100 samples of each network, and writes the figure into
the folder. It needs matplotlib and a built `dendrolith`.
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

ROOT = pathlib.Path(__file__).resolve().parents[3]
matplotlib.use("Agg")  # draws into files
sys.path.insert(0, str(ROOT / "runtime" / "python"))  # where the package is not installed

import matplotlib.pyplot as pyplot  # noqa: E402
import dendrolith as dl  # noqa: E402

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/energy")
samples = int(sys.argv[2]) if len(sys.argv) > 2 else 100

# 1. Networks that are shipped, each with samples for calibration and for the test.
NETWORKS = {"spiking layers": "lif/shapes_lif.nir", "convolutions": "cnn/glyphs_cnn.nir",
            "dendrites": "mmdend/sparse.npz"}
CHIPS = ["loihi1", "loihi2"]


def data(network, part):
    return np.load((ROOT / "models" / NETWORKS[network]).parent / f"{part}.npy")


# 2. Each network on each chip. One that a chip cannot run stays in the table, with its reason.
results = {}
for network, file in NETWORKS.items():
    for chip in CHIPS:
        try:
            program = dl.compile(ROOT / "models" / file, chip, calibrate=data(network, "calib_x")[:32])
        except dl.Unsupported as error:
            print(f"{network} on {chip}: {error.message}")
            continue
        results[network, chip] = program.run(
            data(network, "test_x")[:samples], labels=data(network, "test_y")[:samples], engine="cycle")


def micro(low, high):
    """Both ends of a band in uJ, one number where they are the same."""
    texts = [f"{1e6 * end:.2f}" for end in (low, high)]
    return texts[0] if texts[0] == texts[1] else " to ".join(texts)


# 3. The table. Events are what the sample's spikes cause; static energy is the chip's power
# while it computes the sample. A row's prices are the same for all its samples, so how much
# samples differ is a question of its own: the middle 95 % of them, at the low prices.
print(f"\n{'network':<15}{'chip':<8}{'right':>14}  {'events (uJ)':<17}{'static (uJ)':<16}"
      f"{'95 % of samples (uJ)':<22}{'time (us)':>9}")
for (network, chip), result in results.items():
    energy, score = result.energy, result.score
    least, most = np.percentile(energy.per_sample[:, 0], [2.5, 97.5])
    print(f"{network:<15}{chip:<8}{100 * score.low:>4.0f} to {100 * score.high:>3.0f} %"
          f"  {energy.bound} {micro(energy.low, energy.high):<14}"
          f"{micro(energy.static_low, energy.static_high):<16}{micro(least, most):<22}"
          f"{1e6 * result.latency.mean:>9.2f}")

# 4. Whose energy is it? Layers add up to the energy of a sample.
print("\nevents by layer on loihi2, nJ of a sample")
for network in NETWORKS:
    parts = [f"{layer.name} {1e9 * layer.energy.low:.0f} to {1e9 * layer.energy.high:.0f}"
             for layer in results[network, "loihi2"].layers.values() if layer.energy.high]
    print(f"  {network}: {', '.join(parts)}")

# 5. What is not in these numbers? Events without a price are named.
unpriced = {name for result in results.values() for name in result.energy.unpriced}
print(f"\nevents without a price: {', '.join(sorted(unpriced))}")

# 6. The same runs as papers count them, without a chip: targets/conventions has the formulas.
rows = {run: {row["name"]: row for row in result.conventions()} for run, result in results.items()}
print("\nevents of the chip, at the low prices, over the energy by convention")
short = {run: f"{run[0].split()[0]} {run[1]}" for run in results}
print(f"{'':<20}" + "".join(f"{name:>22}" for name in short.values()))
for convention in rows["spiking layers", "loihi1"]:
    cells = [row[convention]["chip_over"] for row in rows.values()]
    if any(cells):
        print(f"{convention:<20}" + "".join(
            f"{cell['low']:>22.3g}" if cell else f"{'-':>22}" for cell in cells))
print("\n" + results["dendrites", "loihi2"].methods().split("\n\n")[0])

# 7. The figure: what is known of each number is a bar, from the low end to the high one.
figure, (total, layers) = pyplot.subplots(1, 2, figsize=(10, 3.6), constrained_layout=True)
for row, ((network, chip), result) in enumerate(results.items()):
    energy = result.energy
    for shift, low, high, colour, name in (
            (-0.18, energy.low, energy.high, "#0072B2", "events"),
            (0.18, energy.static_low, energy.static_high, "#E69F00", "static")):
        low, high = 1e6 * low, 1e6 * high
        # A number that is known shows as a mark as wide as 4 % of itself.
        total.barh(row + shift, max(high - low, 0.04 * low), left=low, height=0.32, color=colour,
                   label=name if row == 0 else None)
total.set_yticks(range(len(results)), [f"{network}\n{chip}" for network, chip in results])
total.set(xscale="log", xlabel="uJ of a sample, from the low to the high end of what is known")
total.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda x, _: f"{x:g}"))
total.invert_yaxis()
total.legend(fontsize="small")
for row, network in enumerate(NETWORKS):
    left = 0.0
    named = [layer for layer in results[network, "loihi2"].layers.values() if layer.energy.low]
    whole = sum(layer.energy.low for layer in named)
    for number, layer in enumerate(named):
        share = 100 * layer.energy.low / whole
        layers.barh(row, share, left=left, color=f"C{number}")
        if share > 8:
            layers.text(left + share / 2, row, layer.name, ha="center", va="center", color="white",
                        fontsize="small")
        left += share
layers.set_yticks(range(len(NETWORKS)), list(NETWORKS))
layers.set(xlabel="% of the energy of events on loihi2, by layer (low prices)", xlim=(0, 100))
layers.invert_yaxis()
folder.mkdir(parents=True, exist_ok=True)
figure.savefig(folder / "energy_study.png", dpi=80)
print(f"wrote energy_study.png to {folder.name}")

# 8. One-column figures for a paper, as SVG and PDF with their numbers as CSV.
files = dl.figures({f"{network}, {chip}": result for (network, chip), result in results.items()},
                   folder / "paper")
print(f"wrote {len(files)} files to {folder.name}/paper")

# 9. One run with all that it was made from: `dendrolith verify dendrites.zip` runs it again.
results["dendrites", "loihi2"].capsule(folder / "dendrites.zip")
print(f"wrote dendrites.zip to {folder.name}")
