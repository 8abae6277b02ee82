# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/mmdend/Branches.cpp,
# compiler/transforms/quantise/LayerScale.cpp.
"""MMDEND from trained checkpoints on the chip: accuracy beside float, the
paper's orderings, engines equal to the bit, forms of spikes, counts by hand.
usage: mmdend_test.py DENDROLITH DENDROLITH_OPT [accuracy|engines|counts|shapes]"""
import re

from mmdend_checkpoints import checkpoint, save

from support import FOLDER, ROOT, check, dendrolith, np, run, sys

MODELS = ROOT / "models" / "mmdend"
CALIBRATE = ["--calibrate", MODELS / "calib_x.npy"]
TEST = ["--input", MODELS / "test_x.npy", "--labels", MODELS / "test_y.npy"]
few = FOLDER / "few.npy"
np.save(few, np.load(MODELS / "test_x.npy")[:12])


# Every state, spike value and read-out equal in reference, functional, cycle.
def engines(title, model, target, traces, x=few, more=()):
    """Outputs of both engines, each verified against the reference."""
    both = [run(f"{title}-{engine}", model, "--input", x, *more, "--target", target,
                "--engine", engine, "--verify", "--trace", ",".join(traces))
            for engine in ("functional", "cycle")]
    (one, outputs, traced), (two, again, timed) = both
    check(np.array_equal(outputs, again)
          and all(np.array_equal(traced[t], timed[t]) for t in traced),
          f"{title}: engines agree, {len(traced)} traces")
    check(one["counts"]["total"]["microcode"] == two["counts"]["total"]["microcode"],
          f"{title}: equal counts")
    return one, outputs, traced


MODES = [f"L{l}:V{j}.{part}" for l in (0, 1) for j in range(4) for part in ("re", "im")]
ALL = ["L0", "L1", "L0:Vs", "L1:Vs", *MODES]


def accuracies():
    # Accuracy on all 1000 test images, as models/mmdend/CHIP.md states it.
    accuracy = {}
    for name in ("sparse", "dense", "single", "ternary", "lif"):
        beside = ["--compare", "float"] if name in ("sparse", "dense") else []
        result, _, _ = run(name, MODELS / f"{name}.npz", *TEST, *CALIBRATE, *beside,
                           "--target", "loihi2")
        accuracy[name] = result["score"]["value"]
        if beside:
            real = result["compare"]["score"]["value"]
            check(abs(accuracy[name] - real) <= 0.01,
                  f"{name}: {accuracy[name]:.3f} on the chip, {real:.3f} in float")
    check(accuracy["sparse"] > accuracy["single"] + 0.03,
          f"four branches above one: {accuracy['sparse']:.3f}, {accuracy['single']:.3f}")
    check(accuracy["sparse"] > accuracy["ternary"] + 0.01 > accuracy["lif"] + 0.1,
          f"integer above ternary above LIF: {accuracy['ternary']:.3f}, "
          f"{accuracy['lif']:.3f}")
    text = (MODELS / "CHIP.md").read_text().split("## On the chip")[1]
    for name, value in accuracy.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
        check(f"| {100 * value:.1f} % |" in row, f"{name}: as CHIP.md states")


def shipped_engines():
    spikes = {}
    for name in ("sparse", "dense"):
        for target in ("loihi2", "loihi2-binary", "ideal"):
            result, outputs, traced = engines(f"{name} on {target}", MODELS / f"{name}.npz",
                                              target, ALL, more=CALIBRATE)
            spikes[name, target] = (outputs, traced["L0"], traced["L1"])
        for target in ("loihi2-binary", "ideal"):
            check(all(np.array_equal(a, b) for a, b in
                      zip(spikes[name, "loihi2"], spikes[name, target])),
                  f"{name}: the same integers on loihi2 and {target}")
        values = {int(k): v for k, v in result["spike_values"]["L0"].items()}
        check(all(np.sum(traced["L0"] == k) == v for k, v in values.items()),
              f"{name}: spike values counted as traced")


