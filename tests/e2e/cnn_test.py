# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/cnn/glyphs.py, models/cnn/reference.py, models/lif/shapes.py,
# models/mmdend/task.py and the convolutions of compiler/import/nir/Build.cpp.
"""The shipped convolutional network: the reference's answers on the float engine, the
same accuracy within a point on Loihi 1, and sets of samples that their scripts draw."""
import subprocess
import sys

from support import FOLDER, ROOT, check, np, run

try:
    import h5py  # noqa: F401
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

CNN, MODELS = ROOT / "models/cnn", ROOT / "models"
MODEL, X, Y = (CNN / name for name in ("glyphs_cnn.nir", "test_x.npy", "test_y.npy"))
np.save(FOLDER / "x.npy", np.load(X)[:20])
np.save(FOLDER / "y.npy", np.load(Y)[:20])
FEW = ["--input", FOLDER / "x.npy", "--labels", FOLDER / "y.npy"]

subprocess.run([sys.executable, *map(str, [CNN / "reference.py", *FEW, "--save",
                                           FOLDER / "r.npy"])], check=True)
_, read, _ = run("float", MODEL, *FEW, "--engine", "float")
check(np.allclose(read, np.load(FOLDER / "r.npy"), atol=1e-5), "the reference's read-out")

CHIP = [MODEL, "--target", "loihi1", "--calibrate", CNN / "calib_x.npy"]
result, _, _ = run("chip", *CHIP, "--input", X, "--labels", Y, "--compare", "float")
chip, floating = result["score"]["value"], result["compare"]["score"]["value"]
check(floating > 0.95 and abs(chip - floating) <= 0.01,
      f"float {100 * floating:.1f} %, Loihi 1 {100 * chip:.1f} %")
run("verified", *CHIP, *FEW, "--engine", "cycle", "--verify")


def drawn(folder, script, call):
    """What a script of a model draws."""
    code = (f"import sys, numpy as np; sys.path.insert(0, {str(MODELS / folder)!r}); "
            f"import {script} as s; x, y = {call}; "
            f"np.savez({str(FOLDER / 'drawn.npz')!r}, x=x, y=y)")
    subprocess.run([sys.executable, "-c", code], check=True)
    file = np.load(FOLDER / "drawn.npz")
    return file["x"], file["y"]


for folder, script, call, name in (
        ("cnn", "glyphs", "s.make(s.SEED_TEST, s.TEST)", "test"),
        ("cnn", "glyphs", "s.make(s.SEED_CALIB, s.CALIB)", "calib"),
        ("lif", "shapes", "s.calibration()", "calib500"),
        ("mmdend", "task", "s.calibration()", "calib500")):
    x, y = drawn(folder, script, call)
    kept_x, kept_y = (np.load(MODELS / folder / f"{name}_{part}.npy") for part in "xy")
    # Another numpy may round the last bit of a drawing differently.
    check(np.array_equal(y, kept_y) and np.mean(x != kept_x) < 1e-4,
          f"models/{folder}: {name} is what its script draws")
for folder in ("lif", "mmdend"):
    small, large = (np.load(MODELS / folder / f"calib{n}_x.npy") for n in ("", "500"))
    check(len(large) == 500 and np.array_equal(large[:64], small), f"{folder}: 64 of the 500")
