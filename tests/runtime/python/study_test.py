# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/study.py.
"""A study from Python has the numbers of the command, and its errors have their place."""
import csv
import subprocess

from support import FOLDER, LIF, DENDROLITH, check, finish, dl, refused

file, designs = FOLDER / "study.yaml", FOLDER / "designs"
text = f"""name: small
models:
  - {{name: lif, model: {LIF}/shapes_lif.nir, calibrate: {LIF}/calib_x.npy,
     input: {LIF}/test_x.npy, labels: {LIF}/test_y.npy, samples: 3}}
target: loihi1
vary: {{mesh.tiles_x: [8, 2], formats.weight_bits: [8, 4]}}
objectives: {{latency.mean: min, together: min}}
"""
file.write_text(text)
study = dl.explore(file, out=designs, jobs=2)
table = subprocess.run([DENDROLITH, "explore", designs, "--format", "csv"], check=True,
                       capture_output=True, text=True)
rows = list(csv.DictReader(table.stdout.splitlines()))


def same(value, cell):
    """Whether a value is what a cell of the table says; times end in zeros there."""
    return cell == "" if value is None else (
        value == cell if isinstance(value, str) else float(cell) == value)


check(len(rows) == len(study.rows) and all(
    row.keys() == cells.keys() and all(same(row[key], cells[key]) for key in row)
    for row, cells in zip(study.rows, rows)), "rows are the command's")
check([row["mesh.tiles_x"] for row in study.rows] == [8, 8, 2, 2] and len(study) == 4, "in order")
check(study["P3"]["mesh.tiles_x"] == 2 and study["P3"]["state"] == "done", "by id")
refused("no such design", lambda: study["P9"], "no design 'P9'")

front = study.front()
unbeaten = {a["id"] for a in study.rows if not any(
    b["latency.mean"] <= a["latency.mean"] and b["together.low"] <= a["together.low"] and b is not a
    for b in study.rows)}
check({row["id"] for row in front} == unbeaten and
      {row["standing"] for row in front} == {"certain"}, f"the front: {front}")
check([row["id"] for row in study.front("area")] != [], "a front of other values")
least = min(study.rows, key=lambda row: row["together.low"])
check(f"best  {least['id']}" in study.best("together"), "the best")
check("mesh.tiles_x" in study.difference("P1", "P3") and "together" in study.tornado("together"),
      "differences and the tornado")
study.report(FOLDER / "study.html")
study.to_csv(FOLDER / "again.csv")
check((FOLDER / "study.html").stat().st_size > 20000 and
      (FOLDER / "again.csv").read_bytes() == table.stdout.encode(), "page and table")
check(dl.explore(designs).rows == study.rows and "4 measured" in repr(study) and
      "<table>" in study._repr_html_(), "a folder is read again")

refused("no folder for it", lambda: dl.explore(file), "out=")
refused("no such study", lambda: dl.explore(FOLDER / "none.yaml"), "no such file")
refused("no job", lambda: dl.explore(file, designs, jobs=0), "1 job or more")
refused("no such value", lambda: study.best("speed"), "speed", "latency.mean")
file.write_text(text.replace("weight_bits", "weight_bit"))
error = refused("a key that is wrong", lambda: dl.explore(file, out=FOLDER / "other"), "weight_bit")
check(error is None or (error.file == str(file) and error.line == 6), f"its place: {error and error.line}")
finish()
