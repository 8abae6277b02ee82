# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pure LIF, the network that DendriCL is compared with: layers of leaky neurons
with their own spikes of the token before as a second input, and no dendrite.
Arrays may have any leading axes (samples)."""

import numpy as np

import reference_io


def layers(params):
    """How many layers a checkpoint (or its export) holds."""
    count = 0
    while f"W{count}" in params:
        count += 1
    return count


def run(params, x, trace=None):
    """Read-out per token (..., tokens, 1); x is (..., tokens, d + 2), one step
    per token. Trace, tokens first: L{l}.I, L{l}.v (after reset), L{l}.s, out.y."""
    meta, outputs = params["meta"], []
    keep, gain = 1.0 - 1.0 / meta["tau"], 1.0 / meta["tau"]
    v = [np.zeros(len(params[f"b{l}"])) for l in range(layers(params))]
    s = [np.zeros(len(params[f"b{l}"])) for l in range(layers(params))]
    for h in np.moveaxis(np.asarray(x, dtype=np.float64), -2, 0):
        for l in range(layers(params)):
            I = h @ params[f"W{l}"].T + params[f"b{l}"] + s[l] @ params[f"V{l}"].T
            charged = keep * v[l] + gain * I
            s[l] = (charged > meta["Vth"]).astype(np.int64)
            v[l] = charged * (1 - s[l])
            h = s[l]
            for name, value in (("I", I), ("v", v[l]), ("s", h)):
                reference_io.put_trace(trace, f"L{l}.{name}", value)
        outputs.append(h @ params["Wout"].T + params["bout"])
        reference_io.put_trace(trace, "out.y", outputs[-1])
    reference_io.finish_trace(trace)
    return np.stack(outputs, axis=-2)


def effective(params):
    """The derived constants, float64, under the names that the IR binds."""
    tau = params["meta"]["tau"]
    eff = {"Wout": params["Wout"], "bout": params["bout"]}
    for l in range(layers(params)):
        eff.update({f"{key}{l}": params[f"{key}{l}"] for key in "WVb"})
    return {**eff, "keep": np.float64(1.0 - 1.0 / tau), "gain": np.float64(1.0 / tau),
            "Vth": np.float64(params["meta"]["Vth"])}
