# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DendAttn, block-sparse gated linear attention with branch experts, in float64.

Equation numbers are those of K. Wang et al., Biologically Inspired Neuron
Structures for Versatile Foundation Models (DendAttn), a manuscript that
README.md beside this file cites in full. EQUATIONS.md has
the equations and our choices, README.md the layout of the checkpoint.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import reference_io  # noqa: E402

load = reference_io.load

RMS_EPSILON = 1e-6  # mean square under the root, all RMS norms
L2_FLOOR = 1e-12  # smallest norm of a key or query block
HEAD_KEYS = "Wq Wk Wv Wb Wg bg bb cq ck cv Wr EQ EK on Wo nw".split()


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def silu(z):
    return z * sigmoid(z)


def rms(z):
    """z over its root mean square along the last axis."""
    return z / np.sqrt(np.mean(z * z, axis=-1, keepdims=True) + RMS_EPSILON)


def l2(z):
    return z / max(np.sqrt(np.sum(z * z)), L2_FLOOR)


def softmax(z):
    z = np.exp(z - np.max(z, initial=-np.inf))  # there may be no routed branch
    return z / np.sum(z)


def route(scores, shared, top):
    """Eq. 26, 29, 32: the weight of each branch, zero where it is not selected.

    Shared branches come first with 1/E_s each; of the routed ones the `top`
    largest keep their score (ties to the lower index).
    """
    weights = np.zeros(shared + len(scores))
    weights[:shared] = 1.0 / max(shared, 1)
    for e in np.argsort(-scores, kind="stable")[:top]:
        weights[shared + e] = scores[e]
    return weights


def delta_rule(S, q, k, v, beta, g):
    """Eq. 18 to 20 with gate and step size: decay, then correct along k; q S."""
    S = g * S
    S = S + beta * np.outer(k, v - k @ S)
    return S, q @ S


def windows(meta):
    """Eq. 17: (M, 2), first row and end of every key block."""
    return np.array(
        [[m * meta["P"], m * meta["P"] + meta["dkb"]] for m in range(meta["M"])]
    )


def token_vectors(x, vocabulary):
    """Token ids (tokens,) or vectors (tokens, vocabulary), as vectors."""
    x = np.asarray(x)
    if x.ndim == 1 and x.dtype.kind in "iu":
        if len(x) and not 0 <= x.min() <= x.max() < vocabulary:
            raise ValueError(
                f"expected token ids in 0..{vocabulary - 1}, found "
                f"{x.min()}..{x.max()}"
            )
        return np.eye(vocabulary)[x]
    if x.ndim != 2 or x.shape[1] != vocabulary:
        raise ValueError(
            f"expected integer token ids (tokens,) or vectors (tokens, "
            f"{vocabulary}), found {x.dtype} {x.shape}"
        )
    return x.astype(np.float64)


class Layer:
    """One DendAttn layer with its states: the last projections and S."""

    def __init__(self, params, i):
        self.p = {key: params[f"l_{i}_{key}"] for key in HEAD_KEYS}
        meta = params["meta"]
        if meta.get("gate", 1) != 1:
            raise ValueError(f"gate {meta['gate']}, expected 1")
        self.name, self.meta, self.windows = f"l{i}", meta, windows(meta)
        H, E = self.p["EQ"].shape[:2]
        # What the taps hold, one row a tap: the oldest token first.
        self.held = {c: np.zeros(self.p[f"c{c}"].T.shape) for c in "qkv"}
        self.S = np.zeros((H, E, meta["M"], meta["dkb"], meta["dv"]))

    def mixed(self, c, n):
        """Projection c of n, causal convolution, SiLU; split by head."""
        held = self.held[c] = np.vstack([self.held[c][1:], n @ self.p[f"W{c}"]])
        return silu((self.p[f"c{c}"].T * held).sum(0)).reshape(self.S.shape[0], -1)

    def step(self, x, trace):
        """One token: x plus what the heads read out."""
        H, E = self.S.shape[:2]
        n = rms(x) * self.p["nw"]
        q, k, v = (self.mixed(c, n) for c in "qkv")
        beta = sigmoid(n @ self.p["Wb"] + self.p["bb"]).reshape(H, E)
        g = sigmoid(n @ self.p["Wg"] + self.p["bg"]).reshape(H, E)
        weights, o = np.zeros((H, E)), np.zeros_like(v)
        for h in range(H):
            scores = softmax(q[h] @ self.p["Wr"][h])  # eq. 25
            weights[h] = route(scores, self.meta["Es"], self.meta["topk"])
            for e in range(E):
                if weights[h, e] == 0.0:
                    continue  # frozen: no decay, no write
                qe, ke = self.p["EQ"][h, e] @ q[h], self.p["EK"][h, e] @ k[h]  # eq. 27
                for m, (a, b) in enumerate(self.windows):
                    self.S[h, e, m], read = delta_rule(
                        self.S[h, e, m], l2(qe[a:b]), l2(ke[a:b]), v[h],
                        beta[h, e], g[h, e],
                    )
                    o[h] += weights[h, e] * read  # eq. 29 to 34
        normed = rms(o) * self.p["on"].reshape(-1, o.shape[1])
        x = x + normed.reshape(-1) @ self.p["Wo"]
        for name, value in (
            ("q", q), ("k", k), ("v", v), ("beta", beta), ("g", g),
            ("route", weights), ("o", rms(o)), ("x", x),
        ):
            reference_io.put_trace(trace, f"{self.name}.{name}", value)
        return x


