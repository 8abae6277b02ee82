# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a store of many points costs to look at: a study of times and prices of the shipped network is measured, and its
front and its page are made, with the copies that workers left and from the files of the points alone.

    python3 tests/bench/points.py build/bin/dendrolith [--prices 71] [--keep FOLDER]

The study has 20 n^2 points for n prices; 71 are 100,820. Times are seconds of processor.
"""
import argparse
import pathlib
import resource
import shutil
import subprocess
import tempfile

LIF = pathlib.Path(__file__).resolve().parents[2] / "models" / "lif"
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


def spent(*command):
    """Seconds of processor and what was printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(getattr(after, key) - getattr(before, key) for key in ("ru_utime", "ru_stime")), said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--prices", type=int, default=71)
    parser.add_argument("--keep", help="the store's folder, which is measured where it is not there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
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
