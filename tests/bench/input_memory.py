#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory that a large input takes, in Python and in the process that runs the network.

    /usr/bin/python3 tests/bench/input_memory.py [--samples 15000] [--dtype uint8]

Makes samples of 100 steps of 700 channels, of which 2 % are 1, runs them on the functional
engine through the Python package, and prints the most memory of both beside the input's bytes.
"""
import argparse
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "runtime" / "python"))

import dendrolith as dl  # noqa: E402
from dendrolith.worker import POOL  # noqa: E402


def most(pid):
    """The most memory (MB) that a process has held since forget()."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1.024e-3


def forget(pid):
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


parser = argparse.ArgumentParser()
parser.add_argument("--samples", type=int, default=15000)
parser.add_argument("--dtype", default="uint8", help="uint8, bool, float32, ...")
arguments = parser.parse_args()
rng = np.random.default_rng(0)
net = dl.from_layers([dl.Linear(0.05 * rng.normal(size=(64, 700))),
                      dl.snntorch.Leaky(beta=0.9, reset_mechanism="zero"),
                      dl.Linear(0.2 * rng.normal(size=(20, 64))), dl.snntorch.Readout(beta=0.9)])
x = np.zeros((arguments.samples, 100, 700), np.dtype(arguments.dtype))
for sample in x:
    sample[rng.random((100, 700)) < 0.02] = 1
program = dl.compile(net, "loihi1", calibrate=x[:16])
with POOL.worker() as worker:
    pid = worker.pid
forget("self")
forget(pid)
before, start = most("self"), time.time()
program.run(x)
print(f"{x.nbytes / 1e6:.0f} MB of {x.dtype}, {x.shape}: Python {most('self') - before:.0f} MB beside "
      f"it, the process {most(pid):.0f} MB in all, {time.time() - start:.1f} s")
