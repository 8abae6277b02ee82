# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MMDEND, the multi-branch multi-compartment dendritic neuron, in float64.

Equation numbers are those of the MMDEND paper; README.md beside this file has
the equations, our choices and the layout of the checkpoint.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import reference_io  # noqa: E402

load = reference_io.load

# The names that exist once per layer in a checkpoint.
LAYER_KEYS = (
    "W b lam_re lam_im dt B C go tauj taus gs phi_p phi_s Dp S".split()
)


def layers(params):
    """How many MMDEND layers a checkpoint (or its export) holds."""
    count = 0
    while f"W{count}" in params:
        count += 1
    return count


def branch_channels(D, J, Dp, S):
    """Eq. 13: branch j sees channels [j S, j S + D'); (J-1) S + D' must be D."""
    if (J - 1) * S + Dp != D:
        raise ValueError(
            f"branches do not tile the layer: (J-1)*S + D' = {(J - 1) * S + Dp}, "
            f"expected D = {D}"
        )
    return np.array([[j * S, j * S + Dp] for j in range(J)], dtype=np.int64)


def effective(params):
    """The derived constants, float64, under the names that the IR binds."""
    eff = {}
    meta = params["meta"]
    for l in range(layers(params)):
        p = {key: params[f"{key}{l}"] for key in LAYER_KEYS}
        lam = p["lam_re"] + 1j * p["lam_im"]  # (J, K)
        A = np.exp(lam * p["dt"][:, None])  # eq. 10
        B = p["B"][..., 0] + 1j * p["B"][..., 1]  # P^-1 Gamma of eq. 10
        G = (A - 1.0) / lam * B  # zero-order hold
        C = p["C"][..., 0] + 1j * p["C"][..., 1]
        for name, value in (("A", A), ("G", G), ("C", C)):
            eff[f"{name}{l}_re"], eff[f"{name}{l}_im"] = value.real, value.imag
            for j in range(len(value)):  # one vector per branch, for one-branch ops
                eff[f"{name}{l}_re_b{j}"] = value.real[j]
                eff[f"{name}{l}_im_b{j}"] = value.imag[j]
        beta = np.exp(-1.0 / p["taus"])  # eq. 15 with dt = 1
        eff[f"W{l}"], eff[f"b{l}"] = p["W"], p["b"]
        eff[f"go{l}"], eff[f"tauj{l}"], eff[f"gs{l}"] = p["go"], p["tauj"], p["gs"]
        eff[f"join{l}"] = 1.0 / p["tauj"]
        for j in range(len(lam)):
            eff[f"go{l}_b{j}"], eff[f"join{l}_b{j}"] = p["go"][j], 1.0 / p["tauj"][j]
        eff[f"beta{l}"] = beta
        eff[f"alpha{l}"] = p["taus"] * (1.0 - beta)
        eff[f"phi_p{l}"], eff[f"phi_s{l}"] = p["phi_p"], p["phi_s"]
        D, J = p["W"].shape[0], lam.shape[0]
        eff[f"channels{l}"] = branch_channels(D, J, int(p["Dp"]), int(p["S"]))
    eff["Wout"], eff["bout"] = params["Wout"], params["bout"]
    eff["U"] = np.float64(meta.get("U", 4))
    eff["Vth"] = np.float64(1.0)
    if meta.get("f", "relu") != "relu":
        raise ValueError(f"branch activation '{meta['f']}', expected 'relu'")
    return eff


def export(params, path_npz):
    """Write `effective(params)`; names and shapes are in README.md."""
    reference_io.save(path_npz, effective(params))


def ssf(Vs, phi_p, phi_s, U, Vth):
    """Eq. 17, scaling-shifting integer firing: integers in [-U/Vth, U/Vth]."""
    if phi_s <= 0 or U % Vth != 0:
        raise ValueError(
            f"SSF needs scale > 0 and Vth dividing U, found scale {phi_s}, "
            f"U {U}, Vth {Vth}"
        )
    return np.floor(np.clip((Vs - phi_p) / phi_s, -U, U) / Vth).astype(np.int64)


