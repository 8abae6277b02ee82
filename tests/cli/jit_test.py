# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/RunCommand.cpp, runtime/session/native/NativePrograms.cpp,
# compiler/native/BodyCompiler.cpp.
"""Runs with machine code and without give the same files."""
import json

from command import ROOT, W, check, finish, dendrolith, refused

ELM = ROOT / "models" / "elm"
image = W / "elm.dlp"
done = dendrolith("compile", ELM / "family" / "p2000_m2_s0.npz", "--target", "loihi2",
               "--calibrate", ELM / "calib_x.npy", "-o", image)
check(done.returncode == 0, done.stderr)


def files_of(engine, jit):
    """The output and what the result says besides times."""
    out = W / f"{engine}-{jit}"
    done = dendrolith("run", image, "--input", ELM / "calib_x.npy", "--engine", engine,
                   "--jit", jit, "--trace", "rec,rec:m", "--out", out)
    check(done.returncode == 0, done.stderr)
    result = json.loads((out / "result.json").read_text())
    return ((out / "outputs.npy").read_bytes(), (out / "traces.npz").read_bytes(),
            result["counts"], result["energy"], result.get("times"))


def float_files_of(jit):
    """The same of the float engine, which runs the model."""
    out = W / f"float-{jit}"
    done = dendrolith("run", ELM / "family" / "p2000_m2_s0.npz", "--input", ELM / "calib_x.npy",
                   "--engine", "float", "--jit", jit, "--trace", "rec,rec:m", "--out", out)
    check(done.returncode == 0, done.stderr)
    result = json.loads((out / "result.json").read_text())
    return ((out / "outputs.npy").read_bytes(), (out / "traces.npz").read_bytes(),
            result["hashes"])


plain = float_files_of("off")
for jit in "on", "auto":
    check(float_files_of(jit) == plain, f"float --jit {jit}")

for engine in "functional", "cycle":
    plain = files_of(engine, "off")
    for jit in "on", "auto":
        check(files_of(engine, jit) == plain, f"{engine} --jit {jit}")

refused("another word", 2, "run", image, "--input", ELM / "calib_x.npy", "--jit", "maybe",
        says=("--jit", "maybe"))
finish()
