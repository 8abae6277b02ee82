# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the remedy that a report names for slow steps holds when it is tried: three shipped networks run as they
are and with --map-for time, and the predicted gain stands beside the simulated one.

    python3 tests/bench/remedies.py build/bin/dendrolith
"""
import json
import pathlib
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


def main(binary):
    print("| network | remedy named | predicted gain | simulated gain |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for number, (title, arguments) in enumerate(NETWORKS.items()):
            folder = pathlib.Path(name) / str(number)
            before = run(binary, arguments, folder)
            named = "--map-for time takes it" in subprocess.run(
                [binary, "report", folder], check=True, capture_output=True, text=True).stdout
            if "--map-for" in arguments:
                arguments = arguments[:arguments.index("--map-for")]
            after = run(binary, [*arguments, "--map-for", "time"], pathlib.Path(name) / f"{number}-time")
            means = [each["latency"]["per_sample_ns"]["mean"] for each in (before, after)]
            print(f"| {title} | {'--map-for time' if named else 'none'} | {100 * predicted(before):.1f} % | "
                  f"{100 * (1 - means[1] / means[0]):.1f} % |", flush=True)


main(sys.argv[1])
