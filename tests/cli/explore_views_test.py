# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/ExploreViews.cpp, and runtime/explore/ask through the command.
"""What `dendrolith explore STUDY` says of a small study: numbers are those of its points,
what does not exist is refused by name, and an outside optimiser gets its answers."""
import csv
import json
import threading
import time

from command import W, check, finish, dendrolith, refused
from explore_study import points, write_study

study = write_study(W / "study.yaml", samples=4, rest="""objectives: {latency.mean: min, energy: min}
constraints: ["accuracy >= 0"]
baseline: {timing.scaled.noc.local.buffer: 24}
""")
store = W / "store"
made = dendrolith("explore", study, "-o", store, "--jobs", 2)
check(made.returncode == 0, made.stdout + made.stderr)
stored = [json.loads(text) for text in points(store).values()]


def view(*flags):
    shown = dendrolith("explore", store, *flags)
    check(shown.returncode == 0 and shown.stderr == "", f"{flags}: {shown.stdout}{shown.stderr}")
    return shown.stdout


rows = list(csv.DictReader(view("--format", "csv").splitlines()))
check(view("--table", "--format", "csv") == view("--format", "csv"), "csv is the table")
refused("a front as csv", 1, "explore", store, "--pareto", "--format", "csv", says=["--pareto is no table"])
check(list(rows[0])[:6] == ["id", "state", "reason", "microcode.lanes", "timing.scaled.noc.local.buffer", "score"],
      f"{list(rows[0])}")
check([row["id"] for row in rows] == ["P1", "P2", "P3", "P4"], "in the study's order")
for row in rows:
    same = [point for point in stored
            if point["design"]["values"] == {axis: row[axis] for axis in
                                             ("microcode.lanes", "timing.scaled.noc.local.buffer")}]
    check(len(same) == 1, row)
    values = same[0]["values"]
    for column, number in (("latency.mean", values["latency.mean"][0]), ("energy.low", values["energy"][0]),
                           ("energy.high", values["energy"][1]), ("cores", values["cores"][0])):
        check(float(row[column]) == number, f"{row['id']} {column}: {row[column]} is not {number}")

table = view("--table")
check("latency.mean (us)" in table and "P4" in table and "energy (uJ)" in table, table)
front = view("--pareto", "latency,energy")
check("Pareto front of latency.mean (small), energy (small):" in front, front)
check(view("--pareto") == front, "without names it is by the study's objectives")
tornado = view("--tornado", "latency")
check("latency.mean around P2, which has" in tornado, tornado)
check("microcode.lanes" in tornado and "noc.local.buffer" in tornado, "each axis has a bar")
best = view("--best", "latency", "energy.high < 1 mJ")
fastest = min(rows, key=lambda row: float(row["latency.mean"]))
check(f"{fastest['id']}: latency.mean" in best and "smallest latency.mean: 4 points keep" in best, best)
check("no point certainly keeps" in view("--best", "latency", "energy.high < 1 pJ"), "nothing is so cheap")
diff = view("--diff", "P2", "P4")
check("differs" in diff and "microcode.lanes" in diff and "On the same samples, P4 - P2:" in diff, diff)
check("same prices, anywhere in their bands" in diff, "which differ by hops alone here")
both = view("--table", "--diff", "P1", "P1")
check(table in both and "The designs are the same." in both, both)
moved = view("--sensitivity", "energy")
check("all assumed" in moved and "costs." in moved and "+0.0 %" not in moved.splitlines()[2], moved)
check(points(store) == points(store) and len(points(store)) == 4, "views leave no points")

refused("a value", 1, "explore", store, "--pareto", "latency,enrgy",
        says=["--pareto: no point has 'enrgy', did you mean 'energy'?"])
refused("a comma too many", 1, "explore", store, "--pareto", "energy,",
        says=["--pareto: expected a name before and behind each comma"])
refused("a point", 1, "explore", store, "--diff", "P1", "P9",
        says=["--diff: the study has no point 'P9', expected one of P1 to P4"])
refused("a constraint", 1, "explore", store, "--best", "latency", "energy.high 5",
        says=["--best", "expected a constraint such as 'energy.high < 60 uJ'"])

# Somebody else asks.
asked = W / "asked"
asking = write_study(W / "ask.yaml", samples=2, rest=f"strategy: {{ask: {asked}}}\n")


def ask():
    while not (asked / "study.json").exists():
        time.sleep(0.02)
    for number, text in enumerate(("4,24\n2,24\n", "4,2\n"), 1):
        (asked / "part").write_text("microcode.lanes,timing.scaled.noc.local.buffer\n" + text)
        (asked / "part").rename(asked / f"ask-{number}.csv")
        while not (asked / f"answer-{number}.csv").exists() and not (asked / "end").exists():
            time.sleep(0.02)
    (asked / "end").touch()


asker = threading.Thread(target=ask)
asker.start()
served = dendrolith("explore", asking, "-o", W / "served", "--jobs", 1)
asker.join()
check(served.returncode == 0, served.stdout + served.stderr)
with (asked / "answer-2.csv").open(newline="") as file:
    answer = list(csv.DictReader(file))
check([(row["id"], row["state"], row["microcode.lanes"]) for row in answer] == [("P3", "done", "4")], f"{answer}")
listed = dendrolith("explore", W / "served", "--table")
check(all(point in listed.stdout for point in ("P1", "P2", "P3")), listed.stdout + listed.stderr)
finish()
