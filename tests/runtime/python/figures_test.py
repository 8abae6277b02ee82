# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/figures.py.
"""Figures of a paper are the numbers of their results, and equal results give equal files."""
import csv

from support import FOLDER, ROOT, check, dl, finish, need, np

need("matplotlib").use("Agg")
lif = ROOT / "models" / "lif"
x, y = np.load(lif / "test_x.npy")[:20], np.load(lif / "test_y.npy")[:20]
results = {}
for chip in ("loihi1", "loihi2"):
    program = dl.compile(lif / "shapes_lif.nir", chip, calibrate=np.load(lif / "calib_x.npy"))
    results[chip] = program.run(x, labels=y, trace=["lif1"])
files = dl.figures(results, FOLDER / "figures")
check(len(files) == 15 and all((FOLDER / "figures" / name).stat().st_size > 100 for name in files),
      f"five figures, three files each: {files}")


def table(name):
    with open(FOLDER / "figures" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


for row in table("energy_over_score"):
    result = results[row["result"]]
    check(float(row["score"]) == result.accuracy and
          float(row["energy_high_J"]) == result.energy.high, f"{row}")
total = sum(float(row["energy_low_J"]) for row in table("energy_by_layer")
            if row["result"] == "loihi1")
check(np.isclose(total, results["loihi1"].energy.low), "layers add up to the events")
activity = [float(row["spikes"]) for row in table("activity") if row["result"] == "loihi1"]
spikes = np.asarray(results["loihi1"].traces["lif1"])
check(np.allclose(activity, spikes.sum(2).mean(0)), "activity is the mean of the traces")
conventions = {row["convention"]: row for row in table("conventions") if row["result"] == "loihi1"}
check(float(conventions["ann-int8-steps-45nm"]["equal_at_activity_low"]) > 0, "break-even")

again = dl.figures(results, FOLDER / "again")
same = [name for name in again
        if (FOLDER / "figures" / name).read_bytes() == (FOLDER / "again" / name).read_bytes()]
check(same == files, "equal results give equal files")
plain = dl.compile(lif / "shapes_lif.nir", "ideal").run(x)
check(dl.figures(plain, FOLDER / "plain") == ["conventions.svg", "conventions.pdf",
                                              "conventions.csv"], "what is not known is left out")
finish()
