# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/Nir.cpp,
# compiler/transforms/quantise/DendQuantise.cpp.
"""A Braille reader that others trained: float spikes in every place, Loihi 1
integers that keep its class, and three engines that agree at every tick."""
import os

from support import ROOT, check, cosine, np, pathlib, run, sys

SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
DATA = SHARED / "data" / "nir"
if not DATA.is_dir():
    print("skipped: no ../shared")
    sys.exit(77)

MODEL = DATA / "braille_noDelay_bias_zero.nir"
INPUT = DATA / "braille_input_sample0.npy"
hidden = np.load(DATA / "braille_zero_expected_lif1.npy")
expected = np.load(DATA / "braille_zero_expected_output.npy")

_, outputs, traces = run("float", MODEL, "--input", INPUT, "--engine", "float",
                         "--trace", "lif1.lif")
check(hidden.size == 9728 and np.sum(traces["lif1.lif"] != hidden) == 0,
      f"float: 0 of {hidden.size} hidden places differ")
check(np.sum(outputs != expected) == 0,
      f"float: 0 of {expected.size} output places differ")

requests = ",".join(node + state for node in ("lif1.lif", "lif2")
                    for state in ("", ":u", ":v"))
chip = {}
for engine in ("reference", "functional", "cycle"):
    options = ["--verify"] if engine == "cycle" else []
    chip[engine] = run(engine, MODEL, "--target", "loihi1", "--input", INPUT,
                       "--engine", engine, "--trace", requests, *options)
for engine in ("functional", "cycle"):
    differing = sum(int(np.sum(chip["reference"][2][name] != trace))
                    for name, trace in chip[engine][2].items())
    check(len(chip[engine][2]) == 6 and differing == 0,
          f"{engine}: 0 differences from the reference in 6 traces of "
          f"{len(hidden)} ticks")
    check(np.array_equal(chip[engine][1], chip["reference"][1]),
          f"{engine}: outputs equal the reference's")


check(chip["functional"][0]["counts"] == chip["cycle"][0]["counts"],
      "equal counts in both engines")
outputs, traces = chip["cycle"][1:]
check(np.argmax(outputs.sum(0)) == np.argmax(expected.sum(0)),
      f"class {np.argmax(outputs.sum(0))} is kept")
similar = cosine(traces["lif1.lif"].sum(0), hidden.sum(0))
check(similar >= 0.98, f"hidden rate cosine {similar:.4f} (at least 0.98)")
similar = cosine(outputs.sum(0), expected.sum(0))
check(similar >= 0.98, f"output rate cosine {similar:.4f} (at least 0.98)")
