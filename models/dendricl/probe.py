# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear probe of the apical state: what it knows of the task at the query.

    python3 task.py --write TESTS
    python3 probe.py d10.npz TESTS/test_d10_x.npy TESTS/test_d10_w.npy
    python3 probe.py OUT/traces.npz TESTS/test_d10_x.npy TESTS/test_d10_w.npy

The first argument is a checkpoint, which reference.py then runs, or the traces
of `dendrolith run --trace apical:u` on the same tasks.  The DendriCL paper's section
5.4: ridge regression with penalty 0.1 from the state to the true w, and to the
estimate of an LMS rule on the same pairs; one half of the tasks to fit, the other
half to judge.  The paper does not say the rule's step: 0.02 meets its figures,
1/(d+2) is the best fixed step.
"""
import argparse
import re
import sys

import numpy as np

import reference
from task import lms

PENALTY = 0.1
TRACES = ("apical:u", "A:u", "A.u")  # the state's name here and there
PART = re.compile(r"apical\.(\d+):u")


def ridge(u, target):
    """R2 on the second half of a linear map fitted on the first, averaged over
    the targets.  u is scaled to a mean square norm of the number of targets, so
    that neither its gauge nor a chip's unit matters."""
    u, half = np.asarray(u, dtype=np.float64), len(u) // 2
    size = np.mean(np.sum(u**2, axis=1))
    if not size > 0:
        raise ValueError("the apical state is 0 in every task: nothing to probe")
    u = u * np.sqrt(target.shape[1] / size)
    mean_u, mean_t = u[:half].mean(0), target[:half].mean(0)
    fit = u[:half] - mean_u
    weights = np.linalg.solve(
        fit.T @ fit + PENALTY * np.eye(u.shape[1]), fit.T @ (target[:half] - mean_t))
    error = (u[half:] - mean_u) @ weights + mean_t - target[half:]
    spread = target[half:] - target[half:].mean(0)
    return float(np.mean(1 - np.sum(error**2, 0) / np.sum(spread**2, 0)))


def states(path, x):
    """The apical state at the query (samples, d_a)."""
    npz = reference.load(path)
    name = next((name for name in TRACES if name in npz), None)
    if "WA" in npz and "meta" in npz:
        parts = []
        for first in range(0, len(x), 100):
            trace = {}
            reference.run(npz, x[first : first + 100], trace)
            parts.append(trace["A.u"][-1])
        return np.concatenate(parts)
    parts = sorted((key for key in npz if PART.fullmatch(key)),
                   key=lambda key: int(PART.fullmatch(key)[1]))
    if name is None and parts:  # of a dendrite that lies on several cores
        name = "apical:u"
        npz[name] = np.concatenate(
            [npz[key].reshape(*npz[key].shape[:2], -1) for key in parts], axis=2)
    if name is None:
        raise ValueError(f"{path}: expected a checkpoint or a trace named one of "
                         f"{', '.join(TRACES)}; record it with --trace apical:u")
    found = npz[name]
    if found.shape[:2] != x.shape[:2]:
        raise ValueError(f"{path}: expected '{name}' of {x.shape[0]} samples and "
                         f"{x.shape[1]} tokens, found {found.shape}")
    return found[:, -1].reshape(len(x), -1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", metavar="CKPT.npz|traces.npz")
    parser.add_argument("x", metavar="X.npy", help="samples (n, tokens, d + 2)")
    parser.add_argument("w", metavar="W.npy", help="true w (n, d)")
    options = parser.parse_args()
    try:
        x, w = np.load(options.x), np.load(options.w).astype(np.float64)
        d = w.shape[-1]
        if x.ndim != 3 or w.shape != (len(x), x.shape[2] - 2):
            raise ValueError(f"expected samples (n, tokens, d + 2) and w (n, d), "
                             f"found {x.shape} and {w.shape}")
        u = states(options.source, x)
        print(f"R2 apical state to true w: {ridge(u, w):.3f}")
        for name, step in (("0.02", 0.02), ("1/(d+2)", 1 / (d + 2))):
            print(f"R2 apical state to LMS estimate, step {name}: "
                  f"{ridge(u, lms(x, step)):.3f}")
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
