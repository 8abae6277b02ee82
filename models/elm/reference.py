# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ELM network, recurrent neurons with leaky memories and an MLP, in float64.

Equation numbers are those of A. Spieler, G. Martius, A. Levina, Scaling Laws and
Tradeoffs in Recurrent Networks of Expressive Neurons, 2026,
https://arxiv.org/abs/2605.12049; EQUATIONS.md beside this file has
the equations and our choices, README.md the layout of the checkpoint.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import reference_io  # noqa: E402

load = reference_io.load


def sizes(params):
    """(inputs, N, read-out neurons); inputs are the sources that are no neuron."""
    return params["meta"]["Din"], len(params["rec_ws"]), len(params["ro_ws"])


def branch_of(params, layer, n):
    """`col` numbers branches through the layer; the branch within neuron n, and
    how many branches a neuron has."""
    trees = params[f"{layer}_W1"].shape[1] - len(params[f"{layer}_tau"])
    branch = params[f"{layer}_col"][n] - n * trees
    if branch.min() < 0 or branch.max() >= trees:
        raise ValueError(
            f"neuron {n}: synapses on branches {branch.min()}..{branch.max()}, "
            f"expected 0..{trees - 1}"
        )
    return branch, trees


def decays(tau, lam):
    """kappa_m and 1 - kappa_lambda of eq. 1, per memory unit."""
    return np.exp(-1.0 / tau), 1.0 - np.exp(-lam / tau)


def branch_sums(params, layer, n, z, c):
    """Eq. 1 (i): c times the sum of the weighted synapses of each branch."""
    branch, trees = branch_of(params, layer, n)
    b = np.zeros(trees)
    for synapse, value in enumerate(z * params[f"{layer}_ws"][n]):
        b[branch[synapse]] += value
    return c * b


def memory(params, layer, n, b, m, lam):
    """Eq. 1 (ii), (iii): the new memory of neuron n."""
    km, gain = decays(params[f"{layer}_tau"], lam)
    h = np.concatenate([b, km * m]) @ params[f"{layer}_W1"][n]
    h = h + params[f"{layer}_b1"][n][0]
    if f"{layer}_W2" in params:  # one hidden layer, ReLU squared
        h = np.maximum(h, 0.0) ** 2 @ params[f"{layer}_W2"][n]
        h = h + params[f"{layer}_b2"][n][0]
    return km * m + gain * np.tanh(h)


def settings(params):
    """c, lambda, tau_r and whether outputs are binary; the paper's where the
    checkpoint does not say."""
    meta = params["meta"]
    out = meta.get("out", "relu")
    if out not in ("relu", "binary", "bin"):
        raise ValueError(f"output '{out}', expected 'relu' or 'binary'")
    return meta.get("c", 10.0), meta.get("lam", 5.0), meta.get("taur", 5.0), out != "relu"


def activation(q, binary):
    """Eq. 1 (v): what a neuron emits."""
    return (q > 0).astype(np.float64) if binary else np.maximum(q, 0.0)


def check_input(x, inputs):
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] != inputs:
        raise ValueError(f"expected input (steps, {inputs}), found {x.shape}")
    return x


def run(params, x, trace=None):
    """Class scores of the linear layer per step (steps, classes); x (steps, inputs).

    The sample's scores are those of the last step. Trace: rec.b branch inputs
    (N, trees), rec.m memories, rec.r moving average, rec.a outputs; ro.b, ro.m,
    ro.y the same of the read-out layer; out.y.
    """
    inputs, N, M = sizes(params)
    c, lam, tau_r, binary = settings(params)
    kr = np.exp(-1.0 / tau_r)
    m_rec = np.zeros((N, len(params["rec_tau"])))
    m_ro = np.zeros((M, len(params["ro_tau"])))
    r, a = np.zeros(N), np.zeros(N)
    outputs = []
    for u in check_input(x, inputs):
        source = np.concatenate([u, a])  # eq. 2: [u_t, a_(t-1)]
        readout = np.zeros(N)
        b_rec, b_ro = [], []
        for n in range(N):
            z = source[params["rec_idx"][n]]
            b_rec.append(branch_sums(params, "rec", n, z, c))
            m_rec[n] = memory(params, "rec", n, b_rec[n], m_rec[n], lam)
            readout[n] = params["rec_wr"][n] @ m_rec[n]
        r = kr * r + (1.0 - kr) * readout  # eq. 1 (iv)
        a = activation(params["rec_b"] + readout - r, binary)  # (v), the new r
        y = np.zeros(M)
        for n in range(M):
            z = a[params["ro_idx"][n]]
            b_ro.append(branch_sums(params, "ro", n, z, c))
            m_ro[n] = memory(params, "ro", n, b_ro[n], m_ro[n], lam)
            y[n] = params["ro_b"][n] + params["ro_wr"][n] @ m_ro[n]
        outputs.append(params["lin_weight"] @ y + params["lin_bias"])
        for name, value in (
            ("rec.b", b_rec), ("rec.m", m_rec), ("rec.r", r), ("rec.a", a),
            ("ro.b", b_ro), ("ro.m", m_ro), ("ro.y", y), ("out.y", outputs[-1]),
        ):
            reference_io.put_trace(trace, name, value)
    reference_io.finish_trace(trace)
    return np.array(outputs).reshape(-1, len(params["lin_bias"]))


