#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a call of a program costs beside the engine, as `dl.torch.on_chip` makes it
in a training loop: arrays to the worker and back, and what a result holds.

    /usr/bin/python3 tests/bench/on_chip.py build/bin/dendrolith [ROUNDS]
"""
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ["DENDROLITH_BIN"] = str(pathlib.Path(sys.argv[1]).resolve())
sys.path.insert(0, str(ROOT / "runtime" / "python"))
import numpy as np  # noqa: E402

import dendrolith as dl  # noqa: E402

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
LIF, ELM = ROOT / "models" / "lif", ROOT / "models" / "elm"
NETS = ((LIF / "shapes_lif.nir", LIF), (ELM / "family" / "p4000_m3_s0.npz", ELM))


def least(values):
    return 1000 * min(values)


print(f"Least of {ROUNDS} calls, in ms")
print(f"{'network':14} {'samples':>7} {'call':>7} {'engine':>7} {'beside':>7}")
for file, folder in NETS:
    program = dl.compile(dl.load(file), "loihi2", calibrate=np.load(folder / "calib_x.npy"))
    for samples in (1, 8, 32, 128):
        x = np.load(folder / "test_x.npy")[:samples].astype(float)
        program.run(x).outputs
        calls, engines = [], []
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            result = program.run(x)
            result.outputs
            calls.append(time.perf_counter() - begin)
            engines.append(result.data["wall_s"]["simulate"])
        beside = [call - engine for call, engine in zip(calls, engines)]
        print(f"{file.stem:14} {samples:7} {least(calls):7.1f} {least(engines):7.1f} {least(beside):7.1f}",
              flush=True)