def run(params, x, trace=None):
    """Logits per token (tokens, vocabulary); x: ids (tokens,) or (tokens, vocabulary).

    Trace, per layer i: l{i}.q, .k, .v (heads, d) after SiLU, .beta, .g, .route
    (heads, branches; weight 0 = not selected), .o (heads, d_v) normalised read-out,
    .x residual stream after the layer; out.y.
    """
    stack = [Layer(params, i) for i in range(params["meta"]["L"])]
    outputs = []
    for token in token_vectors(x, len(params["emb"])):
        h = token @ params["emb"]
        for layer in stack:
            h = layer.step(h, trace)
        outputs.append((rms(h) * params["nf"]) @ params["head"])
        reference_io.put_trace(trace, "out.y", outputs[-1])
    reference_io.finish_trace(trace)
    return np.array(outputs).reshape(-1, params["head"].shape[1])


def effective(params):
    """The derived constants, float64, under the names that the IR binds.

    Gains of the norms are folded into the projections behind them, and each
    convolution tap into a projection of its own: W?0 from this token, W?1 from
    the one before, and so on.
    """
    meta = params["meta"]
    eff = {
        "emb": params["emb"].T,
        "head": params["head"].T * params["nf"],
        "windows": windows(meta),
        "shared": np.int64(meta["Es"]),
        "top": np.int64(meta["topk"]),
    }
    for i in range(meta["L"]):
        p = {key: params[f"l_{i}_{key}"] for key in HEAD_KEYS}
        for c in "qkv":
            W, taps = p[f"W{c}"].T * p["nw"], p[f"c{c}"]
            for delay, tap in enumerate(taps.T[::-1]):
                eff[f"l{i}_W{c}{delay}"] = tap[:, None] * W
        eff[f"l{i}_Wbeta"], eff[f"l{i}_bbeta"] = p["Wb"].T * p["nw"], p["bb"]
        eff[f"l{i}_Wg"], eff[f"l{i}_bg"] = p["Wg"].T * p["nw"], p["bg"]
        eff[f"l{i}_Wr"] = p["Wr"].transpose(0, 2, 1)
        for e in range(p["EQ"].shape[1]):
            eff[f"l{i}_EQ_e{e}"], eff[f"l{i}_EK_e{e}"] = p["EQ"][:, e], p["EK"][:, e]
        on = np.resize(p["on"], len(p["Wo"]))  # one gain per head, or one for all
        eff[f"l{i}_Wo"] = p["Wo"].T * on
    return {key: np.array(value, order="C") for key, value in eff.items()}


def export(params, path_npz):
    """Write `effective(params)`; names and shapes are in da_mqar.mlir."""
    reference_io.save(path_npz, effective(params))


def run_exported(eff, x):
    """As `run`, from exported parameters, in the order of the IR's populations."""
    L = sum(key.endswith("_Wo") for key in eff)
    H, Er, dk = eff["l0_Wr"].shape
    shared, top, E = int(eff["shared"]), int(eff["top"]), int(eff["shared"]) + Er
    width = eff["windows"][0, 1] - eff["windows"][0, 0]
    dv = len(eff["l0_Wv0"]) // H
    S = np.zeros((L, H, E, len(eff["windows"]), width, dv))
    taps = sum(f"l0_Wq{delay}" in eff for delay in range(len(eff)))
    seen = np.zeros((L, taps, len(eff["emb"])))  # each layer's n, the newest first
    outputs = []
    for token in token_vectors(x, eff["emb"].shape[1]):
        res = eff["emb"] @ token
        for l in range(L):
            w = lambda name: eff[f"l{l}_{name}"]
            n = rms(res)
            seen[l] = np.vstack([n, seen[l, :-1]])
            q, k, v = (
                silu(sum(w(f"W{c}{t}") @ seen[l, t] for t in range(taps))).reshape(H, -1)
                for c in "qkv"
            )
            beta = sigmoid(w("Wbeta") @ n + w("bbeta")).reshape(H, E)
            g = sigmoid(w("Wg") @ n + w("bg")).reshape(H, E)
            o = np.zeros((H, dv))
            for h in range(H):
                weights = route(softmax(w("Wr")[h] @ q[h]), shared, top)
                for e in np.flatnonzero(weights):
                    qe, ke = w(f"EQ_e{e}")[h] @ q[h], w(f"EK_e{e}")[h] @ k[h]
                    for m, (a, b) in enumerate(eff["windows"]):
                        S[l, h, e, m], read = delta_rule(
                            S[l, h, e, m], l2(qe[a:b]), l2(ke[a:b]), v[h],
                            beta[h, e], g[h, e],
                        )
                        o[h] += weights[e] * read
            res = res + w("Wo") @ rms(o).reshape(-1)
        outputs.append(eff["head"] @ rms(res))
    return np.array(outputs).reshape(-1, len(eff["head"]))


