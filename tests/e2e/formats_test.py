# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests targets/keys.py, compiler/lowering/CheckFormats.cpp,
# compiler/transforms/quantise/LayerScale.cpp, compiler/transforms/quantise/CubaModel.cpp,
# compiler/transforms/quantise/RewriteQuantisedLayer.cpp, compiler/transforms/schedule/EmissionForm.cpp,
# compiler/transforms/schedule/DendSchedule.cpp and runtime/session/RunChecks.cpp.
"""Every key of a chip does what the table of its readers says: what neither the quantiser nor
lowering reads changes no output, number formats lose what integers of these widths lose, and
a network or chip that a key cannot serve is refused by the key's name."""
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


def readers_of_page():
    """Who reads a key, by "SECTION.KEY", as targets/keys.md says."""
    found, section = {}, ""
    for line in (ROOT / "targets/keys.md").read_text().splitlines():
        if line.startswith("## "):
            section = line[3:]
        row = re.match(r"\| `(\w+)` \|", line)
        if row and section != "chip.yaml":
            cells = line.replace("\\|", "").split(" | ")
            found[f"{section}.{row.group(1)}"] = set(cells[2].split(", "))
    return found


READERS = readers_of_page()
base, outputs, _ = answers("loihi1")
check(base > 0.9, f"without a change {base} of the answers are right")

# What neither the quantiser nor lowering reads changes no output. A section at a time, doubled.
printed = subprocess.run([DENDROLITH, "targets", "loihi1"], check=True, capture_output=True,
                         text=True).stdout
changes, inside = {}, ""
for line in printed.splitlines():
    if heading := re.match(r"timing (\S+) \(default\)", line):
        inside = f"timing.{heading.group(1)}."
    elif not line.startswith("  "):
        inside = ""
    found = re.match(r"  (\S+) +(\d+) ", line)
    if not found or int(found.group(2)) == 0:
        continue
    name = inside + found.group(1)
    row = re.sub(r"^timing\.[^.]+", "timing.SET", name).replace("north_south", "east_west")
    if row in READERS and not {"quantiser", "lowering"} & READERS[row]:
        changes.setdefault(row.rpartition(".")[0], []).append(f"{name}={2 * int(found.group(2))}")
check(len(changes) >= 8 and sum(map(len, changes.values())) >= 40,
      f"keys that change no output, by section: {changes}")
for section, keys in changes.items():
    if section == "formats":
        keys = ["formats.input_bits=32"]
    _, same, _ = answers("loihi1," + ",".join(keys))
    check(np.array_equal(same, outputs), f"'{section}' changes no output: {keys}")

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
for narrow in ("formats.state_bits=14", "formats.state_bits=8", "formats.threshold_shift=16"):
    score, _, warnings = answers("loihi1," + narrow)
    check(any(w.startswith("rounded-parameter threshold") for w in warnings),
          f"a threshold that rounding destroys is warned of ({score}): {warnings}")

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
# What says nothing agrees with nothing.
result, _, _ = run("quiet", *SHAPES, "--target", "loihi1,formats.state_bits=4", "--compare", "float")
check(result["compare"]["same_class"] == 0 and result["compare"]["rate_cosine"] == 0 and
      "silent-answers" in [w["code"] for w in result["warnings"]], "a silent chip agrees with nothing")
made = FOLDER / "made"
subprocess.run([DENDROLITH, "generate", made, "--neurons", "200", "--cores", "1", "--steps", "20",
                "--recipe", "fanout=10"], check=True, capture_output=True)
refused("odin", "layer 'lif'", "odin", "(formats.", model=[made.with_suffix(".npz")])

# Keys that a network or chip cannot be served with.
refused("loihi2,spikes.binary=false", "sends binary spikes", "(spikes.binary)")
MMDEND = [MM / "sparse.npz", "--calibrate", MM / "calib_x.npy", "--input", FOLDER / "mm.npy",
          "--spikes", "unary"]
refused("loihi2,scheduling.group_start=false", "(scheduling.group_start)", model=MMDEND)
refused("loihi2,spikes.binary=false", "sends", "unit spikes", "(spikes.binary)", model=MMDEND)
refused("loihi1,synapse_memory.weight_bit_codes=1+2", "'weight_bit_codes'", "formats.weight_bits")
refused("loihi1,formats.input_bits=2", "'input_bits'", "'weight_bits'")

# Inputs beyond the calibration lead a current beyond a narrow chip's states: the run says so.
few = np.load(LIF / "calib_x.npy")[:2].copy()
few[..., 3:] = 0
np.save(FOLDER / "few.npy", few)
_, _, warnings = answers("loihi1,formats.state_bits=16", SHAPES[0], "--calibrate",
                         FOLDER / "few.npy", *GIVEN)
check("wide-current" in [w.partition(" ")[0] for w in warnings],
      f"a current beyond the chip's states is warned of: {warnings}")
print(f"{count} runs")
