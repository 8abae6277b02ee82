# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DendriCL, in-context regression by an error-driven apical dendrite, in float64.

Equation numbers are those of J. Shen, Y. Wu, C. Chen, Dendritic In-Context
Learning in a Single-Layer Spiking Neural Network, 2026,
https://arxiv.org/abs/2607.02283; EQUATIONS.md beside this file has
the equations and our choices; README.md has the layout of the checkpoint.  Checkpoints of the
networks that DendriCL is compared with (BASELINES) run here too.
"""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import active_dendrites  # noqa: E402
import pure_lif  # noqa: E402
import reference_io  # noqa: E402
import score  # noqa: E402
import spikformer  # noqa: E402

load = reference_io.load

DECAY = 0.75  # 1 - 1/tau, tau = 4 (the paper's Table 13)
MICRO = 4  # micro steps per token


# Those of other networks, by `neuron` in meta, with the key that sees the token.
BASELINES = {"lif": (pure_lif, "W0"), "alif": (pure_lif, "W0"),
             "spikformer": (spikformer, "We"),
             "active-dendrites": (active_dendrites, "W0")}


def baseline(params):
    """The module and the first weights of another network than DendriCL, or None."""
    return BASELINES.get(params["meta"].get("neuron", "dendricl"))


def is_lif(params):
    return params["meta"].get("neuron", "dendricl") in pure_lif.NEURONS


def token_width(params):
    """d of the token [x (d); y; flag]."""
    other = baseline(params)
    return params[other[1]].shape[1] - 2 if other else params["WA"].shape[1]


def as_tokens(x, d):
    """Check samples (..., tokens, d + 2) and mask the label of the query."""
    x = np.array(x, dtype=np.float64)
    if x.ndim < 2 or x.shape[-1] != d + 2:
        raise ValueError(f"expected input (tokens, {d + 2}), found {x.shape}")
    x[..., d] *= 1.0 - x[..., d + 1]
    return x


def soma_of(params):
    """The soma that `meta` asks for: its name, passes per token, decay."""
    meta = params["meta"]
    soma = {"virt": "virtual"}.get(meta.get("soma", "virt"), meta.get("soma"))
    decay = meta.get("decay", DECAY)
    if not spikes(params):  # each pass over a token would give the same
        return "memoryless", 1, 0.0
    kinds = {
        "virtual": (int(meta.get("n_micro", MICRO)), decay),
        "memoryless": (1, 0.0),
        "leaky": (1, decay),
    }
    if soma not in kinds:
        raise ValueError(f"soma '{soma}', expected one of {', '.join(kinds)}")
    return (soma, *kinds[soma])


def reads_prediction(params):
    """Whether the read-out adds Ry times the prediction to what the block says."""
    readout = params["meta"].get("readout", "ff")
    if readout not in ("ff", "ff+prediction"):
        raise ValueError(f"readout '{readout}', expected ff or ff+prediction")
    return readout == "ff+prediction"


def spikes(params):
    """Whether the units spike; those of a DendriCNN do not."""
    return params["meta"].get("spike", 1) != 0


def layers(params):
    """How many layers a checkpoint holds; the keys of those above the first begin
    with L1., L2., ..."""
    count = 1
    while f"L{count}.WA" in params:
        count += 1
    return [params] + [
        {key[len(f"L{l}."):]: value for key, value in params.items()
         if key.startswith(f"L{l}.")} for l in range(1, count)]


def fire(v, current, theta, decay, spiking=True):
    """Eq. 1, last two lines, with a leak: decay, add, fire, subtract; of a DendriCNN
    how far the current is above the threshold."""
    if not spiking:
        return v, np.maximum(current - theta, 0.0)
    v = decay * v + current
    s = v > theta
    return v - theta * s, s.astype(np.int64)


def run(params, x, trace=None):
    """Read-out per token (..., tokens, 1); x is (..., tokens, d + 2), rows
    [x; y; flag], one sample or many at once.

    The prediction is the read-out at the query (flag = 1). Trace, tokens first:
    A.u apical state before the update (what the apical neuron emits), A.u_after,
    A.yhat, A.e gated error, S.I soma current, S.s and B.s spikes (tokens, ...,
    passes, neurons), out.y; of the layers above the first A1.u, S1.s, ....
    """
    d = token_width(params)
    if baseline(params):
        return baseline(params)[0].run(params, as_tokens(x, d), trace)
    W1, b1 = params["F1.weight"].T, params["F1.bias"]
    W2, b2 = params["F2.weight"].T, params["F2.bias"]
    R, c = params["R.weight"].T, params["R.bias"]
    soma_kind, passes, decay = soma_of(params)
    units = layers(params)
    u = [np.zeros(1)] * len(units)
    at_rest = [np.zeros(1)] * (len(units) + 1)
    v, outputs = at_rest, []
    for token in np.moveaxis(as_tokens(x, d), -2, 0):
        y, flag = token[..., d : d + 1], token[..., d + 1 :]
        v = list(v if soma_kind == "leaky" else at_rest)
        below, yhats = [token] * passes, []
        for l, unit in enumerate(units):
            a = token[..., :d] @ unit["WA"].T
            u[l] = u[l] * np.ones_like(a)
            yhats.append(np.sum(u[l] * a, axis=-1, keepdims=True))
            e = (1.0 - flag) * (y - yhats[-1])
            apical = unit["gA"] * (u[l] @ unit["WO"].T)
            name = f"{l or ''}"
            reference_io.put_trace(trace, f"A{name}.u", u[l])
            # The apical line of eq. 1:
            u[l] = unit["alpha"] * u[l] + unit["gamma"] * e * a
            soma = []
            for seen in below:
                basal = seen @ unit["WB"].T + unit["bB"]
                current = unit["gB"] * basal + apical
                v[l], s = fire(v[l], current, unit["th1"], decay, spikes(params))
                soma.append(s)
            for key, value in (
                ("A{}.u_after", u[l]), ("A{}.yhat", yhats[-1][..., 0]),
                ("A{}.e", e[..., 0]), ("S{}.I", current), ("S{}.s", np.stack(soma, axis=-2)),
            ):
                reference_io.put_trace(trace, key.format(name), value)
            below = soma
        block = []
        for s in below:
            v[-1], s = fire(v[-1], s @ W1 + b1, params["th2"], decay, spikes(params))
            block.append(s)
        out = (np.mean(block, axis=0) @ W2 + b2) @ R + c
        if reads_prediction(params):
            out = out + params["Ry"] * yhats[0]
        outputs.append(out)
        reference_io.put_trace(trace, "B.s", np.stack(block, axis=-2))
        reference_io.put_trace(trace, "out.y", out)
    reference_io.finish_trace(trace)
    return np.stack(outputs, axis=-2)


def effective(params):
    """The derived constants, float64, under the names that the IR binds."""
    if is_lif(params):
        return pure_lif.effective(params)
    if not has_exported_form(params):
        raise ValueError("expected one layer of DendriCL or Pure LIF, the networks "
                         "that have an exported form")
    d = token_width(params)
    da = len(params["WA"])
    soma, passes, decay = soma_of(params)
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
        "decay": np.float64(decay),
        "n_micro": np.int64(passes),
        "carried": np.int64(soma == "leaky"),
        "th1": params["th1"],
        "th2": params["th2"],
        "F1": params["F1.weight"],
        "b1": params["F1.bias"],
        "F2": params["F2.weight"],
        "b2": params["F2.bias"],
        "R": params["R.weight"],
        "bR": params["R.bias"],
        # The read-out as one projection of the spikes summed over the micro steps:
        "RF2": params["R.weight"] @ params["F2.weight"] / passes,
        "bRF2": params["R.weight"] @ params["F2.bias"] + params["R.bias"],
        "Ry": params["Ry"] if reads_prediction(params) else np.float64(0.0),
    }


def has_exported_form(params):
    """Whether run_exported knows the network: one layer of DendriCL."""
    return not baseline(params) and spikes(params) and len(layers(params)) == 1


def export(params, path_npz):
    """Write `effective(params)`; names and shapes are in d5_tiny.mlir."""
    reference_io.save(path_npz, effective(params))


def run_exported(eff, x, trace=None):
    """As `run`, from exported parameters, in the order of the IR's populations."""
    u = v1 = v2 = np.zeros(1)
    outputs = []
    d = eff["WA_token"].shape[1] - 2
    for token in np.moveaxis(as_tokens(x, d), -2, 0):
        a, y = token @ eff["WA_token"].T, token @ eff["y_token"].T
        u = u * np.ones_like(a)
        yhat = np.sum(u * a, -1, keepdims=True)
        error = (1 - token @ eff["flag_token"].T) * (y - yhat)
        current = token @ eff["WB"].T + eff["bB"] + u @ eff["WO"].T
        u = eff["alpha"] * u + eff["gamma"] * error * a
        if not eff["carried"]:
            v1 = v2 = np.zeros(1)
        out, soma, block = eff["bRF2"] + eff["Ry"] * yhat, [], []
        for _ in range(eff["n_micro"]):
            v1, s1 = fire(v1, current, eff["th1"], eff["decay"])
            v2, s2 = fire(v2, s1 @ eff["F1"].T + eff["b1"], eff["th2"], eff["decay"])
            out = out + s2 @ eff["RF2"].T
            soma.append(s1)
            block.append(s2)
        outputs.append(out)
        reference_io.put_trace(trace, "S.s", np.stack(soma, axis=-2))
        reference_io.put_trace(trace, "B.s", np.stack(block, axis=-2))
    reference_io.finish_trace(trace)
    return np.stack(outputs, axis=-2)


