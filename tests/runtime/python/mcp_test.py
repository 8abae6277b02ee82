# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/mcp.py.
"""The door for agents: its tools by themselves, and over the protocol with the SDK's own
client where that is installed."""
import csv
import json
import os
import subprocess
import sys
import time

from support import FOLDER, ROOT, check, finish, refused

from dendrolith.mcp import TOOLS, Door

LIF = ROOT / "models" / "lif"
WORK = FOLDER / "work"
WORK.mkdir()
MODEL, CALIB = str(LIF / "shapes_lif.nir"), str(LIF / "calib_x.npy")
X, Y = str(LIF / "test_x.npy"), str(LIF / "test_y.npy")
STUDY = f"""name: lanes
models:
  - {{name: lif, model: {MODEL}, calibrate: {CALIB}, input: {X}, labels: {Y}, samples: 1}}
target: loihi2
vary:
  microcode.lanes: [1, 4]
  timing.scaled.noc.local.buffer: [4, 24]
objectives: {{latency.mean: min, energy: min}}
"""
door = Door(str(WORK), 600, 20)

# Each tool answers with units, digests and what is left.
said = door.check(MODEL, ["loihi1", "tiny"], CALIB)
verdicts = {row["target"]: row["verdict"] for row in said["result"]["targets"]}
check(verdicts == {"loihi1": "fits", "tiny": "does not fit"}, f"check: {verdicts}")
check(len(said["digests"]["model"]) == 64 and said["units"]["pJ"] == "picojoule" and
      0 < said["budget"]["seconds_left"] < 600, "with digest, units and budget")
said = door.plan(str(ROOT / "models" / "microcircuit" / "column.yaml"), "loihi1",
                 {"override-limit": ["in_axons", "out_axons"]})
check(said["digests"]["description"] and said["result"], "plan")
said = door.compile(MODEL, "loihi1", "net.dlp", CALIB, {"map-for": "energy"})
check((WORK / "net.dlp").is_file() and said["digests"]["program"], "compile writes an image")
said = door.run(MODEL, "loihi1", X, "one", Y, CALIB, options={"threads": 1})
told = said["result"]
check(told["energy_low_J"] <= told["energy_high_J"] and told["energy_bound"] == ">=" and
      told["score_low"] < told["score"] < told["score_high"] and told["latency_mean_s"] > 0,
      f"run: {told['energy_low_J']:.3g} J, score {told['score']}")
check({"model", "program", "target", "timing", "costs_low", "outputs"} <= set(said["digests"]),
      "with digests of all that it depends on")
door.run(MODEL, "loihi2", X, "two", Y, CALIB)
check("lif1" in door.explain("one", "layer")["result"], "explain by layer")
check("loihi2" in door.diff("one", "two")["result"], "diff of two runs")
said = door.explore(STUDY, "grid")
front = said["result"]["pareto"][0]["front"]
check(front and said["budget"]["points_left"] == 16, f"explore: front of {len(front)}, 4 points")
again = door.explore(STUDY, "grid")
check(again["budget"]["points_left"] == 16, "what is measured costs nothing again")
check(door.diff("P1", "P2", "grid")["result"]["diff"]["a"] == "P1", "diff of two designs")

# Proposals one by one go to one process, and equal the study's numbers.
rows = []
begin = time.monotonic()
for lanes in (1, 4):
    for buffer in (4, 24):
        said = door.propose(STUDY, "asked", [{"microcode.lanes": lanes,
                                              "timing.scaled.noc.local.buffer": buffer}])
        rows += said["result"]
check(len(door._studies) == 1 and len(rows) == 4 and said["budget"]["points_left"] == 12,
      f"4 proposals of one process in {time.monotonic() - begin:.2f} s")
table = subprocess.run([os.environ["DENDROLITH_BIN"], "explore", WORK / "grid", "--format", "csv"],
                       capture_output=True, text=True, check=True)
grid = list(csv.DictReader(table.stdout.splitlines()))
check([row["latency.mean"] for row in rows] == [row["latency.mean"] for row in grid],
      "with the study's numbers")

# One clear error each.
for what, call in {
    "lies outside": lambda: door.compile(MODEL, "loihi1", "../evil.dlp", CALIB),
    "no such file": lambda: door.check("nothing.nir", ["loihi1"]),
    "unknown target": lambda: door.check(MODEL, ["loihi9"]),
    "writes files": lambda: door.run(MODEL, "loihi1", X, "three", options={"html": "x"}),
    "12 left": lambda: door.propose(STUDY, "asked", [
        {"microcode.lanes": n, "timing.scaled.noc.local.buffer": 4} for n in range(2, 15)]),
    "same axes": lambda: door.propose(STUDY, "asked", []),
}.items():
    refused(what, call, what)
evil = FOLDER / "evil.html"
for options in ({f"html={evil}": True}, {f"html={evil}": "x"}, {"threads": None}, {"threads": False}, {"trace": {}},
                {"metric": ""}, {1: 2}):
    refused(f"options {options}", lambda options=options: door.run(MODEL, "loihi1", X, "four", options=options), "")
for what in (None, 5, "loihi1\0"):
    refused(f"{what!r} for a target", lambda what=what: door.check(MODEL, [what]), "check: ")
    refused(f"{what!r} for a model", lambda what=what: door.check(what, ["loihi1"]), "path: ")
check(not list(FOLDER.glob("evil*")), "nothing is written outside")
os.symlink(FOLDER, WORK / "link")
refused("lies outside", lambda: door.compile(MODEL, "loihi1", "link/x.dlp", CALIB), "lies outside")
small = Door(str(WORK), 0.01, 3)
refused("budget of time", lambda: small.run(MODEL, "loihi1", X, "late", Y, CALIB), "budget of time")
refused("budget of time is spent", lambda: small.check(MODEL, ["loihi1"]), "budget of time is spent")
# On a busy machine the run may have ended before it was stopped: all of it is there, or nothing.
check(not (WORK / "late").exists() or (WORK / "late" / "result.json").exists(),
      "nothing half-written")
refused("no such folder", lambda: Door(str(FOLDER / "none"), 1, 1), "no such folder")
door.close()

try:
    import asyncio

    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
except ImportError:
    print("skipped: the package mcp is not installed, its client is not asked")
    finish()


def words(answer):
    return " ".join(part.text for part in answer.content)


def is_error(answer):
    return getattr(answer, "is_error", None) or getattr(answer, "isError", False)


async def talk():
    where = StdioServerParameters(
        command=sys.executable, args=["-m", "dendrolith.mcp", "--folder", str(WORK), "--points", "2"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "runtime" / "python")})
    async with stdio_client(where) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        listed = await session.list_tools()
        names = [tool.name for tool in listed.tools]
        check(names == list(TOOLS), f"the client sees {', '.join(names)}")
        answer = await session.call_tool("check", {"model": MODEL, "targets": ["loihi1"],
                                                   "calibrate": CALIB})
        check(not is_error(answer) and json.loads(answer.content[0].text)["result"]["ok"],
              "check over the protocol")
        answer = await session.call_tool("compile", {"model": MODEL, "target": "loihi1",
                                                     "out": str(FOLDER / "evil.dlp")})
        check(is_error(answer) and "lies outside" in words(answer), "a path outside is an error")
        answer = await session.call_tool("check", {"model": MODEL, "targets": ["loihi9"]})
        check(is_error(answer) and "loihi9" in words(answer), "so is an unknown chip")
        answer = await session.call_tool("explore", {"study": STUDY, "out": "over"})
        check(is_error(answer) and "budget has 2 left" in words(answer), "and a budget spent")


asyncio.run(talk())
finish()
