# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/mmdend/Branches.cpp,
# compiler/transforms/structure/ExpandBranch.cpp.
"""Checkpoints of MMDEND and LIF networks against their references: as imported,
as independent modes, without input gains, and expanded to arithmetic."""
import importlib.util
import os
import subprocess

from mmdend_checkpoints import checkpoint, save
from support import FOLDER, DENDROLITH_OPT, ROOT, check, dendrolith, np, run

spec = importlib.util.spec_from_file_location(
    "mmdend_reference", ROOT / "models" / "mmdend" / "reference.py")
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

TOLERANCE = 1e-9
STEPS = 25
FORMS = {
    "diagonalise": ["--dend-diagonalise"],
    "gauge": ["--dend-gauge"],
    "both": ["--dend-diagonalise", "--dend-gauge"],
    "expanded": ["--dend-diagonalise", "--dend-gauge", "--dend-expand-structure"],
    "expanded with gains": ["--dend-diagonalise", "--dend-expand-structure"],
}
NETWORKS = {
    "two layers of modes": dict(
        inputs=6, shapes=[("turning modes", 3, 4, 6, 3), ("turning modes", 3, 4, 6, 3)]),
    "three shapes": dict(
        inputs=5, shapes=[("turning modes", 1, 1, 7, 0), ("turning modes", 4, 2, 3, 3),
                          ("turning modes", 2, 20, 9, 2)], U=6, Vth=1.5),
    "cables": dict(
        inputs=4, shapes=[("cable", 2, 5, 8, 4), ("cable", 3, 1, 4, 2)]),
    "modes without rotation": dict(
        inputs=7, shapes=[("modes", 3, 5, 6, 3), ("cable", 2, 3, 6, 3)]),
    "a cable that turns": dict(
        inputs=4, shapes=[("turning cable", 2, 6, 8, 4), ("turning modes", 1, 3, 5, 0)]),
    "cables of both kinds in one model": dict(
        inputs=8, shapes=[("cable", 2, 4, 5, 3), ("turning cable", 2, 4, 5, 3)]),
}


def form_of(title, model, passes):
    path = FOLDER / f"{title}.mlir"
    subprocess.run([DENDROLITH_OPT, model, *passes, "-o", path], check=True)
    return path


def largest_gap(name, model, samples, expected, somas=()):
    """The largest gap of outputs and soma potentials, {"L0": (samples, ...), ...}:
    outputs alone would not show a drift that crosses no threshold."""
    x = FOLDER / "x.npy"
    np.save(x, samples)
    trace = ["--trace", ",".join(f"{layer}:Vs" for layer in somas)] if somas else []
    _, outputs, traces = run(name, model, "--input", x, "--engine", "float", *trace)
    gaps = [np.abs(outputs - expected)]
    gaps += [np.abs(traces[f"{layer}:Vs"].reshape(Vs.shape) - Vs)
             for layer, Vs in dict(somas).items()]
    return float(max(np.max(gap) for gap in gaps))


for seed, (title, network) in enumerate(NETWORKS.items()):
    params = checkpoint(seed, **network)
    path = save(FOLDER / "net.npz", params)
    rng = np.random.default_rng(100 + seed)
    samples = rng.normal(0, 1, (3, STEPS, network["inputs"]))
    traces = [{} for _ in samples]
    expected = np.array([reference.run(params, x, t)
                         for x, t in zip(samples, traces)])
    somas = {f"L{l}": np.array([t[f"L{l}.Vs"] for t in traces])
             for l in range(len(network["shapes"]))}
    spikes = sum(np.count_nonzero(t[f"L{l}.s"]) for t in traces
                 for l in range(len(network["shapes"])))
    check(spikes > 100, f"{title}: {spikes} spikes in the reference")
    gap = largest_gap("as_imported", path, samples, expected, somas)
    check(gap <= TOLERANCE, f"{title}, as imported: {gap:.1e}")
    text = FOLDER / "imported.mlir"
    dendrolith("compile", path, "--emit", "dend", "-o", text)
    for form, passes in FORMS.items():
        model = form_of("form", text, passes)
        gap = largest_gap("form", model, samples, expected, somas)
        body = model.read_text()
        check(gap <= TOLERANCE, f"{title}, {form}: {gap:.1e}")
        if "--dend-diagonalise" in passes:
            check("dend.cable" not in body, f"{title}, {form}: no cable left")
        if form == "both":
            check(" G %" not in body, f"{title}, {form}: no input gain left")
            turning = any("turning" in shape[0] for shape in network["shapes"])
            check(("complex" in body) == turning,
                  f"{title}, {form}: complex only where the spectrum is")
        if "--dend-expand-structure" in passes:
            check("dend.branch" not in body and "complex" not in body,
                  f"{title}, {form}: arithmetic of reals only")

