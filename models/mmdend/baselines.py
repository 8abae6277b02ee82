# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The neurons that MMDEND is compared with, in float64, as EQUATIONS.md states them.

A layer gets its input currents (steps, ..., channels) of all steps and gives its
spikes; parallel neurons are computed in the form they are published in.  The
leading axes between steps and channels are samples.
"""

import json
import zipfile

import numpy as np

MOST_DRIVE = 7.0  # of a PMSN soma in one step, in thresholds


def serial(I, start, step):
    """Spikes of a neuron with a state; step(state, I[t]) gives the next state and
    the spikes."""
    state, out = start, []
    for current in I:
        state, s = step(state, current)
        out.append(s.astype(np.int64))
    return np.stack(out)


def plif(p, I):
    def step(v, current):
        h = (1.0 - 1.0 / p["tau"]) * v + current / p["tau"]
        return h * (h <= 1.0), h > 1.0

    return serial(I, np.zeros_like(I[0]), step)


def klif(p, I):
    def step(v, current):
        h = (1.0 - 1.0 / p["tau"]) * v + current / p["tau"]
        f = np.maximum(p["k"] * h, 0.0)
        return f * (f <= 1.0), f > 1.0

    return serial(I, np.zeros_like(I[0]), step)


def glif(p, I):
    keep = 1.0 - p["alpha"] * (1.0 - p["keep"])
    gain = 1.0 - p["beta"] * (1.0 - p["conduct"])

    def step(state, current):
        u, s = state
        u = (keep * u * (1.0 - p["gamma"] * s) - (1.0 - p["alpha"]) * p["leak"]
             + gain * current - (1.0 - p["gamma"]) * p["reset"] * s)
        return (u, u > p["theta"]), u > p["theta"]

    return serial(I, (np.zeros_like(I[0]), np.zeros_like(I[0])), step)


def psn(p, I):
    if len(I) != len(p["w"]):
        raise ValueError(
            f"a parallel spiking neuron has weights for {len(p['w'])} steps, expected "
            f"samples as long, found {len(I)} steps"
        )
    H = np.tensordot(p["w"], I, axes=1)
    return (H >= np.reshape(p["theta"], (-1,) + (1,) * (I.ndim - 1))).astype(np.int64)


def masked_psn(p, I):
    """Later steps than the weights have rows use the last row."""
    T, out = len(p["w"]), []
    if np.triu(p["w"], 1).any():
        raise ValueError("masked_psn: expected weights of past inputs only")
    for t in range(len(I)):
        row = min(t, T - 1)
        H = np.tensordot(p["w"][row, : row + 1], I[t - row : t + 1], axes=1)
        out.append((H >= p["theta"][row]).astype(np.int64))
    return np.stack(out)


def sliding_psn(p, I):
    H = np.zeros_like(I)
    for age, weight in enumerate(p["w"][: len(I)]):
        H[age:] += weight * I[: len(I) - age]
    return (H >= p["theta"]).astype(np.int64)


def pmsn(p, I):
    lam = p["lam_re"] + 1j * p["lam_im"]  # (channels, K)
    A = np.exp(lam * p["dt"][:, None])
    G = (A - 1.0) / lam * (p["B"][..., 0] + 1j * p["B"][..., 1])
    C = p["C"][..., 0] + 1j * p["C"][..., 1]
    V, drives = np.zeros((*I.shape[1:], A.shape[1]), complex), []
    for current in I:
        V = A * V + G * current[..., None]
        drives.append((C * V).sum(-1).real + p["go"] * current)
    # Whole thresholds that the sum of all drives has passed, less those before.
    total = np.cumsum(np.clip(np.stack(drives) / p["theta"], 0.0, MOST_DRIVE), axis=0)
    before = np.concatenate([np.zeros_like(total[:1]), np.floor(total[:-1])])
    return (total - before >= 1.0).astype(np.int64)


# By `neuron` in a checkpoint's meta, with the keys that a layer has beside W and b.
BASELINES = {
    "plif": (plif, "tau"),
    "klif": (klif, "tau k"),
    "glif": (glif, "alpha beta gamma keep leak reset conduct theta"),
    "psn": (psn, "w theta"),
    "masked_psn": (masked_psn, "w theta"),
    "sliding_psn": (sliding_psn, "w theta"),
    "pmsn": (pmsn, "lam_re lam_im dt B C go theta"),
}


def run(params, x, trace=None):
    """Logits per step (..., steps, classes); x is (..., steps, inputs). Trace, steps
    first: L{l}.I, L{l}.s, out.y."""
    neuron, keys = BASELINES[params["meta"]["neuron"]]
    h, l = np.moveaxis(np.asarray(x, dtype=np.float64), -2, 0), 0
    while f"W{l}" in params:
        I = h @ params[f"W{l}"].T + params[f"b{l}"]
        h = neuron({key: params[f"{key}{l}"] for key in keys.split()}, I)
        if trace is not None:
            trace[f"L{l}.I"], trace[f"L{l}.s"] = I, h
        l += 1
    logits = h @ params["Wout"].T + params["bout"]
    if trace is not None:
        trace["out.y"] = logits
    return np.moveaxis(logits, 0, -2)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def load_step(path):
    """Weights of an exported step (.pt2) by name, in float64."""
    with zipfile.ZipFile(path) as archive:
        folder = archive.namelist()[0].split("/")[0] + "/data/weights/"
        config = json.loads(archive.read(folder + "model_weights_config.json"))["config"]
        return {name: np.frombuffer(archive.read(folder + entry["path_name"]), "<f4").reshape(
                    [size["as_int"] for size in entry["tensor_meta"]["sizes"]]).astype(float)
                for name, entry in config.items()}


def no_reset(p, I, v):
    v = v + (I - v) / 2
    return v > 1.0, v


def tclif(p, I, d, v, s):
    d = d - sigmoid(p["back"]) * v + I - 0.5 * s
    v = v + sigmoid(p["draw"]) * d - s
    return v > 1.0, d, v, v > 1.0


def alif(p, I, u, a, s):
    keep, fade = (sigmoid(p[key][:, 0]) for key in ("keep", "fade"))
    I = I + s @ p["V.weight"].T if "V.weight" in p else I
    a = fade * a + (1 - fade) * s
    theta = 0.1 + 1.8 * a
    u = keep * u + (1 - keep) * I - theta * s
    return u > theta, u, a, u > theta


# Exported steps, with the states that begin at 0.
STEPPED = {"lif_no_reset": (no_reset, 1), "tclif": (tclif, 3), "alif": (alif, 3), "srnn": (alif, 3)}


def run_stepped(name, p, x):
    """Logits per step (samples, steps, classes) of an exported step and its spikes, one
    array (samples, steps, channels) per layer."""
    step, states = STEPPED[name]
    h, spikes = np.asarray(x, float), []
    for l in range(2):
        own = {key.split(".", 2)[2]: value for key, value in p.items()
               if key.startswith(f"neurons.{l}.")}
        I = h @ p[f"W{l}"].T + p[f"b{l}"][:, 0]
        state, out = np.zeros((states, *I[:, 0].shape)), []
        for t in range(I.shape[1]):
            s, *state = step(own, I[:, t], *state)
            out.append(s)
        h = np.stack(out, 1).astype(float)
        spikes.append(h)
    return h @ p["Wout"].T + p["bout"][:, 0], spikes


def random_layer(rng, neuron, D, steps=8, order=4, modes=3):
    """Constants of a layer of D channels, some of them by channel."""
    uniform = rng.uniform
    w = np.tril(rng.normal(0, 0.8, (steps, steps))) + np.eye(steps)
    w -= np.tril(w, -order)
    return {
        "plif": lambda: {"tau": uniform(1.2, 4.0, D)},
        "klif": lambda: {"tau": np.array(2.0), "k": uniform(0.8, 1.6, D)},
        "glif": lambda: {**{key: uniform(0.2, 0.8, D)
                            for key in "alpha beta gamma keep reset conduct".split()},
                         "leak": uniform(0.0, 0.1, D), "theta": np.array(0.5)},
        "psn": lambda: {"w": rng.normal(0, 0.8, (steps, steps)),
                        "theta": uniform(0.5, 1.5, steps)},
        "masked_psn": lambda: {"w": w, "theta": uniform(0.5, 1.5, steps)},
        "sliding_psn": lambda: {"w": rng.normal(0, 0.8, order),
                                "theta": np.array(uniform(0.5, 1.5))},
        "pmsn": lambda: {"lam_re": -uniform(0.2, 1.0, (D, modes)),
                         "lam_im": uniform(0.0, 3.0, (D, modes)),
                         "dt": uniform(0.1, 0.8, D),
                         "B": rng.normal(0, 1.0, (D, modes, 2)),
                         "C": rng.normal(0, 1.0, (D, modes, 2)),
                         "go": uniform(0.0, 1.0, D), "theta": uniform(0.7, 1.5, D)},
    }[neuron]()


def random_checkpoint(seed, neuron, inputs=6, widths=(9, 7), classes=3, **sizes):
    """A random network of `neuron` with a checkpoint's keys."""
    rng = np.random.default_rng(seed)
    params = {"meta": {"neuron": neuron, "layers": len(widths)}}
    for l, D in enumerate(widths):
        layer = {"W": rng.normal(0, 3.0 / np.sqrt(inputs), (D, inputs)),
                 "b": rng.normal(0.3, 0.1, D), **random_layer(rng, neuron, D, **sizes)}
        params.update({f"{key}{l}": value for key, value in layer.items()})
        inputs = D
    params["Wout"] = rng.normal(0, 1 / np.sqrt(inputs), (classes, inputs))
    params["bout"] = rng.normal(0, 0.1, classes)
    return params
