# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/neuron.py, value.py, equations.py and circuit.py.
"""A neuron written in Python computes what a loop of numpy does, on the float engine
and on a chip; what is wrong is said in terms of Python."""
import inspect

from support import FOLDER, check, finish, np, dl, refused
from dendrolith.equations import (clip, dot, each, element, exp, fire, largest, leak, matvec, maximum,
                                  minimum, relu, reciprocal, rsqrt, sigmoid, softplus, sqrt, tanh,
                                  total, where)

rng = np.random.default_rng(3)
SAMPLES, STEPS, INPUTS = 6, 40, 5
x = (rng.random((SAMPLES, STEPS, INPUTS)) < 0.35).astype(float)


def zeros(n):
    return np.zeros((SAMPLES, n))


def agrees(title, net, wanted, spiking, close):
    """Holds the traces of a network to those of a loop, (samples, steps, neurons), and
    the chip to itself on three engines and to the loop within `close`."""
    floats = dl.load(net).run(x, trace=list(wanted))
    for name, array in wanted.items():
        worst = np.abs(floats.traces[name] - array.reshape(floats.traces[name].shape)).max()
        check(worst < 1e-6, f"{title}: {name} differs by {worst}")
    spikes = wanted[spiking]
    check(0.01 < (spikes != 0).mean() < 0.9, f"{title}: spikes {spikes.mean()}")
    program = dl.compile(net, "loihi2", calibrate=x)
    result = program.run(x, engine="cycle", trace=list(wanted))
    check(result.compare("reference").is_equal, f"{title}: the chip equals the reference")
    again = program.run(x, engine="functional", trace=list(wanted))
    check(all(np.array_equal(again.traces[n], result.traces[n]) for n in wanted),
          f"{title}: the engines agree")
    differ = float((result.traces[spiking] != spikes).mean())
    check(differ < close, f"{title}: {differ:.2%} of spikes are others on the chip")


# 1. A leaky soma with a soft reset, in a loop with itself, and a read-out of real numbers.
@dl.neuron
def soma(i: dl.Port, v: dl.State, keep: dl.Param):
    s, v = fire(leak(v, i, keep), 1.0, reset="subtract")
    return dict(v=v, s=s)


@dl.neuron
def readout(i: dl.Port, y: dl.State = 0.25):
    y = 0.5 * y + i
    return dict(y=y, out=y)


w_in, w_back, w_out = (rng.normal(0.25, 0.3, (7, INPUTS)), rng.normal(0, 0.3, (7, 7)),
                       rng.normal(size=(2, 7)))
bias = rng.normal(0, 0.05, 7)
net = dl.Circuit("loop")
source = net.input("x", INPUTS, spikes="binary")
cells, out = net.population("cells", soma, 7, keep=0.8), net.population("y", readout, 2)
net.connect(source, cells, w_in, bias=bias)
net.connect(cells, cells, w_back, delay=1)
net.connect(cells, out, w_out)
net.output(out, decode="last=1")
net.network().plot().save(FOLDER / "loop.onnx")
try:
    import onnx
except ImportError:
    print("skipped: onnx is not installed, a loop for Netron is not read back")
else:
    nodes = {each.name: list(each.input) for each in onnx.load(FOLDER / "loop.onnx").graph.node}
    check(nodes["cells"] == ["x to cells.i 0", "cells to cells.i 1"] and nodes["cells to cells.i 1"] == ["cells"],
          f"onnx reads a loop: {nodes}")
V, S, Y, wanted = zeros(7), zeros(7), zeros(2) + 0.25, []
for t in range(STEPS):
    V = 0.8 * V + x[:, t] @ w_in.T + S @ w_back.T + bias
    S = (V > 1.0).astype(float)
    V = V - S
    Y = 0.5 * Y + S @ w_out.T
    wanted.append((S, V, Y))
S, V, Y = (np.stack(part, 1) for part in zip(*wanted))
agrees("soma", net, {"cells": S, "cells:v": V, "y:y": Y}, "cells", 0.06)
check(np.allclose(dl.load(net).run(x).outputs, Y, atol=1e-9), "the output is the read-out's")


# 2. Two compartments, of which the dendrite makes plateaus, with parameters of each neuron.
@dl.neuron
def plateau(i_d: dl.Port, i_s: dl.Port, d: dl.State, p: dl.State, v: dl.State,
            kd: dl.Param, kp: dl.Param, kv: dl.Param = 0.9):
    d = leak(d, i_d, kd)
    p = maximum(kp * p, sigmoid(4 * (d - 1)))
    s, v = fire(leak(v, i_s + p, kv), 2.0)
    return dict(d=d, p=p, v=v, s=s)


