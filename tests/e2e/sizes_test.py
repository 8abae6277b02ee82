# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests dialects/dend/Constants.cpp, compiler/transforms/rewrites/WidePiece.cpp.
"""Sizes on both sides of 16 elements, up to which a constant stands in the text: every
rewrite gives in float what the network gives without it, and one bit pattern in all
engines."""
import importlib.util
import sys

from support import FOLDER, ROOT, check, np, run

sys.path.insert(0, str(ROOT / "models"))
import reference_io  # noqa: E402

SIZES = (15, 16, 17, 18)


def reference(name):
    path = ROOT / "models" / name / "reference.py"
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(f"{name}_reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.pop(0)
    return module


def outputs(name, *flags):
    return run(name, FOLDER / "net.npz", "--input", FOLDER / "x.npy", *flags)[1]


def agree(title, *flags):
    """The outputs of three engines on the chip, which are equal."""
    chip = ("--target", "loihi2", "--calibrate", FOLDER / "x.npy", *flags)
    slow = outputs("slow", *chip, "--engine", "reference")
    fast = [outputs(engine, *chip, "--engine", engine, "--verify")
            for engine in ("functional", "cycle")]
    check(len(np.unique(slow)) > 10 and all(np.array_equal(slow, other) for other in fast),
          f"{title}: one bit pattern in three engines")
    return slow


def save(params, x):
    reference_io.save(FOLDER / "net.npz", params)
    np.save(FOLDER / "x.npy", x)


# A head of DendAttn divided by columns: its slices have a literal of so many zeros.
attention = reference("dendattn")
for n in SIZES:
    params = attention.random_checkpoint(n, d=8, H=1, dk=8, dv=2 * n, Er=1, Es=1, topk=1, dkb=5, P=3)
    save(params, attention.random_input(n, params)[None])
    wide = agree(f"DendAttn, {2 * n} values, wide", "--split-dendrite", "wide")
    for split in ("2x1", "1x2", "2x2"):
        parts = agree(f"in {split}", "--split-dendrite", f"H0={split}")
        check(parts.tobytes() == wide.tobytes(), f"{2 * n} values in {split}: the bits of the wide head")

# DendriCL: the dendrite divides, composes with its read-out or becomes tokens wide.
apical = reference("dendricl")
for n in SIZES:
    params = apical.random_checkpoint(n, sizes=(n - 12, n, n + 1))
    save(params, np.stack([apical.random_input(s, params) for s in range(2)]))
    wide = agree(f"DendriCL, {n} compartments, wide", "--split-dendrite", "wide")
    check(agree("in 2 parts", "--split-dendrite", "2").tobytes() == wide.tobytes(),
          f"{n} compartments in 2 parts: the bits of the wide dendrite")
    plain = outputs("plain", "--engine", "float")
    for rewrite in ("fold-readout", "rank-d"):
        other = outputs("other", "--engine", "float", "--rewrite", rewrite)
        check(np.max(np.abs(other - plain)) < 1e-9, f"{n} compartments, {rewrite}, in float")
        agree(f"{n} compartments, {rewrite}", "--rewrite", rewrite)

# MMDEND: cables that become diagonal; ELM: branches with steps of their own.
branches = reference("mmdend")
for n in SIZES:
    params = branches.random_checkpoint(n, cable=True, sizes=(6, 2 * n - 8, 2, 4, n, n - 8, 4))
    save(params, np.stack([branches.random_input(s, params) for s in range(2)]))
    agree(f"MMDEND, {n} channels of a branch")
    agree(f"MMDEND, {n} channels, 4 bits", "--weight-bits", "4")
expressive = reference("elm")
for n in SIZES:
    params = expressive.random_checkpoint(n, size=(10, n, 3, (3, 6, n - 8, 2), (3, 0, 2, 3)))
    save(params, np.stack([expressive.random_input(s, params) for s in range(4)]))
    agree(f"ELM, {n} neurons")
    agree(f"ELM, {n} neurons, 4 bits", "--weight-bits", "4")
