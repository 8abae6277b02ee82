# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In-context linear regression, the task of this folder's networks.

    python3 task.py --write DIR     # test sets of 1500 tasks and calibration, for every d
    python3 task.py --commit        # the files beside this one: 300 tasks, calibration

The DendriCL paper's Appendix C (after Garg et al. 2022): w ~ N(0, I_d), x_i ~
N(0, I_d), y_i = w . x_i + noise of variance 0.01, k labelled pairs, then a query.
A sample is (k + 1, d + 2), rows [x; y; flag], flag 1 and y masked to 0 at the
query; its label is the query's y.  Everything follows from the seed.
"""
import argparse
import pathlib

import numpy as np

NOISE = 0.1  # standard deviation
GRID = 4096.0  # numbers are multiples of 1/GRID, exact in float32
SIZES = {d: 2 * d for d in (5, 10, 15, 20, 25, 30, 40, 50)}  # k
SHIPPED = 5, 10, 20  # whose files lie beside this one; those of others are large
TEST, COMMITTED, CALIB = 1500, 300, 64
SEED_TRAIN, SEED_TEST, SEED_CALIB = 21, 22, 23


def grid(x):
    return np.rint(GRID * x) / GRID


def draw(rng, count, d, k, used=None, noise=NOISE, spread=1.0):
    """`count` tasks: samples (count, k + 1, d + 2) and labels (count,), float32,
    and the true w (count, d), float64, of standard deviation `spread`."""
    w = spread * rng.standard_normal((count, d))
    x = grid(rng.standard_normal((count, k + 1, d)))
    x[..., d if used is None else used :] = 0.0
    noise = noise * rng.standard_normal((count, k + 1))
    y = grid(np.einsum("nti,ni->nt", x, w) + noise)
    tokens = np.zeros((count, k + 1, d + 2), np.float32)
    tokens[..., :d] = x
    tokens[:, :-1, d] = y[:, :-1]
    tokens[:, -1, d + 1] = 1.0
    return tokens, y[:, -1].astype(np.float32), w


def test_set(d, k=None, count=TEST, spread=1.0):
    """The held-out tasks; the first `count` of TEST."""
    rng = np.random.default_rng([SEED_TEST, d, k or SIZES[d]])
    return tuple(a[:count] for a in draw(rng, TEST, d, k or SIZES[d], spread=spread))


def calibration(d):
    rng = np.random.default_rng([SEED_CALIB, d, SIZES[d]])
    return draw(rng, CALIB, d, SIZES[d])[0]


def lms(x, step):
    """Estimates (samples, d) of the rule w <- w + step (y - w . x) x over the
    labelled pairs of `x` (samples, tokens, d + 2)."""
    x = np.asarray(x, dtype=np.float64)
    d = x.shape[-1] - 2
    w = np.zeros((len(x), d))
    for token in np.moveaxis(x, 1, 0):
        error = token[:, d] - np.sum(w * token[:, :d], axis=1)
        w += (step * (1 - token[:, d + 1]) * error)[:, None] * token[:, :d]
    return w


def ridge(x):
    """Estimates (samples, d) as `lms`, of ridge regression on all pairs at once: the mean of
    w behind them, as w and noise are Gaussian."""
    pairs = np.asarray(x, dtype=np.float64)[:, :-1]
    d = pairs.shape[-1] - 2
    X, y = pairs[..., :d], pairs[..., d]
    known = np.einsum("nti,ntj->nij", X, X) + NOISE**2 * np.eye(d)
    return np.linalg.solve(known, np.einsum("nti,nt->ni", X, y)[..., None])[..., 0]


def write(folder, count, d, k=None, spread=1.0):
    """test_d10_x.npy and its like; k only in the name where it is not 2 d.  Returns
    the path up to _x.npy."""
    x, y, w = test_set(d, k, count, spread)
    stem = f"test_d{d}" + (f"_k{k}" if k else "")
    folder.mkdir(parents=True, exist_ok=True)
    for part, array in (("x", x), ("y", y), ("w", w.astype(np.float32))):
        if part != "w" or count == TEST:
            np.save(folder / f"{stem}_{part}.npy", array)
    print(f"{folder / stem}_x.npy: {x.shape}")
    return folder / stem


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--write", type=pathlib.Path, metavar="DIR",
                       help=f"{TEST} held-out tasks for every d, or for --d")
    which.add_argument("--commit", action="store_true",
                       help=f"the first {COMMITTED} of them and {CALIB} tasks "
                       "for calibration, beside this file")
    parser.add_argument("--d", type=int, choices=SIZES)
    parser.add_argument("--k", type=int, help="labelled pairs, 2 d unless given")
    options = parser.parse_args()
    if options.k is not None and options.k < 1:
        parser.error(f"--k: expected at least 1 pair, found {options.k}")
    if options.commit and (options.d or options.k):
        parser.error("--commit writes every d with k = 2 d: leave out --d and --k")
    here = pathlib.Path(__file__).resolve().parent
    folder = here if options.commit else options.write
    for d in [options.d] if options.d else SHIPPED if options.commit else SIZES:
        write(folder, COMMITTED if options.commit else TEST, d, options.k)
        np.save(folder / f"calib_d{d}_x.npy", calibration(d))


if __name__ == "__main__":
    main()