n = 6
kd, kp = np.linspace(0.5, 0.9, n), np.linspace(0.6, 0.95, n)
w_d, w_s = rng.normal(0.3, 0.3, (n, INPUTS)), rng.normal(0, 0.2, (n, INPUTS))
net = dl.Circuit("dendrites")
source = net.input("x", INPUTS)
cells = net.population("a", plateau, n, kd=kd, kp=kp)
net.connect(source, cells["i_d"], w_d)
net.connect(source, cells["i_s"], w_s, delay=2)
net.output(cells["s"])
net.output(cells["p"], name="plateaus")
D, P, V, wanted, called = zeros(n), zeros(n), zeros(n), [], (zeros(n), zeros(n), zeros(n))
for t in range(STEPS):
    late = x[:, t - 2] @ w_s.T if t >= 2 else zeros(n)
    D = kd * D + x[:, t] @ w_d.T
    P = np.maximum(kp * P, 1 / (1 + np.exp(-4 * (D - 1))))
    V = 0.9 * V + late + P
    S = V > 2.0
    V = np.where(S, 0.0, V)
    wanted.append((S, D, P, V))
    step = plateau(x[:, t] @ w_d.T, late, *called, kd, kp)
    called = (step["d"], step["p"], step["v"])
    check(np.array_equal(step["s"], S) and np.allclose(called[2], V), f"called, step {t}")
S, D, P, V = (np.stack(part, 1) for part in zip(*wanted))
agrees("plateau", net, {"a": S.astype(float), "a:d": D, "a:p": P, "a:v": V}, "a", 0.03)


try:
    import torch
except ImportError:
    print("skipped: torch is not installed, tensors are not tried")
else:
    last = [torch.tensor(array[:, -1], requires_grad=True) for array in (D, P, V)]
    drive = x[:, -1] @ w_d.T
    step = plateau(torch.tensor(drive), torch.tensor(late), *last, torch.tensor(kd), torch.tensor(kp))
    known = plateau(drive, late, D[:, -1], P[:, -1], V[:, -1], kd, kp)
    check(all(np.allclose(step[name].detach(), known[name]) for name in known), "tensors of torch")
    step["p"].sum().backward()
    check(last[0].grad is not None and float(last[1].grad.abs().sum()) > 0, "gradients of torch")


# 3. An adaptive neuron with refractory steps, by where and truths, and numpy's own words.
@dl.neuron
def adaptive(i: dl.Port, v: dl.State, a: dl.State, rest: dl.State, theta: dl.Param):
    free = ~(rest > 0.5)
    v = where(free, np.maximum(0.9 * v + i, -1.0), v)
    s = (v > theta + 0.5 * a) & free
    a = 0.95 * a + s
    rest = where(s, 2, np.maximum(rest - 1, 0))
    return dict(v=v * ~s, a=a, rest=rest, s=s)


theta = np.array([0.6, 0.8, 1.0, 1.2])
w = rng.normal(0.3, 0.2, (4, INPUTS))
net = dl.Circuit("adapting")
cells = net.population("n", adaptive, 4, theta=theta)
net.connect(net.input("x", INPUTS), cells, w)
net.output(cells)
V, A, R, wanted = zeros(4), zeros(4), zeros(4), []
for t in range(STEPS):
    free = R < 1
    V = np.where(free, np.maximum(0.9 * V + x[:, t] @ w.T, -1.0), V)
    S = (V > theta + 0.5 * A) & free
    A = 0.95 * A + S
    R = np.where(S, 2, np.maximum(R - 1, 0))
    V = V * ~S
    wanted.append((S, V, A))
S, V, A = (np.stack(part, 1) for part in zip(*wanted))
agrees("adaptive", net, {"n": S.astype(float), "n:v": V, "n:a": A}, "n", 0.03)


# Every word of equations is that of numpy.
@dl.neuron
def words(i: dl.Port, u: dl.State = 0.75):
    return dict(u=u, a=exp(-i) + tanh(i) / (2.0 + i), b=sqrt(i + 1) - rsqrt(i + 1) * softplus(i),
                c=clip(i, 0.5, 1.5) + relu(i - 1) ** 3 - abs(i - u), d=reciprocal(i + 2) * (u == 0.75),
                e=minimum(-i, 0.1) + where((i > 1) | (i <= 0), 1, i), f=2 - np.exp(i) * np.float64(2))


