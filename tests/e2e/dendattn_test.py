# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/dendattn/Dendattn.cpp,
# compiler/import/npz/dendattn/DendattnNetwork.cpp, runtime/session/Score.cpp,
# runtime/arrays/LoadSamples.cpp.
"""DendAttn checkpoints (.npz) as they are imported: equal to the reference in float
at many sizes and to da_mqar.mlir; token ids and vectors alike; on the chip equal to
the integer reference in both engines; answers of each token judged as counted here;
a shipped network near its float score."""
import importlib.util
import json

from support import FOLDER, ROOT, check, dendrolith, np, result_of, run, tables_of

MODEL = ROOT / "models" / "dendattn"
spec = importlib.util.spec_from_file_location("dendattn_reference", MODEL / "reference.py")
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)


def saved(name, array):
    np.save(FOLDER / f"{name}.npy", array)
    return FOLDER / f"{name}.npy"


def checkpoint(name, params):
    path = FOLDER / f"{name}.npz"
    arrays = {key: value for key, value in params.items() if key != "meta"}
    np.savez(path, meta=json.dumps(params["meta"]), **arrays)
    return path


def expected(params, ids):
    return np.stack([reference.run(params, sample) for sample in ids])


# Heads, branches of both kinds, blocks that overlap, touch or are one, value widths.
SIZES = {
    "two heads": {},
    "one branch": dict(H=1, Er=0, Es=1, topk=0, M=1, dkb=4, P=0),
    "shared only": dict(H=1, Er=0, Es=3, topk=0),
    "routed only": dict(Es=0, Er=2, topk=1, H=1),
    "all routed run": dict(Es=2, Er=2, topk=2, L=1),
    "three blocks": dict(dk=6, dv=3, M=3, dkb=2, P=2, L=1, H=3),
    "four taps": dict(conv=4, L=1),
    "one tap": dict(conv=1, L=1, H=1),
    "wide": dict(d=5, H=1, dk=8, dv=2, dkb=8, M=1, P=3, L=3, V=7),
}
for title, sizes in SIZES.items():
    params = reference.random_checkpoint(5, **sizes)
    ids = np.array([reference.random_input(seed, params, 9) for seed in range(2)])
    path = checkpoint("sized", params)
    _, outputs, _ = run("float", path, "--input", saved("ids", ids), "--engine", "float")
    worst = np.max(np.abs(outputs - expected(params, ids)))
    check(worst <= 1e-9, f"{title}: as the reference in float, {worst:.1e}")
    for engine in ("functional", "cycle"):
        result, chip, _ = run("chip", path, "--input", FOLDER / "ids.npy", "--target",
                              "ideal", "--engine", engine, "--verify")
    near = np.corrcoef(chip.ravel(), outputs.ravel())[0, 1]
    check(near > 0.9, f"{title}: verified on the chip, correlation with float {near:.4f}")

# One gain for all heads, as a checkpoint may have it.
params = reference.random_checkpoint(7)
for i in range(params["meta"]["L"]):
    params[f"l_{i}_on"] = params[f"l_{i}_on"][: params["meta"]["dv"]]
ids = np.array([reference.random_input(seed, params, 8) for seed in range(3)])
path = checkpoint("one_gain", params)
_, outputs, _ = run("ids", path, "--input", saved("ids", ids), "--engine", "float")
check(np.max(np.abs(outputs - expected(params, ids))) <= 1e-9, "one gain for all heads")

# Ids, vectors, and one sample of each are the same input, in a model and its image.
vectors = np.eye(params["meta"]["V"], dtype=np.uint8)[ids]
image = FOLDER / "net.dlp"
dendrolith("compile", path, "--target", "ideal", "--calibrate", FOLDER / "ids.npy", "-o", image)
_, chip, _ = run("image-ids", image, "--input", FOLDER / "ids.npy")
for name, given in (("vectors", vectors), ("reals", vectors.astype(float))):
    _, same, _ = run(name, path, "--input", saved(name, given), "--engine", "float")
    check(np.array_equal(same, outputs), f"{name} give what ids give in float")
    _, same, _ = run(name, image, "--input", FOLDER / f"{name}.npy")
    check(np.array_equal(same, chip), f"{name} give what ids give on the chip")
    _, same, _ = run(name, path, "--target", "ideal", "--calibrate", FOLDER / f"{name}.npy",
                     "--input", FOLDER / "ids.npy")
    check(np.array_equal(same, chip), f"calibrating on {name} is calibrating on ids")
_, one, _ = run("one", image, "--input", saved("one", ids[1]))
check(np.array_equal(one, chip[1]) and one.ndim == 2, "one sample of ids")

