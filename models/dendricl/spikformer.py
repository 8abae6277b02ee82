# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spikformer, a transformer of spikes, on the tokens of in-context regression.  Its
attention has no softmax, so that its causal form is a running sum: the state S +=
k^T v of a head has one size for a context of any length, and o = q S.  Z. Zhou et
al., Spikformer: When Spiking Neural Network Meets Transformer, ICLR 2023,
https://arxiv.org/abs/2209.15425; EQUATIONS.md has the equations and what is ours.
Arrays may have any leading axes (samples)."""

import numpy as np

import reference_io


def blocks(params):
    """How many blocks a checkpoint holds."""
    count = 0
    while f"Wq{count}" in params:
        count += 1
    return count


def fire(drives, decay):
    """Spikes of units that start a token from rest, by pass."""
    v, found = 0.0, []
    for drive in drives:
        v = decay * v + drive
        found.append((v > 1.0).astype(np.int64))
        v = v - found[-1]
    return found


def added(stream, spikes):
    return [one + other for one, other in zip(stream, spikes)]


def attend(params, l, q, k, v, sums):
    """The drives of block l's attention by pass; `sums` are added to."""
    heads = params["meta"]["heads"]
    split = lambda s: s.reshape(*s.shape[:-1], heads, -1)
    for m, spikes in enumerate(zip(q, k, v)):
        query, key, value = (split(s) for s in spikes)
        sums[m] = sums.get(m, 0) + key[..., :, None] * value[..., None, :]
        seen = (query[..., None, :] @ sums[m])[..., 0, :]
        yield params[f"scale{l}"] * seen.reshape(q[m].shape) + params[f"shift{l}"]


def run(params, x, trace=None):
    """Read-out per token (..., tokens, 1); x is (..., tokens, d + 2). Trace, tokens
    first: e.s, and of block l q{l}.s, k{l}.s, v{l}.s, a{l}.s, o{l}.s, h{l}.s, m{l}.s
    (tokens, ..., passes, neurons), and out.y."""
    meta, outputs = params["meta"], []
    sums = [{} for _ in range(blocks(params))]  # of each block by pass
    count, decay = int(meta.get("n_micro", 4)), meta.get("decay", 0.75)

    def units(name, key, below):
        found = fire([s @ params[f"W{key}"].T + params[f"b{key}"] for s in below], decay)
        reference_io.put_trace(trace, f"{name}.s", np.stack(found, axis=-2))
        return found

    for token in np.moveaxis(np.asarray(x, dtype=np.float64), -2, 0):
        stream = units("e", "e", [token] * count)
        for l in range(blocks(params)):
            q, k, v = (units(f"{n}{l}", f"{n}{l}", stream) for n in "qkv")
            seen = fire(attend(params, l, q, k, v, sums[l]), decay)
            reference_io.put_trace(trace, f"a{l}.s", np.stack(seen, axis=-2))
            stream = added(stream, units(f"o{l}", f"o{l}", seen))
            hidden = units(f"h{l}", f"1{l}", stream)
            stream = added(stream, units(f"m{l}", f"2{l}", hidden))
        outputs.append(np.mean(stream, axis=0) @ params["Wout"].T + params["bout"])
        reference_io.put_trace(trace, "out.y", outputs[-1])
    reference_io.finish_trace(trace)
    return np.stack(outputs, axis=-2)
