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

# The names that exist once per layer in a checkpoint, and those of its dendrite
# in diagonal form (eq. 10) or as a cable (eq. 7).
LAYER_KEYS = "W b dt go tauj taus gs phi_p phi_s Dp S".split()
MODE_KEYS = "lam_re lam_im B C".split()
CABLE_KEYS = "tau tau_f tau_p gamma".split()


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


def modes(p):
    """Eq. 10: A, G, C of every branch, complex (J, K)."""
    lam = p["lam_re"] + 1j * p["lam_im"]
    A = np.exp(lam * p["dt"][:, None])
    B = p["B"][..., 0] + 1j * p["B"][..., 1]  # P^-1 Gamma of eq. 10
    G = (A - 1.0) / lam * B  # zero-order hold
    return A, G, p["C"][..., 0] + 1j * p["C"][..., 1]


def cable_step(T, gamma, dt):
    """Eq. 5 for eq. 8: V[t] = E V[t-1] + F I[t], by the series of the exponential
    of [[T, gamma], [0, 0]] dt / 2^n, squared n times."""
    K = len(T)
    M = np.zeros((K + 1, K + 1))
    M[:K, :K], M[:K, K] = T * dt, gamma * dt
    n = max(0, int(np.ceil(np.log2(max(np.abs(M).sum(axis=1).max(), 1e-300)))) + 4)
    M = M / 2.0**n
    X = term = np.eye(K + 1)
    for k in range(1, 16):
        term = term @ M / k
        X = X + term
    for _ in range(n):
        X = X @ X
    return X[:K, :K], X[:K, K]


def cables(p):
    """Eq. 7 and 8: E (J, K, K) and F (J, K) of every branch."""
    steps = []
    for j, dt in enumerate(p["dt"]):
        T = (
            np.diag(-1.0 / p["tau"][j])
            + np.diag(1.0 / p["tau_f"][j], -1)
            + np.diag(1.0 / p["tau_p"][j], 1)
        )
        steps.append(cable_step(T, p["gamma"][j], dt))
    return np.array([E for E, _ in steps]), np.array([F for _, F in steps])


def effective(params):
    """The derived constants, float64, under the names that the IR binds."""
    eff = {}
    meta = params["meta"]
    for l in range(layers(params)):
        cable = f"tau{l}" in params
        keys = LAYER_KEYS + (CABLE_KEYS if cable else MODE_KEYS)
        p = {key: params[f"{key}{l}"] for key in keys}
        if cable:
            eff[f"E{l}"], eff[f"F{l}"] = cables(p)
        for name, value in zip("AGC", () if cable else modes(p)):
            eff[f"{name}{l}_re"], eff[f"{name}{l}_im"] = value.real, value.imag
            for j in range(len(value)):  # one vector per branch, for one-branch ops
                eff[f"{name}{l}_re_b{j}"] = value.real[j]
                eff[f"{name}{l}_im_b{j}"] = value.imag[j]
        beta = np.exp(-1.0 / p["taus"])  # eq. 15 with dt = 1
        eff[f"W{l}"], eff[f"b{l}"] = p["W"], p["b"]
        eff[f"go{l}"], eff[f"tauj{l}"], eff[f"gs{l}"] = p["go"], p["tauj"], p["gs"]
        eff[f"join{l}"] = 1.0 / p["tauj"]
        J = len(p["dt"])
        for j in range(J):
            eff[f"go{l}_b{j}"], eff[f"join{l}_b{j}"] = p["go"][j], 1.0 / p["tauj"][j]
        eff[f"beta{l}"] = beta
        eff[f"alpha{l}"] = p["taus"] * (1.0 - beta)
        eff[f"phi_p{l}"], eff[f"phi_s{l}"] = p["phi_p"], p["phi_s"]
        D = p["W"].shape[0]
        eff[f"channels{l}"] = branch_channels(D, J, int(p["Dp"]), int(p["S"]))
    eff["Wout"], eff["bout"] = params["Wout"], params["bout"]
    eff["U"] = np.float64(meta.get("U", 4))
    eff["Vth"] = np.float64(meta.get("Vth", 1))
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
    # Per layer the step V' = keep V + gain I of every branch and what reads it:
    # (J, K), (J, K), (J, K) for modes; a cable has a matrix (J, K, K) and is read
    # at its last compartment.
    keep, gain, read = [], [], []
    for l in range(L):
        if f"E{l}" in eff:
            keep.append(eff[f"E{l}"])
            gain.append(eff[f"F{l}"])
            read.append(np.zeros(gain[l].shape))
            read[l][:, -1] = 1.0
        else:
            for part, name in ((keep, "A"), (gain, "G"), (read, "C")):
                part.append(as_complex(f"{name}{l}"))
    # Every channel gets J rows of branch state; rows of absent branches stay 0.
    V = [
        np.zeros((len(gain[l]), eff[f"W{l}"].shape[0], gain[l].shape[1]), gain[l].dtype)
        for l in range(L)
    ]
    Vs = [np.zeros(eff[f"W{l}"].shape[0]) for l in range(L)]
    logits = []
    for h in x:
        for l in range(L):
            I = eff[f"W{l}"] @ h + eff[f"b{l}"]
            joined = np.zeros_like(I)
            for j in range(len(gain[l])):
                first, end = eff[f"channels{l}"][j]
                old = V[l][j, first:end]
                kept = old @ keep[l][j].T if keep[l].ndim == 3 else keep[l][j] * old
                v = kept + np.outer(I[first:end], gain[l][j])
                V[l][j, first:end] = v  # eq. 10, (D', K)
                d = (v @ read[l][j]).real + eff[f"go{l}"][j] * I[first:end]  # eq. 11
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
