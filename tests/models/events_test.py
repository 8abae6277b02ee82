# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/events.
"""The network of models/events on four chips against its equations.

    python3 tests/models/events_test.py --dendrolith build/bin/dendrolith

Each count of 40 samples is equal, the answers to all samples are as many right as the
README says, and what loads the chips is written.
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
sys.path.insert(0, str(ROOT / "models" / "events"))
import digits  # noqa: E402

RIGHT = {"events": 400, "ticks": 391}  # of 500


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dendrolith", type=pathlib.Path, required=True)
    dendrolith = parser.parse_args().dendrolith.absolute()
    order, labels = digits.make(digits.SEED_TEST, digits.TEST)
    with np.load(digits.HERE / "digits.npz") as file:
        for name, count in (("events", digits.by_events), ("ticks", digits.by_ticks)):
            given = file["weights"].astype(int), *map(int, file[name])
            right = (count(order, *given).argmax(1) == labels).sum()
            if right != RIGHT[name]:
                sys.exit(f"{name}: {right} right, expected {RIGHT[name]}")
    with tempfile.TemporaryDirectory() as folder:
        for chip in digits.TARGETS:
            spikes, want, _ = digits.run(dendrolith, folder, chip, order[:40], labels[:40])
            if (spikes != want).any() or not spikes.any():
                sys.exit(f"{chip}: {(spikes != want).sum()} counts differ")
            if chip == "catalyst-n1":
                continue
            subprocess.run([dendrolith, "export", f"{folder}/{chip}/digits.mlir", "--format", chip,
                            "-o", f"{folder}/{chip}/load"], check=True, stdout=subprocess.DEVNULL)
            if not pathlib.Path(folder, chip, "load", "names.txt").exists():
                sys.exit(f"{chip}: no names.txt")
            print(f"{chip}: {spikes.sum()} spikes equal")


if __name__ == "__main__":
    main()
