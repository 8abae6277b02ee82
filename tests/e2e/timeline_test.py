# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/report/result/TimelineFile.cpp, simulator/report/result/Utilisation.cpp.
"""`dendrolith run --timeline`: trace events by their documented form, which add up to what the run counted; the
longest steps where not all fit; utilisation and critical path in result.json."""
import json
import shutil
import subprocess

from support import FOLDER, DENDROLITH, ROOT, check, np, run, tables_of, without_host

LIF = ROOT / "models" / "lif"
MODEL = (LIF / "shapes_lif.nir", "--target", "loihi1", "--calibrate", LIF / "calib_x.npy", "--engine", "cycle")
np.save(FOLDER / "one.npy", np.load(LIF / "test_x.npy")[:1, :8])
np.save(FOLDER / "many.npy", np.load(LIF / "test_x.npy")[:60])


def traced(name, values, ranges=""):
    path = FOLDER / f"{name}.json"
    result = run(name, *MODEL, "--input", FOLDER / f"{values}.npy", "--timeline", f"{path}{ranges}")[0]
    return result, json.loads(path.read_text()), path.read_bytes()


result, trace, text = traced("first", "one")
again, _, same = traced("second", "one")
check(text == same, f"{len(text)} bytes of timeline are the same twice")
check(without_host(result) == without_host(again), "and so is all of result.json that is not about the host")
events = trace["traceEvents"]
tables = tables_of(FOLDER / "first")

# The documented form of trace events: phase, process, track, name, and what each phase needs.
NEEDS = {"M": {"args"}, "X": {"ts", "dur", "args"}, "C": {"ts", "args"}, "s": {"ts", "id", "cat", "args"},
         "f": {"ts", "id", "cat", "bp", "args"}}
for e in events:
    if set(e) != {"ph", "pid", "tid", "name"} | NEEDS[e["ph"]] or e.get("ts", 0) < 0 or e.get("dur", 0) < 0 \
            or (e["ph"] == "C" and not all(isinstance(v, int) for v in e["args"].values())):
        check(False, f"an event of no known form: {e}")
check(len(events) <= 20100, f"{len(events)} events are of a known form")
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
tiles = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
slices = [e for e in events if e["ph"] == "X"]
check({(e["pid"], e["tid"]) for e in slices} <= set(names) and {e["pid"] for e in events} <= set(tiles),
      f"{len(names)} tracks of {len(tiles)} processes have names")
check({"chip", "host", "tile 0"} <= set(tiles.values()) and "core 0 update (lif1)" in names.values(),
      "chip, host and tiles are processes, and tracks say what cores hold")

steps = [e for e in slices if names[e["pid"], e["tid"]] == "steps"]
check(trace["otherData"]["asked"] == len(steps) == result["steps"], f"all {len(steps)} steps are in it")
check([(e["args"]["sample"], e["args"]["step"]) for e in steps] == [(0, t) for t in range(len(steps))],
      "and each says which it is")
barriers = [e for e in slices if e["name"] == "barrier"]
check(abs(barriers[-1]["ts"] + barriers[-1]["dur"] - result["times"]["run_ps"] / 1e6) < 1e-3,
      "the last barrier ends with the run")
for track, name in names.items():
    end = 0
    for e in sorted((e for e in slices if (e["pid"], e["tid"]) == track), key=lambda e: (e["ts"], -e["dur"])):
        if e["name"] == "stalled":
            check(e["ts"] + e["dur"] <= end + 1e-6, f"{name}: a stall lies in its update") \
                if e["ts"] + e["dur"] > end + 1e-6 else None
            continue
        if e["ts"] < end - 1e-6:
            check(False, f"{name}: slices overlap at {e['ts']}")
        end = e["ts"] + e["dur"]
check(True, "slices of a track do not overlap")

busy = {c["core"]: c for c in tables["utilisation"]["cores"]}
for track, name in names.items():
    if not name.startswith("core"):
        continue
    core, part = int(name.split()[1]), name.split()[2]
    total = sum(e["dur"] for e in slices if (e["pid"], e["tid"]) == track and e["name"] == part)
    share = busy[core][part] + (busy[core]["stalled"] if part == "update" else 0)
    check(abs(total * 1e6 / result["times"]["run_ps"] - share) < 1e-9,
          f"{name}: {share:.4f} of the run, in slices and in result.json")
counts = result["counts"]["total"]
received = [e["args"] for e in slices if e["name"] == "receive"]
check(sum(a["messages"] for a in received) == counts["within_tile"] and
      sum(a["synaptic operations"] for a in received) == sum(counts["synops"][k] for k in ("dense", "sparse", "conv"))
      == sum(e["args"]["synaptic operations"] for e in steps),
      "messages and synaptic operations of slices add up to what was counted")
