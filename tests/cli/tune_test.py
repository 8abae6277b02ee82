# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/TuneCommand.cpp, runtime/explore/tune/Tune.cpp,
# runtime/explore/tune/MeasurePoint.cpp and runtime/explore/tune/TuneReport.cpp.
"""`dendrolith tune` on a network of two layers whose answers are those of its float form:
what it finds and writes, that a second search measures nothing, that its command makes
the same image, and what it refuses."""
import csv
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

DENDROLITH = pathlib.Path(sys.argv[1]).resolve()
TEMPORARY = tempfile.TemporaryDirectory()
W = pathlib.Path(TEMPORARY.name)
RNG = np.random.default_rng(5)


def tensor(values):
    rows = ["[" + ", ".join(f"{v:.6f}" for v in row) + "]" for row in values]
    size = "x".join(map(str, values.shape))
    return f"tensor<{size}xf64> = dense<[{', '.join(rows)}]> : tensor<{size}xf64>"


(W / "net.mlir").write_text(f"""dend.network @net {{
  dend.clock @step
  dend.input @x on @step : tensor<12xf64> as !dend.spike<graded>
  dend.neuron @lif ports(%I : f64) params(%kv : f64, %theta : f64, %to : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {{
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value to %to : (f64, f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }}
  dend.neuron @sum ports(%I : f64) params(%kv : f64) states(%v : f64 reset sample) {{
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    dend.yield states(%v1 : f64)
  }}
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @to : tensor<f64> = dense<0.0> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.population @hidden : @lif[20] on @step bind {{kv = @kv, theta = @theta, to = @to}}
  dend.population @read : @sum[3] on @step bind {{kv = @kv}}
  dend.constant @w : {tensor(RNG.normal(0.1, 0.5, (20, 12)))}
  dend.constant @u : {tensor(RNG.normal(0, 0.5, (3, 20)))}
  dend.project @x -> @hidden["I"] #dend.dense weight @w
  dend.project @hidden -> @read["I"] #dend.dense weight @u
  dend.output @y = probe @read["v"]
}}
""")
x = RNG.integers(0, 2, (120, 8, 12)).astype(np.uint8)
np.save(W / "x.npy", x)


def dendrolith(*arguments, code=0):
    done = subprocess.run([DENDROLITH, *map(str, arguments)], capture_output=True, text=True, cwd=W)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stderr if code else done.stdout


def check(condition, text):
    print(("ok: " if condition else "FAILED: ") + text, flush=True)
    if not condition:
        sys.exit(1)


dendrolith("run", "net.mlir", "--input", "x.npy", "--engine", "float", "--out", "float")
y = np.load(W / "float/outputs.npy").mean(1).argmax(1)
np.save(W / "y.npy", y)
TUNE = ["tune", "net.mlir", "--target", "loihi1", "--tuning", "{held-out: 0.5}", "--calibrate", "x.npy",
        "--labels", "y.npy", "--keep", "8pt"]

xt = RNG.integers(0, 2, (120, 8, 12)).astype(np.uint8)
np.save(W / "test_x.npy", xt)
dendrolith("run", "net.mlir", "--input", "test_x.npy", "--engine", "float", "--out", "float_test")
np.save(W / "test_y.npy", np.load(W / "float_test/outputs.npy").mean(1).argmax(1))
first = dendrolith(*TUNE, "--minimise", "words", "--out", "a", "--test", "test_x.npy",
                "--test-labels", "test_y.npy")
result = json.loads((W / "a/tune.json").read_text())
best, start = result["best"], result["start"]
check(result["float_score"] == 1 and start["bits"] == [8, 8], "begins at the chip's bits")
check(best["words"] < 0.7 * start["words"], f"words: {start['words']} to {best['words']}")
check(best["score"] >= result["floor"] > best["score"] - 0.09, "keeps what it was told to")
check(result["data"]["calibration"]["samples"] == result["data"]["held_out"]["samples"] == 60,
      "halves calibrate and judge")
check(abs(result["data"]["test"]["best"]["score"] - best["score"]) < 0.15, "tests the winner")
check(re.search(r"with \S+ % \(95 %: \S+ % to \S+ %\); against", first) and
      f"These 60 samples chose it among {len(result['points'])} precisions" in first,
      "says how sure the score is, and who chose")
held = np.load(W / "a/heldout_x.npy")
check(held.dtype == np.uint8 and held.shape == (60, 8, 12), "parts keep shape and type")
with open(W / "a/pareto.csv") as file:
    rows = list(csv.DictReader(file))
