# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well a network of this folder regresses, and how much it fires."""

import numpy as np

from task import lms, ridge

POPULATIONS = {"S": "soma", "S1": "soma 1", "B": "block"}  # by their name in a trace


def r2(out, y):
    """1 - squared error / squared deviation of the labels from their mean."""
    return 1.0 - np.sum((out - y) ** 2) / np.sum((y - np.mean(y)) ** 2)


def r2_error(out, y):
    """The standard error of `r2`, a quotient of means, to first order."""
    square = (y - np.mean(y)) ** 2
    each = (out - y) ** 2 - (1.0 - r2(out, y)) * square
    return np.std(each) / np.sqrt(len(y)) / np.mean(square)


def at_query(outputs, x, d):
    """The read-out (samples,) where the flag is 1, which is once per sample."""
    flag = np.asarray(x)[..., d + 1] == 1
    if (flag.sum(axis=-1) != 1).any():
        bad = int(np.argmax(flag.sum(axis=-1) != 1))
        raise ValueError(
            f"sample {bad}: expected one token with the query flag, found "
            f"{int(flag[bad].sum())}"
        )
    return outputs[..., 0][flag]


def evaluate(run, x, y, report, batch=10):
    """Prints R2 and spikes per token of `run(x, trace)` over samples `x` (n, tokens,
    d + 2) with labels `y` (n,).  Few samples at a time: larger arrays go back to the
    kernel after every operation."""
    d, found, yhat, spikes = x.shape[2] - 2, [], [], {}
    for first in range(0, len(x), batch):
        part, trace = x[first : first + batch], {}
        found.append(at_query(run(part, trace), part, d))
        if "A.yhat" in trace:
            yhat.append(at_query(trace["A.yhat"].T[..., None], part, d))
        for name, value in trace.items():
            if name.endswith(".s"):
                spikes[name[:-2]] = spikes.get(name[:-2], 0) + int(value.sum())
    found = np.concatenate(found)
    report.note(
        f"R2 {r2(found, y):.4f} over {len(x)} tasks, standard error "
        f"{r2_error(found, y):.4f}"
    )
    if yhat:
        report.note(f"R2 of the apical prediction {r2(np.concatenate(yhat), y):.4f}")
    query = np.sum(x[..., :d] * x[..., d + 1 :], axis=1)
    for name, w in (("the LMS rule with step 1/(d+2)", lms(x, 1.0 / (d + 2))),
                    ("ridge regression", ridge(x))):
        report.note(f"R2 of {name} on these tasks {r2(np.sum(w * query, axis=1), y):.4f}")
    tokens = x.shape[0] * x.shape[1]
    parts = ", ".join(
        f"{POPULATIONS.get(name, name)} {count / tokens:.1f}"
        for name, count in spikes.items()
    )
    report.note(f"spikes per token {sum(spikes.values()) / tokens:.1f} ({parts})")
