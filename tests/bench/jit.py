#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long shipped networks of programs simulate with machine code and without.

    python3 tests/bench/jit.py [--rounds 5] [--engine functional,cycle,float]

Each network is compiled once; then runs with --jit off and --jit auto take turns
on one thread, and the best of each counts. What both write must be equal. The
float engine runs the model itself.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
NETWORKS = {
    "mmdend sparse": ("mmdend/sparse.npz", "mmdend/calib_x.npy", "mmdend/test_x.npy"),
    "dendricl d10": ("dendricl/d10.npz", "dendricl/calib_d10_x.npy", "dendricl/test_d10_x.npy"),
    "dendattn d32": ("dendattn/d32.npz", "dendattn/calib_d32_x.npy", "dendattn/test_d32_x.npy"),
    "elm m12": ("elm/family/p4000_m12_s0.npz", "elm/calib_x.npy", "elm/test_x.npy"),
}
# What may differ between two runs of the same network.
TIMES = {"wall_s", "peak_rss_bytes", "created", "command"}


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def run(dendrolith, network, samples, engine, jit):
    text = subprocess.run(
        [dendrolith, "run", network, "--input", MODELS / samples, "--engine", engine,
         "--threads", "1", "--jit", jit, "--format", "json"],
        check=True, capture_output=True, text=True).stdout
    result = json.loads(text)
    return result["wall_s"]["simulate"], without_times(result)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dendrolith", default=ROOT / "build/bin/dendrolith")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engine", default="functional,cycle")
    parser.add_argument("--only", default="", help="networks whose name has this")
    arguments = parser.parse_args()
    print(f"{'network':16}{'engine':12}{'off (s)':>10}{'auto (s)':>10}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, (model, calibration, samples) in NETWORKS.items():
            if arguments.only not in name:
                continue
            image = pathlib.Path(folder) / "net.dlp"
            subprocess.run(
                [arguments.dendrolith, "compile", MODELS / model, "--target", "loihi2",
                 "--calibrate", MODELS / calibration, "-o", image],
                check=True, capture_output=True)
            for engine in arguments.engine.split(","):
                network = MODELS / model if engine == "float" else image
                best = {"off": float("inf"), "auto": float("inf")}
                results = {}
                for _ in range(arguments.rounds):
                    for jit in best:
                        seconds, results[jit] = run(
                            arguments.dendrolith, network, samples, engine, jit)
                        best[jit] = min(best[jit], seconds)
                assert results["off"] == results["auto"], f"{name}: results differ"
                print(f"{name:16}{engine:12}{best['off']:10.3f}{best['auto']:10.3f}"
                      f"{best['off'] / best['auto']:8.2f}", flush=True)


if __name__ == "__main__":
    main()
