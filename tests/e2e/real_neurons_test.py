# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests dialects/dend/TypeSyntax.cpp and dialects/dend/NetworkSyntax.cpp.
"""The real-valued neurons of models/neurons, in the short syntax: the float engine
against models written here in plain Python, and a chip against its reference."""
import math

from support import FOLDER, ROOT, check, dendrolith, np, result_of

SAMPLES, TICKS, NEURONS = 4, 80, ROOT / "models" / "neurons"
rng = np.random.default_rng(5)


def drive(weights, x):
    return [sum(w for w, s in zip(row, x) if s) for row in weights]


def lif_real(x):
    W = [[.4, .25, .35, -.15], [.2, .5, -.1, .3], [.5, .5, .35, .45]]
    v, theta = [0.0] * 3, [1.0, 1.5, 2.5]
    for now in x:
        for n, current in enumerate(drive(W, now)):
            v[n] = 0.9 * v[n] + current
        s = [v[n] > theta[n] for n in range(3)]
        v = [v[n] - theta[n] * s[n] for n in range(3)]
        yield s, list(v)


def adaptive_lif_real(x):
    v, a = [0.0] * 2, [0.0] * 2
    for now in x:
        s = []
        for n, current in enumerate(drive([[.4, .25, .35, -.15], [.2, .5, -.1, .3]], now)):
            v[n], limit = 0.9 * v[n] + current, 1.0 + 0.5 * a[n]
            s.append(v[n] > limit)
            v[n] -= limit * s[n]
            a[n] = 0.97 * a[n] + s[n]
        yield s, list(a)


def plateau_real(x):
    d, p, v, before = [0.0] * 2, [0.0] * 2, [0.0] * 2, [0] * 3
    for now in x:
        s, soma = [], drive([[.1, 0, .3], [.2, .2, 0]], before)
        for n, current in enumerate(drive([[.6, .5, -.2], [.3, .7, .4]], now)):
            d[n] = 0.7 * d[n] + current
            p[n] = max(0.95 * p[n], 1 / (1 + math.exp(-4 * (d[n] - 1))))
            v[n] = 0.9 * v[n] + soma[n] + p[n]
            s.append(v[n] > 4.0)
            v[n] *= not s[n]
        before = now
        yield s, list(p)


for model, probe, inputs in ((lif_real, "v", 4), (adaptive_lif_real, "a", 4),
                             (plateau_real, "p", 3)):
    name = model.__name__
    x = (rng.random((SAMPLES, TICKS, inputs)) < 0.3).astype(np.uint8)
    file = FOLDER / f"{name}.npy"
    np.save(file, x)
    spikes, states = (np.array(part, float) for part in zip(
        *[zip(*[(np.array(s), np.array(v)) for s, v in model(sample)]) for sample in x]))
    check(0.02 < spikes.mean() < 0.6, f"{name}: it fires, {spikes.mean()}")
    out = FOLDER / name
    for engine, target in (("float", []), ("reference", ["--target", "loihi2"]),
                           ("cycle", ["--target", "loihi2", "--verify"])):
        where = FOLDER / f"{name}_{engine}"
        dendrolith("run", NEURONS / f"{name}.mlir", "--input", file, "--engine", engine, *target,
                "--trace", f"n,n:{probe}", "--out", where)
        traces = np.load(where / "traces.npz")
        unit = (result_of(where)["trace_units_per_real"] or {}).get(f"n:{probe}", 1)
        found, state = traces["n"], traces[f"n:{probe}"] / unit
        if engine == "float":
            check(np.array_equal(found, spikes), f"{name}: spikes in reals")
            check(np.abs(state - states).max() < 1e-9, f"{name}: {probe} in reals")
        elif engine == "reference":
            chip = traces
            check((found != spikes).mean() < 0.02, f"{name}: spikes on the chip")
        else:
            check(all(np.array_equal(traces[key], chip[key]) for key in chip), f"{name}: engines")
