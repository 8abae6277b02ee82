# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DendriCL, in-context regression by an error-driven apical dendrite, in float64.

Equation numbers are those of the DendriCL paper; README.md beside this file has
the equations, our choices and the layout of the checkpoint.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import reference_io  # noqa: E402

load = reference_io.load

DECAY = 0.75  # 1 - 1/tau, tau = 4 (the paper's Table 13)
MICRO = 4  # micro steps per token


def token_width(params):
    """d of the token [x (d); y; flag]; refuses an input of another width."""
    return params["WA"].shape[1]


def as_tokens(x, d):
    """Check one sample (tokens, d + 2) and mask the label of the query."""
    x = np.array(x, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] != d + 2:
        raise ValueError(f"expected input (tokens, {d + 2}), found {x.shape}")
    x[:, d] *= 1.0 - x[:, d + 1]
    return x


def lif(v, current, theta):
    """Eq. 1, last two lines, with a leak: decay, add, fire, subtract."""
    v = DECAY * v + current
    s = v > theta
    return v - theta * s, s.astype(np.int64)


def run(params, x, trace=None):
    """Read-out per token (tokens, 1); x is (tokens, d + 2), rows [x; y; flag].

    The prediction is the read-out at the query (flag = 1). Trace: A.u apical
    state before the update (what the apical neuron emits), A.u_after, A.yhat,
    A.e gated error, S.I soma current, S.s and B.s spikes (tokens, 4, neurons),
    out.y.
    """
    d = token_width(params)
    W1, b1 = params["F1.weight"], params["F1.bias"]
    W2, b2 = params["F2.weight"], params["F2.bias"]
    R, c = params["R.weight"], params["R.bias"]
    if params["meta"].get("soma", "virt") != "virt":
        raise ValueError(f"soma '{params['meta']['soma']}', expected 'virt'")
    u = np.zeros(len(params["WA"]))
    outputs = []
    for token in as_tokens(x, d):
        y, flag = token[d], token[d + 1]
        a = params["WA"] @ token[:d]
        yhat = u @ a
        e = (1.0 - flag) * (y - yhat)
        basal = params["WB"] @ token + params["bB"]
        current = params["gB"] * basal + params["gA"] * (params["WO"] @ u)
        reference_io.put_trace(trace, "A.u", u)
        u = params["alpha"] * u + params["gamma"] * e * a  # the apical line of eq. 1

        v1, v2 = np.zeros(len(current)), np.zeros(len(b1))
        soma, block = [], []
        for _ in range(MICRO):
            v1, s1 = lif(v1, current, params["th1"])
            v2, s2 = lif(v2, W1 @ s1 + b1, params["th2"])
            soma.append(s1)
            block.append(s2)
        out = R @ (W2 @ np.mean(block, axis=0) + b2) + c
        outputs.append(out)
        for name, value in (
            ("A.u_after", u), ("A.yhat", yhat), ("A.e", e), ("S.I", current),
            ("S.s", soma), ("B.s", block), ("out.y", out),
        ):
            reference_io.put_trace(trace, name, value)
    reference_io.finish_trace(trace)
    return np.array(outputs).reshape(-1, 1)


def effective(params):
    """The derived constants, float64, under the names that the IR binds."""
    d = token_width(params)
    da = len(params["WA"])
    WB = params["gB"] * params["WB"]
    select = np.eye(d + 2)
    return {
        # Fed by the whole token [x; y; flag]:
        "WA_token": np.hstack([params["WA"], np.zeros((da, 2))]),
        "y_token": select[d : d + 1],
        "flag_token": select[d + 1 : d + 2],
        "WB": WB,
        "bB": params["gB"] * params["bB"],
        # Fed by x, y and flag apart:
        "WA": params["WA"],
        "WB_x": WB[:, :d],
        "WB_y": WB[:, d : d + 1],
        "WB_flag": WB[:, d + 1 : d + 2],
        "WO": params["gA"] * params["WO"],
        "alpha": params["alpha"],
        "gamma": params["gamma"],
        "decay": np.float64(DECAY),
        "th1": params["th1"],
        "th2": params["th2"],
        "F1": params["F1.weight"],
        "b1": params["F1.bias"],
        "F2": params["F2.weight"],
        "b2": params["F2.bias"],
        "R": params["R.weight"],
        "bR": params["R.bias"],
        # The read-out as one projection of the spikes summed over the micro steps:
        "RF2": params["R.weight"] @ params["F2.weight"] / MICRO,
        "bRF2": params["R.weight"] @ params["F2.bias"] + params["R.bias"],
    }


def export(params, path_npz):
    """Write `effective(params)`; names and shapes are in README.md."""
    reference_io.save(path_npz, effective(params))


