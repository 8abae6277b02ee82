# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/transforms/quantise/LayerBits.cpp, compiler/lowering/NetworkToMap.cpp,
# runtime/session/BitsText.cpp and the flags of runtime/options/ModelOptions.cpp.
"""Bits by layer, from the flag to the words of synapse memory: fewer bits take and read
fewer words, engines agree on them, a file means what the flag does, and states of
programs have a width of their own."""
import subprocess

from support import FOLDER, DENDROLITH, ROOT, check, np, run

LIF, MMDEND = ROOT / "models/lif", ROOT / "models/mmdend"
for name, folder in (("lif", LIF), ("mm", MMDEND)):
    np.save(FOLDER / f"{name}.npy", np.load(folder / "test_x.npy")[:6])
SHAPES = [LIF / "shapes_lif.nir", "--calibrate", LIF / "calib_x.npy",
          "--input", FOLDER / "lif.npy", "--tuning", "{solver: packed}"]
SPARSE = [MMDEND / "sparse.npz", "--calibrate", MMDEND / "calib_x.npy",
          "--input", FOLDER / "mm.npy"]


def measured(name, *arguments, target="loihi1"):
    """(words of synapse memory in the fullest core, bits by projection, outputs)."""
    result, outputs, _ = run(name, *arguments, "--target", target, "--verify")
    words = next(row["used"] for row in result["fit"] if row["resource"] == "synapse memory")
    bits = [row["weight_bits"] for row in result["quantisation"] if row["weights"]]
    return words, bits, outputs


eight, bits, full = measured("eight", *SHAPES)
check(bits == [8, 8, 8], f"bits without a flag: {bits}")
four, bits, few = measured("four", *SHAPES, "--weight-bits", "4")
check(bits == [4, 4, 8], f"bits of all but the read-out: {bits}")
check(four < 0.65 * eight, f"words at 8 and 4 bits: {eight}, {four}")
check(not np.array_equal(full, few), "4 bits give what 8 bits do")
same, bits, again = measured("same", *SHAPES, "--weight-bits", "8")
check(same == eight and np.array_equal(full, again), "8 bits asked for are not those of the chip")
flag, bits, mixed = measured("flag", *SHAPES, "--weight-bits", "8,5,4")
check(bits == [8, 5, 4], f"bits of each: {bits}")
check(four < flag < eight, f"words at 4, 8/5/4 and 8 bits: {four}, {flag}, {eight}")
(FOLDER / "bits.json").write_text('{"lif2": 5, "lif2->read": 4}')
file, bits, named = measured("file", *SHAPES, "--weight-bits", FOLDER / "bits.json")
check(file == flag and np.array_equal(mixed, named), "a file and the flag differ")
# 7 bits have no code of their own on the chip, and take the 8 that are stored.
seven, bits, _ = measured("seven", *SHAPES, "--weight-bits", "7")
coded, _, _ = measured("coded", *SHAPES, "--weight-bits", "7",
                       target="loihi1,synapse_memory.weight_bit_codes=4+7+8")
check(bits == [7, 7, 8] and coded < seven, f"words at 7 bits with a code and without: "
      f"{coded}, {seven}")

_, _, wide = measured("wide", *SPARSE, target="loihi2")
_, _, narrow = measured("narrow", *SPARSE, "--tuning", "{state-bits: L0=12}", target="loihi2")
check(not np.array_equal(wide, narrow), "states of 12 bits give what 24 do")
done = subprocess.run([DENDROLITH, "run", *map(str, SPARSE), "--target", "loihi2", "--tuning",
                       "{state-bits: L0=30}"],
                      capture_output=True, text=True)
check(done.returncode == 1 and "4 to 24 bits (loihi2 has no wider states), found '30'"
      in done.stderr, "states of 30 bits are refused by name")