SMALL = dict(d=8, H=2, dk=4, dv=4, Er=3, Es=1, topk=2, M=2, dkb=3, P=1, L=2, V=10, conv=2)
DA_MQAR = dict(SMALL, d=32, H=1, dk=32, dv=32, dkb=20, P=12, V=64)


def random_checkpoint(seed, small=True, **sizes):
    """A random network with the checkpoint's keys: SMALL or the size of da_mqar,
    and of that what `sizes` says otherwise."""
    rng = np.random.default_rng(seed)
    sizes = {**(SMALL if small else DA_MQAR), **sizes}
    d, H, dk, dv, Er, Es, L, V, taps = (sizes[key] for key in "d H dk dv Er Es L V conv".split())
    E = Er + Es
    normal = lambda *shape: rng.normal(0, 1, shape)
    params = {
        "emb": normal(V, d), "nf": 1 + 0.1 * normal(d),
        "head": normal(d, V) / np.sqrt(d),
    }
    for i in range(L):
        layer = {
            "Wq": normal(d, H * dk) / np.sqrt(d), "Wk": normal(d, H * dk) / np.sqrt(d),
            "Wv": normal(d, H * dv) / np.sqrt(d),
            "Wb": normal(d, H * E) / np.sqrt(d), "Wg": normal(d, H * E) / np.sqrt(d),
            "bg": 2 + 0.5 * normal(H * E), "bb": 0.5 * normal(H * E),
            "cq": normal(H * dk, taps), "ck": normal(H * dk, taps), "cv": normal(H * dv, taps),
            "Wr": normal(H, dk, Er) * np.sqrt(2),
            "EQ": np.eye(dk) + 0.3 * normal(H, E, dk, dk),
            "EK": np.eye(dk) + 0.3 * normal(H, E, dk, dk),
            "on": 1 + 0.1 * normal(H * dv), "Wo": normal(H * dv, d) / np.sqrt(d),
            "nw": 1 + 0.1 * normal(d),
        }
        params.update({f"l_{i}_{key}": value for key, value in layer.items()})
    params["meta"] = {"name": "random", **sizes, "gate": 1}
    return params


def random_input(seed, params=None, steps=12):
    """Random token ids (steps,) for `params` (default: the small network)."""
    params = params or random_checkpoint(0)
    return np.random.default_rng(seed).integers(0, len(params["emb"]), steps)


def selftest(path, report):
    """Run the stored examples against the stored float32 logits."""
    params = load(path)
    eff = effective(params)
    worst = asked_worst = composed = 0.0
    right = asked = 0
    for x, y, expected in zip(params["x_ex"], params["y_ex"], params["logits_ex"]):
        logits = run(params, x)
        worst = max(worst, reference_io.largest(logits, expected))
        composed = max(composed, reference_io.largest(run_exported(eff, x), logits))
        known = y >= 0  # the other positions ask nothing
        asked_worst = max(
            asked_worst, reference_io.largest(logits[known], expected[known])
        )
        right += int(np.sum(np.argmax(logits, axis=1)[known] == y[known]))
        asked += int(np.sum(known))
    # The stored logits are float32. At the unasked first positions a norm may
    # divide a read-out that is still nearly zero and magnifies its rounding.
    report.figure("logits where asked, largest difference", asked_worst, 1e-5)
    report.figure("logits at all positions, largest difference", worst, 1e-4)
    report.figure("exported form, largest difference", composed, 1e-11)
    report.note(f"recalled values: {right} of {asked}")


if __name__ == "__main__":
    sys.exit(reference_io.main(sys.modules[__name__]))