def synapse_matrix(params, layer, sources, c):
    """(N * trees, sources): the gather and the branch sums as one projection."""
    idx, ws = params[f"{layer}_idx"], params[f"{layer}_ws"]
    trees = branch_of(params, layer, 0)[1]
    W = np.zeros((len(ws) * trees, sources))
    for n in range(len(ws)):
        branch, _ = branch_of(params, layer, n)
        for s in range(ws.shape[1]):
            W[n * trees + branch[s], idx[n, s]] += c * ws[n, s]
    return W


def effective(params):
    """The derived constants, float64, under the names that the IR binds."""
    inputs, N, _ = sizes(params)
    c, lam, tau_r, binary = settings(params)
    full = synapse_matrix(params, "rec", inputs + N, c)
    eff = {
        "rec_Win": full[:, :inputs],
        "rec_Wrec": full[:, inputs:],
        "ro_Win": synapse_matrix(params, "ro", N, c),
        "rec_kr": np.exp(-1.0 / tau_r),
        "rec_gain_r": 1.0 - np.exp(-1.0 / tau_r),
        "binary": binary,
        "lin_W": params["lin_weight"],
        "lin_b": params["lin_bias"],
    }
    for layer in ("rec", "ro"):
        trees = len(eff[f"{layer}_Win"]) // len(params[f"{layer}_ws"])
        W1 = params[f"{layer}_W1"].transpose(0, 2, 1)  # (N, out, in) for mat-vec
        eff[f"{layer}_W1"] = W1
        eff[f"{layer}_W1b"], eff[f"{layer}_W1m"] = W1[..., :trees], W1[..., trees:]
        eff[f"{layer}_b1"] = params[f"{layer}_b1"][:, 0]
        if f"{layer}_W2" in params:
            eff[f"{layer}_W2"] = params[f"{layer}_W2"].transpose(0, 2, 1)
            eff[f"{layer}_b2"] = params[f"{layer}_b2"][:, 0]
        km, gain = decays(params[f"{layer}_tau"], lam)
        eff[f"{layer}_km"], eff[f"{layer}_gain"] = km, gain
        eff[f"{layer}_wr"], eff[f"{layer}_b"] = (
            params[f"{layer}_wr"], params[f"{layer}_b"],
        )
    return {key: np.array(value, order="C") for key, value in eff.items()}


def export(params, path_npz):
    """Write `effective(params)`; names and shapes are in elm_relu.mlir."""
    reference_io.save(path_npz, effective(params))


def run_exported(eff, x):
    """As `run`, from exported parameters, projections as matrices."""
    N, M = len(eff["rec_b"]), len(eff["ro_b"])
    m = {
        "rec": np.zeros((N, len(eff["rec_km"]))),
        "ro": np.zeros((M, len(eff["ro_km"]))),
    }

    def advance(layer, port, neurons):
        old = eff[f"{layer}_km"] * m[layer]
        joined = np.hstack([port.reshape(neurons, -1), old])
        h = np.einsum("noi,ni->no", eff[f"{layer}_W1"], joined) + eff[f"{layer}_b1"]
        if f"{layer}_W2" in eff:
            h = np.maximum(h, 0.0) ** 2
            h = np.einsum("noi,ni->no", eff[f"{layer}_W2"], h) + eff[f"{layer}_b2"]
        m[layer] = old + eff[f"{layer}_gain"] * np.tanh(h)
        return np.sum(eff[f"{layer}_wr"] * m[layer], axis=1)

    r, a, outputs = np.zeros(N), np.zeros(N), []
    for u in check_input(x, eff["rec_Win"].shape[1]):
        readout = advance("rec", eff["rec_Win"] @ u + eff["rec_Wrec"] @ a, N)
        r = eff["rec_kr"] * r + eff["rec_gain_r"] * readout
        a = activation(eff["rec_b"] + readout - r, eff["binary"])
        y = eff["ro_b"] + advance("ro", eff["ro_Win"] @ a, M)
        outputs.append(eff["lin_W"] @ y + eff["lin_b"])
    return np.array(outputs).reshape(-1, len(eff["lin_b"]))


