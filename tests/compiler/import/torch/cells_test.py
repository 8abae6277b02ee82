# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/torch/ by recorded cells of PyTorch.
"""Each recorded cell (graph of torch.export, inputs, outputs and states in double) gives
the same numbers on the float engine, and runs in integers, functional as cycle. The
cases lie in data/dendritic_tools of ../shared (or $DENDROLITH_SHARED); without them the
test is skipped."""
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tests" / "runtime" / "python"))
from support import FOLDER, check, dl, finish, np  # noqa: E402
import pt2  # noqa: E402

shared = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
folder = shared / "data" / "dendritic_tools"
cases = sorted(folder.glob("*.json"))
if not cases:
    print("skipped: no recorded cells")
    sys.exit(77)
wanted = sys.argv[2:]


def spikes(array):
    return set(np.unique(array)) <= {0.0, 1.0}


def close(title, found, truth):
    """Equal spikes, and real numbers within 1e-12 of the largest."""
    found = np.asarray(found, dtype=float).reshape(truth.shape)
    if spikes(truth):
        check(np.array_equal(found, truth), f"{title}: spikes that differ: "
              f"{int((found != truth).sum())} of {truth.size}")
    worst = np.abs(found - truth).max() / max(1e-9, np.abs(truth).max())
    check(worst < 1e-12, f"{title}: differs by {worst:.1e}")
    return worst


for case in cases:
    name = case.stem
    if wanted and name not in wanted:
        continue
    data = dict(np.load(case.with_suffix(".npz")))
    path = FOLDER / f"{name}.pt2"
    pt2.write(path, json.loads(case.read_text()),
              {k[2:]: v for k, v in data.items() if k.startswith("p:")},
              {k[2:]: v for k, v in data.items() if k.startswith("c:")})
    net, x = dl.load(path), data["x"].astype(float)
    result = net.run(x)
    worst = close(f"{name}: y", result.outputs, data["y"])
    program = dl.compile(net, "loihi2", calibrate=x)
    chip = program.run(x, engine="functional").outputs
    again = program.run(x[:1, :20], engine="cycle").outputs
    check(np.array_equal(program.run(x[:1, :20], engine="functional").outputs, again),
          f"{name}: functional and cycle differ")
    off = np.asarray(chip, dtype=float).reshape(data["y"].shape) - data["y"]
    drift = (f"{(off == 0).mean():.2%} of spikes" if spikes(data["y"]) else
             f"nrmse {np.sqrt((off ** 2).mean()) / (data['y'].std() + 1e-12):.4f}")
    check(np.abs(off).mean() < 0.2 * (np.abs(data["y"]).mean() + 0.1),
          f"{name}: the integers are far off: {drift}")
    print(f"{name:16s} float {worst:.1e}, loihi2 {drift}")
finish()
