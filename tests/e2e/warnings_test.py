# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/session/RunChecks.cpp, simulator/report/text/ShortText.cpp,
# compiler/transforms/network/Refusal.cpp, compiler/import/nir/DynamicsWarnings.cpp and
# targets/support/Error.h.
"""Every warning of runtime/session/WARNINGS.md that a small network can provoke: in the
result, beside the score and counted at the end, on standard error once, and not where it
has no cause."""
import subprocess

from support import FOLDER, DENDROLITH, check, dendrolith, np, result_of
from warned import CHAIN, SEEN, STEPS, expect, labels, lif, linear, ones, save, some, write

# A layer that never spikes, one that always does, and one that is well.
BOTH = ("never-spikes", "always-spikes")
expect(BOTH[0], "layer 'n'", write("dead", CHAIN, w=linear(0.01), n=lif()), "--input", some,
       absent=BOTH[1:])
expect(BOTH[1], "layer 'n'", write("mad", CHAIN, w=linear(50), n=lif()), "--input", ones,
       absent=BOTH[:1])
well = write("well", CHAIN, w=linear(3), n=lif())
dendrolith("run", well, "--input", some, "--out", FOLDER / "well")
check(result_of(FOLDER / "well")["warnings"] == [], "a good network has no warnings")

# Ties, whatever the engine.
for engine in ("float", "functional"):
    expect("tied-answers", "output 'output'", write("tie", CHAIN, w=linear(50), n=lif()),
           "--input", ones, "--labels", labels, "--engine", engine)

# Weights that vanish beside others of the layer.
expect("zero-weights", "layer 'b'",
       write("vanish", ["input>w", "w>a", "a>small", "small>b", "input>large", "large>b",
                        "b>output"],
             w=linear(1.5), a=lif(), small=linear(1e-9), large=linear(1.5), b=lif()),
       "--input", some, "--target", "loihi1")

# A floor that the model gives is a part of its neuron; the ends of its bits are not.
FX = "!dend.fx<32, 0>"
for ends, warned in (("vmin = 0 : i64, vmax = 255 : i64", False),
                     ("vmin = -127 : i64, vmax = 127 : i64, current_bits = 8 : i64", True)):
    bounded = FOLDER / "bounded.mlir"
    bounded.write_text(f"""dend.network @floor {{
  dend.clock @step
  dend.input @input on @step : tensor<2xf64> as !dend.spike<binary>
  dend.constant @du : tensor<i32> = dense<4095> : tensor<i32>
  dend.constant @none : tensor<i32> = dense<0> : tensor<i32>
  dend.constant @theta : tensor<i32> = dense<1000> : tensor<i32>
  dend.constant @W : tensor<2x2xi8> = dense<-60> : tensor<2x2xi8>
  dend.neuron @lif ports(%I : !dend.fx<64, 0>) params(%du : i32, %dv : i32, %th : i32, %b : i32)
      states(%u : {FX} reset sample, %v : {FX} reset sample, %r : i32 reset sample)
      outputs(s : !dend.spike<binary>) {{
    %s, %u1, %v1, %r1 = dend.cuba %I, %u, %v, %r decay %du, %dv threshold %th bias %b {{{ends}}}
        : (!dend.fx<64, 0>, {FX}, {FX}, i32, i32, i32, i32, i32) -> (i1, {FX}, {FX}, i32)
    dend.yield states(%u1, %v1, %r1 : {FX}, {FX}, i32) emit(%s : i1)
  }}
  dend.population @n : @lif[2] on @step bind {{du = @du, dv = @none, th = @theta, b = @none}}
  dend.project @input -> @n["I"] #dend.dense weight @W delay 0
  dend.output @v = probe @n["v"]
}}
""")
    dendrolith("run", bounded, "--input", ones, "--out", FOLDER / "bounded")
    result = result_of(FOLDER / "bounded")
    check(result["saturations"]["v_clipped"].get("n", 0) > 0, "its potential is clipped")
    check(("clipped" in {row["code"] for row in result["warnings"]}) == warned, ends)

# Samples for calibration that are not like those of the run.
real = np.random.default_rng(2).uniform(0.2, 1, (3, STEPS, 2))
on = ["--target", "loihi2", "--calibrate"]
expect("wide-calibration", "input 'input'", well, *on, save("large", 100 * real), "--input",
       save("real", real), absent=("clipped",))
expect("clipped", "the inputs", well, *on, FOLDER / "real.npy", "--input",
       FOLDER / "large.npy", absent=("wide-calibration",))
dendrolith("run", well, *on, FOLDER / "real.npy", "--input", FOLDER / "real.npy", "--out",
        FOLDER / "fits")
check(not {row["code"] for row in result_of(FOLDER / "fits")["warnings"]} &
      {"clipped", "wide-calibration"}, "a range that fits")

# A state goes less far than in calibration, which decided how fine its integers are: the
# potential of a fixed-function neuron, and a state of a program.
slow = write("slow", CHAIN, w=linear(1),
             n=("LI", {"tau": [2e-2, 2e-2], "r": [1, 1], "v_leak": [0, 0]}))
body = FOLDER / "body.mlir"
body.write_text("""dend.network @body {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : f64) states(%y : f64 reset sample) {
    %k = dend.literal 0.99 : f64
    %kept = dend.mul %y, %k
    %s = dend.add %kept, %I
    dend.yield states(%s : f64)
  }
  dend.constant @W : tensor<2x2xf64> = dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf64>
  dend.population @n : @m[2] on @step
  dend.project @x -> @n["I"] #dend.dense weight @W delay 0
  dend.output @y = probe @n["y"]
}
""")
first = np.zeros((3, STEPS, 2))
first[:, 0] = 1
for network, target in ((slow, "loihi1"), (body, "loihi2")):
    again = [network, "--target", target, "--calibrate", ones, "--input"]
    expect("wide-calibration", "layer 'n'", *again, save("first", first))
    dendrolith("run", *again, ones, "--out", FOLDER / "same")
    check(result_of(FOLDER / "same")["warnings"] == [], "a state as in calibration")