def run_exported(eff, x, trace=None):
    """As `run`, from exported parameters, in the order of the IR's populations."""
    u = np.zeros(len(eff["WA_token"]))
    outputs = []
    for token in as_tokens(x, eff["WA_token"].shape[1] - 2):
        a, y = eff["WA_token"] @ token, (eff["y_token"] @ token)[0]
        flag = (eff["flag_token"] @ token)[0]
        current = eff["WB"] @ token + eff["bB"] + eff["WO"] @ u
        u = eff["alpha"] * u + eff["gamma"] * (1 - flag) * (y - u @ a) * a
        v1, v2 = np.zeros(len(current)), np.zeros(len(eff["b1"]))
        out, soma, block = eff["bRF2"].copy(), [], []
        for _ in range(MICRO):
            v1, s1 = lif(v1, current, eff["th1"])
            v2, s2 = lif(v2, eff["F1"] @ s1 + eff["b1"], eff["th2"])
            out += eff["RF2"] @ s2
            soma.append(s1)
            block.append(s2)
        outputs.append(out)
        reference_io.put_trace(trace, "S.s", soma)
        reference_io.put_trace(trace, "B.s", block)
    reference_io.finish_trace(trace)
    return np.array(outputs).reshape(-1, 1)


def random_checkpoint(seed, small=True):
    """A random network with the checkpoint's keys; small: d 3, d_a 6,
    d_m 8; else those of d5_tiny.mlir."""
    rng = np.random.default_rng(seed)
    d, da, dm = (3, 6, 8) if small else (5, 16, 32)
    normal = lambda *shape: rng.normal(0, 1, shape)
    gamma = np.array(0.5 / (d + 2))  # W_A^T W_A is about I, the limit is 2/(d+2)
    alpha = np.array(0.97)
    return {
        "WA": normal(da, d) / np.sqrt(da),
        "WB": normal(dm, d + 2) / np.sqrt(d + 2),
        "bB": 0.1 * normal(dm),
        "WO": normal(dm, da) / np.sqrt(da),
        "gA": np.array(0.9),
        "gB": np.array(0.8),
        "at": np.log(alpha / (1 - alpha)),
        "gt": np.log(np.expm1(gamma)),
        "th1": np.array(0.8),
        "th2": np.array(0.4),
        "Ry": np.array(1.0),
        "F1.weight": normal(2 * dm, dm) * np.sqrt(2.0 / dm),
        "F1.bias": 0.1 * normal(2 * dm),
        "F2.weight": normal(dm, 2 * dm) / np.sqrt(dm),
        "F2.bias": 0.1 * normal(dm),
        "R.weight": normal(1, dm) / np.sqrt(dm),
        "R.bias": 0.1 * normal(1),
        "alpha": alpha,
        "gamma": gamma,
        "meta": {"name": "random", "d": d, "dm": dm, "da": da, "soma": "virt"},
    }


def random_input(seed, params=None, steps=9):
    """A regression task: steps - 1 labelled tokens, then the masked query."""
    params = params or random_checkpoint(0)
    rng = np.random.default_rng(seed)
    d = token_width(params)
    x = np.zeros((steps, d + 2))
    x[:, :d] = rng.normal(0, 1, (steps, d))
    x[:, d] = x[:, :d] @ rng.normal(0, 1, d)
    x[-1, d], x[-1, d + 1] = 0.0, 1.0
    return x


def selftest(path, report):
    """Compare with dendricl_examples.npz beside the checkpoint."""
    params = load(path)
    name = params["meta"]["name"]
    stored = load(os.path.join(os.path.dirname(path), "dendricl_examples.npz"))
    if f"{name}/x" not in stored:
        raise ValueError(f"dendricl_examples.npz has no examples of '{name}'")
    out = state = composed = square = variance = 0.0
    flips = flips_exported = spikes = 0
    for i, x in enumerate(stored[f"{name}/x"]):
        trace, trace_exported = {}, {}
        y = run(params, x, trace)
        out = max(out, reference_io.largest(y[:, 0], stored[f"{name}/out"][i]))
        u = np.vstack([trace["A.u"], trace["A.u_after"][-1:]])
        state = max(state, reference_io.largest(u, stored[f"{name}/u"][i]))
        again = run_exported(effective(params), x, trace_exported)
        composed = max(composed, reference_io.largest(again, y))
        for population, key in (("S.s", "soma"), ("B.s", "block")):
            expected = stored[f"{name}/{key}"][i]
            flips += int(np.sum(trace[population] != expected))
            flips_exported += int(np.sum(trace_exported[population] != expected))
            spikes += int(expected.sum())
        label = stored[f"{name}/label"][i]
        square += (y[-1, 0] - label) ** 2
        variance += label**2
    tokens = stored[f"{name}/out"].size
    report.figure("read-out per token, largest difference", out, 1e-12)
    report.figure("apical state, largest difference", state, 1e-12)
    report.figure("differing spikes", flips, 0)
    report.figure("exported form, read-out, largest difference", composed, 1e-12)
    report.figure("exported form, differing spikes", flips_exported, 0)
    report.note(f"spikes per token: {spikes / tokens:.1f}")
    report.note(f"1 - squared error / squared label: {1 - square / variance:.3f}")


if __name__ == "__main__":
    sys.exit(reference_io.main(sys.modules[__name__]))
