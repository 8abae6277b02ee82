# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/report/result/TimelineFile.cpp, simulator/report/result/Utilisation.cpp.
"""`dendrolith run --timeline`: trace events that tile the run, whole or bounded,
the same bytes each time; utilisation and critical path in result.json."""
import json
import subprocess

from support import FOLDER, DENDROLITH, ROOT, check, np, run, tables_of, without_host

LIF = ROOT / "models" / "lif"
x = np.load(LIF / "test_x.npy")[:3]
np.save(FOLDER / "x.npy", x)
arguments = (LIF / "shapes_lif.nir", "--target", "loihi1", "--calibrate",
             LIF / "calib_x.npy", "--input", FOLDER / "x.npy", "--engine", "cycle")

results, texts = [], []
for k in range(2):
    path = FOLDER / f"timeline{k}.json"
    results.append(run(f"run{k}", *arguments, "--timeline", path)[0])
    texts.append(path.read_bytes())
check(texts[0] == texts[1], f"{len(texts[0])} bytes of timeline are the same twice")
check(without_host(results[0]) == without_host(results[1]),
      "and so is all of result.json that is not about the host")

trace = json.loads(texts[0])
slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
names = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"]
         if e["name"] == "thread_name"}
result, tables = results[0], tables_of(FOLDER / "run0")
steps = result["steps"] * result["samples"]
check(trace["otherData"]["steps"] == steps and not trace["otherData"]["stopped"],
      f"all {steps} steps are in it")
barriers = [e for e in slices if e["name"] == "barrier"]
check(len(barriers) == steps, "each with a barrier")
check(abs(barriers[-1]["ts"] + barriers[-1]["dur"] - result["times"]["run_ps"] / 1e6) < 1e-3,
      "of which the last ends with the run")
check({"barrier", "mesh", "core 0 update", "core 0 receive"} <= set(names.values()),
      f"{len(names)} tracks are named")
for tid, name in names.items():
    end, inner = 0, 0
    for e in sorted((e for e in slices if e["tid"] == tid),
                    key=lambda e: (e["ts"], -e["dur"])):
        if e["name"] == "stalled":
            inner += e["dur"]
            check(e["ts"] + e["dur"] <= end + 1e-6, f"{name}: a stall lies in its update") \
                if e["ts"] + e["dur"] > end + 1e-6 else None
            continue
        if e["ts"] < end - 1e-6:
            check(False, f"{name}: slices overlap at {e['ts']}")
        end = e["ts"] + e["dur"]
check(True, "slices of a track do not overlap")

busy = {c["core"]: c for c in tables["utilisation"]["cores"]}
for tid, name in names.items():
    if not name.startswith("core"):
        continue
    core, part = int(name.split()[1]), name.split()[2]
    total = sum(e["dur"] for e in slices if e["tid"] == tid and e["name"] == part)
    share = busy[core][part] + (busy[core]["stalled"] if part == "update" else 0)
    check(abs(total * 1e6 / result["times"]["run_ps"] - share) < 1e-9,
          f"{name}: {share:.4f} of the run, in slices and in result.json")
links = {(l["from"], l["to"]): l["flits"] for l in tables["utilisation"]["links"]
         if l["from"] != l["to"]}
check(links == {(l["from"], l["to"]): l["flits"] for l in tables["counts"]["links"]},
      f"{len(links)} links carried what was counted")
told = tables["latency"]["steps"]
check(len(told) == steps == sum(result["latency"]["closed_by"].values()),
      "every step says who closed it")
sums = {part: sum(s[part + "_ps"] for s in told) for part in
        ("update", "waiting", "noc", "receive", "barrier")}
check(all(abs(sums[p] / 1e3 - result["latency"]["critical"][p + "_ns"]) < 1e-3
          for p in sums), "the parts of the steps sum up to the critical path")

bad = subprocess.run([DENDROLITH, "run", *map(str, arguments[:-2]), "--timeline",
                      str(FOLDER / "no.json")], capture_output=True, text=True)
check(bad.returncode == 2 and "--engine cycle" in bad.stderr
      and not (FOLDER / "no.json").exists(), "an engine without a clock has none")
