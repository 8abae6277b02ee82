# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/tutorial/cells.py.
"""The neurons that the papers compare theirs with: in reals equal to loops written here
from the equations; on the chip the same integers in both engines, near to reals."""
import math
import sys

from support import ROOT, check, dl, finish, np

sys.path.insert(0, str(ROOT / "runtime/python/tutorial"))
import cells  # noqa: E402

UNITS, KEYS = cells.UNITS, cells.KEYS


def logistic(x):
    return 1 / (1 + np.exp(-x))


def gla(w, x):
    S = np.zeros((UNITS, KEYS))
    for now in x:
        for unit in range(UNITS):
            for key in range(KEYS):
                of = lambda port: w[f"x_{port}"][unit, key] @ now
                S[unit, key] = logistic(of("g")) * S[unit, key] + of("k") * (w["x_v"][unit] @ now)
        yield [sum((w["x_q"][u, key] @ now) * S[u, key] for key in range(KEYS)) for u in range(UNITS)]


def gated_delta(w, x):
    S = np.zeros((UNITS, KEYS))
    for now in x:
        out = []
        for u in range(UNITS):
            k = w["x_k"][u] @ now
            k = k / math.sqrt(k @ k + 1e-6)
            g, b, v = (w[f"x_{port}"][u] @ now for port in "gbv")
            # S g (1 - b k k') + b v k, as the paper writes it
            S[u] = logistic(g) * (S[u] - logistic(b) * k * (k @ S[u])) + logistic(b) * v * k
            out.append((w["x_q"][u] @ now) @ S[u])
        yield out


def linear_attention(w, x):
    """Over all steps so far, without a state."""
    phi = lambda z: np.where(z > 0, z + 1, np.exp(z))
    for t in range(len(x)):
        out = []
        for u in range(UNITS):
            q = phi(w["x_q"][u] @ x[t])
            kept = [q @ phi(w["x_k"][u] @ past) for past in x[:t + 1]]
            out.append(sum(a * (w["x_v"][u] @ past) for a, past in zip(kept, x)) / sum(kept))
        yield out


def gru(w, x):
    h = np.zeros(UNITS)
    for now in x:
        r, z = (logistic(w["x_" + gate] @ now + w["h_" + gate] @ h) for gate in "rz")
        h = (1 - z) * np.tanh(w["x_i"] @ now + r * (w["h_c"] @ h)) + z * h
        yield h.copy()


def srnn(w, x):
    u, a, s = np.zeros(UNITS), np.zeros(UNITS), np.zeros(UNITS)
    for now in x:
        a = w["fade"] * a + (1 - w["fade"]) * s
        theta = 0.1 + 1.8 * a
        drive = w["x_i"] @ now + w["h_i"] @ s
        u = w["keep"] * u + (1 - w["keep"]) * drive - theta * s
        s = (u > theta).astype(float)
        yield s


def tclif(w, x):
    d, v, s = np.zeros(UNITS), np.zeros(UNITS), np.zeros(UNITS)
    for now in x:
        d = d - w["back"] * v + w["x_i"] @ now - 0.5 * s
        v = v + w["to"] * d - s
        s = (v > 1).astype(float)
        yield s


def swiglu(w, x):
    for t in range(len(x)):
        h = sum(tap * (w["W"] @ x[t - delay]) for delay, tap in enumerate(w["taps"]) if delay <= t)
        n = h / math.sqrt(np.mean(h * h) + 1e-6)
        gate = w["G"] @ n
        yield h + w["D"] @ (gate * logistic(gate) * (w["U"] @ n))


for name in cells.NAMES:
    net, arrays = cells.layer(name, 1)
    x = cells.samples(name, 2)
    expected = np.array([list(globals()[name](arrays, sample.astype(float))) for sample in x], float)
    own = lambda result: np.asarray(result.outputs, float).reshape(expected.shape)
    real = own(dl.load(net).run(x))
    program = dl.compile(net, "loihi2", calibrate=cells.samples(name, 3))
    chip, clocked = (own(program.run(x, engine=engine)) for engine in ("functional", "cycle"))
    worst = np.abs(real - expected).max() / np.abs(expected).max()
    check(worst < 1e-10, f"{name}: in reals as the loops, {worst:.1e}")
    check(np.array_equal(chip, clocked), f"{name}: the engines agree")
    if name in cells.SPIKING:
        check(0.05 < expected.mean() < 0.6, f"{name}: {expected.mean():.2f} of the steps have a spike")
        check(np.mean(chip == real) > 0.96, f"{name}: {np.mean(chip == real):.4f} of them on the chip")
    else:
        off = np.sqrt(np.mean((chip - real) ** 2)) / real.std()
        check(off < 0.05, f"{name}: {off:.4f} of the spread from reals on the chip")
finish()