def run_exported(eff, x, trace=None):
    """Logits per step (steps, classes) from exported parameters."""
    x = np.asarray(x, dtype=np.float64)
    inputs = eff["W0"].shape[1]
    if x.ndim != 2 or x.shape[1] != inputs:
        raise ValueError(f"expected input (steps, {inputs}), found {x.shape}")
    L = layers(eff)
    as_complex = lambda name: eff[name + "_re"] + 1j * eff[name + "_im"]
    A = [as_complex(f"A{l}") for l in range(L)]
    G = [as_complex(f"G{l}") for l in range(L)]
    C = [as_complex(f"C{l}") for l in range(L)]
    J, K = A[0].shape
    # Every channel gets J rows of branch state; rows of absent branches stay 0.
    V = [np.zeros((J, eff[f"W{l}"].shape[0], K), dtype=complex) for l in range(L)]
    Vs = [np.zeros(eff[f"W{l}"].shape[0]) for l in range(L)]
    logits = []
    for h in x:
        for l in range(L):
            I = eff[f"W{l}"] @ h + eff[f"b{l}"]
            joined = np.zeros_like(I)
            for j in range(J):
                first, end = eff[f"channels{l}"][j]
                v = A[l][j] * V[l][j, first:end] + np.outer(I[first:end], G[l][j])
                V[l][j, first:end] = v  # eq. 10, (D', K)
                d = (v @ C[l][j]).real + eff[f"go{l}"][j] * I[first:end]  # eq. 11
                joined[first:end] += np.maximum(d, 0.0) * eff[f"join{l}"][j]  # eq. 13
            drive = joined + eff[f"gs{l}"] * I
            Vs[l] = eff[f"beta{l}"] * Vs[l] + eff[f"alpha{l}"] * drive  # eq. 15
            h = ssf(Vs[l], eff[f"phi_p{l}"], eff[f"phi_s{l}"], eff["U"], eff["Vth"])
            reference_io.put_trace(trace, f"L{l}.I", I)
            reference_io.put_trace(trace, f"L{l}.Vs", Vs[l])
            reference_io.put_trace(trace, f"L{l}.s", h)
        logits.append(eff["Wout"] @ h + eff["bout"])
        reference_io.put_trace(trace, "out.y", logits[-1])
    reference_io.finish_trace(trace)
    return np.array(logits).reshape(-1, len(eff["bout"]))


def run(params, x, trace=None):
    """Logits per step (steps, classes) before averaging; x is (steps, inputs).

    A sample's logits are their mean over all steps (over the last 10 for the XOR
    task). Trace: L{l}.I input current, L{l}.Vs soma potential, L{l}.s integer
    spikes, out.y logits.
    """
    return run_exported(effective(params), x, trace)


def random_checkpoint(seed, small=True):
    """A random network with the checkpoint's keys; small: 2 x 12 channels."""
    rng = np.random.default_rng(seed)
    inputs, D, J, K, Dp, S, classes = (
        (6, 12, 3, 4, 6, 3, 4) if small else (32, 128, 4, 8, 56, 24, 10)
    )
    params = {}
    for l, fan_in in enumerate((inputs, D)):
        layer = {
            "W": rng.normal(0, 1.2 / np.sqrt(fan_in), (D, fan_in)),
            "b": rng.normal(0, 0.1, D),
            "lam_re": -rng.uniform(0.2, 1.0, (J, K)),
            "lam_im": np.pi * np.arange(K) * np.ones((J, 1)),
            "dt": np.geomspace(0.02, 0.5, J),
            "C": rng.normal(0, 0.7, (J, K, 2)),
            "B": rng.normal(0, 0.7, (J, K, 2)),
            "go": rng.normal(0, 0.3, J),
            "tauj": rng.uniform(0.8, 1.5, J),
            "taus": np.array(rng.uniform(1.5, 2.5)),
            "gs": np.array(rng.normal(0.4, 0.2)),
            "phi_p": np.array(rng.normal(0.1, 0.1)),
            "phi_s": np.array(rng.uniform(0.5, 0.9)),
            "Dp": np.array(Dp),
            "S": np.array(S),
        }
        params.update({f"{key}{l}": value for key, value in layer.items()})
    params["Wout"] = rng.normal(0, 1 / np.sqrt(D), (classes, D))
    params["bout"] = rng.normal(0, 0.1, classes)
    params["meta"] = {"J": J, "K": K, "U": 4, "f": "relu", "H": D, "layers": 2}
    return params


def random_input(seed, params=None, steps=10):
    """One random sample (steps, inputs) for `params` (default: the small net)."""
    params = params or random_checkpoint(0)
    return np.random.default_rng(seed).normal(0, 1, (steps, params["W0"].shape[1]))


def selftest(path, report):
    """Run the stored examples against the stored float32 logits."""
    params = load(path)
    worst, right, spikes, total = 0.0, 0, {}, {}
    for x, y, expected in zip(params["x_ex"], params["y_ex"], params["logits_ex"]):
        trace = {}
        logits = run(params, x, trace).mean(axis=0)
        worst = max(worst, reference_io.largest(logits, expected))
        right += int(np.argmax(logits) == y)
        for l in range(layers(params)):
            s = trace[f"L{l}.s"]
            spikes[l] = spikes.get(l, 0) + int(np.abs(s).sum())
            total[l] = total.get(l, 0) + s.size
    # The stored logits are float32 (24-bit mantissa, magnitudes up to ~10).
    report.figure("logits, largest difference", worst, 1e-5)
    report.note(f"examples classified as labelled: {right} of {len(params['y_ex'])}")
    for l in spikes:
        report.note(f"L{l} mean |S| per neuron and step: {spikes[l] / total[l]:.3f}")


if __name__ == "__main__":
    sys.exit(reference_io.main(sys.modules[__name__]))
