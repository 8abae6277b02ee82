# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/mapping/objective/Replay.cpp.
"""The step that the mapper predicts is near the one that is simulated, on the same samples: on
a plain mesh, with multicast, with a clock (noc.grid), with small buffers and on a board."""
import support
from support import FOLDER, ROOT, check, dendrolith

LIF = ROOT / "models/lif"
SAMPLES = LIF / "calib_x.npy"

for number, target in enumerate((
        "loihi1", "loihi1,mesh.multicast=true", "loihi1,timing.davies2018.noc.grid=2000",
        "loihi1,timing.davies2018.noc.local.buffer=2", "loihi1,mesh.tiles_x=2,board.chips_x=2",
        "loihi2", "loihi2,mesh.multicast=true", "loihi2,timing.scaled.noc.grid=2000",
        "loihi2,timing.scaled.noc.local.buffer=2",
        "loihi2,mesh.multicast=true,timing.scaled.noc.grid=2000")):
    folder = FOLDER / str(number)
    dendrolith("run", LIF / "shapes_lif.nir", "--target", target, "--input", SAMPLES,
               "--calibrate", SAMPLES, "--engine", "cycle", "--out", folder)
    result = support.result_of(folder)
    predicted = {term["name"]: term["value"] for term in result["mapping"]["terms"]}["step"]
    simulated = result["latency"]["per_sample_ns"]["mean"] / result["steps"]
    print(f"{target:56} predicted {predicted:7.1f} ns, simulated {simulated:7.1f}: "
          f"{100 * (predicted / simulated - 1):+.1f} %")
    check(abs(predicted / simulated - 1) < 0.05, f"{target}: within 5 %")
