# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/dendricl/Dendricl.cpp, simulator/report/paper/CountRows.cpp,
# compiler/transforms/structure/DendGauge.cpp.
"""DendriCL checkpoints (.npz) as they are imported: equal to the reference and to
stored results in float, every form of the soma; on the chip the label at the query
is hidden, the gauge changes nothing, and a context has any length."""
import importlib.util
import json
import subprocess
import sys

from dendricl_networks import random_net, save, tasks
from support import FOLDER, DENDROLITH, ROOT, check, dendrolith, np, run

SHARED = ROOT.parent / "shared" / "data" / "checkpoints"
sys.path.insert(0, str(ROOT / "models"))
import reference_io  # noqa: E402

spec = importlib.util.spec_from_file_location(
    "dendricl_reference", ROOT / "models" / "dendricl" / "reference.py")
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

TOLERANCE = 1e-9
TRACES = ("--trace", "soma,block,apical:u")


def forward(params, x, micro, decay, carried):
    """Read-out, spikes of the soma and of the block, u after each token."""
    d = params["WA"].shape[1]
    u = np.zeros(len(params["WA"]))
    v1, v2 = np.zeros(len(params["WB"])), np.zeros(len(params["F1.weight"]))
    outputs, soma, block, states = [], [], [], []
    for token in x:
        a, open_ = params["WA"] @ token[:d], 1 - token[d + 1]
        predicted = u @ a
        e = open_ * (token[d] - predicted)
        seen = token.copy()
        seen[d] *= open_
        current = (params["gB"] * (params["WB"] @ seen + params["bB"]) +
                   params["gA"] * (params["WO"] @ u))
        u = params["alpha"] * u + params["gamma"] * e * a
        if not carried:
            v1, v2 = 0 * v1, 0 * v2
        total = 0
        for _ in range(micro):
            v1 = decay * v1 + current
            s1 = (v1 > params["th1"]) * 1
            v1 = v1 - params["th1"] * s1
            v2 = decay * v2 + params["F1.weight"] @ s1 + params["F1.bias"]
            s2 = (v2 > params["th2"]) * 1
            v2 = v2 - params["th2"] * s2
            total = total + s2
            soma.append(s1)
            block.append(s2)
        outputs.append(params["R.weight"] @ (params["F2.weight"] @ (total / micro) +
                                             params["F2.bias"]) + params["R.bias"])
        if "readout" in params["meta"]:
            outputs[-1] = outputs[-1] + params["Ry"] * predicted
        states.append(u)
    return np.array(outputs), np.array(soma), np.array(block), np.array(states)


def same(title, checkpoint, x, expected):
    """The float engine against (outputs, soma, block, u), all by sample."""
    _, outputs, traces = run("float", checkpoint, "--input", save("x.npy", x),
                             "--engine", "float", *TRACES)
    found = [outputs, traces["soma"], traces["block"], traces["apical:u"]]
    found = [f.reshape(np.shape(e)) for f, e in zip(found, expected)]
    gap = max(np.abs(found[0] - expected[0]).max(), np.abs(found[3] - expected[3]).max())
    flips = sum(int(np.sum(f != e)) for f, e in zip(found[1:3], expected[1:3]))
    spikes = int(np.sum(expected[1]) + np.sum(expected[2]))
    check(gap <= TOLERANCE and flips == 0 and spikes > 20,
          f"{title}: {gap:.1e}, {flips} differing spikes of {spikes}")


# Every form of the soma, on networks whose sizes are all different.
FORMS = {"four micro steps": ({}, 4, 0.75, False),
         "virtual, one micro step": ({"soma": "virtual", "n_micro": 1}, 1, 0.75, False),
         "virtual, seven, slow": ({"n_micro": 7, "decay": 0.9}, 7, 0.9, False),
         "memoryless": ({"soma": "memoryless"}, 1, 0, False),
         "leaky": ({"soma": "leaky", "decay": 0.5}, 1, 0.5, True),
         "with the prediction": ({"readout": "ff+prediction"}, 4, 0.75, False)}
