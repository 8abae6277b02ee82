# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Active Dendrites on the tokens of in-context regression: units whose feed-forward
input is gated by the best of their dendritic segments, and of which the k winners
spike.  A. Iyer, K. Grewal, A. Velu, L. O. Souza, J. Forest, S. Ahmad, Avoiding
Catastrophe: Active Dendrites Enable Multi-Task Learning in Dynamic Environments,
Frontiers in Neurorobotics 16, 2022, https://arxiv.org/abs/2201.00042; EQUATIONS.md has
the equations and what is ours.  Arrays may have any leading axes (samples)."""

import numpy as np

import reference_io


def winners(drive, k):
    """1 for the k largest of the last axis, of equal ones the first."""
    order = np.argsort(-drive, axis=-1, kind="stable")[..., :k]
    found = np.zeros(drive.shape, dtype=np.int64)
    np.put_along_axis(found, order, 1, axis=-1)
    return found


def layers(params):
    """How many layers a checkpoint holds."""
    count = 0
    while f"W{count}" in params:
        count += 1
    return count


def run(params, x, trace=None):
    """Read-out per token (..., tokens, 1); x is (..., tokens, d + 2). Trace, tokens
    first: L{l}.s winners (tokens, ..., 1, units), from the second layer on L{l}.g
    gates, and out.y."""
    k, outputs = params["meta"]["k_winners"], []
    u = [0.0] * layers(params)
    for token in np.moveaxis(np.asarray(x, dtype=np.float64), -2, 0):
        below = first = None
        for l in range(layers(params)):
            drive = (token if l == 0 else below) @ params[f"W{l}"].T + params[f"b{l}"]
            if l:
                # The segments add up what the winners of the first layer tell them;
                # the gate sees what they were told before this token.
                told = np.einsum("nkc,...c->...nk", params[f"D{l}"], first)
                gate = 1 / (1 + np.exp(-(u[l] + 0 * told).max(axis=-1)))
                u[l] = u[l] + told
                reference_io.put_trace(trace, f"L{l}.g", gate)
                drive = gate * drive
            below = winners(drive, k)
            first = below if l == 0 else first
            reference_io.put_trace(trace, f"L{l}.s", below[..., None, :])
        outputs.append(below @ params["Wout"].T + params["bout"])
        reference_io.put_trace(trace, "out.y", outputs[-1])
    reference_io.finish_trace(trace)
    return np.stack(outputs, axis=-2)
