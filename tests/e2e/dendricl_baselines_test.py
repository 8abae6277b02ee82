# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/dendricl/Spikformer.cpp,
# compiler/import/npz/dendricl/ActiveDendrites.cpp,
# compiler/import/npz/dendricl/DendriclNetwork.cpp.
"""The networks beside DendriCL (.npz) as they are imported: DendriCNN, several layers,
Spikformer, Active Dendrites.  Equal to the reference in float; on the chip every engine
equals the integer reference; the trained ones answer as in float."""
import sys

from dendricl_networks import random_net, save, tasks
from support import FOLDER, ROOT, check, np, run

MODELS = ROOT / "models" / "dendricl"
sys.path[:0] = [str(MODELS), str(MODELS.parent)]
import reference  # noqa: E402
import reference_io  # noqa: E402

TOLERANCE = 1e-9
D = 4


def layered(seed, layers, **meta):
    """Layers of DendriCL, each with numbers of its own."""
    net = random_net(seed, D, **meta)
    wide = {"WB": (10, 10)}
    for l in range(1, layers):
        above, rng = random_net(seed + 10 * l, D), np.random.default_rng(seed + l)
        for key in ("WA", "WB", "bB", "WO", "gA", "gB", "alpha", "gamma", "th1"):
            net[f"L{l}.{key}"] = (0.6 * rng.normal(0, 1, wide[key]) if key in wide
                                  else above[key])
        net[f"L{l}.alpha"] = np.array(0.9 + 0.02 * l)
    net["meta"].update({"layers": layers} if layers > 1 else {})
    return net


def spikformer(seed, units=6, heads=2, hidden=(7, 5), **meta):
    rng = np.random.default_rng(seed)
    normal = lambda *shape: rng.normal(0, 1, shape)
    net = {"We": normal(units, D + 2), "be": normal(units), "Wout": normal(1, units),
           "bout": normal(1), "meta": {"neuron": "spikformer", "heads": heads, **meta}}
    for l, rows in enumerate(hidden):
        for key in "qkvo":
            net |= {f"W{key}{l}": normal(units, units), f"b{key}{l}": 0.3 + 0.3 * normal(units)}
        net |= {f"W1{l}": normal(rows, units), f"b1{l}": normal(rows),
                f"W2{l}": normal(units, rows), f"b2{l}": normal(units),
                f"scale{l}": rng.uniform(0.1, 0.4, units), f"shift{l}": 0.2 * normal(units)}
    return net


def active(seed, widths=(9, 7, 8), segments=(3, 2), k=3):
    rng = np.random.default_rng(seed)
    normal = lambda *shape: rng.normal(0, 1, shape)
    net = {"Wout": normal(1, widths[-1]), "bout": normal(1),
           "meta": {"neuron": "active-dendrites", "k_winners": k}}
    for l, (m, n) in enumerate(zip((D + 2, *widths), widths)):
        net |= {f"W{l}": normal(n, m), f"b{l}": normal(n)}
        if l:
            net[f"D{l}"] = 0.3 * normal(n, segments[l - 1], widths[0])
    return net


# A network, and its populations by their names in the reference.
SOMAS = {"soma": "S", "block": "B"}
NETS = {
    "DendriCNN": (layered(0, 1, spike=0), {}),
    "DendriCNN of two layers": (layered(1, 2, spike=False), {}),
    "two layers": (layered(2, 2), {**SOMAS, "soma_1": "S1"}),
    "two layers, memoryless": (layered(3, 2, soma="memoryless"), {**SOMAS, "soma_1": "S1"}),
    "three layers, leaky": (layered(4, 3, soma="leaky", decay=0.5),
                            {**SOMAS, "soma_1": "S1", "soma_2": "S2"}),
    "Spikformer": (spikformer(5), {name: name for name in "e q0 k0 v0 a0 o1 h1 m1".split()}),
    "Spikformer, one head, three passes": (
        spikformer(6, 5, 1, (4,), n_micro=3, decay=0.5), {"a0": "a0", "m0": "m0"}),
    "Spikformer, one pass": (spikformer(7, 6, 3, (6,), n_micro=1, tau=2.0), {"e": "e", "v0": "v0", "a0": "a0"}),
    "Active Dendrites": (active(8), {"L0": "L0", "L1": "L1", "L2": "L2"}),
    "Active Dendrites, one gated layer": (active(9, (8, 6), (4,), 2), {"L1": "L1"}),
}
for seed, (title, (net, names)) in enumerate(NETS.items()):
    reference_io.save(FOLDER / "net.npz", net)
    x, trace = tasks(seed, 4, 9, D)[0], {}
    expected = reference.run(net, x, trace)
    traced = ("--trace", ",".join(names)) if names else ()
    at = (FOLDER / "net.npz", "--input", save("x.npy", x), *traced)
    _, outputs, found = run("float", *at, "--engine", "float")
    gap = np.max(np.abs(outputs - expected))
    spikes = {name: np.moveaxis(trace[f"{key}.s"], 0, 1) for name, key in names.items()}
    flips = sum(int(np.sum(found[name].reshape(s.shape) != s)) for name, s in spikes.items())
    fired = sum(int(s.sum()) for s in spikes.values())
    check(gap <= TOLERANCE and flips == 0 and (fired > 20 or not names),
          f"{title}: {gap:.1e}, {flips} differing spikes of {fired}")
    # --verify compares every tick with the integer reference.
    chip = [run(engine, *at, "--target", "loihi2", "--engine", engine, "--verify")[1]
            for engine in ("functional", "cycle")]
    check(chip[0].tobytes() == chip[1].tobytes() and np.any(chip[0]),
          f"{title}: the engines agree on the chip")

# The trained ones; a trained answer and the chip's differ by spikes near a threshold.
for name in ("cnn_d10", "two_layer_d10", "spikformer_d10", "active_d10"):
    x, y = (np.load(MODELS / f"test_d10_{part}.npy")[:40] for part in "xy")
    result, _, _ = run(name, MODELS / f"{name}.npz", "--target", "loihi2", "--input",
                       save("x.npy", x), "--labels", save("y.npy", y), "--metric", "r2",
                       "--calibrate", MODELS / "calib_d10_x.npy", "--compare", "float")
    on, real = result["score"]["value"], result["compare"]["score"]["value"]
    params = reference.load(MODELS / f"{name}.npz")
    answers = np.concatenate([reference.run(params, part)[:, -1, 0]
                              for part in (x[:20], x[20:])])
    r2 = 1 - np.sum((answers - y) ** 2) / np.sum((y - y.mean()) ** 2)
    check(abs(real - r2) < 1e-6 and abs(on - real) < 0.06 and real > 0.2,
          f"{name}: R2 {on:.3f} on the chip, {real:.3f} in float, {r2:.3f} in the reference")