for seed, (title, (meta, *form)) in enumerate(FORMS.items()):
    params = random_net(seed, **meta)
    reference_io.save(FOLDER / "net.npz", params)
    x, _ = tasks(seed, 3, 9, 4)
    expected = [np.array(part) for part in
                zip(*(forward(params, sample, *form) for sample in x))]
    same(f"random, {title}", FOLDER / "net.npz", x, expected)
for seed in range(3):
    params = reference.random_checkpoint(seed, small=seed < 2)
    reference_io.save(FOLDER / "net.npz", params)
    x = np.array([reference.random_input(s, params) for s in range(3)])
    traces = [{} for _ in x]
    outputs = np.array([reference.run(params, s, t) for s, t in zip(x, traces)])
    part = lambda key: np.array([t[key] for t in traces])
    same(f"checkpoint {seed} of reference.py", FOLDER / "net.npz", x,
         [outputs, part("S.s"), part("B.s"), part("A.u_after")])
reference_io.save(FOLDER / "wide.npz", random_net(0, 20, 384, 384, 768))
result, _, _ = run("wide", FOLDER / "wide.npz", "--input",
                   save("x.npy", tasks(0, 1, 2, 20)[0]), "--engine", "float")
check(result["wall_s"]["load"] < 10, f"384/384 imports in {result['wall_s']['load']:.2f} s")

# On the chip.
def on_chip(name, checkpoint, x, *flags, traces="soma,block"):
    return run(name, checkpoint, "--target", "loihi2", "--input", save("x.npy", x),
               "--trace", traces, *flags)


for soma in ("memoryless", "leaky"):
    reference_io.save(FOLDER / "soma.npz", random_net(1, 5, 16, 32, 64, soma=soma))
    _, on, _ = on_chip(soma, FOLDER / "soma.npz", tasks(1, 8, 10, 5)[0], "--verify")
    _, real, _ = run("float", FOLDER / "soma.npz", "--input", FOLDER / "x.npy", "--engine",
                     "float")
    near = np.corrcoef(on.ravel(), real.ravel())[0, 1]
    check(near > 0.8, f"{soma} on the chip: verified, correlation with float {near:.4f}")

# A read-out of the prediction alone, W_A = I, alpha = 1, gamma = 1/(d+2): the LMS rule,
# whose R2 without noise has a closed form (Appendix B).
D, K = 6, 12
rule = random_net(2, D, D, 8, 8, readout="ff+prediction")
for key in ("F2.weight", "F2.bias", "R.weight", "R.bias"):
    rule[key] = 0 * rule[key]
rule.update({"WA": np.eye(D), "alpha": np.array(1.0), "gamma": np.array(1 / (D + 2)),
             "Ry": np.array(1.0)})
reference_io.save(FOLDER / "rule.npz", rule)
x, label = tasks(11, 10000, K, D)
save("y.npy", label)
real, _, _ = run("rule", FOLDER / "rule.npz", "--input", save("x.npy", x), "--labels",
                 FOLDER / "y.npy", "--metric", "r2", "--engine", "float")
_, answers, _ = run("rule", FOLDER / "rule.npz", "--input", FOLDER / "x.npy", "--engine", "float")
square = (label - label.mean()) ** 2
each = (answers[:, -1, 0] - label) ** 2 - (1 - real["score"]["value"]) * square
error = np.std(each) / np.sqrt(len(label)) / np.mean(square)
closed = 1 - (1 - 1 / (D + 2)) ** K
check(abs(real["score"]["value"] - closed) < 3 * error,
      f"LMS rule: R2 {real['score']['value']:.4f}, closed form {closed:.4f}, standard error {error:.4f}")
