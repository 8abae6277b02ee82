# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Neurons and layers that the papers compare theirs with, as equations of one neuron.

    DENDROLITH_BIN=build/bin/dendrolith python3 runtime/python/tutorial/cells.py

prints what an untrained layer of each costs on loihi2, and how far its integers are from
reals: the share of spikes that are equal, else the rms error over the spread.
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import dendrolith as dl  # noqa: E402
from dendrolith.equations import (  # noqa: E402
    dot, exp, maximum, minimum, rsqrt, sigmoid, tanh)

INPUTS, UNITS, KEYS = 8, 16, 4


@dl.neuron
def gla(q: dl.Port[KEYS], k: dl.Port[KEYS], g: dl.Port[KEYS], v: dl.Port, S: dl.State[KEYS]):
    """A value of gated linear attention: each key of its memory fades at a rate of its own."""
    S = sigmoid(g) * S + k * v
    return dict(S=S, o=dot(q, S))


@dl.neuron
def gated_delta(q: dl.Port[KEYS], k: dl.Port[KEYS], g: dl.Port, b: dl.Port, v: dl.Port,
                S: dl.State[KEYS]):
    """A value of Gated DeltaNet: what a key recalled is corrected."""
    k = k * rsqrt(dot(k, k) + 1e-6)
    S = sigmoid(g) * S
    S = S + sigmoid(b) * (v - dot(k, S)) * k
    return dict(S=S, o=dot(q, S))


@dl.neuron
def linear_attention(q: dl.Port[KEYS], k: dl.Port[KEYS], v: dl.Port, S: dl.State[KEYS],
                     z: dl.State[KEYS]):
    """A value of the linear Transformer, whose features are elu + 1."""
    q, k = (maximum(x, 0.0) + exp(minimum(x, 0.0)) for x in (q, k))
    S, z = S + k * v, z + k
    return dict(S=S, z=z, o=dot(q, S) / dot(q, z))


@dl.neuron
def norm(h: dl.Port[UNITS]):
    """A residual stream, and the stream over its root mean square."""
    return dict(y=h * 1.0, n=h * rsqrt(dot(h, h) / UNITS + 1e-6))


@dl.neuron
def swiglu(g: dl.Port, u: dl.Port):
    """A hidden unit of a SwiGLU."""
    return dict(o=g * sigmoid(g) * u)


@dl.neuron
def gru(r: dl.Port, z: dl.Port, i: dl.Port, c: dl.Port, h: dl.State):
    """A gated recurrent unit; `c` is the part of its candidate that `r` gates."""
    h_next = tanh(i + sigmoid(r) * c)
    h = h_next + sigmoid(z) * (h - h_next)
    return dict(h=h, o=h)


@dl.neuron
def srnn(i: dl.Port, u: dl.State, a: dl.State, s0: dl.State, keep: dl.Param, fade: dl.Param):
    """An adaptive neuron of an SRNN, whose threshold rises with its spikes."""
    a = fade * a + (1 - fade) * s0
    theta = 0.1 + 1.8 * a
    u = keep * u + (1 - keep) * i - theta * s0
    s = u > theta
    return dict(u=u, a=a, s0=s, s=s)


@dl.neuron
def tclif(i: dl.Port, d: dl.State, v: dl.State, s0: dl.State, back: dl.Param, to: dl.Param):
    """TC-LIF: a dendrite without leak, and a soma that draws from it."""
    d = d - back * v + i - 0.5 * s0
    v = v + to * d - s0
    s = v > 1.0
    return dict(d=d, v=v, s0=s, s=s)


SPIKING = ("srnn", "tclif")
# Ports, and of each whether it sees the inputs or what the layer sent a step ago.
LAYERS = {"gla": (gla, "q k g v", ""), "gated_delta": (gated_delta, "q k g b v", ""),
          "linear_attention": (linear_attention, "q k v", ""),
          "gru": (gru, "r z i", "r z c"), "srnn": (srnn, "i", "i"), "tclif": (tclif, "i", "")}


def weights(rng, neuron, port, sources):
    shape = (UNITS, *neuron.shapes[port], sources)
    return rng.normal(0, 1.5 / np.sqrt(sources), shape)


def layer(name, seed):
    """A circuit of UNITS neurons behind INPUTS inputs, and its arrays by name."""
    rng, net = np.random.default_rng(seed), dl.Circuit(name)
    x = net.input("x", INPUTS, spikes="binary" if name in SPIKING else "graded")
    if name == "swiglu":
        return block(rng, net, x)
    neuron, feeds, loops = LAYERS[name]
    arrays = {param: rng.uniform(0.1, 0.9, UNITS) for param in neuron.params}
    cells = net.population("cells", neuron, UNITS, **arrays)
    for port in feeds.split():
        arrays["x_" + port] = weights(rng, neuron, port, INPUTS)
        net.connect(x, cells[port], arrays["x_" + port])
    for port in loops.split():
        arrays["h_" + port] = weights(rng, neuron, port, UNITS) / 2
        net.connect(cells["s" if name in SPIKING else "o"], cells[port], arrays["h_" + port], delay=1)
    net.output(cells["s" if name in SPIKING else "o"])
    return net, arrays


def block(rng, net, x):
    """A residual block with four taps of a causal convolution in front and a SwiGLU:
    h = sum_t c_t W x[-t];  h + D (silu(G n) * U n), where n = h / rms(h)."""
    arrays = {"W": rng.normal(0, 1, (UNITS, INPUTS)), "taps": rng.normal(0, 1, (4, UNITS)),
              **{key: rng.normal(0, 0.4, (UNITS, UNITS)) for key in "GUD"}}
    first, hidden, last = (net.population(name, kind, count) for name, kind, count in
                           (("first", norm, 1), ("hidden", swiglu, UNITS), ("last", norm, 1)))
    for delay, tap in enumerate(arrays["taps"]):
        net.connect(x, first["h"], tap[:, None] * arrays["W"], delay=delay)
    net.connect(first["n"], hidden["g"], arrays["G"])
    net.connect(first["n"], hidden["u"], arrays["U"])
    net.connect(first["y"], last["h"], np.eye(UNITS))
    net.connect(hidden, last["h"], arrays["D"])
    net.output(last["y"])
    return net, arrays


NAMES = [*LAYERS, "swiglu"]


def samples(name, seed, count=8, steps=32):
    """Spikes, or numbers with 8 bits behind the point."""
    rng = np.random.default_rng(seed)
    if name in SPIKING:
        return (rng.random((count, steps, INPUTS)) < 0.3).astype(np.uint8)
    return np.rint(256 * rng.normal(0, 1, (count, steps, INPUTS))) / 256


def main():
    print("| layer | equal, or error | cores | nJ a step | us a step |\n|---|---|---|---|---|")
    for name in NAMES:
        net, _ = layer(name, 1)
        x = samples(name, 2)
        real = np.asarray(dl.load(net).run(x).outputs)
        program = dl.compile(net, "loihi2", calibrate=samples(name, 3))
        chip = program.run(x, engine="cycle")
        found = np.asarray(chip.outputs)
        off = (f"{100 * np.mean(real == found):.2f} %" if name in SPIKING else
               f"{np.sqrt(np.mean((found - real) ** 2)) / real.std():.4f}")
        steps = x.shape[1]
        print(f"| {name} | {off} | {program.facts['mapping']['cores']} | "
              f"{chip.energy.low * 1e9 / steps:.3g} to {chip.energy.high * 1e9 / steps:.3g} "
              f"| {chip.latency.mean * 1e6 / steps:.3g} |", flush=True)


if __name__ == "__main__":
    main()
