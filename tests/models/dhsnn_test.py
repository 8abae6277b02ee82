# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/dhsnn.
"""The networks of models/dhsnn in the float interpreter against reference.py.

    python3 tests/models/dhsnn_test.py --dendrolith build/bin/dendrolith

The read-out of all test samples within 1e-9, which spikes that differ would not leave.
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
sys.path.insert(0, str(MODELS / "dhsnn"))
import reference  # noqa: E402

RIGHT = {"branches": 362, "point": 377}  # of 500, as train.py printed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dendrolith", required=True)
    dendrolith = pathlib.Path(parser.parse_args().dendrolith).resolve()
    x, y = (np.load(MODELS / "lif" / f"test_{part}.npy") for part in "xy")
    ok = True
    for name, right in RIGHT.items():
        network = MODELS / "dhsnn" / f"{name}.pt2"
        wanted, spikes = reference.run(reference.load(network), x)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([dendrolith, "run", network, "--input", MODELS / "lif" / "test_x.npy", "--engine", "float",
                            "--out", folder], check=True, stdout=subprocess.DEVNULL)
            found = np.load(pathlib.Path(folder) / "outputs.npy")
        apart = float(np.abs(found - wanted).max())
        counted = int((wanted.mean(1).argmax(1) == y).sum())
        print(f"{name}: largest difference {apart:.1e}, {counted} of {len(y)} right, {spikes.sum() / len(y):.1f} spikes")
        ok &= apart < 1e-9 and counted == right and spikes.sum() > 0
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
