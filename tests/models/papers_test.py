# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests models/mmdend, models/dendricl, models/elm, models/dendattn.
"""The four papers' networks in the float interpreter against models/*/reference.py.

    python3 tests/models/papers_test.py --dendrolith build/bin/dendrolith --model mmdend

On a random network of the committed .mlir's shape, and on the trained one with
its stored examples where ../shared (or $DENDROLITH_SHARED) is present. Outputs and
graded values within 1e-5 of the largest value, spikes exactly equal.
"""
import argparse
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("DENDROLITH_SHARED", ROOT.parent / "shared"))
CHECKPOINTS = SHARED / "data" / "checkpoints"
TOLERANCE = 1e-5


class Case:
    """One paper: its files, and how its reference's traces are named here.

    graded and spikes: trace of the reference -> request of `dendrolith --trace`.
    examples(params): the stored samples, each with a function of its outputs
    and traces that gives all differences from what is stored beside it.
    """

    def __init__(self, network, checkpoint, graded, spikes, examples):
        self.network, self.checkpoint = network, checkpoint
        self.graded, self.spikes, self.examples = graded, spikes, examples


def one_hot(ids, params):
    return np.eye(len(params["emb"]))[np.asarray(ids)]


def dendricl_examples(params):
    """Stored in float64: read-outs, apical states from the initial one on, and
    all spikes (one differing spike is a difference of 1)."""
    name = params["meta"]["name"]
    stored = np.load(CHECKPOINTS / "dendricl_examples.npz")

    def differences(i):
        out, u, soma, block = (stored[f"{name}/{key}"][i].astype(np.float64)
                               for key in ("out", "u", "soma", "block"))
        return lambda y, t: np.concatenate([
            (y[:, 0] - out).ravel(),
            (np.vstack([t["A"], t["A:u"][-1:]]) - u).ravel(),
            (t["S"].reshape(soma.shape) - soma).ravel(),
            (t["B"].reshape(block.shape) - block).ravel()])

    xs = stored[f"{name}/x"].astype(np.float64)
    return [(x, differences(i)) for i, x in enumerate(xs)]


CASES = {
    "mmdend": Case(
        "mm_shapes.mlir", "mm_shapes_sparse.npz",
        {"L0.Vs": "L0:Vs", "L1.Vs": "L1:Vs"}, {"L0.s": "L0", "L1.s": "L1"},
        # Stored: logits averaged over the steps, float32.
        lambda p: [(x, lambda y, t, e=e: np.mean(y, axis=0) - e)
                   for x, e in zip(p["x_ex"], p["logits_ex"])]),
    "dendricl": Case(
        "d5_tiny.mlir", "d5_tiny.npz",
        {"A.u": "A", "A.u_after": "A:u"}, {"S.s": "S", "B.s": "B"},
        dendricl_examples),
    "elm": Case(
        "elm_relu.mlir", "elm_relu.npz",
        {"rec.a": "rec", "rec.m": "rec:m", "rec.r": "rec:r", "ro.y": "ro"}, {},
        # Stored: scores of the last step, float32.
        lambda p: [(x, lambda y, t, e=e: y[-1] - e)
                   for x, e in zip(p["x_ex"], p["logits_ex"])]),
    "dendattn": Case(
        "da_mqar.mlir", "da_mqar.npz", {"l0.o": "H0", "l1.o": "H1"}, {},
        # Stored: logits of every token, float32; compared where one is asked.
        lambda p: [(x, lambda y, t, e=e, k=k: (y - e)[k >= 0])
                   for x, e, k in zip(p["x_ex"], p["logits_ex"], p["y_ex"])]),
}


def reference(model):
    path = ROOT / "models" / model / "reference.py"
    spec = importlib.util.spec_from_file_location(model + "_reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_dendrolith(dendrolith, case, model, weights, inputs, folder):
    """(samples, steps, ...) outputs and the traces by request."""
    np.save(folder / "x.npy", inputs)
    np.savez(folder / "w.npz", **weights)
    requests = [*case.graded.values(), *case.spikes.values()]
    subprocess.run(
        [dendrolith, "run", ROOT / "models" / model / case.network, "--weights",
         folder / "w.npz", "--input", folder / "x.npy", "--engine", "float",
         "--trace", ",".join(requests), "--out", folder / "out"],
        check=True, stdout=subprocess.DEVNULL)
    return (np.load(folder / "out" / "outputs.npy"),
            np.load(folder / "out" / "traces.npz"))


def compare(title, dendrolith, model, params, samples, checks=()):
    """Runs `samples` both ways; returns whether all is equal."""
    module, case = reference(model), CASES[model]
    tokens = model == "dendattn" and np.asarray(samples[0]).ndim == 1
    inputs = np.array([one_hot(x, params) if tokens else x for x in samples],
                      dtype=np.float64)
    with tempfile.TemporaryDirectory() as folder:
        outputs, traces = run_dendrolith(dendrolith, case, model,
                                      module.effective(params), inputs,
                                      pathlib.Path(folder))
        traces = {name: traces[name] for name in traces}
    worst, differing, spikes, stored = 0.0, 0, 0, 0.0
    for i, x in enumerate(samples):
        trace = {}
        expected = module.run(params, x, trace)
        pairs = [(expected, outputs[i])]
        pairs += [(trace[name], traces[there][i])
                  for name, there in case.graded.items()]
        for mine, theirs in pairs:
            mine = np.asarray(mine, dtype=np.float64)
            scale = max(1.0, np.max(np.abs(mine)))
            gap = np.abs(mine.reshape(theirs.shape) - theirs)
            # Not max(): it would drop a gap that is not a number.
            worst = float(np.maximum(worst, np.max(gap) / scale))
        for name, there in case.spikes.items():
            mine = np.asarray(trace[name]).reshape(traces[there][i].shape)
            differing += int(np.sum(mine != traces[there][i]))
            spikes += int(np.sum(mine != 0))
        if checks:
            sample = {name: trace[i] for name, trace in traces.items()}
            stored = float(np.maximum(stored, np.max(np.abs(
                checks[i](outputs[i], sample)))))
    print(f"{title}: largest difference {worst:.2e} (allowed {TOLERANCE:.0e})"
          + (f", {differing} differing spikes of {spikes}"
             if case.spikes else "")
          + (f", from the stored results {stored:.2e}" if checks else ""))
    return worst <= TOLERANCE and differing == 0 and stored <= TOLERANCE


def trained(dendrolith, model):
    case, module = CASES[model], reference(model)
    params = module.load(CHECKPOINTS / case.checkpoint)
    pairs = case.examples(params)
    return compare(f"{model}, trained", dendrolith, model, params,
                   [x for x, _ in pairs], [check for _, check in pairs])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dendrolith", required=True)
    parser.add_argument("--model", required=True, choices=sorted(CASES))
    options = parser.parse_args()
    dendrolith = os.path.abspath(options.dendrolith)
    module = reference(options.model)
    ok = True
    for seed in range(3):
        params = module.random_checkpoint(seed, small=False)
        samples = [module.random_input(10 * seed + k, params) for k in range(2)]
        ok &= compare(f"{options.model}, random {seed}", dendrolith, options.model,
                      params, samples)
    if CHECKPOINTS.is_dir():
        ok &= trained(dendrolith, options.model)
    else:
        print(f"{options.model}, trained: skipped: ../shared not present")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
