# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/mmdend/Neuron.cpp.
"""Pure LIF checkpoints (.npz) as they are imported: equal to the reference in float,
one tick per token or several, with and without recurrent weights; on the chip
equal to the integer reference in every engine; the trained one with its R2."""
import subprocess
import sys

from support import FOLDER, DENDROLITH, ROOT, check, np, run

MODELS = ROOT / "models" / "dendricl"
sys.path[:0] = [str(MODELS), str(MODELS.parent)]
import pure_lif  # noqa: E402
import reference_io  # noqa: E402

TOLERANCE = 1e-9
WIDTHS = 6, 9, 7, 8  # all different: a transposed use would not import


def random_net(seed, recurrent, **meta):
    rng = np.random.default_rng(seed)
    normal = lambda *shape: rng.normal(0, 1, shape)
    net = {"Wout": normal(1, WIDTHS[-1]), "bout": normal(1),
           "meta": {"neuron": "lif", "tau": 4.0, "Vth": 1.0, "decode": "last=1", **meta}}
    for l, (m, n) in enumerate(zip(WIDTHS, WIDTHS[1:])):
        net |= {f"W{l}": 2.5 * normal(n, m), f"b{l}": 0.5 + 0.3 * normal(n)}
        if l in recurrent:
            net[f"V{l}"] = 2 * normal(n, n)
    return net


def save(name, array):
    np.save(FOLDER / name, array)
    return FOLDER / name


VIRTUAL = {"soma": "virtual", "n_micro": 4}
FORMS = {"leaky": ((), {}),
         "leaky, recurrent": ((0, 1, 2), {}),
         "virtual": ((), VIRTUAL),
         "virtual, recurrent": ((1, 2), VIRTUAL),
         "virtual, three ticks, slow": ((2,), {**VIRTUAL, "n_micro": 3, "tau": 8.0}),
         "virtual, one tick": ((1,), {**VIRTUAL, "n_micro": 1, "tau": 1.5})}
for seed, (title, (recurrent, meta)) in enumerate(FORMS.items()):
    net, trace = random_net(seed, recurrent, **meta), {}
    x = np.random.default_rng(seed).normal(0, 1, (5, 9, WIDTHS[0]))
    expected = pure_lif.run(net, x, trace)
    checkpoint = FOLDER / "net.npz"
    reference_io.save(checkpoint, net)
    at = (checkpoint, "--input", save("x.npy", x), "--trace", "L0,L1,L2")
    _, outputs, found = run("float", *at, "--engine", "float")
    gap = np.max(np.abs(outputs - expected))
    spikes = {f"L{l}": np.moveaxis(trace[f"L{l}.s"], 0, 1) for l in range(3)}
    flips = sum(int(np.sum(found[l].reshape(s.shape) != s)) for l, s in spikes.items())
    fired = sum(int(s.sum()) for s in spikes.values())
    check(gap <= TOLERANCE and flips == 0 and fired > 50,
          f"{title}: {gap:.1e}, {flips} differing spikes of {fired}")

    # --verify compares every tick with the integer reference.
    chip = {engine: run(engine, *at, "--target", "loihi2", "--engine", engine, "--verify")
            for engine in ("functional", "cycle")}
    _, on, traces = chip["cycle"]
    check(on.tobytes() == chip["functional"][1].tobytes() and
          all(np.array_equal(traces[l], chip["functional"][2][l]) for l in spikes),
          f"{title}: one answer on the chip, verified")
    same = np.mean([np.mean(traces[l].reshape(s.shape) == s) for l, s in spikes.items()])
    check(same > 0.96, f"{title}: {same:.4f} of the spikes on the chip are those in float")

# The trained network.
NET, TASKS = MODELS / "lif_d10.npz", MODELS / "test_d10_x.npy"
x = np.load(TASKS)[:40]
_, outputs, _ = run("trained", NET, "--input", save("x.npy", x), "--engine", "float")
gap = np.max(np.abs(outputs - pure_lif.run(reference_io.load(NET), x)))
check(gap <= TOLERANCE, f"trained Pure LIF as its reference: {gap:.1e}")
CALIBRATED = ("--target", "loihi2", "--calibrate", MODELS / "calib_d10_x.npy")
run("verified", NET, "--input", save("few.npy", x[:3]), *CALIBRATED, "--engine", "cycle",
    "--verify")
result, _, _ = run("chip", NET, "--input", TASKS, "--labels", MODELS / "test_d10_y.npy",
                   *CALIBRATED, "--compare", "float", "--metric", "r2")
away = result["score"]["value"] - result["compare"]["score"]["value"]
check(abs(away) <= 0.03, f"trained Pure LIF: R2 of 300 tasks {result['score']['value']:.4f} on the "
                         f"chip, {away:+.4f} to float")

# A token of in-context regression: the label at the query is hidden here too.
net = random_net(9, (1,), **VIRTUAL, d=WIDTHS[0] - 2)
reference_io.save(FOLDER / "task.npz", net)
x = np.random.default_rng(9).normal(0, 1, (4, 6, WIDTHS[0]))
x[..., -1] = np.arange(6) == 5
told = x.copy()
told[:, -1, -2] = 50
x[:, -1, -2] = 0
for engine in ("float", "functional"):
    answers = [run("task", FOLDER / "task.npz", "--target", "loihi2", "--engine", engine,
                   "--input", save(f"{name}.npy", array), "--calibrate",
                   save("x.npy", x))[1].tobytes() for name, array in (("x", x), ("told", told))]
    check(answers[0] == answers[1], f"{engine}: the label at the query changes no byte")
reference_io.save(FOLDER / "task.npz", {**net, "meta": {**net["meta"], "d": 3}})
failed = subprocess.run([DENDROLITH, "run", FOLDER / "task.npz", "--input", FOLDER / "x.npy",
                         "--engine", "float"], capture_output=True, text=True)
check(failed.returncode == 1 and '"d": expected 4, as W0 has 6 columns' in failed.stderr,
      failed.stderr.strip())