result, _, _ = run("rule-chip", FOLDER / "rule.npz", "--target", "loihi2", "--input",
                   FOLDER / "x.npy", "--labels", FOLDER / "y.npy", "--metric", "r2",
                   "--input-bits", "12")
check(abs(result["score"]["value"] - closed) < 3 * error, f"on the chip, 12 input bits: {result['score']['value']:.4f}")
_, split, _ = run("rule-split", FOLDER / "rule.npz", "--target", "loihi2", "--input",
                  save("few.npy", x[:20]), "--calibrate", FOLDER / "x.npy", "--split-dendrite",
                  "4+2", "--engine", "cycle", "--verify")
_, wide, _ = run("rule-wide", FOLDER / "rule.npz", "--target", "loihi2", "--input",
                 FOLDER / "few.npy", "--calibrate", FOLDER / "x.npy", "--split-dendrite", "wide")
check(split.tobytes() == wide.tobytes() and np.any(wide), "a predictor that answers, in parts")

NET = FOLDER / "tiny.npz"
TINY = random_net(5, 4, 8, 24, 40)
reference_io.save(NET, TINY)
x, label = tasks(7, 24, 20, 4)
result, outputs, traces = on_chip("plain", NET, x, "--verify", "--metric", "r2", "--labels",
                                  save("y.npy", label), "--compare", "float")
_, real, _ = run("real", NET, "--input", FOLDER / "x.npy", "--engine", "float")


def r2(answers, labels):
    return 1 - np.sum((answers - labels) ** 2) / np.sum((labels - labels.mean()) ** 2)


check(np.isclose(result["score"]["value"], r2(outputs[:, -1, 0], label)) and
      np.isclose(result["compare"]["score"]["value"], r2(real[:, -1, 0], label)) and
      result["metric"] == {"name": "r2", "decode": "last=1", "from": "model"},
      f"R2 of the last token: {result['score']['value']:.4f} on the chip, "
      f"{result['compare']['score']['value']:.4f} in float")
rms = np.sqrt(np.mean((outputs[:, -1] - real[:, -1]) ** 2))
check(np.isclose(result["compare"]["answer_rms"], rms), f"answers {rms:.4f} apart")

# Conventions take a layer that cores do in parts as one.
rows = [layer for layer in result["layers"] if layer["kind"] == "population"]
divided = [layer["population"] for layer in rows if layer["counts"] is None]
priced = json.loads(dendrolith("report", FOLDER / "plain", "--conventions", "--format", "json"))
spikes = sum(layer["counts"]["spikes"]["binary"] for layer in rows if layer["counts"])
formula, = (each["per_sample_pJ"] for each in priced["conventions"] if each["name"] == "dendricl2026-loihi")
check(divided == ["apical"] and np.isclose(formula, .9 * spikes / result["samples"]),
      f"{divided} in parts: {formula:.1f} pJ a sample for {spikes} spikes of {result['samples']} samples")

told = x.copy()
told[:, -1, 4] = 100 * label
_, leaked, again = on_chip("told", NET, told)
check(leaked.tobytes() == outputs.tobytes() and
      all(again[k].tobytes() == traces[k].tobytes() for k in ("soma", "block")),
      "the label at the query changes no byte")
image = FOLDER / "net.dlp"
dendrolith("compile", NET, "--target", "loihi2", "--calibrate", save("told.npy", told), "-o", image)
_, plain, _ = run("image", image, "--input", save("x.npy", x))
_, leaked, _ = run("image-told", image, "--input", FOLDER / "told.npy")
check(plain.tobytes() == leaked.tobytes(), "nor in a compiled program")
said = subprocess.run([DENDROLITH, "run", image, "--input", FOLDER / "told.npy"], check=True,
                      capture_output=True, text=True).stderr
check("told.npy" in said and "24 of 24 samples tell the label" in said, "which is said")
told[:, -2, 4] += 1
_, moved, _ = run("moved", image, "--input", save("moved.npy", told))
check(not np.array_equal(moved, plain), "the label of a token before it does")