check([int(r["hidden"]) for r in rows if r["chosen"] == "1"] == [best["bits"][0]],
      "one row of the table is chosen")
scores = [float(r["score"]) for r in rows]
check(scores == sorted(scores) and len(set(scores)) == len(scores), "more words, better score")

# A second search takes what is there; only its words differ from the first one's.
points = {p.name: p.stat().st_mtime_ns for p in (W / "a/points").iterdir()}
check(len(points) == len(result["points"]), "a file for each point")
second = dendrolith(*TUNE, "--minimise", "words", "--out", "a")
check({p.name: p.stat().st_mtime_ns for p in (W / "a/points").iterdir()} == points,
      "measures no point again")
check(second.startswith("Samples:") and not first.startswith("Samples:"), "and says none")
# What was interrupted goes on: the points that are missing are measured.
for name in sorted(points)[::2]:
    (W / "a/points" / name).unlink()
dendrolith(*TUNE, "--minimise", "words", "--out", "a")
again = json.loads((W / "a/tune.json").read_text())
check(again["points"] == result["points"] and again["best"] == best, "the same points again")

# The command that it prints makes the same program.
words = shlex.split(result["command"])
dendrolith(*words[1:-1], "b.dlp")
check((W / "b.dlp").read_bytes() == (W / "a/best.dlp").read_bytes(), "its command makes its image")
run = dendrolith("run", "a/best.dlp", "--input", "a/heldout_x.npy", "--labels", "a/heldout_y.npy")
check(f"{100 * best['score']:.2f} %" in run, "the image scores what was measured")

for objective in ("cores", "latency", "energy"):
    dendrolith(*TUNE, "--minimise", objective, "--out", objective)
    found = json.loads((W / objective / "tune.json").read_text())
    key = {"cores": "cores", "latency": "latency_ns", "energy": "energy_low_pJ"}[objective]
    check(found["best"][key] <= found["start"][key], f"{objective}: no more than at the start")

# Limits that --weight-bits sets are kept, and named where they are what is too little.
dendrolith(*TUNE, "--minimise", "words", "--out", "most", "--weight-bits", "hidden=6")
found = json.loads((W / "most/tune.json").read_text())
check(found["start"]["bits"] == [6, 8], "begins at the bits that were asked for")
strict = [*TUNE[:-1], "2pt", "--minimise", "words"]
said = dendrolith(*strict, "--out", "few", "--weight-bits", "hidden=2", code=1)
check("needs at least" in said and "bits in @hidden; the best found is" in said, said.strip())
check(not (W / "few/best.dlp").exists(), "no image where nothing was found")


def refused(title, *arguments, says, code=1):
    said = dendrolith(*arguments, code=code)
    check(all(text in said for text in says), f"{title}: {said.strip()}")


np.save(W / "short.npy", y[:64])
np.save(W / "wrong.npy", np.where(np.arange(120) % 3, y, 7))
def with_(flag, value):
    """The usual flags but for one."""
    at = TUNE.index(flag)
    return [*TUNE[:at + 1], value, *TUNE[at + 2:]]


refused("labels of other samples", *with_("--labels", "short.npy"), "--out", "c",
        says=["short.npy: expected a label for each of the samples in 'x.npy', (120, 8, 12)",
              "(64,)"])
np.save(W / "wide.npy", np.stack([y, y], 1))
np.save(W / "copy.npy", np.load(W / "x.npy"))
refused("labels of two columns", *with_("--labels", "wide.npy"), "--out", "c",
        says=["labels 'wide.npy', the part held out: expected 60 integers", "(60, 2)"])
refused("test samples that chose", *TUNE, "--out", "c", "--test", "copy.npy", "--test-labels",
        "y.npy", says=["--test copy.npy", "those of --calibrate"])
refused("labels that are no class", *with_("--labels", "wrong.npy"), "--out", "c", says=["7"])
refused("no labels", *TUNE[:-4], "--out", "c", says=["--labels"], code=2)
refused("a list too long", *TUNE, "--weight-bits", "8,8,8", "--out", "c",
        says=["hidden, read", "found 3"])
refused("bits that the chip has not", *TUNE, "--weight-bits", "12", "--out", "c", says=["1 to 8"])
refused("nothing priced", *with_("--target", "ideal"), "--out", "c",
        says=["--minimise energy", "'ideal' has no price"])
refused("a keep that is no number", *with_("--keep", "much"), "--out", "c", says=["0.5pt"], code=2)
refused("a program", "tune", "b.dlp", *TUNE[2:], "--out", "c", says=["compiled already"])
