# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the remedies that a report names for slow steps hold when they are tried: networks run as they are, and with
each option that their report names, as it stands there. The least gain that is promised stands beside the simulated one,
which is never smaller.

    python3 tests/bench/remedies.py build/bin/dendrolith [--samples 50]
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
NETWORKS = {  # folder, model, options
    "shapes_lif": ("lif", "shapes_lif.nir", "--target", "loihi1"),
    "glyphs_cnn": ("cnn", "glyphs_cnn.nir", "--target", "loihi1"),
    "sparse": ("mmdend", "sparse.npz", "--target", "loihi2"),
    "on few cores": ("mmdend", "sparse.npz", "--target", "loihi2", "--map-for", "cores"),
}
PARTS = {".barrier.": "barrier", ".per_synapse.": "receiving", ".noc.": "mesh", ".update_": "updates"}  # of the chip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--samples", type=int, default=50)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)

        def run(folder, model, options):
            """Nanoseconds per sample of cores and mesh, and the report."""
            np.save(work / "x.npy", np.load(MODELS / folder / "test_x.npy")[:given.samples])
            subprocess.run([given.binary, "run", MODELS / folder / model, *options, "--calibrate",
                            MODELS / folder / "calib_x.npy", "--input", work / "x.npy", "--engine", "cycle",
                            "--report", "none", "--out", work / "out"], check=True)
            said = subprocess.run([given.binary, "report", work / "out"], check=True, capture_output=True, text=True)
            result = json.loads((work / "out" / "result.json").read_text())
            return result["latency"]["per_sample_ns"]["mean"], said.stdout

        kept = True
        print("| network | remedy: promised, simulated gain in % |\n|---|---|")
        for title, (folder, model, *options) in NETWORKS.items():
            before, said = run(folder, model, options)
            named = [(*each, ["--map-for", "time"]) for each in re.findall(
                r"at least (\d+) % less of a step: (--map-for time) takes it", said)]
            named += [(gain, option, option.split()) for gain, option in re.findall(
                r"at least (\d+) % less of a step with (--target .*)", said)]
            gains = []
            for gain, option, words in named:
                pairs = dict(zip(options[::2], options[1::2])) | dict(zip(words[::2], words[1::2]))
                after, _ = run(folder, model, [word for pair in pairs.items() for word in pair])
                part = next((part for key, part in PARTS.items() if key in option), f"`{option}`")
                gained = 100 * (1 - after / before)
                gains.append(f"{part}: {gain}, {gained:.1f}")
                kept &= float(gain) <= gained
            print(f"| {title} | {'; '.join(gains)} |", flush=True)
    sys.exit(0 if kept else "a remedy gained less than was promised")


main()
