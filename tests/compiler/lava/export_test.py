# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/export/lava/ExportProgram.cpp,
# runtime/python/dendrolith_lava/population.py.
"""`dendrolith export --format lava` against `dendrolith run`: the loader builds the
processes (with the stand-in for Lava), executor.py runs them, and every value of
every output equals the functional engine's."""
import os
import pathlib
import subprocess
import sys

DENDROLITH, PYTHON_PACKAGE = sys.argv[1], sys.argv[3]
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [PYTHON_PACKAGE, str(HERE / "standin"), str(HERE), str(HERE.parents[1] / "e2e")]
import placements  # noqa: E402
from support import FOLDER, ROOT, check, dendrolith, np  # noqa: E402

try:
    import google.protobuf  # noqa: F401
except ImportError:
    print("skipped: protobuf for Python is not installed")
    sys.exit(77)
from executor import run as run_lava  # noqa: E402
from dendrolith_lava import load, read  # noqa: E402

rng = np.random.default_rng(8)


def export(model, name, *flags, form="lava"):
    path = FOLDER / f"{name}.lava.pb"
    dendrolith("export", model, "--format", form, "-o", path, *flags)
    return path


def expected(model, name, x, *flags):
    """Outputs of the functional engine, (samples, ticks, ...)."""
    out = FOLDER / name
    np.save(FOLDER / "x.npy", x.astype(float))
    dendrolith("run", model, "--input", FOLDER / "x.npy", "--out", out, *flags)
    single = out / "outputs.npy"
    return {None: np.load(single)} if single.exists() else dict(np.load(out / "outputs.npz"))


def agree(model, name, x, *flags, classes=None):
    want = expected(model, name, x, *flags)
    path = export(model, name, *flags)
    network = load(path)
    found = sorted({type(p).__name__.rstrip("0123456789") for p in network.values()})
    check(classes is None or found == sorted(classes), f"{name}: processes {', '.join(found)}")
    host = next(iter(network.inputs))
    values = 0
    for sample in range(len(x)):
        got = run_lava(load, path, {host: x[sample]}, x.shape[1])
        for key, value in got.items():
            wanted = want[key if key in want else None][sample].reshape(len(value), -1)
            # Lava's axes are (W, H, C).
            raw = (value.transpose(0, 3, 2, 1) if value.ndim == 4 else value).reshape(len(value), -1)
            if not np.allclose(raw / network.outputs[key].scale, wanted, rtol=1e-12, atol=0):
                tick = int(np.argmax((raw / network.outputs[key].scale != wanted).any(axis=1)))
                check(False, f"{name}: output '{key}' of sample {sample} differs from tick {tick} on")
            values += raw.size
    check(values and any(np.any(w) for w in want.values()),
          f"{name}: {values} values of {len(x)} samples equal, not all zero")
    return path


neurons = ROOT / "models" / "neurons"
for model, inputs in (("lif", 4), ("adaptive_lif", 4), ("two_compartment", 3), ("shift_register16", 4)):
    agree(neurons / f"{model}.mlir", model, rng.integers(0, 2, (2, 50, inputs)))
x = rng.integers(-3, 4, (2, 50, 2)) * (rng.random((2, 50, 2)) < .3)
agree(neurons / "resonate_and_fire.mlir", "resonate_and_fire", x)

lif = ROOT / "models" / "lif"
calibrate = ("--calibrate", lif / "calib_x.npy")
x = np.load(lif / "test_x.npy")[:3]
first = agree(lif / "shapes_lif.nir", "shapes_lif", x, *calibrate, classes=["Dense", "LIF"])
second = export(lif / "shapes_lif.nir", "again", *calibrate, form="stock-lava")
check(first.read_bytes() == second.read_bytes(), "two exports are equal, byte for byte")
program = FOLDER / "shapes.dlp"
dendrolith("compile", lif / "shapes_lif.nir", "--target", "loihi1", *calibrate, "-o", program)
agree(program, "shapes_program", x, classes=["Dense", "LIF"])
# Neurons lie on cores in another order; the processes have the model's.
wide = (lif / "shapes_lif.nir", "--target", "loihi1", *calibrate)
placement = placements.shuffled("anywhere", 1, *wide, "--cores", "3:")
ordered = FOLDER / "ordered.dlp"
dendrolith("compile", *wide, "--placement", placement, "-o", ordered)
agree(ordered, "ordered_program", x, classes=["Dense", "LIF"])
messages = [read(export(p, f"{p.stem}_again")) for p in (program, ordered)]
placed = sum(core.count for core in messages[1].mapping.cores)
for message in messages:
    for field in ("mapping", "name", "source_hash"):
        message.ClearField(field)
