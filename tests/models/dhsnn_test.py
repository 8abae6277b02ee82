# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/dhsnn, models/mmdend/baselines.py.
"""The networks of models/dhsnn, and MMDEND's baseline that is an exported step, in the
float interpreter against reference.py and baselines.py.

    python3 tests/models/dhsnn_test.py --dendrolith build/bin/dendrolith

The read-out of all test samples within 1e-9, which spikes that differ would not leave. The
networks of digits.py, whose images are fetched, get drawn numbers.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
sys.path[:0] = [str(MODELS / "dhsnn"), str(MODELS / "mmdend"), str(MODELS)]
import reference  # noqa: E402
import baselines  # noqa: E402

RIGHT = {"dhsnn/branches": 362, "dhsnn/point": 377, "mmdend/tclif": 615}  # as train.py printed


def outputs(dendrolith, network, x):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        np.save(out / "x.npy", x)
        subprocess.run([dendrolith, "run", network, "--input", out / "x.npy", "--engine", "float", "--out", out / "run"],
                       check=True, stdout=subprocess.DEVNULL)
        return np.load(out / "run" / "outputs.npy")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dendrolith", required=True)
    dendrolith = pathlib.Path(parser.parse_args().dendrolith).resolve()
    ok = True
    drawn = np.random.default_rng(0).random((50, 28, 28)) ** 3
    for name in ("digits_branches", "digits_point"):
        network = MODELS / "dhsnn" / f"{name}.pt2"
        wanted, spikes = reference.run(reference.load(network), drawn)
        apart = float(np.abs(outputs(dendrolith, network, drawn) - wanted).max())
        print(f"{name}: largest difference {apart:.1e}, {spikes.sum() / len(drawn):.1f} spikes")
        ok &= apart < 1e-9 and spikes.sum() > 0
    for name, right in RIGHT.items():
        network = MODELS / f"{name}.pt2"
        data = network.parent if name.startswith("mmdend") else MODELS / "lif"
        x, y = (np.load(data / f"test_{part}.npy") for part in "xy")
        if name == "mmdend/tclif":
            wanted, spikes = baselines.run_stepped("tclif", baselines.load_step(network), x)
            spikes = np.concatenate(spikes, 2)
        else:
            wanted, spikes = reference.run(reference.load(network), x)
        apart = float(np.abs(outputs(dendrolith, network, x) - wanted).max())
        counted = int((wanted.mean(1).argmax(1) == y).sum())
        print(f"{name}: largest difference {apart:.1e}, {counted} of {len(y)} right, {spikes.sum() / len(y):.1f} spikes")
        ok &= apart < 1e-9 and counted == right and spikes.sum() > 0
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
