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
check(len(files) == 18 and all((FOLDER / "figures" / name).stat().st_size > 100 for name in files),
      f"six figures, three files each: {files}")


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

rows = [row for row in table("break_even") if row["result"] == "loihi2" and row["line"] == "chip"]
even = next(row["break_even"] for row in results["loihi2"].conventions() if row["break_even"])
own = next(row for row in rows if float(row["activity"]) == 1)  # of this run
check(np.isclose(float(own["energy_low_J"]), results["loihi2"].energy.low) and
      np.isclose(float(own["energy_high_J"]), results["loihi2"].energy.high), f"{own}")
check(len(rows) == 41 and float(rows[0]["energy_low_J"]) > 1e-12 * even["quiet_pJ"]["low"],
      "steps without an event cost, too")

# Names are text, to matplotlib and in the table.
odd = 'a, "b" & $x_$ \\frac{50%'
named = dl.figures({odd: results["loihi1"], "_b": results["loihi2"]}, FOLDER / "named")
with open(FOLDER / "named" / "energy_by_event.csv", newline="") as file:
    check(len(named) == 18 and {row["result"] for row in csv.DictReader(file)} == {odd, "_b"}, odd)

again = dl.figures(results, FOLDER / "again")
same = [name for name in again
        if (FOLDER / "figures" / name).read_bytes() == (FOLDER / "again" / name).read_bytes()]
check(same == files, "equal results give equal files")
plain = dl.compile(lif / "shapes_lif.nir", "ideal").run(x)
check(dl.figures(plain, FOLDER / "plain") == ["conventions.svg", "conventions.pdf",
                                              "conventions.csv"], "what is not known is left out")
finish()
