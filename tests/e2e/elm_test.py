# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/elm/Elm.cpp,
# models/elm/elm_relu.mlir.
"""ELM checkpoints (.npz) as they are imported: equal to the reference and to the
network in the `dend` dialect in float, on the chip equal to the integer
reference in both engines, decoded at the last step, and in little memory."""
import resource
import subprocess
import sys

from support import FOLDER, DENDROLITH, ROOT, check, np, run

MODEL = ROOT / "models" / "elm"
sys.path[:0] = [str(MODEL), str(MODEL.parent)]
import reference  # noqa: E402
import reference_io  # noqa: E402

TOLERANCE = 1e-9
STORED = ROOT.parent / "shared" / "data" / "checkpoints" / "elm_relu.npz"
CHECKPOINT, X, Y = (FOLDER / name for name in ("net.npz", "x.npy", "y.npy"))


def inputs(params, samples, steps):
    return np.array([reference.random_input(s, params, steps) for s in range(samples)])


def in_float(params, x, *flags):
    """Outputs of the checkpoint; the reference's are checked against them."""
    reference_io.save(CHECKPOINT, params)
    np.save(X, x)
    trace = {}
    expected = np.array([reference.run(params, sample) for sample in x])
    reference.run(params, x[0], trace)
    _, found, traces = run("float", CHECKPOINT, "--input", X, "--engine", "float",
                           "--trace", "rec,rec:m,rec:r,ro", *flags)
    gaps = [np.abs(found - expected).max()]
    for name, there in (("rec.a", "rec"), ("rec.m", "rec:m"), ("rec.r", "rec:r"),
                        ("ro.y", "ro")):
        gaps.append(np.abs(traces[there][0].reshape(trace[name].shape) - trace[name]).max())
    return found, max(gaps)


def forms():
    """Sizes and shapes that the layout allows, by title."""
    for out in ("relu", "binary"):
        yield f"small, {out}", reference.random_checkpoint(2, out=out)
    twice = reference.random_checkpoint(3)
    twice["rec_idx"][:, 1] = twice["rec_idx"][:, 0]  # one source twice on a branch
    twice["ro_idx"][0, :] = twice["ro_idx"][0, 0]
    yield "sources met twice", twice
    plain = reference.random_checkpoint(4)
    plain["rec_W1"], plain["rec_b1"] = plain["rec_W1"][..., :3], plain["rec_b1"][..., :3]
    yield "no hidden layer", {k: v for k, v in plain.items() if k not in ("rec_W2", "rec_b2")}
    deep = reference.random_checkpoint(5)
    yield "a read-out with a hidden layer", {
        **deep, "ro_W2": np.full((3, 3, 3), 0.4), "ro_b2": np.full((3, 1, 3), -0.1)}
    alone = reference.random_checkpoint(6)
    alone["rec_idx"] %= 10
    yield "no recurrence", alone


for title, params in forms():
    x = inputs(params, 3, 12)
    found, gap = in_float(params, x)
    check(gap <= TOLERANCE, f"{title}: {gap:.1e} from the reference")
    outputs = []
    for engine in ("functional", "cycle"):
        _, chip, _ = run(engine, CHECKPOINT, "--input", X, "--target", "loihi2", "--engine",
                         engine, "--verify", "--trace", "rec,rec:m")
        outputs.append(chip)
    near = np.corrcoef(outputs[0].ravel(), found.ravel())[0, 1]
    check(np.array_equal(*outputs) and near > 0.97,
          f"{title}: engines equal, correlation with float {near:.4f}")

# The network as documentation, and the checkpoint, are one network.
params = reference.random_checkpoint(7, size="elm_relu")
x = inputs(params, 2, 20)
found, gap = in_float(params, x)
reference.export(params, FOLDER / "w.npz")
_, written, _ = run("written", MODEL / "elm_relu.mlir", "--weights", FOLDER / "w.npz",
                    "--input", X, "--engine", "float")
check(gap <= TOLERANCE and np.abs(found - written).max() <= TOLERANCE,
      f"elm_relu.mlir: {np.abs(found - written).max():.1e} from the checkpoint")

if STORED.exists():
    params = reference.load(STORED)
    found, gap = in_float(params, params["x_ex"])
    far = np.abs(found[:, -1] - params["logits_ex"]).max()
    check(gap <= TOLERANCE and far <= 1e-5, f"stored logits: {far:.1e}")
else:
    print("skipped: elm_relu.npz is not here")

# Labels are judged by the last step without being told.
params = reference.random_checkpoint(8)
x = inputs(params, 20, 9)
y = np.argmax(reference.scores_of(params, x), axis=1)
reference_io.save(CHECKPOINT, params)
np.save(X, x)
np.save(Y, y)
result, _, _ = run("labels", CHECKPOINT, "--input", X, "--labels", Y, "--engine", "float")
check(result["score"]["value"] == 1.0, "answers are decoded at the last step")

# A trained network of the family on its whole test set.
result, _, _ = run("family", MODEL / "family" / "p4000_m3_s0.npz", "--target", "loihi2",
                   "--calibrate", MODEL / "calib_x.npy", "--input", MODEL / "test_x.npy",
                   "--labels", MODEL / "test_y.npy", "--compare", "float",
                   "--round", "adaptive")
score, real = result["score"]["value"], result["compare"]["score"]["value"]
check(real > 0.7 and abs(score - real) <= 0.01,
      f"p4000_m3_s0: {100 * score:.2f} % on the chip, {100 * real:.2f} % in float")

# A chip of four bits costs it two points; trained on with the chip in the loop, it is back.
def at_four_bits(network):
    found, _, _ = run("four", network, "--target", "loihi2,formats.weight_bits=4",
                      "--calibrate", MODEL / "calib_x.npy", "--input", MODEL / "test_x.npy",
                      "--labels", MODEL / "test_y.npy")
    return found["score"]["value"]


before, after = (at_four_bits(MODEL / name) for name in ("family/p4000_m3_s0.npz", "p4000_m3_s0_4bit.npz"))
check(real - 0.03 < before < after and after > real - 0.02,
      f"four bits: {100 * before:.2f} %, trained with the chip {100 * after:.2f} %")

# A layer for text: 921,600 synapses, which would be 525 MB as matrices.
params = reference.random_checkpoint(9, size="enwik8")
reference_io.save(CHECKPOINT, params)
np.save(X, np.eye(204)[None, :4])
subprocess.run([DENDROLITH, "compile", CHECKPOINT, "--target", "loihi2", "--calibrate", X,
                "--map-for", "cores", "-o", FOLDER / "net.dlp"], check=True,
               capture_output=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
check(peak < 600e3, f"the layer for text compiles in {peak / 1e3:.0f} MB")
