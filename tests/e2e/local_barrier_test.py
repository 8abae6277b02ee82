# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/timing/barrier/LocalBarrier.cpp.
"""A target whose barrier is local: the results of the one it is built on, a
critical path that is as long as the sample, and slices that carry their steps."""
import json

from support import FOLDER, ROOT, check, np, run, tables_of

LIF = ROOT / "models" / "lif"
np.save(FOLDER / "x.npy", np.load(LIF / "test_x.npy")[:3])
RECORD = "{value: %d, unit: %s, kind: assumed, source: test}"


def target(name, timing):
    """loihi1 with small cores, so that the network takes several."""
    folder = FOLDER / name
    folder.mkdir()
    (folder / "chip.yaml").write_text(
        f"base: loihi1\nname: {name}\ndescription: a test\nsources:\n  test: this test\n"
        "limits:\n  compartments_per_core: " + RECORD % (48, "compartments") + "\n"
        + timing)
    return folder / "chip.yaml"


def simulate(name, timing):
    path = FOLDER / f"{name}.json"
    result, outputs, _ = run(f"run-{name}", LIF / "shapes_lif.nir", "--target",
                             target(name, timing), "--tuning", "{solver: packed}", "--calibrate", LIF / "calib_x.npy",
                             "--input", FOLDER / "x.npy", "--engine", "cycle",
                             "--verify", "--timeline", path)
    return result, outputs, json.loads(path.read_text())


one, expected, _ = simulate("chipwide", "")
local, outputs, trace = simulate(
    "local", "timing:\n  davies2018:\n    barrier: {handshake: {time: "
    + RECORD % (5000, "ps") + "}}\n")


check((outputs == expected).all() and one["counts"] == local["counts"],
      "outputs and counts are those of the chip-wide barrier")
tables = tables_of(FOLDER / "run-local")
cores = [c["core"] for c in tables["utilisation"]["cores"]]
check(len(cores) > 2, f"{len(cores)} cores take part")
check(local["latency"]["steps_overlap"] and not one["latency"]["steps_overlap"],
      "result.json says that steps overlap, where they do")

told = tables["latency"]["steps"]
check(len(told) == local["steps"] * local["samples"], "every step has its link")
for s, ns in enumerate(tables["samples"]["latency_ns"]):
    parts = sum(link[part + "_ps"] for link in told if link["sample"] == s
                for part in ("update", "noc", "receive", "barrier"))
    check(abs(parts / 1e3 - ns) < 1e-6, f"sample {s}: its links are {ns} ns long")

names = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"]
         if e["name"] == "thread_name"}
slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
check(all(set(e["args"]) == {"sample", "step"} for e in slices),
      f"{len(slices)} slices carry their step")
check("barrier" not in names.values(), "no barrier is the chip's")
for tid, name in names.items():
    end = 0
    for e in sorted((e for e in slices if e["tid"] == tid),
                    key=lambda e: (e["ts"], -e["dur"])):
        if e["name"] == "stalled":
            continue
        if e["ts"] < end - 1e-6:
            check(False, f"{name}: slices overlap at {e['ts']}")
        end = e["ts"] + e["dur"]
check(True, "slices of a track do not overlap")
for core in tables["utilisation"]["cores"]:
    waited = sum(e["dur"] for e in slices if e["name"] == "barrier"
                 and names[e["tid"]] == f"core {core['core']} update")
    check(abs(waited * 1e6 / local["times"]["run_ps"] - core["waiting"]) < 1e-9,
          f"core {core['core']}: waits for {core['waiting']:.4f} of the run")
at_once = [e for e in slices if e["name"] == "update"]
at_once = sum(a["ts"] < b["ts"] + b["dur"] and b["ts"] < a["ts"] + a["dur"]
              and a["args"]["step"] != b["args"]["step"] for a in at_once for b in at_once)
check(at_once > 0, "cores are in different steps at the same time")
