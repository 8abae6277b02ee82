# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/mmdend/Baseline.cpp,
# compiler/import/npz/mmdend/ReadCheckpoint.cpp, models/mmdend/baselines.py.
"""The neurons that MMDEND and DendriCL are compared with, from checkpoints: equal
to their references in float, on the chip to the integer reference in every engine,
the trained ones with their accuracy.
usage: baselines_test.py DENDROLITH DENDROLITH_OPT"""
import subprocess

from support import FOLDER, DENDROLITH, ROOT, check, np, run, sys

MODELS = ROOT / "models" / "mmdend"
REGRESSION = ROOT / "models" / "dendricl"
sys.path[:0] = [str(MODELS), str(REGRESSION), str(MODELS.parent)]
import baselines  # noqa: E402
import pure_lif  # noqa: E402
import reference_io  # noqa: E402

TOLERANCE = 1e-9


def saved(name, array):
    np.save(FOLDER / name, array)
    return FOLDER / name


def alif(seed, recurrent, **meta):
    """A random LSNN of three layers."""
    rng, widths = np.random.default_rng(seed), (6, 9, 7, 8)
    net = {"Wout": rng.normal(0, 1, (1, widths[-1])), "bout": rng.normal(0, 1, 1),
           "meta": {"neuron": "alif", "tau": 4.0, "Vth": 1.0, "decode": "last=1", **meta}}
    for l, (m, n) in enumerate(zip(widths, widths[1:])):
        net |= {f"W{l}": rng.normal(0, 2.5, (n, m)), f"b{l}": rng.normal(0.5, 0.3, n),
                f"beta{l}": rng.uniform(0.2, 2.0, n), f"tau_a{l}": np.array(10.0)}
        if l in recurrent:
            net[f"V{l}"] = rng.normal(0, 2, (n, n))
    return net


def compare(title, net, x, reference):
    """Every spike and output in float, and one answer of both engines on the chip."""
    checkpoint, trace = FOLDER / "net.npz", {}
    reference_io.save(checkpoint, net)
    expected = reference(net, x, trace)
    layers = [name[:-2] for name in trace if name.endswith(".s")]
    at = (checkpoint, "--input", saved("x.npy", x), "--trace", ",".join(layers))
    _, outputs, found = run("float", *at, "--engine", "float")
    gap = np.max(np.abs(outputs - expected))
    spikes = {l: np.moveaxis(trace[f"{l}.s"], 0, 1) for l in layers}
    flips = sum(int(np.sum(found[l].reshape(s.shape) != s)) for l, s in spikes.items())
    fired, all_of = sum(s.sum() for s in spikes.values()), sum(s.size for s in spikes.values())
    check(gap <= TOLERANCE and flips == 0 and 0.02 < fired / all_of < 0.9,
          f"{title}: {gap:.1e}, {flips} differing spikes of {fired}")
    # --verify compares every tick with the integer reference.
    chip = {engine: run(engine, *at, "--target", "loihi2", "--engine", engine, "--verify")
            for engine in ("functional", "cycle")}
    _, on, traced = chip["cycle"]
    check(on.tobytes() == chip["functional"][1].tobytes() and
          all(np.array_equal(traced[l], chip["functional"][2][l]) for l in layers),
          f"{title}: one answer on the chip, verified")
    same = np.mean([np.mean(traced[l].reshape(s.shape) == s) for l, s in spikes.items()])
    check(same > 0.95, f"{title}: {same:.4f} of the spikes on the chip are those in float")


# More steps than the masked neuron has rows, and fewer; one row, one tap, one mode.
SIZES = {"masked_psn": [dict(steps=8, order=4), dict(steps=30, order=30), dict(steps=2, order=2),
                        dict(steps=1, order=1), dict(steps=5, order=1)],
         "sliding_psn": [dict(order=4), dict(order=1), dict(order=20)],
         "pmsn": [dict(modes=3), dict(modes=1)]}
for seed, neuron in enumerate(sorted(set(baselines.BASELINES) - {"psn"})):
    for sizes in SIZES.get(neuron, [{}]):
        net = baselines.random_checkpoint(seed, neuron, **sizes)
        x = np.random.default_rng(seed).normal(0, 1, (4, 12, 6))
        compare(f"{neuron} {sizes or ''}", net, x, baselines.run)
