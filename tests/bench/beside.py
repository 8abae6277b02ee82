#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two builds beside each other: what an earlier commit took and what this one takes.

    python3 tests/bench/beside.py --than OTHER/build [--build build] [--rounds 3]
                                  [--only compile]

Every round runs each row with the one build and then with the other, each on an image of
its own making; the table has the best of the rounds, and how many times better the second
one is. Shipped networks run on as few cores as hold them (`solver: packed`): a mapper that
spreads a network more gives the simulator more to do, and the chip less. Last come the yardsticks of the same rounds: numpy, a plain scatter loop over the
same rows, and copies and random rows of memory (study.py).
"""
import argparse
import json
import pathlib
import resource
import subprocess
import tempfile
import time

import study

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
# Steps such that a run of each takes about as long.
STUDIES = {"random_1k": (["--neurons", 1_000], 20_000, "loihi1-study"),
           "random_10k": (["--neurons", 10_000], 5_000, "loihi1-study"),
           "random_100k": (["--neurons", 100_000], 500, "loihi1-study"),
           "local_131k": (["--neurons", 131_072, "--mode", "local"], 200, "loihi1")}
SHIPPED = {"lif": ("lif/shapes_lif.nir", "loihi1", "lif/calib_x.npy", "lif/test_x.npy"),
           "mmdend": ("mmdend/sparse.npz", "loihi2", "mmdend/calib_x.npy",
                      "mmdend/test_x.npy"),
           "dendricl": ("dendricl/d10.npz", "loihi2", "dendricl/calib_d10_x.npy",
                        "dendricl/test_d10_x.npy")}


class Build:
    """One of the two, with a folder for what it makes."""

    def __init__(self, bin, folder):
        self.bin, self.folder = bin.resolve(), folder
        folder.mkdir()

    def spent(self, program, *words):
        """Seconds of wall and of processor time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = time.perf_counter()
        subprocess.run([str(w) for w in (self.bin / program, *words)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall = time.perf_counter() - wall
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return wall, sum(getattr(after, key) - getattr(before, key)
                         for key in ("ru_utime", "ru_stime"))

    def image(self, name, model, target, calibration=None, *words):
        """The image of a network, and the seconds that its compilation took."""
        words = [*words, *(["--calibrate", calibration] if calibration else [])]
        image = self.folder / f"{name}.dlp"
        return image, self.spent("dendrolith", "compile", model, "--target", target, *words,
                                 "-o", image)

    def run(self, image, given, engine, threads=1, *words):
        """The result of a run, and its seconds of processor time."""
        out = self.folder / "out"
        spent = self.spent("dendrolith", "run", image, "--input", given, "--engine", engine,
                           "--threads", threads, *words, "--out", out)
        return json.loads((out / "result.json").read_text()), spent


class Table:
    def __init__(self, only):
        self.only, self.best = only, {}

    def wants(self, part):
        return self.only in part

    def keep(self, row, column, value, largest):
        values = self.best.setdefault((row, largest), {})
        values[column] = (max if largest else min)(value, values.get(column, value))

    def print(self):
        print(f"{'':46}{'before':>10}{'now':>10}{'better':>9}")
        for (row, largest), (before, now) in (
                (key, (v.get(0), v.get(1))) for key, v in self.best.items()):
            if before is None or now is None:
                print(f"{row:46}{'':>10}{now if before is None else before:10.2f}")
                continue
            ratio = now / before if largest else before / now
            print(f"{row:46}{before:10.2f}{now:10.2f}{ratio:8.2f}x")


def start(table, column, build):
    table.keep("start: --version, ms", column,
               min(build.spent("dendrolith", "--version")[0] for _ in range(20)) * 1e3, False)


def compilations(table, column, build, studies):
    for name, (model, target, calibration, _) in SHIPPED.items():
        _, (wall, cpu) = build.image(name, MODELS / model, target, MODELS / calibration)
        table.keep(f"compile {name}: wall s", column, wall, False)
        table.keep(f"compile {name}: processor s", column, cpu, False)
        build.image(name, MODELS / model, target, MODELS / calibration,
                    "--tuning", "{solver: packed}")
    for name, files in studies.items():
        _, (wall, cpu) = build.image(name, files.with_suffix(".npz"), STUDIES[name][2])
        table.keep(f"compile {name}: processor s", column, cpu, False)


def functional(table, column, build, studies):
    for name, files in studies.items():
        case = json.loads(files.with_suffix(".json").read_text())
        result, (wall, _) = build.run(build.folder / f"{name}.dlp",
                                      files.with_suffix(".npz"), "functional")
        synops = study.synops(case) / 1e6
        table.keep(f"functional {name}: M synops/s in the engine", column,
                   synops / result["wall_s"]["simulate"], True)
        table.keep(f"functional {name}: M synops/s, command", column, synops / wall, True)
    for name, (*_, given) in SHIPPED.items():
        for threads in (1, 2):
            result, _ = build.run(build.folder / f"{name}.dlp", MODELS / given,
                                  "functional", threads)
            table.keep(f"functional {name}, {threads} thread(s): s", column,
                       result["wall_s"]["simulate"], False)


def cycle(table, column, build, shorts):
    for name, files in shorts.items():
        case = json.loads(files.with_suffix(".json").read_text())
        result, _ = build.run(build.folder / f"{name}.dlp", files.with_suffix(".npz"),
                              "cycle")
        table.keep(f"cycle {name}: M synops/s", column,
                   study.synops(case) / 1e6 / result["wall_s"]["simulate"], True)
    for name, (*_, given) in SHIPPED.items():
        for threads in (1, 2):
            result, _ = build.run(build.folder / f"{name}.dlp", MODELS / given, "cycle",
                                  threads)
            table.keep(f"cycle {name}, {threads} thread(s): M messages/s", column,
                       result["counts"]["total"]["messages"] / 1e6 /
                       result["wall_s"]["simulate"], True)


def traces(table, column, build, shorts):
    files = shorts["random_10k"].with_suffix(".npz")
    for flags in ([], ["--trace", "lif:v"]):
        _, (_, cpu) = build.run(build.folder / "random_10k.dlp", files, "functional", 1,
                                *flags)
        table.keep(f"random_10k, {' '.join(flags) or 'no trace'}: processor s", column,
                   cpu, False)


def yardsticks(table, build, studies):
    for name, files in studies.items():
        case = json.loads(files.with_suffix(".json").read_text())
        npz = files.with_suffix(".npz")
        found = study.measure_bounds(build.bin, npz, memory=name == "random_1k")
        table.keep(f"yardstick: scatter loop, {name}: M synops/s", 1,
                   found["study/scatter synops/s"] / 1e6, True)
        table.keep(f"yardstick: numpy, {name}: M synops/s", 1,
                   study.synops(case) / 1e6 / study.numpy_reference(npz), True)
        for what in ("copy", "rows") if name == "random_1k" else ():
            table.keep(f"yardstick: {what} of memory: GB/s", 1,
                       found[f"memory/{what} bytes/s"] / 1e9, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--than", type=pathlib.Path, required=True, help="the earlier build")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="start, compile, functional, cycle, "
                        "traces or yardstick; all of them need the images of compile")
    arguments = parser.parse_args()
    for build in (arguments.than, arguments.build):
        if not (build / "bin/dendrolith").exists():
            parser.error(f"{build}: expected a folder with bin/dendrolith, found none; "
                         "build dendrolith there, or name another folder")
    table = Table(arguments.only)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        builds = [Build(arguments.than / "bin", folder / "before"),
                  Build(arguments.build / "bin", folder / "now")]
        studies, shorts = {}, {}
        for name, (words, steps, _) in STUDIES.items():
            studies[name] = folder / name
            builds[1].spent("dendrolith", "generate", folder / name, *words, "--steps", steps)
        for name, steps in (("random_1k", 500), ("random_10k", 760)):
            shorts[name] = folder / f"{name}_short"
            builds[1].spent("dendrolith", "generate", shorts[name], *STUDIES[name][0],
                            "--steps", steps)
        for number in range(arguments.rounds):
            for column, build in enumerate(builds):
                if table.wants("start"):
                    start(table, column, build)
                if number == 0 or table.wants("compile"):
                    compilations(table, column, build, studies)
                if table.wants("functional"):
                    functional(table, column, build, studies)
                if table.wants("cycle"):
                    cycle(table, column, build, shorts)
                if table.wants("traces"):
                    traces(table, column, build, shorts)
            if table.wants("yardstick"):
                yardsticks(table, builds[1], studies)
    table.print()


if __name__ == "__main__":
    main()
