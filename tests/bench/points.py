# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a store of many points costs to look at: a study of times and prices of the shipped network is measured, and its
front and its page are made, with the copies that workers left and from the files of the points alone.

    python3 tests/bench/points.py build/bin/dendrolith [--prices 71] [--keep FOLDER]
    python3 tests/bench/points.py build/bin/dendrolith --proposals

The study has 20 n^2 points for n prices; 71 are 100,820. With --proposals 50 designs are measured as a study and as a
loop of 50 proposals of a client of `dendrolith.mcp`, which needs the package `mcp`. Times are seconds of processor.
"""
import argparse
import asyncio
import csv
import io
import itertools
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIF = ROOT / "models" / "lif"
STUDY = """name: many points
models:
  - {{name: lif, model: {lif}/shapes_lif.nir, calibrate: {lif}/calib_x.npy, input: {lif}/test_x.npy,
     labels: {lif}/test_y.npy, samples: 2}}
target: loihi1
vary:
  mesh.tiles_x: [8, 6]
  timing.davies2018.update_active: {{from: 6000, to: 12000, steps: 10}}
  costs.davies2018.hops_ew: {{from: 1.0, to: 8.0, steps: {prices}}}
  costs.davies2018.static: {{from: 1.0, to: 8.0, steps: {prices}}}
objectives: {{latency.mean: min, together: min, area: min}}
"""

FIFTY = {"mesh.tiles_x": ["8", "6", "4", "2", "1"], "formats.weight_bits": ["8", "6", "5", "4", "3"],
         "compile.map-for": ["balanced", "energy"]}


def propose(folder, study, designs):
    """Proposes one design after the other; returns the latencies."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def talk():
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "dendrolith.mcp", "--folder", str(folder), "--points", "50", "--seconds", "3600"],
            env={**os.environ, "PYTHONPATH": str(ROOT / "runtime" / "python"), "PYTHONDONTWRITEBYTECODE": "1"})
        async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
            await session.initialize()
            answers = []
            for design in designs:
                said = await session.call_tool("propose", {"study": study, "out": "asked", "designs": [design]})
                answers.append(float(json.loads(said.content[0].text)["result"][0]["latency.mean"]))
            return answers
    return asyncio.run(talk())


def loop(binary, folder):
    """50 designs as one study and as 50 proposals."""
    os.environ["DENDROLITH_BIN"] = str(pathlib.Path(binary).resolve())
    axes = "".join(f"  {axis}: [{', '.join(values)}]\n" for axis, values in FIFTY.items())
    head = STUDY.format(lif=LIF, prices=1)
    study = head[:head.index("vary:")].replace("samples: 2", "samples: 40") + "vary:\n" + axes + head[head.index("objectives"):]
    (folder / "study.yaml").write_text(study)
    together, _ = spent(binary, "explore", folder / "study.yaml", "-o", folder / "study", "--jobs", "1")
    _, table = spent(binary, "explore", folder / "study", "--format", "csv")
    designs = [dict(zip(FIFTY, values)) for values in itertools.product(*FIFTY.values())]
    before = used()
    propose(folder, study, [])
    server = used() - before
    answers = propose(folder, study, designs)
    alone = used() - before - 2 * server
    assert answers == [float(row["latency.mean"]) for row in csv.DictReader(io.StringIO(table))], "latencies differ"
    print(f"50 designs as a study: {together:.1f} s; as 50 proposals: {alone:.1f} s, and {server:.1f} s to start the server; "
          "latencies equal")


def used():
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime


def spent(*command):
    """Seconds of processor and what was printed."""
    before = used()
    said = subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout
    return used() - before, said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--prices", type=int, default=71)
    parser.add_argument("--keep", help="the store's folder, which is measured where it is not there")
    parser.add_argument("--proposals", action="store_true", help="measure 50 designs, and nothing else")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if arguments.proposals:
            return loop(arguments.binary, folder)
        store, page = pathlib.Path(arguments.keep or folder / "store"), folder / "page.html"
        (folder / "study.yaml").write_text(STUDY.format(lif=LIF, prices=arguments.prices))
        measured, _ = spent(arguments.binary, "explore", folder / "study.yaml", "-o", store)
        print(f"{20 * arguments.prices ** 2:,} points: measured in {measured:.1f} s", flush=True)
        print("| | s | page MB |\n|---|---|---|")
        fronts = []
        for index in ("with copies", "from files", "again"):
            if index == "from files":
                shutil.rmtree(store / "index")
            seconds, front = spent(arguments.binary, "explore", store, "--pareto")
            fronts.append(front)
            print(f"| --pareto, {index} | {seconds:.1f} | |", flush=True)
        seconds, _ = spent(arguments.binary, "explore", store, "--html", page)
        print(f"| --html | {seconds:.1f} | {page.stat().st_size / 1e6:.1f} |")
        assert len(set(fronts)) == 1, "the front differs"


main()