net = dl.Circuit("words")
cells = net.population("n", words, 2)
net.connect(net.input("x", INPUTS), cells, np.ones((2, INPUTS)))
for name in words.outputs:
    net.output(cells[name], name=f"out_{name}")
result = dl.load(net).run(x)
known = words(np.repeat(x.sum(2)[..., None], 2, 2))
for name in words.outputs:
    check(np.allclose(result.outputs[f"out_{name}"], known[name]), f"word {name}")

# 4. Branches of each neuron as vectors (DH-SNN), a matrix in its body, and a vector that
# is sent.
@dl.neuron
def branched(i: dl.Port[3], d: dl.State[3], v: dl.State, h: dl.State[2] = 0.5, *,
             tau: dl.Param[3], turn: dl.Param[2, 3], gain: dl.Param[3] = 0.5, keep: dl.Param = 0.8):
    d = tau * d + (1 - tau) * i
    h = tanh(matvec(turn, d) + 0.5 * h)
    most = where(d > 0.5, d, 0.1) * where(d > 1, 1, 0.5)
    s, v = fire(leak(v, total(gain * d) + 0.2 * element(h, 1), keep), 1.0, reset="subtract")
    return dict(d=d, h=h, v=v, s=s, sent=d * each(v), one=largest(most) + dot(d, gain))


tau, turn = rng.uniform(0.3, 0.9, (n, 3)), rng.normal(0, 0.4, (2, 3))
w_i, w_o = rng.normal(0.2, 0.3, (n, 3, INPUTS)), rng.normal(size=(2, n, 3))
net = dl.Circuit("branches")
source = net.input("x", INPUTS)
cells, out = net.population("b", branched, n, tau=tau, turn=turn), net.population("y", readout, 2)
net.connect(source, cells, w_i, bias=np.full((n, 3), 0.05))
net.connect(cells["sent"], out, w_o)
net.output(cells["s"])
net.output(cells["one"])
D, H, V, Y, wanted = np.zeros((SAMPLES, n, 3)), np.zeros((SAMPLES, n, 2)) + 0.5, zeros(n), zeros(2) + 0.25, []
for t in range(STEPS):
    drive = np.einsum("si,nki->snk", x[:, t], w_i) + 0.05
    step = branched(drive, D, V, H, tau=tau, turn=turn, gain=np.full(3, 0.5), keep=0.8)
    D = tau * D + (1 - tau) * drive
    H = np.tanh(np.einsum("hk,snk->snh", turn, D) + 0.5 * H)
    V = 0.8 * V + 0.5 * D.sum(2) + 0.2 * H[..., 1]
    S = V > 1
    V = V - S
    Y = 0.5 * Y + np.einsum("snk,onk->so", D * V[..., None], w_o)
    check(all(np.allclose(step[k], w) for k, w in dict(d=D, h=H, v=V, s=S).items()), f"vectors, step {t}")
    wanted.append((S, V, D, H, Y))
S, V, D, H, Y = (np.stack(part, 1) for part in zip(*wanted))
check("tensor<3xf64>" in dl.load(net).text(), "vectors are vectors")
agrees("branched", net, {"b:s": S.astype(float), "b:v": V, "b:d": D, "b:h": H, "y:y": Y}, "b:s", 0.06)

# What is wrong.
line = inspect.currentframe().f_lineno + 4


def forgets():
    @dl.neuron
    def lazy(i: dl.Port, v: dl.State, decay: dl.State):
        return dict(v=v + i, decy=v)


error = refused("a state never assigned", forgets, "state 'decay' of neuron 'lazy' is never assigned",
                "is 'decy' meant", "neuron_test.py")
check(error is None or abs(error.line - line) < 3, "the error has a line")


def made(body, **kinds):
    """Makes a neuron of a function of i and v."""
    body.__annotations__.update({"i": dl.Port, "v": dl.State, **kinds})
    return lambda: dl.neuron(body)