check(all("layer" in e["args"] for e in slices if e["name"] in ("update", "receive")), "slices of cores say their layer")
starts = {(e["pid"], e["tid"], e["ts"]) for e in slices}
out, into = ({e["id"]: e for e in events if e["ph"] == phase} for phase in "sf")
check(set(out) == set(into) and len(out) > 30 and
      all((e["pid"], e["tid"], e["ts"]) in starts for e in (*out.values(), *into.values())),
      f"{len(out)} arrows begin and end where slices do")
counters = {e["name"] for e in events if e["ph"] == "C"}
check("spikes" in counters and any(n.startswith("queue of core") for n in counters) and
      any(n.startswith("flits to tile") for n in counters), f"{len(counters)} counters: spikes, queues and links")
last = {}
for e in sorted((e for e in events if e["ph"] == "C"), key=lambda e: e["ts"]):
    last[e["pid"], e["name"]] = list(e["args"].values())
check(all(v == [0] for v in last.values()), "and all are 0 at the end")
flits = sum(e["args"]["flits"] for e in events if e["ph"] == "C" and e["name"].startswith("flits"))
check(flits == sum(link["flits"] for link in tables["counts"]["links"]), f"{flits} flits over links, as counted")

links = {(l["from"], l["to"]): l["flits"] for l in tables["utilisation"]["links"] if l["from"] != l["to"]}
check(links == {(l["from"], l["to"]): l["flits"] for l in tables["counts"]["links"]},
      f"{len(links)} links carried what was counted")
told = tables["latency"]["steps"]
PARTS = ("update", "waiting", "noc", "receive", "barrier")
check(len(told) == len(steps) == sum(result["latency"]["closed_by"].values()), "every step says who closed it")
sums = {part: sum(s[part + "_ps"] for s in told) for part in PARTS}
check(all(abs(sums[p] / 1e3 - result["latency"]["critical"][p + "_ns"]) < 1e-3 for p in sums),
      "the parts of the steps sum up to the critical path")

# The longest steps of many samples, and no others.
result, trace, text = traced("many", "many")
steps = {(e["args"]["sample"], e["args"]["step"]) for e in trace["traceEvents"]
         if e["ph"] == "X" and e["name"].startswith("sample ")}
lengths = {(s["sample"], s["step"]): sum(s[p + "_ps"] for p in PARTS)
           for s in tables_of(FOLDER / "many")["latency"]["steps"]}
check(len(text) < 4e6 and trace["otherData"]["asked"] == len(lengths) > 10 * len(steps) > 0,
      f"{len(steps)} of {len(lengths)} steps in {len(text)} bytes")
check(min(lengths[s] for s in steps) >= max(lengths[s] for s in set(lengths) - steps), "which are the longest")
_, trace, _ = traced("range", "many", ",samples=1:2,steps=3:5")
check([(e["args"]["sample"], e["args"]["step"]) for e in trace["traceEvents"]
       if e["ph"] == "X" and e["name"].startswith("sample ")] == [(s, t) for s in (1, 2) for t in (3, 4, 5)],
      "or those of a range")

if shutil.which("trace_processor_shell"):
    try:
        from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
        viewer = TraceProcessor(trace=str(FOLDER / "first.json"),
                                config=TraceProcessorConfig(bin_path=shutil.which("trace_processor_shell")))
        check(next(iter(viewer.query("select count(*) as n from slice"))).n == len(slices), "Perfetto reads all slices")
        check(next(iter(viewer.query("select count(*) as n from flow"))).n == len(out), "and all arrows")
        viewer.close()
    except ImportError:
        print("skipped: Perfetto's Python package is not there")
else:
    print("skipped: trace_processor_shell is not there")

for ranges, code, says in ((",samples=60:", 1, "the run has samples 0 to 59"), (",steps=999", 1, "the run has steps 0 to"),
                           (",samples=2:1", 2, "holds nothing"), (",steps=a:b", 2, "steps=a:b"), (",samples=", 2, "samples=")):
    bad = subprocess.run([DENDROLITH, "run", *map(str, MODEL), "--input", FOLDER / "many.npy", "--timeline",
                          f"{FOLDER / 'no.json'}{ranges}"], capture_output=True, text=True)
    check(bad.returncode == code and says in bad.stderr and not (FOLDER / "no.json").exists(),
          f"{ranges}: {bad.returncode} {bad.stderr.strip()}")
bad = subprocess.run([DENDROLITH, "run", *map(str, MODEL[:-2]), "--input", FOLDER / "one.npy", "--timeline",
                      FOLDER / "no.json"], capture_output=True, text=True)
check(bad.returncode == 2 and "--engine cycle" in bad.stderr
      and not (FOLDER / "no.json").exists(), "an engine without a clock has none")