def random_checkpoint(seed, small=True, soma="virtual", sizes=None):
    """A random network with the checkpoint's keys; `sizes`: d, d_a, d_m; small:
    3, 6, 8; else those of d5_tiny.mlir."""
    rng = np.random.default_rng(seed)
    d, da, dm = sizes or ((3, 6, 8) if small else (5, 16, 32))
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
        "meta": {"name": "random", "neuron": "dendricl", "d": d, "d_m": dm, "d_a": da,
                 "soma": soma},
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
    """Compare with the examples in the checkpoint: read-outs of the training
    framework in float32. Checkpoints without them: `dendricl_examples.npz`
    beside the file, float64 with states and all spikes."""
    params = load(path)
    if "x_ex" in params:
        out = run(params, params["x_ex"])
        report.figure(
            "read-out per token, largest difference",
            reference_io.largest(out[..., 0], params["out_ex"]), 1e-5,
        )
        if has_exported_form(params):
            compare_exported(params, params["x_ex"], out, report)
        return
    name = params["meta"]["name"]
    stored = load(os.path.join(os.path.dirname(path), "dendricl_examples.npz"))
    if f"{name}/x" not in stored:
        raise ValueError(f"dendricl_examples.npz has no examples of '{name}'")
    x, trace = stored[f"{name}/x"], {}
    out = run(params, x, trace)
    u = np.concatenate([trace["A.u"], trace["A.u_after"][-1:]])
    for title, found, key in (
        ("read-out per token", out[..., 0], "out"),
        ("apical state", np.moveaxis(u, 0, 1), "u"),
    ):
        gap = reference_io.largest(found, stored[f"{name}/{key}"])
        report.figure(f"{title}, largest difference", gap, 1e-12)
    flips = sum(
        int(np.sum(np.moveaxis(trace[population], 0, 1) != stored[f"{name}/{key}"]))
        for population, key in (("S.s", "soma"), ("B.s", "block"))
    )
    report.figure("differing spikes", flips, 0)
    compare_exported(params, x, out, report)


def compare_exported(params, x, out, report):
    trace, exported = {}, {}
    run(params, x, trace)
    gap = reference_io.largest(run_exported(effective(params), x, exported), out)
    report.figure("exported form, read-out, largest difference", gap, 1e-12)
    flips = sum(int(np.sum(trace[s] != exported[s])) for s in ("S.s", "B.s"))
    report.figure("exported form, differing spikes", flips, 0)


def evaluate(path, x_path, y_path, report):
    """R2 at the query and spikes per token over samples (n, tokens, d + 2)."""
    params = load(path)
    x, y = np.load(x_path, allow_pickle=False), np.load(y_path, allow_pickle=False)
    d = token_width(params)
    if x.ndim != 3 or x.shape[2] != d + 2 or y.shape != x.shape[:1]:
        raise ValueError(
            f"expected samples (n, tokens, {d + 2}) and labels (n,), found {x.shape} "
            f"in {x_path} and {y.shape} in {y_path}"
        )
    score.evaluate(lambda part, trace: run(params, part, trace), x, y, report)


if __name__ == "__main__":
    sys.exit(reference_io.main(sys.modules[__name__]))
