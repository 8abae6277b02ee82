# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MMDEND, the multi-branch multi-compartment dendritic neuron, in float64.

Equation numbers are those of K. Wang et al., MMDEND: Dendrite-Inspired
Multi-Branch Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL
2025, https://aclanthology.org/2025.acl-long.1332/; EQUATIONS.md beside this file has
the equations and our choices; README.md has the layout of the checkpoint.  Branches come as
complex diagonal systems or as cables (cable.py); checkpoints of LIF and of the
other neurons that MMDEND is compared with (baselines.py) run here too.
"""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import baselines  # noqa: E402
import reference_io  # noqa: E402
from cable import discretise, random_branches  # noqa: E402
from neurons import Dendrites, Lif, activation  # noqa: E402

load = reference_io.load

# The names that exist once per layer in a checkpoint, and those of its branches
# in either form.
LAYER_KEYS = "W b go tauj taus gs phi_p phi_s Dp S".split()
DIAGONAL_KEYS = "lam_re lam_im dt B C".split()
CABLE_KEYS = "tau tau_f tau_p gamma dt".split()


def layers(params):
    """How many layers a checkpoint (or its export) holds."""
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


def diagonal_branches(p, l):
    """Eq. 10 for branches with complex diagonal dynamics, names as exported."""
    lam = p["lam_re"] + 1j * p["lam_im"]  # (J, K)
    A = np.exp(lam * p["dt"][:, None])
    B = p["B"][..., 0] + 1j * p["B"][..., 1]  # P^-1 Gamma
    G = (A - 1.0) / lam * B  # zero-order hold
    C = p["C"][..., 0] + 1j * p["C"][..., 1]
    eff = {}
    for name, value in (("A", A), ("G", G), ("C", C)):
        eff[f"{name}{l}_re"], eff[f"{name}{l}_im"] = value.real, value.imag
        for j in range(len(value)):  # one vector per branch, for one-branch ops
            eff[f"{name}{l}_re_b{j}"] = value.real[j]
            eff[f"{name}{l}_im_b{j}"] = value.imag[j]
    return eff


def cable_branches(p, l):
    """A cable as it stands, for a compiler to diagonalise, and its dense form."""
    eff = {f"{key}{l}": p[key] for key in CABLE_KEYS}
    eff[f"cable_A{l}"], eff[f"cable_G{l}"] = discretise(p)
    return eff


def effective(params):
    """The derived constants, float64, under the names that the IR binds."""
    meta = params["meta"]
    if meta.get("neuron") in baselines.BASELINES:
        raise ValueError(
            f"a network of {meta['neuron']} neurons has no form to export: the "
            "checkpoint itself is a model"
        )
    eff = {"Wout": params["Wout"], "bout": params["bout"]}
    eff["Vth"] = np.float64(meta.get("Vth", 1.0))
    if meta.get("neuron", "mmdend") == "lif":
        for l in range(layers(params)):
            eff[f"W{l}"], eff[f"b{l}"] = params[f"W{l}"], params[f"b{l}"]
        eff["keep"] = np.float64(1.0 - 1.0 / meta["tau"])
        eff["gain"] = np.float64(1.0 / meta["tau"])
        return eff
    eff["U"] = np.float64(meta.get("U", 4))
    for l in range(layers(params)):
        as_cable = f"tau{l}" in params
        keys = LAYER_KEYS + (CABLE_KEYS if as_cable else DIAGONAL_KEYS)
        p = {key: params[f"{key}{l}"] for key in keys}
        eff.update((cable_branches if as_cable else diagonal_branches)(p, l))
        beta = np.exp(-1.0 / p["taus"])  # eq. 15 with dt = 1
        eff[f"W{l}"], eff[f"b{l}"] = p["W"], p["b"]
        eff[f"go{l}"], eff[f"tauj{l}"], eff[f"gs{l}"] = p["go"], p["tauj"], p["gs"]
        eff[f"join{l}"] = 1.0 / p["tauj"]
        D, J = p["W"].shape[0], len(p["go"])
        for j in range(J):
            eff[f"go{l}_b{j}"], eff[f"join{l}_b{j}"] = p["go"][j], 1.0 / p["tauj"][j]
        eff[f"beta{l}"] = beta
        eff[f"alpha{l}"] = p["taus"] * (1.0 - beta)
        eff[f"phi_p{l}"], eff[f"phi_s{l}"] = p["phi_p"], p["phi_s"]
        eff[f"channels{l}"] = branch_channels(D, J, int(p["Dp"]), int(p["S"]))
    return eff


def export(params, path_npz):
    """Write `effective(params)`; names and shapes are in mm_shapes.mlir."""
    reference_io.save(path_npz, effective(params))


def run_exported(eff, x, trace=None, f=activation("relu")):
    """Logits (..., steps, classes) from exported parameters; x is (..., steps,
    inputs), so one sample or many at once; f is the branch nonlinearity."""
    x = np.asarray(x, dtype=np.float64)
    inputs = eff["W0"].shape[1]
    if x.ndim < 2 or x.shape[-1] != inputs:
        raise ValueError(f"expected input (steps, {inputs}), found {x.shape}")
    parts = []
    for l in range(layers(eff)):
        shape = (*x.shape[:-2], eff[f"W{l}"].shape[0])
        parts.append(
            Lif(eff, l, shape) if "keep" in eff else Dendrites(eff, l, shape, f)
        )
    logits = []
    for h in np.moveaxis(x, -2, 0):
        for l, part in enumerate(parts):
            I = h @ eff[f"W{l}"].T + eff[f"b{l}"]
            h, seen = part.step(I)
            for name, value in {"I": I, **seen, "s": h}.items():
                reference_io.put_trace(trace, f"L{l}.{name}", value)
        logits.append(h @ eff["Wout"].T + eff["bout"])
        reference_io.put_trace(trace, "out.y", logits[-1])
    reference_io.finish_trace(trace)
    shape = (x.shape[-2], *x.shape[:-2], len(eff["bout"]))
    return np.moveaxis(np.reshape(logits, shape), 0, -2)


def run(params, x, trace=None):
    """Logits per step (..., steps, classes) before averaging; x is (..., steps,
    inputs).

    A sample's logits are their mean over all steps (over the last 10 for the XOR
    task). Trace, steps first: L{l}.I input current, L{l}.Vs soma potential (LIF:
    L{l}.v membrane after reset), L{l}.s integer spikes, out.y logits.
    """
    if params["meta"].get("neuron") in baselines.BASELINES:
        return baselines.run(params, x, trace)
    f = activation(params["meta"].get("f", "relu"))
    return run_exported(effective(params), x, trace, f)


def random_diagonal(rng, J, K):
    return {
        "lam_re": -rng.uniform(0.2, 1.0, (J, K)),
        "lam_im": np.pi * np.arange(K) * np.ones((J, 1)),
        "dt": np.geomspace(0.02, 0.5, J),
        "C": rng.normal(0, 0.7, (J, K, 2)),
        "B": rng.normal(0, 0.7, (J, K, 2)),
    }


def random_checkpoint(seed, small=True, cable=False, sizes=None, layers=2):
    """A random network with the checkpoint's keys; `sizes`: inputs, D, J, K, D', S,
    classes; small: 12 channels; cable: branches as cables instead of complex
    diagonal systems."""
    rng = np.random.default_rng(seed)
    inputs, D, J, K, Dp, S, classes = sizes or (
        (6, 12, 3, 4, 6, 3, 4) if small else (32, 128, 4, 8, 56, 24, 10)
    )
    params = {}
    for l, fan_in in enumerate((inputs, *[D] * (layers - 1))):
        layer = {
            "W": rng.normal(0, 1.2 / np.sqrt(fan_in), (D, fan_in)),
            "b": rng.normal(0, 0.1, D),
            **(random_branches if cable else random_diagonal)(rng, J, K),
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
    params["meta"] = {"J": J, "K": K, "U": 4, "f": "relu", "H": D, "layers": layers}
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


def evaluate(path, x_path, y_path, report, batch=10):
    """Accuracy and activity over a test set (samples, steps, inputs).  Few samples
    at a time: larger arrays go back to the kernel after every operation."""
    params = load(path)
    x, y = np.load(x_path, allow_pickle=False), np.load(y_path, allow_pickle=False)
    if x.ndim != 3 or y.shape != x.shape[:1]:
        raise ValueError(
            f"expected samples (n, steps, inputs) and labels (n,), found {x.shape} "
            f"in {x_path} and {y.shape} in {y_path}"
        )
    if params["meta"].get("decode", "mean") != "mean":
        raise ValueError(
            f"{path}: decode '{params['meta']['decode']}', expected 'mean'"
        )
    right, size, nonzero = 0, np.zeros(layers(params)), np.zeros(layers(params))
    for first in range(0, len(x), batch):
        trace = {}
        logits = run(params, x[first : first + batch], trace).mean(axis=-2)
        right += int((logits.argmax(-1) == y[first : first + batch]).sum())
        for l in range(layers(params)):
            s = trace[f"L{l}.s"]
            size[l] += np.abs(s).mean() * s.shape[1] / len(x)
            nonzero[l] += (s != 0).mean() * s.shape[1] / len(x)
    report.note(f"accuracy {100 * right / len(x):.1f} % ({right} of {len(x)})")
    eff = effective(params) if "lam_re0" in params and "taus0" in params else {}
    for l in range(layers(params)):
        report.note(
            f"L{l} mean |S| {size[l]:.3f}, non-zero {100 * nonzero[l]:.1f} %"
        )
        if f"A{l}_re" in eff:
            report.note(
                f"L{l} phi_p {eff[f'phi_p{l}']:.3f}, phi_s {eff[f'phi_s{l}']:.3f}, "
                f"tau_s {params[f'taus{l}']:.2f}, largest |A| "
                f"{np.hypot(eff[f'A{l}_re'], eff[f'A{l}_im']).max():.4f}"
            )


if __name__ == "__main__":
    sys.exit(reference_io.main(sys.modules[__name__]))