for seed, (title, recurrent, meta) in enumerate((
        ("leaky", (), {}), ("leaky, recurrent", (0, 1, 2), {}),
        ("virtual, recurrent", (1, 2), {"soma": "virtual", "n_micro": 4}))):
    x = np.random.default_rng(seed).normal(0, 1, (5, 9, 6))
    compare(f"alif, {title}", alif(seed, recurrent, **meta), x, pure_lif.run)

# Pure LIF on the ideal chip: a fixed-function read-out behind ports that hold, on one core.
pure = {key: value for key, value in alif(2, (1, 2), soma="virtual", n_micro=4).items() if key[:3] not in ("bet", "tau")}
pure["meta"]["neuron"] = "lif"
reference_io.save(FOLDER / "net.npz", pure)
found = [run("ideal", FOLDER / "net.npz", "--input", FOLDER / "x.npy", "--target", "ideal", "--engine", engine)[1]
         for engine in ("functional", "cycle")]
check(np.any(found[0]) and np.array_equal(*found), "Pure LIF on the ideal chip: one answer, not all zero")

# A parallel neuron that looks back only is a masked one; another one is refused.
net = baselines.random_checkpoint(3, "masked_psn")
net["meta"]["neuron"] = "psn"
compare("psn that is masked", net, np.random.default_rng(3).normal(0, 1, (3, 8, 6)),
        baselines.run)
failed = subprocess.run([DENDROLITH, "run", MODELS / "psn.npz", "--input", MODELS / "test_x.npy",
                         "--engine", "float"], capture_output=True, text=True)
check(failed.returncode == 1 and "'w0': expected neurons that see the past only" in failed.stderr
      and "train a masked_psn" in failed.stderr, "psn: refused by name")

# The trained networks: float as the reference, the chip as near as CHIP.md says.
few, wide = np.load(MODELS / "test_x.npy")[:5], saved("few.npy", np.load(MODELS / "test_x.npy")[:5])
CALIBRATED = ("--target", "loihi2", "--calibrate", MODELS / "calib_x.npy")
TEST = ("--input", MODELS / "test_x.npy", "--labels", MODELS / "test_y.npy")
PAGE = (MODELS / "CHIP.md").read_text().split("## On the chip")[1]
for neuron in sorted(set(baselines.BASELINES) - {"psn"}):
    path = MODELS / f"{neuron}.npz"
    _, outputs, _ = run("trained", path, "--input", wide, "--engine", "float")
    gap = np.max(np.abs(outputs - baselines.run(reference_io.load(path), few)))
    check(gap <= TOLERANCE, f"trained {neuron} as its reference: {gap:.1e}")
    run("verified", path, "--input", wide, *CALIBRATED, "--engine", "cycle", "--verify")
    result, _, _ = run("chip", path, *TEST, *CALIBRATED)
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{neuron}` |"))
    check(f"| {100 * result['score']['value']:.1f} % |" in row,
          f"{neuron}: {100 * result['score']['value']:.1f} % on the chip, as CHIP.md states")

# LSNN on DendriCL's task.
NET = REGRESSION / "lsnn_d10.npz"
x = np.load(REGRESSION / "test_d10_x.npy")
_, outputs, _ = run("lsnn", NET, "--input", saved("x.npy", x[:20]), "--engine", "float")
params = reference_io.load(NET)
gap = np.max(np.abs(outputs - pure_lif.run(params, x[:20])))
check(gap <= TOLERANCE, f"trained LSNN as its reference: {gap:.1e}")
gap = np.max(np.abs(pure_lif.run(params, params["x_ex"])[..., 0] - params["out_ex"]))
check(gap <= 1e-5, f"and as the training framework's read-outs: {gap:.1e}")
CALIBRATED = ("--target", "loihi2", "--calibrate", REGRESSION / "calib_d10_x.npy",
              "--input-bits", 12)
run("verified", NET, "--input", saved("few.npy", x[:2]), *CALIBRATED, "--engine", "cycle",
    "--verify")
result, _, _ = run("chip", NET, "--input", REGRESSION / "test_d10_x.npy", "--labels",
                   REGRESSION / "test_d10_y.npy", *CALIBRATED, "--compare", "float", "--metric",
                   "r2")
away = result["score"]["value"] - result["compare"]["score"]["value"]
check(abs(away) <= 0.01, f"trained LSNN: R2 of 300 tasks {result['score']['value']:.4f} on the "
                         f"chip, {away:+.4f} to float")
