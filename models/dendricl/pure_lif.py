# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pure LIF, the network that DendriCL is compared with: layers of leaky neurons
that may have their own spikes of the token before as a second input, and no
dendrite; and LSNN ("alif"), whose thresholds rise with a neuron's own spikes.
Arrays may have any leading axes (samples)."""

import numpy as np

import reference_io

NEURONS = "lif", "alif"
MICRO = 4  # micro steps per token, the paper's virtual steps


def layers(params):
    """How many layers a checkpoint (or its export) holds."""
    count = 0
    while f"W{count}" in params:
        count += 1
    return count


def passes(meta):
    """Micro steps per token: n_micro from rest if the soma is "virtual", one with
    the membranes carried on if it is "leaky", as it is unless `meta` says so."""
    soma = meta.get("soma", "leaky")
    if soma not in ("virtual", "leaky"):
        raise ValueError(f"soma '{soma}' of a LIF network, expected virtual or leaky")
    return int(meta.get("n_micro", MICRO)) if soma == "virtual" else 1


def adaptation(params, l):
    """How the rise of the thresholds of LSNN's layer l fades in a micro step, and
    what a spike adds to it; neither moves those of Pure LIF."""
    if params["meta"].get("neuron") != "alif":
        return 0.0, 0.0
    rho = np.exp(-1.0 / params[f"tau_a{l}"])
    return rho, params[f"beta{l}"] * (1.0 - rho)


def layer(params, l, drives, v, before, risen):
    """Currents, membranes, spikes and thresholds' rises of one token, by micro step,
    given the layer's drive, its membrane, its spikes of the token before and the
    rise of its thresholds; drive and spikes are lists by micro step."""
    meta, found = params["meta"], []
    rho, rise = adaptation(params, l)
    keep, gain = 1.0 - 1.0 / meta["tau"], 1.0 / meta["tau"]
    if meta.get("soma", "leaky") == "virtual":
        v = np.zeros(1)
    for h, s in zip(drives, before):
        I = h @ params[f"W{l}"].T + params[f"b{l}"]
        if f"V{l}" in params:
            I = I + s @ params[f"V{l}"].T
        charged = keep * v + gain * I
        limit = meta["Vth"] + risen
        s = (charged > limit).astype(np.int64)
        v = charged - s * limit if meta.get("neuron") == "alif" else charged * (1 - s)
        risen = rho * risen + rise * s
        found.append((I, v, s, risen))
    return found


def run(params, x, trace=None):
    """Read-out per token (..., tokens, 1); x is (..., tokens, d + 2). Trace, tokens
    first: L{l}.I, L{l}.v (after reset), L{l}.s, of LSNN L{l}.a (the threshold's rise),
    (tokens, ..., passes, neurons), and out.y."""
    outputs, count = [], passes(params["meta"])
    v, risen = [np.zeros(1)] * layers(params), [np.zeros(1)] * layers(params)
    names = "Ivsa" if params["meta"].get("neuron") == "alif" else "Ivs"
    s = [[np.zeros(len(params[f"b{l}"]))] * count for l in range(layers(params))]
    for token in np.moveaxis(np.asarray(x, dtype=np.float64), -2, 0):
        below = [token] * count
        for l in range(layers(params)):
            found = layer(params, l, below, v[l], s[l], risen[l])
            v[l], risen[l] = found[-1][1], found[-1][3]
            s[l] = below = [spikes for _, _, spikes, _ in found]
            for name, values in zip(names, zip(*found)):
                reference_io.put_trace(trace, f"L{l}.{name}", np.stack(values, axis=-2))
        outputs.append(np.mean(below, axis=0) @ params["Wout"].T + params["bout"])
        reference_io.put_trace(trace, "out.y", outputs[-1])
    reference_io.finish_trace(trace)
    return np.stack(outputs, axis=-2)


def effective(params):
    """The derived constants, float64, under the names that the IR binds."""
    meta, count = params["meta"], passes(params["meta"])
    eff = {"Wout": params["Wout"] / count, "bout": params["bout"]}
    for l in range(layers(params)):
        eff.update({f"{key}{l}": params[f"{key}{l}"] for key in "WVb"
                    if f"{key}{l}" in params})
        if meta.get("neuron") == "alif":
            eff[f"rho{l}"], eff[f"rise{l}"] = adaptation(params, l)
    return {**eff, "keep": np.float64(1.0 - 1.0 / meta["tau"]),
            "gain": np.float64(1.0 / meta["tau"]), "Vth": np.float64(meta["Vth"]),
            "n_micro": np.int64(count)}
