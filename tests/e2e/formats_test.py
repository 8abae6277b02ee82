# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/lowering/CheckFormats.cpp, compiler/transforms/quantise/CubaShape.cpp,
# compiler/transforms/quantise/LayerScale.cpp,
# compiler/transforms/quantise/RewriteQuantisedLayer.cpp, compiler/transforms/schedule/DendSchedule.cpp,
# compiler/transforms/schedule/DendSchedule.cpp, simulator/functional/neuron/CubaForm.cpp and
# runtime/session/RunChecks.cpp.
"""Number formats lose what integers of these widths lose, and a network or chip that a key cannot
serve is refused by the key's name. keys_test.py has the laws of all keys."""
import re
import subprocess

from support import DENDROLITH, FOLDER, ROOT, check, np, run

LIF, MM = ROOT / "models/lif", ROOT / "models/mmdend"
for name, folder in (("x", LIF), ("y", LIF), ("mm", MM)):
    array = np.load(folder / ("test_y.npy" if name == "y" else "test_x.npy"))
    np.save(FOLDER / f"{name}.npy", array[:8 if name == "mm" else 40])
CALIBRATE = ["--calibrate", LIF / "calib_x.npy"]
GIVEN = ["--input", FOLDER / "x.npy", "--labels", FOLDER / "y.npy", "--tuning", "{solver: packed}"]
SHAPES = [LIF / "shapes_lif.nir", *CALIBRATE, *GIVEN]
count = 0


def answers(target, *model):
    """(share of right answers, outputs, texts of warnings) on a target."""
    global count
    count += 1
    result, outputs, _ = run(f"run{count}", *(model or SHAPES), "--target", target)
    return result["score"]["value"], outputs, [f"{w['code']} {w['text']}" for w in result["warnings"]]


def refused(target, *texts, model=SHAPES):
    done = subprocess.run([DENDROLITH, "run", *map(str, model), "--target", target],
                          capture_output=True, text=True)
    check(done.returncode == 1 and all(text in done.stderr for text in texts),
          f"{target} is refused for {texts}: {done.stderr}")


base, outputs, _ = answers("loihi1")
check(base > 0.9, f"without a change {base} of the answers are right")

# Decays of this network are eighths: exact in 3 bits.
for bits in (3, 7, 11):
    _, same, warnings = answers(f"loihi1,formats.decay_bits={bits}")
    check(np.array_equal(same, outputs) and not any("rounded" in w for w in warnings),
          f"{bits} bits of decay give what 12 do")
refused("loihi1,formats.decay_bits=13", "'decay_bits'", "expected 1 to 12")

# The integers of 12 bits, rounded to 2 by hand, give what the compiler gives at 2.
FIXED = FOLDER / "fixed.mlir"


def emit(target):
    subprocess.run([DENDROLITH, "compile", SHAPES[0], *map(str, CALIBRATE), "--target", target,
                    "--emit", "dend-fixed", "-o", FIXED], check=True, capture_output=True)
    return FIXED.read_text()


text = emit("loihi1")


def coarse(found):
    more = found.group(1) == "u"
    quarters = int(np.rint((int(found.group(3)) + more) / 1024)) * 1024
    return f"decay_{found.group(1)}{found.group(2)}{max(quarters - more, 0)}>"


byhand = FOLDER / "byhand.mlir"
byhand.write_text(re.sub(r"decay_([uv])( : tensor<i32> = dense<)(\d+)>", coarse, text))
_, wanted, _ = answers("loihi1", byhand, *GIVEN)
_, got, warnings = answers("loihi1,formats.decay_bits=2")
check(np.array_equal(got, wanted) and not np.array_equal(got, outputs),
      "2 bits of decay lose what an integer reference loses")
check(any(w.startswith("rounded-parameter") and "in 2 bits" in w for w in warnings),
      f"a decay that rounding destroys is warned of: {warnings}")

# More bits lose nothing; fewer lose little until a warning says why.
NOISE = 0.05
for more in ("formats.state_bits=32", "formats.threshold_bits=20", "formats.bias_mantissa_bits=20",
             "synapse_memory.weight_bit_codes=8+12,formats.weight_bits=12"):
    score, _, _ = answers("loihi1," + more)
    check(score >= base - NOISE, f"{more}: {score}, without {base}")
for narrow in ("formats.state_bits=16", "formats.weight_bits=5"):
    score, _, _ = answers("loihi1," + narrow)
    check(score >= base - 2 * NOISE, f"{narrow}: {score}, without {base}")
