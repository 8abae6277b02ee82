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

# DendriCL's two clocks as one: the same network in reals, and in Lava.
os.environ["DENDROLITH_BIN"] = str(pathlib.Path(DENDROLITH).resolve())
import one_clock  # noqa: E402

dendricl, single = ROOT / "models" / "dendricl", FOLDER / "one_clock.mlir"
one_clock.write(single, dendricl / "tiny.npz")
x = np.load(dendricl / "test_d5_x.npy")[:3]
one, two = (expected(model, name, x, "--engine", "float")[None]
            for model, name in ((single, "one"), (dendricl / "tiny.npz", "two")))
check(np.abs(one - two).max() < 1e-12, f"micro steps in bodies change nothing: {np.abs(one - two).max():.0e}")
for bits in ("8", "4"):
    agree(single, f"one_clock_{bits}", x, "--calibrate", dendricl / "calib_d5_x.npy", "--weight-bits", bits)


def refused(text, model, form="lava"):
    ran = subprocess.run([DENDROLITH, "export", model, "--format", form, "-o", FOLDER / "no.pb"], capture_output=True, text=True)
    check(ran.returncode == 1 and text in ran.stderr and not (FOLDER / "no.pb").exists(),
          f"refused: {ran.stderr.strip()}")


refused("'@n' is no process of stock Lava: it has 'dend.mul'", neurons / "lif.mlir",
        form="stock-lava")
refused("ticks on clock '@micro'", ROOT / "models" / "dendricl" / "tiny.npz")
