# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/transforms/quantise/QuantiseBody.cpp,
# compiler/transforms/quantise/Messages.cpp.
"""DendriCL, ELM and DendAttn in integers: real-valued messages, divided clocks,
delta rules, per-neuron MLPs. Random networks of the committed shape, and trained
ones where they are: engines equal to the bit, outputs near the float network's."""
import importlib.util

from support import FOLDER, ROOT, check, np, run

SHARED = ROOT.parent / "shared" / "data" / "checkpoints"


def reference(paper):
    spec = importlib.util.spec_from_file_location(
        f"{paper}_reference", ROOT / "models" / paper / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tokens(paper, samples, params):
    """DendAttn's are ids; the network takes them one-hot."""
    return np.eye(len(params["emb"]))[samples] if paper == "dendattn" else samples


def compare(paper, network, title, params, samples, target, traces, least):
    """Verified in both engines; returns nothing, fails below a correlation."""
    module = reference(paper)
    weights, x = FOLDER / f"{paper}.npz", FOLDER / f"{paper}-x.npy"
    module.export(params, weights)
    np.save(x, samples)
    model = [ROOT / "models" / paper / f"{network}.mlir", "--weights", weights,
             "--input", x]
    _, real, _ = run(f"{paper}-float", *model, "--engine", "float")
    for engine in ("functional", "cycle"):
        _, outputs, _ = run(f"{paper}-{engine}", *model, "--target", target, "--engine",
                            engine, "--verify", "--trace", traces)
        near = np.corrcoef(outputs.ravel(), real.ravel())[0, 1]
        check(near >= least, f"{title} on {target}, {engine}: verified, "
                             f"correlation with float {near:.4f}")


# A spike that comes a tick earlier or later changes what DendriCL reads out, so
# its correlation is lower than that of the networks that send reals alone.
CASES = (("dendricl", "d5_tiny", "loihi2", "A,S,B,S:v", 0.9),
         ("elm", "elm_relu", "loihi2", "rec,rec:m,ro", 0.99),
         ("dendattn", "da_mqar", "ideal", "R0:h,R1:n", 0.95))
for paper, network, target, traces, least in CASES:
    module = reference(paper)
    params = module.random_checkpoint(3, small=False)
    samples = tokens(paper, np.array([module.random_input(s, params)
                                      for s in range(3)]), params)
    compare(paper, network, f"random {network}", params, samples, target, traces, least)
    stored = SHARED / f"{network}.npz"
    if not stored.exists():
        print(f"skipped: {stored.name} is not here")
        continue
    params = module.load(stored)
    if paper == "dendricl":
        samples = np.load(SHARED / "dendricl_examples.npz")[f"{network}/x"]
    else:
        samples = tokens(paper, params["x_ex"][:4], params)
    compare(paper, network, f"trained {network}", params, samples, target, traces, least)
