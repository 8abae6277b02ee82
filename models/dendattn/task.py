# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multi-query associative recall (MQAR), the task of this folder's networks.

    python3 task.py --write DIR     # test sets of 1000 sequences, for every size
    python3 task.py --commit        # the files beside this one: fewer, calibration

After the paper's "Synthetic Recall Benchmarks" (Arora et al. 2024): a sequence
begins with pairs of a key and its value; then every token is one of these keys and
asks for its value.  Keys are different tokens of the lower half of the vocabulary,
values any tokens of the upper half.  A label is the value where a key asks for it
and NOT_ASKED elsewhere.  Everything follows from the seed.
"""
import argparse
import pathlib

import numpy as np

NOT_ASKED = -100  # as the losses of training frameworks have it
# By the width d of the networks that learn them: tokens of a sequence, pairs,
# vocabulary, sequences of the committed test set.
SIZES = {
    32: dict(tokens=36, pairs=6, vocabulary=64, committed=250),
    64: dict(tokens=64, pairs=8, vocabulary=128, committed=125),
    128: dict(tokens=64, pairs=8, vocabulary=128, committed=60),
}
TEST, CALIB = 1000, 16
SEED_TRAIN, SEED_TEST, SEED_CALIB = 31, 32, 33


def draw(rng, count, tokens, pairs, vocabulary, **_):
    """`count` sequences: token ids and labels (count, tokens), int64."""
    half = vocabulary // 2
    keys = np.argsort(rng.random((count, half)), axis=1, kind="stable")[:, :pairs]
    values = rng.integers(half, vocabulary, (count, pairs))
    asked = rng.integers(0, pairs, (count, tokens - 2 * pairs))
    x = np.empty((count, tokens), np.int64)
    x[:, : 2 * pairs : 2], x[:, 1 : 2 * pairs : 2] = keys, values
    x[:, 2 * pairs :] = np.take_along_axis(keys, asked, axis=1)
    y = np.full_like(x, NOT_ASKED)
    y[:, 2 * pairs :] = np.take_along_axis(values, asked, axis=1)
    return x, y


def test_set(d, count=TEST):
    """The held-out sequences; the first `count` of TEST."""
    x, y = draw(np.random.default_rng([SEED_TEST, d]), TEST, **SIZES[d])
    return x[:count], y[:count]


def calibration(d):
    return draw(np.random.default_rng([SEED_CALIB, d]), CALIB, **SIZES[d])[0]


def write(folder, d, count):
    """test_d32_x.npy and its like."""
    folder.mkdir(parents=True, exist_ok=True)
    x, y = test_set(d, count)
    for part, array in (("x", x), ("y", y)):
        np.save(folder / f"test_d{d}_{part}.npy", array.astype(np.int16))
    print(f"{folder / f'test_d{d}'}_x.npy: {x.shape}, {np.sum(y != NOT_ASKED)} answers")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--write", type=pathlib.Path, metavar="DIR",
                       help=f"{TEST} held-out sequences for every size, or for --d")
    which.add_argument("--commit", action="store_true",
                       help=f"the first of them and {CALIB} sequences for "
                       "calibration, beside this file")
    parser.add_argument("--d", type=int, choices=SIZES)
    options = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent
    for d in [options.d] if options.d else SIZES:
        if options.commit:
            write(here, d, SIZES[d]["committed"])
            np.save(here / f"calib_d{d}_x.npy", calibration(d).astype(np.int16))
        else:
            write(options.write, d, TEST)


if __name__ == "__main__":
    main()