def counts():
    # Counts of a step by hand. Each of 224 (channel, branch) pairs of 8 modes takes in
    # the gauge 4 products for A V and 2 for Re(C V), 1 for the direct current and 1
    # for the join. The soma of each channel takes 3.
    pairs, channels = 4 * 56, 128
    result, _, _ = run("counts", MODELS / "sparse.npz", "--input", few, *CALIBRATE,
                       "--target", "loihi2")
    per_step = result["counts"]["total"]["microcode"]["multiply"] / (12 * 32)
    check(per_step == 2 * (pairs * (6 * 8 + 2) + 3 * channels),
          f"products of a step: {per_step:.0f}")
    rungs = result["counts"]["total"]["ssf_rungs"] / (12 * 32)
    check(rungs == 2 * channels * 8, f"rungs of a step: {rungs:.0f}")

    # Without --calibrate the checkpoint's own examples set the ranges.
    printed = dendrolith("compile", MODELS / "sparse.npz", "--target", "loihi2")
    check("4 samples of 32 steps, the model's own examples" in printed,
          "compiles without samples")

    # An image beside the float network that it was compiled from.
    image = FOLDER / "sparse.dlp"
    dendrolith("compile", MODELS / "sparse.npz", "--target", "loihi2", *CALIBRATE, "-o", image)
    beside = dendrolith("run", image, *TEST, "--compare", "float", "--model", MODELS / "sparse.npz")
    check(re.search(r"92\.40 % \(95 %: [\d. to]+\) of 1000 samples on 'loihi2'", beside) and
          "92.20 % on the float" in beside,
          "accuracy of an image beside float")

    # Checkpoints of others.
    SHARED = ROOT.parent / "shared" / "data" / "checkpoints"
    if (SHARED / "test_shapes_public.npz").exists():
        images = np.load(SHARED / "test_shapes_public.npz")
        np.save(FOLDER / "others_x.npy", images["x"])
        np.save(FOLDER / "others_y.npy", images["y"])
        for name in ("mm_shapes_sparse", "lif_shapes"):
            result, _, _ = run(name, SHARED / f"{name}.npz", "--target", "loihi2",
                               "--input", FOLDER / "others_x.npy", "--labels",
                               FOLDER / "others_y.npy", "--compare", "float")
            check(abs(result["score"]["value"] - result["compare"]["score"]["value"]) <= 0.015,
                  f"{name}: {result['score']['value']:.4f} on the chip, "
                  f"{result['compare']['score']['value']:.4f} in float, 400 images")
    else:
        print("skipped: checkpoints of others are not here")


def shapes():
    # Any shape, form and branch activation.
    SHAPES = {
        "three shapes": dict(inputs=5, shapes=[("turning modes", 1, 1, 7, 0),
                                               ("turning modes", 4, 2, 3, 3),
                                               ("turning modes", 2, 20, 9, 2)],
                             U=6, Vth=1.5),
        "leaky cables": dict(inputs=4, shapes=[("cable", 2, 5, 8, 4),
                                               ("turning cable", 3, 4, 4, 2)],
                             f="leaky_relu"),
        "tanh": dict(inputs=6, shapes=[("turning modes", 3, 4, 6, 3),
                                       ("cable", 3, 4, 6, 3)], f="tanh"),
    }
    rng = np.random.default_rng(5)
    for seed, (title, network) in enumerate(SHAPES.items()):
        model = save(FOLDER / f"{seed}.npz", checkpoint(seed, **network))
        x = FOLDER / f"{seed}.npy"
        np.save(x, rng.normal(0, 1, (4, 20, network["inputs"])))
        layers = [f"L{l}" for l in range(len(network["shapes"]))]
        traces = layers + [f"{layer}:Vs" for layer in layers]
        for target in ("loihi2", "loihi2-binary,host.payload_bits=8,host.sign=true"):
            _, outputs, traced = engines(f"{title} on {target}", model, target, traces, x)
            check(all(np.any(traced[layer]) for layer in layers),
                  f"{title} on {target}: every layer fires")
        result, _, _ = run("close", model, "--input", x, "--target", "loihi2",
                           "--compare", "float")
        check(result["compare"]["rate_cosine"] > 0.95,
              f"{title}: rate cosine {result['compare']['rate_cosine']:.4f} to float")


# Each part is a ctest test of its own.
PARTS = {"accuracy": accuracies, "engines": shipped_engines, "counts": counts,
         "shapes": shapes}
for part in sys.argv[3:] or PARTS:
    PARTS[part]()