for narrow in ("formats.state_bits=14", "formats.threshold_shift=16", "formats.threshold_bits=1"):
    score, _, warnings = answers("loihi1," + narrow)
    check(score >= base - 2 * NOISE and not any("threshold" in w for w in warnings),
          f"{narrow}: {score}, without {base}: {warnings}")
for narrow in ("formats.state_bits=8",):
    score, _, warnings = answers("loihi1," + narrow)
    check(any(w.startswith("rounded-parameter threshold") for w in warnings),
          f"a threshold that rounding destroys is warned of ({score}): {warnings}")

_, _, warnings = answers("loihi1,formats.weight_exponent_min=7")
check(any(w.startswith("rounded-parameter weights") for w in warnings),
      f"weights that rounding destroys are warned of: {warnings}")

# Networks in integers run where the chip holds them, and are refused by key elsewhere.
FIXED.write_text(text)
_, same, _ = answers("loihi1", FIXED, *GIVEN)
check(np.array_equal(same, outputs), "the emitted integers are what ran")
for change in ("weight_bits=1", "weight_bits=2", "weight_bits=4", "state_bits=8", "decay_bits=2",
               "threshold_bits=1", "threshold_shift=16", "bias_mantissa_bits=2"):
    key = change.partition("=")[0]
    if key == "bias_mantissa_bits" and re.search(r"bias : tensor<i32> = dense<0>", text):
        continue
    refused(f"loihi1,formats.{change}", "layer '", f"(formats.{key})", model=[FIXED, *GIVEN])
silent = FOLDER / "refractory.mlir"
silent.write_text(re.sub(r"(dend\.cuba .* bias %\w+)( : )", r"\1 {refractory = 100 : i64}\2", text))
answers("loihi1,formats.refractory_max=100", silent, *GIVEN)
refused("loihi1", "layer '", "100 steps", "(formats.refractory_max)", model=[silent, *GIVEN])
# A cell of plain arithmetic that counts silent steps is the neuron that has them.
counts = FOLDER / "counts.mlir"
WEIGHTS = np.random.default_rng(3).choice([-.5, .5, 1], (12, 8)).tolist()
counts.write_text(f"""dend.network @counts {{
  dend.clock @step
  dend.input @x on @step : tensor<8xf64> as !dend.spike<binary>
  dend.neuron @own ports(%I) states(%v, %r) outputs(s) {{
    %keep = dend.literal 0.5
    %theta = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %steps = dend.literal 3.0
    %kept = dend.mul %keep, %v
    %v1 = dend.add %kept, %I
    %silent = dend.cmp gt %r, %zero
    %held = dend.select %silent, %zero, %v1
    %s = dend.cmp gt %held, %theta
    %v2 = dend.select %s, %zero, %held
    %less = dend.sub %r, %one
    %left = dend.max %less, %zero
    %r2 = dend.select %s, %steps, %left
    dend.yield states(%v2, %r2) emit(%s)
  }}
  dend.constant @w : tensor<12x8xf64> = dense<{WEIGHTS}> : tensor<12x8xf64>
  dend.population @hidden : @own[12] on @step
  dend.project @x -> @hidden["I"] #dend.dense weight @w delay 0
  dend.output @spikes = @hidden["s"]
}}
""")
np.save(FOLDER / "eight.npy", (np.random.default_rng(1).random((3, 40, 8)) < .3).astype(np.float32))
OWN = [counts, "--calibrate", FOLDER / "eight.npy", "--input", FOLDER / "eight.npy"]
spikes = [run(f"silent{number}", *OWN, "--target", target, "--compare", "float", "--verify", "--engine", "cycle")
          for number, target in enumerate(("loihi1", "loihi2", "spinnaker2"))]
for result, outputs, _ in spikes:
    check(result["compare"]["different_values"] == 0 and outputs.any() and
          np.array_equal(outputs, spikes[0][1]), f"silent steps: {result['compare']}")
near = sum(outputs[:, step] * outputs[:, step + more] for _, outputs, _ in spikes[:1]
           for more in (1, 2, 3) for step in range(37))
check(not near.any(), "no spike within three steps of another")
fixed = subprocess.run([DENDROLITH, "compile", *map(str, OWN[:3]), "--target", "loihi1", "--emit", "dend-fixed"],
                       check=True, capture_output=True, text=True).stdout