check(messages[0] == messages[1] and placed == sum(
    np.prod(p.shape) for p in messages[0].processes if p.shape),
      f"the same network in another order, of which {placed} neurons have a core")

mmdend = ROOT / "models" / "mmdend"
x = np.load(mmdend / "test_x.npy")[:2]
calibrate = ("--calibrate", mmdend / "calib_x.npy")
for model in ("single", "ternary", "lif"):
    agree(mmdend / f"{model}.npz", f"mmdend_{model}", x, *calibrate)

# Sums of 33 bits and more, whose weights share a factor.
elm = ROOT / "models" / "elm"
x = np.load(elm / "test_x.npy")[:1]
for bits in ("8", "4"):
    agree(elm / "family" / "p4000_m3_s0.npz", f"elm_{bits}", x, "--calibrate", elm / "calib_x.npy",
          "--weight-bits", bits)

# DendriCL's micro ticks, which become one body, and what they leave to be said: a state that
# stays from one tick of the root clock to the next, delays of micro ticks, and a loop.
dendricl = ROOT / "models" / "dendricl"
x = np.load(dendricl / "test_d5_x.npy")[:3]
for bits in ("8", "4"):
    agree(dendricl / "tiny.npz", f"tiny_{bits}", x, "--calibrate", dendricl / "calib_d5_x.npy", "--weight-bits", bits)
MICRO = """dend.network @micro {
  dend.clock @step
  dend.clock @micro divides @step by 3
  dend.input @x on @step : tensor<4xf64> as !dend.spike<binary>
  dend.neuron @lif ports(%I : !dend.fx<24, 0> HOLD, %back : !dend.fx<24, 0>)
      states(%v : !dend.fx<24, 0> reset RESET) outputs(s : !dend.spike<binary>) {
    %theta = dend.literal 900 as !dend.fx<24, 0>
    %in = dend.add %I, %back : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %v1 = dend.add %v, %in : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %s, %v2 = dend.fire %v1, %theta reset subtract : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> (i1, !dend.fx<24, 0>)
    dend.yield states(%v2 : !dend.fx<24, 0>) emit(%s : i1)
  }
  dend.neuron @sum ports(%I : !dend.fx<24, 0>) states(%y : !dend.fx<24, 0> reset sample) {
    dend.yield states(%I : !dend.fx<24, 0>)
  }
  dend.constant @W : tensor<3x4xi8> = dense<[[100, 60, 90, -40], [50, 120, -30, 80], [127, 127, 90, 110]]> : tensor<3x4xi8>
  dend.constant @V : tensor<3x3xi8> = dense<[[-100, 60, 50], [50, -20, -30], [27, -127, 20]]> : tensor<3x3xi8>
  dend.constant @b : tensor<3xi32> = dense<[7, 30, -11]> : tensor<3xi32>
  dend.population @first : @lif[3] on @micro
  dend.population @second : @lif[3] on @micro
  dend.population @read : @sum[3] on @step
  dend.project @x -> @first["I"] #dend.dense weight @W bias @b delay 0 shift 1
  dend.project @first["s"] -> @first["back"] #dend.dense weight @V bias @b delay 4 shift 2
  dend.project @x -> @second["I"] #dend.dense weight @W delay 1
  dend.project @first["s"] -> @second["back"] #dend.dense weight @V delay 2 shift 3
  dend.project @second["s"] -> @read["I"] #dend.dense weight @V bias @b delay 0
  dend.output @y = OUTPUT
}
"""


def micro(name, hold="hold @step", reset="sample", output='probe @read["y"]'):
    path = FOLDER / f"{name}.mlir"
    path.write_text(MICRO.replace("HOLD", hold).replace("RESET", reset).replace("OUTPUT", output))
    return path


x = rng.integers(0, 2, (2, 40, 4))
for name, reset in (("kept", "sample"), ("cleared", "@step")):
    agree(micro(name, reset=reset), name, x)


def refused(text, model, form="lava"):
    ran = subprocess.run([DENDROLITH, "export", model, "--format", form, "-o", FOLDER / "no.pb"], capture_output=True, text=True)
    check(ran.returncode == 1 and text in ran.stderr and not (FOLDER / "no.pb").exists(),
          f"refused: {ran.stderr.strip()}")


refused("'@n' is no process of stock Lava: it has 'dend.mul'", neurons / "lif.mlir",
        form="stock-lava")
refused("output '@y' ticks 3 times in a tick of '@step'", micro("often", output='@second["s"]'))
refused("expected its port 'I' to hold what comes from another clock", micro("open", hold=""))