# LIF: h = (1 - 1/tau) v + I/tau; s = [h > 1]; v = h (1 - s).
rng = np.random.default_rng(7)
lif = {"W0": rng.normal(0, 1, (9, 4)), "b0": rng.normal(0.2, 0.1, 9),
       "W1": rng.normal(0, 1, (6, 9)), "b1": rng.normal(0.2, 0.1, 6),
       "Wout": rng.normal(0, 1, (3, 6)), "bout": rng.normal(0, 1, 3),
       "meta": {"neuron": "lif", "tau": 2.5, "layers": 2}}


def run_lif(params, x):
    tau, v, logits = params["meta"]["tau"], [0.0, 0.0], []
    for h in x:
        for l in range(2):
            m = (1 - 1 / tau) * v[l] + (params[f"W{l}"] @ h + params[f"b{l}"]) / tau
            h = (m > 1).astype(float)
            v[l] = m * (1 - h)
        logits.append(params["Wout"] @ h + params["bout"])
    return np.array(logits)


samples = rng.normal(0, 2, (2, STEPS, 4))
gap = largest_gap("lif", save(FOLDER / "lif.npz", lif), samples,
                  np.array([run_lif(lif, x) for x in samples]))
check(gap <= TOLERANCE, f"LIF checkpoint: {gap:.1e}")

_, outputs, _ = run("lif_chip", FOLDER / "lif.npz", "--input", FOLDER / "x.npy",
                    "--target", "ideal", "--engine", "functional", "--verify")
check(outputs.shape == (2, STEPS, 3) and np.ptp(outputs) > 0,
      "LIF checkpoint on the ideal chip")

# The output says how a sample's logits become one vector.
for meta, decode in (({}, "mean"), ({"task": "xor"}, "last=10"),
                     ({"task": "xor", "decode": "last=3"}, "last=3")):
    path = save(FOLDER / "d.npz",
                checkpoint(0, 4, [("turning modes", 1, 2, 3, 0)], **meta))
    check(f'decode "{decode}"' in dendrolith("compile", path, "--emit", "dend"),
          f"{meta}: decode {decode}")

# The trained networks and the logits stored beside them (float32, averaged).
shared = os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared")
for name in ("mm_shapes_sparse", "lif_shapes"):
    path = os.path.join(shared, "data", "checkpoints", name + ".npz")
    if not os.path.exists(path):
        print(f"skipped: {name}.npz is not beside the checkout")
        continue
    stored = np.load(path)
    text = FOLDER / "trained.mlir"
    dendrolith("compile", path, "--emit", "dend", "-o", text)
    np.save(FOLDER / "x.npy", stored["x_ex"])
    for form, model in (("as imported", path),
                        ("without input gains",
                         form_of("trained_form", text, FORMS["both"]))):
        _, outputs, _ = run("trained", model, "--input", FOLDER / "x.npy",
                            "--engine", "float")
        gap = float(np.max(np.abs(outputs.mean(1) - stored["logits_ex"])))
        check(gap <= 1e-5, f"{name}, {form}: {gap:.1e} from the stored logits")