check("refractory = 4" in fixed and "dend.select" not in fixed, f"the count is the neuron's own: {fixed}")
refused("loihi1,formats.refractory_max=2", "(formats.refractory_max)", model=OWN)
# What says nothing agrees with nothing.
result, _, _ = run("quiet", *SHAPES, "--target", "loihi1,formats.state_bits=4", "--compare", "float")
check(result["compare"]["same_class"] == 0 and result["compare"]["rate_cosine"] == 0 and
      "silent-answers" in [w["code"] for w in result["warnings"]], "a silent chip agrees with nothing")
made = FOLDER / "made"
subprocess.run([DENDROLITH, "generate", made, "--neurons", "200", "--cores", "1", "--steps", "20",
                "--recipe", "fanout=10"], check=True, capture_output=True)
refused("truenorth", "layer 'lif'", "truenorth", "(formats.", model=[made.with_suffix(".npz")])

# Keys that a network or chip cannot be served with.
refused("loihi2,spikes.binary=false", "sends binary spikes", "(spikes.binary)")
MMDEND = [MM / "sparse.npz", "--calibrate", MM / "calib_x.npy", "--input", FOLDER / "mm.npy",
          "--spikes", "unary"]
refused("loihi2,scheduling.group_start=false", "(scheduling.group_start)", model=MMDEND)
refused("loihi2,spikes.binary=false", "sends", "unit spikes", "(spikes.binary)", model=MMDEND)
refused("loihi1,synapse_memory.weight_bit_codes=1+2", "'weight_bit_codes'", "formats.weight_bits")
refused("loihi1,formats.input_bits=2", "'input_bits'", "'weight_bits'")

# Potential and current have the state's bits. Inputs beyond the calibration lead beyond them: a
# potential is clipped, a current wraps, and the run counts both.
few = np.load(LIF / "calib_x.npy")[:2].copy()
few[..., 3:] = 0
np.save(FOLDER / "few.npy", few)
for bits in (12, 16, 20):
    result, _, traces = run(f"wide{bits}", SHAPES[0], "--calibrate", FOLDER / "few.npy", *GIVEN, "--verify",
                            "--target", f"loihi1,formats.state_bits={bits}", "--trace",
                            "lif1:u,lif1:v,lif2:u,lif2:v")
    low, high = min(t.min() for t in traces.values()), max(t.max() for t in traces.values())
    check(-2**(bits - 1) <= low and high < 2**(bits - 1), f"states of {bits} bits: {low}..{high}")
    check(sum(result["saturations"]["u_wrapped"].values()) > 0, f"{result['saturations']} of {bits} bits")
# Programs that compute that neuron count the same: of both engines, with machine code and without.
for bits in (16, 24):
    said = [run(f"{chip}{bits}{number}", SHAPES[0], "--calibrate", FOLDER / "few.npy", *GIVEN[:-2], "--target",
                f"{chip},formats.state_bits={bits}", *more)[0]
            for number, (chip, more) in enumerate((("loihi1", []), ("loihi2", []), ("spinnaker2", []),
                                                   ("loihi2", ["--engine", "cycle"]), ("loihi2", ["--jit", "off"])))]
    counts = [(one["saturations"]["u_wrapped"], one["saturations"]["v_clipped"]) for one in said]
    check(counts[0][0] and counts[0][1] and all(one == counts[0] for one in counts),
          f"programs count what meets the end of {bits} bits: {counts}")
    warned = [[w["text"] for w in one["warnings"] if w["code"] == "clipped"] for one in said]
    check(warned[0] and all(one == warned[0] for one in warned), f"and warn of it: {warned}")
narrow = emit("loihi1,formats.state_bits=16")
check("current_bits = 16" in narrow and "vmax = 32767" in narrow, "the emitted integers say their widths")
refused("loihi1,formats.state_bits=15", "(formats.state_bits)", model=[FIXED, *GIVEN])

# Cores a thousand times as fast leave nothing of a step to updates: what waits is said to wait.
fast = [run(f"clock{clock}", *MMDEND[:5], "--target", f"loihi2,clock={clock}", "--engine", "cycle")[0]["latency"]["critical"]
        for clock in (1000, 1000000)]
check(fast[1]["update_ns"] < .01 * sum(fast[1].values()) and fast[1]["update_ns"] < fast[0]["update_ns"] / 100,
      f"updates of fast cores: {fast}")
print(f"{count} runs")