# Inputs, recurrent and read-out neurons; of either layer memories, hidden units,
# branches, synapses per branch.  "enwik8" is the paper's reference network for
# text (N = 1024, d_m = 15), whose read-out neurons are like the others.
SIZES = {
    "small": (10, 6, 3, (3, 6, 4, 3), (3, 0, 2, 3)),
    "elm_relu": (140, 32, 19, (5, 10, 10, 10), (3, 0, 8, 4)),
    "enwik8": (204, 1024, 204, (15, 30, 50, 15), (15, 30, 50, 15)),
}


def random_checkpoint(seed, small=True, size=None, out="relu"):
    """A random network of one of SIZES, or of such a tuple, with the checkpoint's keys."""
    rng = np.random.default_rng(seed)
    inputs, N, M, *layers = SIZES.get(size, size) or SIZES["small" if small else "elm_relu"]
    params = {}
    for layer, n, sources, (mem, hidden, tree, branch) in (
        ("rec", N, inputs + N, layers[0]), ("ro", M, N, layers[1]),
    ):
        first = hidden or mem
        synapses = tree * branch
        col = np.arange(n)[:, None] * tree + np.arange(synapses)[None] // branch
        params.update({
            f"{layer}_ws": rng.normal(0, 0.5 / branch, (n, synapses)),
            f"{layer}_W1": rng.normal(0, 0.5, (n, tree + mem, first)),
            f"{layer}_b1": rng.normal(0, 0.2, (n, 1, first)),
            f"{layer}_wr": rng.normal(0, 1.0, (n, mem)),
            f"{layer}_b": rng.normal(0.1, 0.1, n),
            # A neuron of more synapses than sources has several of some.
            f"{layer}_idx": np.array(
                [np.resize(rng.permutation(sources), synapses) for _ in range(n)]
            ),
            f"{layer}_tau": np.geomspace(1.0, 100.0, mem),
            f"{layer}_col": col,
        })
        if hidden:
            params[f"{layer}_W2"] = rng.normal(0, 0.5, (n, hidden, mem))
            params[f"{layer}_b2"] = rng.normal(0, 0.2, (n, 1, mem))
    params["lin_weight"] = rng.normal(0, 1 / np.sqrt(M), (M, M))
    params["lin_bias"] = rng.normal(0, 0.1, M)
    params["meta"] = {
        "name": "random", "N": N, "dm": layers[0][0], "dtree": layers[0][2],
        "dbranch": layers[0][3], "c": 10.0, "lam": 5.0, "taur": 5.0, "out": out,
        "Din": inputs,
    }
    return params


def random_input(seed, params=None, steps=8):
    """One random sample of binary input spikes (steps, inputs)."""
    params = params or random_checkpoint(0)
    rng = np.random.default_rng(seed)
    return (rng.random((steps, sizes(params)[0])) < 0.2).astype(np.float64)


def scores_of(params, x):
    """Scores (samples, classes) at the last step of samples (n, steps, inputs)."""
    eff = effective(params)
    return np.array([run_exported(eff, sample)[-1] for sample in x])


def evaluate(path, x_path, y_path, report):
    """Prints how many of the samples are classified as labelled."""
    x, y = np.load(x_path), np.load(y_path)
    right = int((np.argmax(scores_of(load(path), x), axis=1) == y).sum())
    report.note(f"{right} of {len(y)} right, {100 * right / len(y):.2f} %")


def selftest(path, report):
    """Run the stored examples against the stored float32 scores."""
    params = load(path)
    eff = effective(params)
    worst = composed = 0.0
    right = active = total = 0
    for x, y, expected in zip(params["x_ex"], params["y_ex"], params["logits_ex"]):
        trace = {}
        scores = run(params, x, trace)
        worst = max(worst, reference_io.largest(scores[-1], expected))
        composed = max(composed, reference_io.largest(run_exported(eff, x), scores))
        right += int(np.argmax(scores[-1]) == y)
        active += int(np.count_nonzero(trace["rec.a"]))
        total += trace["rec.a"].size
    # The stored scores are float32 and come from 80 recurrent float32 steps.
    report.figure("scores, largest difference", worst, 1e-5)
    report.figure("exported form, largest difference", composed, 1e-11)
    report.note(f"examples classified as labelled: {right} of {len(params['y_ex'])}")
    report.note(f"recurrent outputs above 0: {active} of {total}")


if __name__ == "__main__":
    sys.exit(reference_io.main(sys.modules[__name__]))