for c in (2.0, 0.5):
    reference_io.save(FOLDER / "gauge.npz", {**TINY, "WA": c * TINY["WA"], "WO": c * TINY["WO"],
                                             "gamma": TINY["gamma"] / c**2})
    _, turned, shifted = on_chip("gauge", FOLDER / "gauge.npz", x)
    check(turned.tobytes() == outputs.tobytes() and
          all(np.array_equal(shifted[k], traces[k]) for k in ("soma", "block")),
          f"gauge c = {c:g}: the same spikes and answers")

for k in (5, 20, 40):
    longer, _ = tasks(k, 4, k, 4)
    _, on, _ = run("any", image, "--input", save("longer.npy", longer), "--engine", "cycle",
                   "--verify")
    _, real, _ = run("any-real", NET, "--input", FOLDER / "longer.npy", "--engine", "float")
    near = np.corrcoef(on.ravel(), real.ravel())[0, 1]
    check(on.shape == (4, k + 1, 1) and near > 0.85,
          f"one program, {k} tokens and a query: correlation with float {near:.4f}")

# The trained networks on the chip.
MODELS = ROOT / "models" / "dendricl"
for name, d, gap in (("small_sparse", 10, 0.01), ("d10", 10, 0.01)):
    result, _, _ = run(f"trained-{name}", MODELS / f"{name}.npz", "--target", "loihi2",
                       "--override-limit", "registers", "--input",
                       MODELS / f"test_d{d}_x.npy", "--labels",
                       MODELS / f"test_d{d}_y.npy", "--calibrate",
                       MODELS / f"calib_d{d}_x.npy", "--compare", "float",
                       "--metric", "r2")
    away = result["score"]["value"] - result["compare"]["score"]["value"]
    check(abs(away) <= gap, f"{name}: R2 of 300 tasks {result['score']['value']:.4f} on the chip, "
                            f"{away:+.4f} to float")

STORED = SHARED / "dendricl_examples.npz"
if not STORED.exists():
    print(f"skipped: {STORED.name} is not here")
    sys.exit(0)
stored = np.load(STORED)
for name, d in (("d5_tiny", 5), ("d10_small_sparse", 10)):
    of = lambda key: stored[f"{name}/{key}"]
    same(f"trained {name}", SHARED / f"{name}.npz", of("x"),
         [of("out"), of("soma"), of("block"), of("u")[:, 1:]])
    x, label = tasks(3, 1500, 2 * d, d)
    result, _, _ = on_chip(name, SHARED / f"{name}.npz", x, "--metric", "r2", "--labels",
                           save("y.npy", label), "--compare", "float")
    gap = result["score"]["value"] - result["compare"]["score"]["value"]
    check(result["score"]["value"] > 0.6 and abs(gap) <= 0.01,
          f"{name}: R2 of 1500 tasks {result['score']['value']:.4f} on the chip, {gap:+.4f} to float")

# Table 9's accounting of the last run, from its own traces.
folder = FOLDER / "d10_small_sparse"
spikes = np.load(folder / "traces.npz")
count = sum(float(spikes[k].sum()) for k in ("soma", "block")) / 1500
priced = json.loads(dendrolith("report", folder, "--conventions", "--format", "json"))
by = {row["name"]: row for row in priced["conventions"]}
check(np.isclose(by["dendricl2026-loihi"]["per_sample_pJ"], 0.9 * count) and
      np.isclose(by["dendricl2026-spinnaker"]["per_sample_pJ"], 30 * count),
      f"{count / 21:.1f} spikes per token")
shown = dendrolith("report", folder, "--conventions")
low, high = (result["energy"][end]["total_pJ"] / 1500 / (0.9 * count)
             for end in ("low", "high"))
print(shown)
check(f"{low:.3g} to {high:.3g}" in shown, f"counted over formula: {low:.3g} to {high:.3g}")
