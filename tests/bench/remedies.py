# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the remedies that a report names for slow steps hold when they are tried: shipped networks run as they are,
with --map-for time, and on the chip whose two longest parts of a step take half their time; the predicted gain, which
is the most for those, stands beside the simulated one.

    python3 tests/bench/remedies.py build/bin/dendrolith
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
NETWORKS = {
    "shapes_lif on loihi1": [MODELS / "lif/shapes_lif.nir", "--target", "loihi1", "--calibrate", MODELS / "lif/calib_x.npy",
                             "--input", MODELS / "lif/test_x.npy"],
    "shapes_lif on loihi1, for energy": [MODELS / "lif/shapes_lif.nir", "--target", "loihi1", "--calibrate",
                                         MODELS / "lif/calib_x.npy", "--input", MODELS / "lif/test_x.npy", "--map-for", "energy"],
    "sparse on loihi2": [MODELS / "mmdend/sparse.npz", "--target", "loihi2", "--calibrate", MODELS / "mmdend/calib_x.npy",
                         "--input", MODELS / "mmdend/test_x.npy"],
    "sparse on loihi2, on few cores": [MODELS / "mmdend/sparse.npz", "--target", "loihi2", "--calibrate",
                                       MODELS / "mmdend/calib_x.npy", "--input", MODELS / "mmdend/test_x.npy", "--map-for", "cores"],
}


def run(binary, arguments, folder):
    subprocess.run([binary, "run", *map(str, arguments), "--engine", "cycle", "--report", "none", "--out", folder],
                   check=True)
    return json.loads((folder / "result.json").read_text())


def predicted(result):
    """The share of a step that the fastest mapping that was looked at would save."""
    rows = result["mapping"]["trade_off"]
    chosen = [row["step_ns"] for row in rows if row["chosen"]]
    return 1 - min(row["step_ns"] for row in rows) / chosen[0] if chosen else 0.0


def halved(binary, chip, keys):
    """The chip with every time that the report names ("davies2018: barrier.*") at half."""
    name, names = keys.split(": ")
    starts = tuple(f"timing.{name}.{each.rstrip('*')}" for each in names.split(", "))
    printed = subprocess.run([binary, "targets", chip], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in printed.splitlines()]
    return ",".join([chip] + [f"{row[0]}={int(row[1]) // 2}" for row in rows
                              if len(row) > 2 and row[0].startswith(starts) and row[2] == "ps"])


def main(binary):
    print("| network | remedy named | predicted gain | simulated gain |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for number, (title, arguments) in enumerate(NETWORKS.items()):
            folder = pathlib.Path(name) / str(number)
            before = run(binary, arguments, folder)
            said = subprocess.run([binary, "report", folder], check=True, capture_output=True, text=True).stdout
            named = "--map-for time takes it" in said

            def row(remedy, gain, tried, end):
                after = run(binary, tried, pathlib.Path(name) / f"{number}-{end}")
                means = [each["latency"]["per_sample_ns"]["mean"] for each in (before, after)]
                print(f"| {title} | {remedy} | {gain:.1f} % | {100 * (1 - means[1] / means[0]):.1f} % |", flush=True)

            for place, (part, keys, gain) in enumerate(re.findall(
                    r"([\w ]+) \(timing\.(\S+: [^)]+)\) saves at most ([\d.]+) %", said)):
                # The same mapping, with its times changed.
                program = pathlib.Path(name) / f"{number}.dlp"
                subprocess.run([binary, "compile", *map(str, arguments[:arguments.index("--input")]), *map(
                    str, arguments[arguments.index("--input") + 2:]), "-o", program], check=True, capture_output=True)
                target = halved(binary, arguments[arguments.index("--target") + 1], keys)
                row("half " + part.replace("Half the time of ", ""), float(gain),
                    [program, "--input", arguments[arguments.index("--input") + 1], "--target", target], place)
            if "--map-for" in arguments:
                arguments = arguments[:arguments.index("--map-for")]
            row("--map-for time" if named else "none", 100 * predicted(before), [*arguments, "--map-for", "time"], "time")


main(sys.argv[1])