# Answers of each token, judged where one is asked for.
labels = np.full(ids.shape, -100)
labels[:, 3:] = outputs[:, 3:].argmax(-1)
labels[0, 4] = (labels[0, 4] + 1) % params["meta"]["V"]
labels[2] = -100
saved("y", labels)
result, _, _ = run("judged", image, "--model", path, "--input", FOLDER / "ids.npy",
                   "--labels", FOLDER / "y.npy", "--compare", "float")
predicted = np.load(FOLDER / "judged" / "predicted.npy")
asked = labels != -100
right = (predicted == labels) & asked
check(np.array_equal(predicted, chip.argmax(-1)), "predicted.npy has a class for each token")
score, samples = result["score"], tables_of(FOLDER / "judged")["samples"]
check(score["answers"] == asked.sum() == 10 and score["value"] == right.sum() / 10 and
      score["low"] < score["value"] <= score["high"], f"the score: {score}")
check(result["compare"]["score"]["value"] == 0.9 and
      result["compare"]["answers"] == 10 and result["compare"]["same_class"] ==
      (asked & (predicted == outputs.argmax(-1))).sum(), "the float network's, over the same")
check(samples["correct"] == right.sum(1).tolist() and
      samples["asked"] == asked.sum(1).tolist() == [5, 5, 0] and
      samples["predicted"] is None, "right answers, sample by sample")
matrix = np.zeros((10, 10), int)
np.add.at(matrix, (labels[asked], predicted[asked]), 1)
check(result["confusion"]["counts"] == matrix.tolist(), "the matrix has what is asked")
check(result["metric"] == {"name": "accuracy", "decode": "each", "from": "model"},
      "the model says how it answers")
check(result["neurobench"]["integer"]["ClassificationAccuracy"] == score["value"] and
      result["neurobench"]["float"]["ClassificationAccuracy"] == 0.9, "NeuroBench's names")
text = dendrolith("report", FOLDER / "judged")
check("of 10 answers in 3 samples" in text and
      f"Same class as the float engine: {result['compare']['same_class']} of 10" in text,
      "the report says how many answers")
single, _, _ = run("single", image, "--input", FOLDER / "one.npy", "--labels",
                   saved("one_y", labels[1]))
check(np.load(FOLDER / "single" / "predicted.npy").shape == (8,) and
      single["score"]["answers"] == 5, "one sample without an axis of samples")

# The committed text is the importer's network at the size of da_mqar.
params = reference.random_checkpoint(3, small=False)
reference.export(params, FOLDER / "weights.npz")
ids = np.array([reference.random_input(seed, params, 6) for seed in range(2)])
_, mine, _ = run("mine", checkpoint("da", params), "--input", saved("da", ids),
                 "--engine", "float")
_, text, _ = run("text", MODEL / "da_mqar.mlir", "--weights", FOLDER / "weights.npz",
                 "--input", saved("da_x", np.eye(64)[ids]), "--engine", "float")
worst = max(np.max(np.abs(mine - text)), np.max(np.abs(mine - expected(params, ids))))
check(worst <= 1e-9, f"da_mqar.mlir, the importer and the reference agree: {worst:.1e}")

# A shipped network, on a few sequences.
few = 8
x, y = (np.load(MODEL / f"test_d32_{part}.npy")[:few] for part in "xy")
saved("x", x), saved("y", y)
result, outputs, _ = run("shipped", MODEL / "d32.npz", "--target", "ideal", "--calibrate",
                         MODEL / "calib_d32_x.npy", "--input", FOLDER / "x.npy", "--labels",
                         FOLDER / "y.npy", "--compare", "float")
params = reference.load(MODEL / "d32.npz")
logits = expected(params, x[:2])
_, real, _ = run("shipped-float", MODEL / "d32.npz", "--input", FOLDER / "x.npy",
                 "--engine", "float")
check(np.max(np.abs(real[:2] - logits)) <= 1e-9, "d32 as the reference in float")
gap = 100 * (result["score"]["value"] - result["compare"]["score"]["value"])
check(result["score"]["answers"] == 24 * few and result["score"]["value"] > 0.9 and
      abs(gap) <= 2, f"d32: {100 * result['score']['value']:.1f} % of {24 * few}, "
                     f"{gap:+.1f} points from float")

# The larger one reads a thousandth of its later values from a young state, whose
# squares need bits of their own.
x, y = (np.load(MODEL / f"test_d128_{part}.npy")[:4] for part in "xy")
saved("x", x), saved("y", y)
result, _, _ = run("wide", MODEL / "d128.npz", "--target", "ideal", "--calibrate",
                   MODEL / "calib_d128_x.npy", "--input", FOLDER / "x.npy", "--labels",
                   FOLDER / "y.npy", "--compare", "float")
same, asked = (result["compare"][key] for key in ("same_class", "answers"))
check(asked == 4 * 48 and same >= 0.97 * asked, f"d128: {same} of {asked} as in float")
