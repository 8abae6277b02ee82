# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/pipelines/few_bits/ChooseWeights.cpp, compiler/pipelines/few_bits/Activity.cpp,
# compiler/pipelines/few_bits/BiasCorrection.cpp, compiler/pipelines/few_bits/LinearPort.cpp,
# compiler/transforms/quantise/ChooseLayer.cpp
# and the flags of runtime/options/ModelOptions.cpp.
"""Networks of few bits: accuracies that steps by search and compensating rounding keep,
engines that agree on them, equal images from equal calls, thresholds in steps of their
own, and what is said about flags that cannot be followed."""
import subprocess

from support import FOLDER, DENDROLITH, ROOT, check, dendrolith, np, run

LIF, MMDEND = ROOT / "models/lif", ROOT / "models/mmdend"
BEST = ["--quantise", "search", "--round", "adaptive"]
SHAPES = [LIF / "shapes_lif.nir", "--calibrate", LIF / "calib_x.npy"]
SPARSE = [MMDEND / "sparse.npz", "--calibrate", MMDEND / "calib_x.npy"]
for name, folder in (("lif", LIF), ("mm", MMDEND)):
    np.save(FOLDER / f"{name}.npy", np.load(folder / "test_x.npy")[:200])
    np.save(FOLDER / f"{name}_y.npy", np.load(folder / "test_y.npy")[:200])


def score(name, model, data, target, *options):
    result, outputs, _ = run(name, *model, "--input", FOLDER / f"{data}.npy", "--labels",
                             FOLDER / f"{data}_y.npy", "--target", target, *options)
    return 100 * result["score"]["value"], result, outputs


# At least what the tables in compiler/transforms/quantise/FEW_BITS.md have, less two
# standard deviations of 200 samples.
for bits, least in ((4, 90), (3, 85)):
    before, _, _ = score(f"lif{bits}max", SHAPES, "lif", f"loihi1,formats.weight_bits={bits}",
                         "--quantise", "max", "--round", "nearest")
    now, result, _ = score(f"lif{bits}", SHAPES, "lif", f"loihi1,formats.weight_bits={bits}", *BEST)
    check(now >= least and before < 50,
          f"shapes_lif at {bits} bits: {now:.1f} % (at least {least}), {before:.1f} % by the "
          "largest weight")
    now, _, _ = score(f"sparse{bits}", SPARSE, "mm", f"loihi2,formats.weight_bits={bits}", *BEST)
    check(now >= 88, f"sparse at {bits} bits: {now:.1f} % (at least 88)")

# Branches have steps of their own, what their means lost goes to the bias behind them, and the
# read-out keeps 8 bits unless it is named. Within two points of float.
ELM = ROOT / "models/elm"
for name in ("p4000_m3_s0", "p2000_m1_s0"):
    scores, rows = [], None
    for flags in ((), ("--weight-bits", "4"), ("--weight-bits", "4,4,4,4"),
                  ("--weight-bits", "4,4,4,4", "--tuning", "{rescaling: false}")):
        found, _, _ = run("elm", ELM / "family" / f"{name}.npz", "--target", "loihi2", "--input",
                          ELM / "test_x.npy", "--labels", ELM / "test_y.npy", "--calibrate",
                          ELM / "calib_x.npy", *flags)
        scores.append(100 * found["score"]["value"])
        if len(flags) == 2 and rows is None:
            rows = {(row["layer"], row["source"]): row for row in found["quantisation"]}
    check(scores[1] >= scores[0] - 2 and scores[2] > scores[3],
          f"{name} at 8 bits, 4, 4 in the read-out too, that without steps by branch: {scores}")
    check([rows[place]["weight_bits"] for place in (("rec", "u"), ("ro", "rec"), ("out", "ro"))] ==
          [4, 4, 8] and "branches with steps up to" in rows["rec", "u"]["detail"],
          f"what was chosen is said: {rows['rec', 'u']['detail']}")

# Neurons of 0 and 1 that are trained to their end lose two points, too.
found, _, _ = run("binary", ELM / "family/p4000_m3_s0_binary_long.npz", "--target", "loihi2", "--input", ELM / "test_x.npy",
                  "--labels", ELM / "test_y.npy", "--calibrate", ELM / "calib_x.npy", "--weight-bits", "4", "--compare", "float")
value, real = 100 * found["score"]["value"], 100 * found["compare"]["score"]["value"]
check(real > 80 and value >= real - 2.5, f"binary outputs at 4 bits: {value:.2f} of {real:.2f} %")

rows = {(row["layer"], row["source"]): row for row in result["quantisation"]}
for layer, source in (("lif1", "input"), ("lif2", "lif1")):
    detail = rows[layer, source]["detail"]
    check("steps by search, rounded adaptively" in detail and "mean potential" in detail,
          f"the report says how {layer} was chosen: {detail}")
check("times 1 to" in rows["lif1", ""]["detail"] and "1 steps" not in rows["read", "lif2"]["detail"],
      "neurons have steps of their own, the read-out has one")
check(result["schedule"]["populations"]["lif1"]["units_per_real"] is None and
      result["schedule"]["populations"]["read"]["units_per_real"] > 0,
      "no unit is told for states whose neurons have different ones")

# All engines and the reference interpreter agree on such a network.
np.save(FOLDER / "few.npy", np.load(LIF / "test_x.npy")[:3])
np.save(FOLDER / "fewmm.npy", np.load(MMDEND / "test_x.npy")[:2])
for name, model, data, target in (("lif", SHAPES, "few", "loihi1"),
                                  ("sparse", SPARSE, "fewmm", "loihi2")):
    outputs = [run(f"{name}{engine}", *model, "--input", FOLDER / f"{data}.npy", "--target",
                   f"{target},formats.weight_bits=3", "--engine", engine, *BEST,
                   *(["--verify"] if engine != "reference" else []))[1]
               for engine in ("reference", "functional", "cycle")]
    check(all(np.array_equal(outputs[0], other) for other in outputs[1:]),
          f"{name} at 3 bits: three engines agree")

# Equal calls make equal images.
for name in ("a", "b"):
    dendrolith("compile", *SHAPES, "--target", "loihi1", "--weight-bits", "4", *BEST, "-o",
            FOLDER / f"{name}.dlp")
check((FOLDER / "a.dlp").read_bytes() == (FOLDER / "b.dlp").read_bytes(), "equal images")


def refused(words, *arguments):
    done = subprocess.run([DENDROLITH, "compile", *map(str, arguments), "-o", FOLDER / "no.dlp"],
                          capture_output=True, text=True)
    check(done.returncode != 0 and words in done.stderr and not (FOLDER / "no.dlp").exists(),
          f"refused: {done.stderr.strip()}")


refused("--round adaptive", LIF / "shapes_lif.nir", "--target", "loihi1", "--round", "adaptive")
refused("--quantise", *SHAPES, "--target", "loihi1", "--quantise", "best")
refused("--round", *SHAPES, "--target", "loihi1", "--round", "up")
refused("9", *SHAPES, "--target", "loihi1", "--weight-bits", "9", *BEST)
# Without samples weights are rounded by themselves.
dendrolith("compile", LIF / "shapes_lif.nir", "--target", "loihi1", "--quantise", "search", "-o",
        FOLDER / "blind.dlp")
