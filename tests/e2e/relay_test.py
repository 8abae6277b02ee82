# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/timing/systemc/BarrierModel.cpp.
"""The two-neuron network of models/relay: latencies are those that
simulator/timing/README.md works out by hand."""
from support import FOLDER as OUT, ROOT, check, run, tables_of

FOLDER = ROOT / "models" / "relay"


def latency(target):
    result, outputs, _ = run("relay", FOLDER / "relay.mlir", "--target", target,
                             "--placement", FOLDER / "placement.yaml", "--input",
                             FOLDER / "x.npy", "--engine", "cycle", "--verify")
    check(outputs.ravel().tolist() == [1, 1, 1], f"{target}: all spikes come through")
    return tables_of(OUT / "relay")


chipwide = latency("tiny")
check(chipwide["latency"]["per_step_ns"] == [115.15, 121.65, 121.65, 121.65, 120.8],
      "one barrier for the chip: five steps as by hand")
check(chipwide["samples"]["latency_ns"] == [600.9], "together 600.9 ns")