refused("if", made(lambda i, v: dict(v=v if v > 1 else i, s=v > 1)), "use where(condition")
refused("math", made(lambda i, v: dict(v=np.sin(v), s=v > 1)), "numpy.sin", "maximum")
refused("an array", made(lambda i, v: dict(v=v + np.ones(3), s=v > 1)), "shape (3,)", "dl.Param")
refused("a text", made(lambda i, v: dict(v=v + "1", s=v > 1)), "a str is in the equations")
refused("a truth", made(lambda i, v: dict(v=where(v, 1, 0), s=v > 1)), "v > theta")
refused("nothing sent", made(lambda i, v: dict(v=v)), "sends nothing")
refused("no dict", made(lambda i, v: v), "expected a dict")
refused("a reset", made(lambda i, v: dict(v=v, s=fire(v, 1, reset="soft")[0])), "'subtract'")
refused("declared as nothing", made(lambda i, v, k: dict(v=v, s=v > k)), "'k: dl.Param'")
refused("vectors of two lengths", made(lambda i, v, k: dict(v=v + k, s=v > 1), v=dl.State[3], k=dl.Param[2]),
        "shapes (3,) and (2,)")
refused("a vector into a number", made(lambda i, v, k: dict(v=k, s=v > 1), k=dl.Param[2]), "shape (2,)")
refused("an element by [ ]", made(lambda i, v: dict(v=v, s=v[0] > 1), v=dl.State[3]), "element(d, 2)")
refused("an element behind the end", made(lambda i, v: dict(v=v, s=element(v, 3) > 1), v=dl.State[3]), "vector of 3")
refused("a number's total", made(lambda i, v: dict(v=v, s=total(v) > 1)), "dl.State[4]")
refused("a size", lambda: dl.State[0], "dl.State[0]", "dl.State[4]")
refused("a changed port", made(lambda i, v: dict(i=v, v=v)), "returns 'i', which it cannot change")

net = dl.Circuit("wrong")
source, cells = net.input("x", INPUTS), net.population("a", plateau, n, kd=0.5, kp=kp)
refused("no such parameter", lambda: net.population("b", plateau, n, kdd=1, kp=1), "'kdd'",
        "did you mean 'kd'")
refused("no value", lambda: net.population("b", plateau, n, kd=1), "parameter 'kp' has no value")
refused("a shape", lambda: net.population("c", plateau, n, kd=np.ones(3), kp=1), "shape (3,)", "(6,)")
refused("a vector's shape", lambda: net.population("d", branched, n, tau=np.ones(4), turn=turn), "(3,)", "(6, 3)")
refused("a name twice", lambda: net.input("a", 3), "there is a 'a' already")
refused("no such port", lambda: cells["i_x"], "no port, output or state 'i_x'")
refused("which port", lambda: net.connect(source, cells, w_d), "write which one", 'a["i_d"]')
refused("turned", lambda: net.connect(source, cells["i_d"], w_d.T), "(5, 6), expected (6, 5)",
        "weight.T")
refused("a cycle", lambda: net.connect(cells, cells["i_s"], np.ones((n, n))), "a -> a",
        "delay=1")
other = net.population("b", soma, n, keep=0.5)
net.connect(cells, other, np.eye(n))
refused("a longer cycle", lambda: net.connect(other, cells["i_s"], np.eye(n)), "b -> a -> b")
refused("no output", net.network, "has no output")
refused("not a number", lambda: net.connect(source, cells["i_d"], w_d * np.nan), "finite numbers")
net.output(other)
report = dl.check(net, ["loihi1", "loihi2"], calibrate=x)
check(report.targets["loihi2"].ok and not report.targets["loihi1"].ok, str(report))

# A delay of its own for each synapse, as DCLS learns them: a connection for each delay.
wait, w_wait = rng.integers(0, 4, w_in.shape), rng.normal(0.4, 0.6, w_in.shape)
net = dl.Circuit("waits")
source = net.input("x", INPUTS, spikes="binary")
cells = net.population("cells", soma, 7, keep=0.8)
for d in range(4):
    net.connect(source, cells, np.where(wait == d, w_wait, 0), delay=d)
net.output(cells["s"])
V, wanted = zeros(7), []
for t in range(STEPS):
    past = [x[:, t - d] if t >= d else 0 * x[:, 0] for d in range(4)]
    V = 0.8 * V + sum(past[d] @ np.where(wait == d, w_wait, 0).T for d in range(4))
    wanted.append((V > 1.0).astype(float))
    V = V - wanted[-1]
found = dl.load(net).run(x).outputs
check(np.array_equal(found, np.stack(wanted, 1)) and found.any(), "delays of synapses")
finish()
