# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/pipelines/DivideWide.cpp, compiler/pipelines/SplitDendrites.cpp,
# compiler/transforms/rewrites/WideNetwork.cpp,
# compiler/lowering/microcode/VirtualCode.cpp.
"""Heads of DendAttn, which no core of loihi2 holds, divided by branches and by
columns: the answers of the wide neuron in every engine, without an override. A
body whose states decide about each other is refused by what ties them."""
import importlib.util
import re
import subprocess

from support import FOLDER, DENDROLITH, ROOT, check, np, run

MODEL = ROOT / "models" / "dendattn" / "da_mqar.mlir"
spec = importlib.util.spec_from_file_location("reference", MODEL.parent / "reference.py")
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)
params = reference.random_checkpoint(3, small=False)
reference.export(params, FOLDER / "w.npz")
ids = np.array([reference.random_input(s, params) for s in range(2)])
np.save(FOLDER / "x.npy", np.eye(len(params["emb"]))[ids])
NET = (MODEL, "--weights", FOLDER / "w.npz", "--input", FOLDER / "x.npy", "--target", "loihi2")
LIFTED = ("--override-limit", "registers", "--override-limit", "state_bytes")

_, wide, _ = run("wide", *NET, *LIFTED, "--split-dendrite", "wide")
check(len(np.unique(wide)) > 100, "the test sees something")
for split, engine in (("auto", "cycle"), ("H0=1x8/front,H1=4x2", "functional"),
                      ("H0=1x5,H1=8+8+16", "reference")):
    flags = ["--verify"] if engine != "reference" else []
    if split != "auto":
        flags += LIFTED
    result, outputs, _ = run(engine, *NET, "--split-dendrite", split, "--engine", engine, *flags)
    check(outputs.tobytes() == wide.tobytes(), f"{split}: the bits of the wide heads, {engine}")
    if split == "auto":
        check(not result["overridden_limits"] and "H0 in " in result["policies"]["wide neurons"] and
              "does not fit" in result["policies"]["wide neurons, modelled"],
              result["policies"]["wide neurons, modelled"])
        check({row["population"] for row in result["rewrites"]} >= {"H0", "H1"},
              "the report names the user's populations")

# Cores so small that a head's synapses are gathered elsewhere before it is divided.
chip = (ROOT / "targets" / "loihi2" / "chip.yaml").read_text()
for name, least in (("core_memory_bytes", 20000), ("state_bytes", 16000)):
    chip, count = re.subn(rf"({name}: {{value: )\d+", rf"\g<1>{least}", chip)
    check(count == 1, f"loihi2 has {name}")
(FOLDER / "small.yaml").write_text(chip)
_, outputs, _ = run("small", *NET[:-1], FOLDER / "small.yaml")
check(outputs.tobytes() == wide.tobytes(), "small cores: the bits of the wide heads")


def refused(*flags):
    flags = [flag if flag != "--input" else "--calibrate" for flag in flags]
    done = subprocess.run([DENDROLITH, "compile", *map(str, flags), "-o", str(FOLDER / "no.dlp")],
                          capture_output=True, text=True)
    check(done.returncode == 1 and "\nerror: " in "\n" + done.stderr and
          not (FOLDER / "no.dlp").exists(), done.stderr.strip())
    return done.stderr


check("expected 2 to " in refused(*NET, "--split-dendrite", "H0=999"), "too many parts")
check("has no states of its own to divide" in refused(*NET, "--split-dendrite", "R0=2"),
      "R0 has nothing to divide")
