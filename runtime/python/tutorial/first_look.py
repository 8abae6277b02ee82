# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A first look: a network that was trained before, on a chip, and four pictures of it.

    /usr/bin/python3 runtime/python/tutorial/first_look.py out/first

It needs matplotlib and a built `dendrolith`. The picture is the one of the top README.
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

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/first")
LIF = ROOT / "models" / "lif"
x, y = np.load(LIF / "test_x.npy")[:100], np.load(LIF / "test_y.npy")[:100]

program = dl.compile(LIF / "shapes_lif.nir", "loihi1", calibrate=np.load(LIF / "calib_x.npy"))
result = program.run(x, labels=y, engine="cycle", trace=["lif1", "lif1:v"])
floats = result.compare("float")
print(result)
print(floats)

figure, axes = pyplot.subplots(2, 2, figsize=(11, 6), constrained_layout=True)
result.plot.raster("lif1", ax=axes[0, 0]).set_title("What fires: 128 neurons of the first layer")
chip, trained = result.traces["lif1:v"][0], floats.other.traces["lif1:v"][0]
for neuron, colour in zip((3, 60), ("#0072B2", "#D55E00")):
    axes[0, 1].plot(chip[:, neuron], color=colour, label=f"neuron {neuron}, chip")
    axes[0, 1].plot(trained[:, neuron], color=colour, ls="--", label=f"neuron {neuron}, as trained")
axes[0, 1].set(xlabel="step", ylabel="potential", title="Is it still right? Chip and trained network")
axes[0, 1].legend(fontsize="small")
result.plot.energy(by="event", ax=axes[1, 0]).set_title("What a sample costs, by event")
result.plot.chip(ax=axes[1, 1]).set_title("Where the work is, core by core")
folder.mkdir(parents=True, exist_ok=True)
figure.savefig(folder / "first_look.png", dpi=80)
print(f"wrote first_look.png to {folder.name}")