# Labelled samples that calibrated the network, be it in another file.
again = save("again", real)
few = save("few", np.zeros(3, int))
expect("judged-by-calibration", "input 'input'", well, *on, FOLDER / "real.npy", "--input", again,
       "--labels", few)
dendrolith("compile", well, *on, FOLDER / "real.npy", "-o", FOLDER / "fitted.dlp")
expect("judged-by-calibration", "input 'input'", FOLDER / "fitted.dlp", "--input", again,
       "--labels", few)
dendrolith("run", well, *on, FOLDER / "real.npy", "--input", save("other", real[::-1]), "--labels", few,
        "--out", FOLDER / "others")
check("judged-by-calibration" not in {row["code"] for row in
                                      result_of(FOLDER / "others")["warnings"]},
      "other samples judge")

# Whole numbers lose nothing, however small beside those of calibration.
whole = np.random.default_rng(3).integers(0, 3, (3, STEPS, 2))
dendrolith("run", well, *on, save("wholes", 40 * whole), "--input", save("whole", whole), "--out",
        FOLDER / "whole")
check("wide-calibration" not in {row["code"] for row in result_of(FOLDER / "whole")["warnings"]},
      "whole numbers are exact")

# A loop that grows without end.
grows = write("grows", ["input>w", "w>n", "n>back", "back>n", "n>output"], w=linear(1),
              back=linear(1e200), n=("LI", {"tau": [2e-4, 2e-4], "r": [1, 1], "v_leak": [0, 0]}))
expect("not-finite", "output 'output'", grows, "--input", ones, "--engine", "float")

# What import finds is in the image too.
loose = write("loose", [*CHAIN, "w>lost"], w=linear(1.2), n=lif(), lost=lif())
expect("loose-end", "node 'lost'", loose, "--input", some)
image = FOLDER / "loose.dlp"
dendrolith("compile", loose, "-o", image)
expect("loose-end", "node 'lost'", image, "--input", some)

# Time: what the neurons imply, units, and a preset's reset.
implied = write("implied", CHAIN, w=linear(1.2), n=lif(tau=(2e-3, 5e-3), r=(2, 5)))
for flags in ([], ["--engine", "float"]):
    done = subprocess.run([DENDROLITH, "run", implied, "--input", some, *flags],
                          capture_output=True, text=True)
    check(done.returncode == 1 and "give --import dt=0.001 if" in done.stderr and
          "else --import dt=0.0001" in done.stderr, f"another dt than all imply: {done.stderr}")
expect("other-dt", "node 'n'", implied, "--input", some, "--import", "dt=1e-4")
dendrolith("run", implied, "--input", some, "--import", "dt=1e-3", "--out", FOLDER / "given")
check("other-dt" not in {row["code"] for row in result_of(FOLDER / "given")["warnings"]},
      "the dt that is implied")
# One neuron, or all with one tau, say it as well; --import dt decides.
single = write("single", CHAIN, w=linear(1.2), n=lif(tau=(2e-3, 2e-3), r=(2, 2)))
done = subprocess.run([DENDROLITH, "run", single, "--input", some], capture_output=True, text=True)
check(done.returncode == 1 and "give --import dt=0.001 if" in done.stderr, f"one tau: {done.stderr}")
expect("other-dt", "node 'n'", single, "--input", some, "--import", "dt=1e-4")
slow = write("slow", CHAIN, w=linear(1.2), n=lif(tau=(20, 30)))
expect("tau-unit", "node 'n'", slow, "--input", some, absent=("tau-below-dt",))
expect("tau-unit", "node 'n'", write("fast", CHAIN, w=linear(1.2), n=lif(tau=(2e-6, 3e-6))),
       "--input", some, "--import", "integrator=exact")
expect("tau-below-dt", "node 'n'", write("over", CHAIN, w=linear(1.2), n=lif(tau=(9e-5, 1e-3))),
       "--input", some, "--engine", "float", absent=("tau-unit",))
result = expect("preset-reset", "", well, "--input", some, "--import", "preset=snntorch")
check("give --import from=snntorch in place" in result["warnings"][0]["text"], "the way out")
# The importer's reset, but subtracting, is that of no trained network.
expect("preset-reset", "", well, "--input", some, "--import", "preset=snntorch,reset=subtract")
for settled in ("from=snntorch,reset=subtract", "preset=snntorch,reset=zero"):
    dendrolith("run", well, "--input", some, "--import", settled, "--out", FOLDER / "settled")
    check(result_of(FOLDER / "settled")["warnings"] == [], f"{settled}: who says it is not asked")

# Prices of another family than the times.
expect("other-family", "costs 'silicon-fit-2025'", well, "--input", some, "--target", "loihi1",
       "--engine", "cycle", "--costs", "silicon-fit-2025")
shown = dendrolith("report", FOLDER / "out")
check("other-family" not in shown, "not where the report takes other prices")
check("other-family" in dendrolith("report", FOLDER / "out", "--costs", "silicon-fit-2025"),
      "and again where it takes the same")

# Labels that are no classes are an error.
done = subprocess.run([DENDROLITH, "run", well, "--input", some, "--labels",
                       save("from1", np.array([1, 2, 1]))], capture_output=True, text=True)
check(done.returncode == 1 and "expected classes from 0 to 1" in done.stderr and
      "they seem to count from 1 (1 to 2): subtract 1" in done.stderr, "labels from 1 on")
print(f"seen: {', '.join(sorted(SEEN))}")
