# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lava's synapses and networks in plain NumPy, independent of the compiler;
neurons are in lava_neurons.py. `simulate` runs a network step by step, in Lava's
element order."""
import numpy as np

from lava_neurons import CLASSES, M, Neuron, word


def prepare(w, mode, bits):
    w = np.trunc(w).astype(np.int64)
    if mode is None:
        mode = "EXC" if w.min() >= 0 else "INH" if w.max() <= 0 else "MIXED"
    if mode == "MIXED":
        k = 8 - bits + 1
        return (np.clip(w, -256, 255) >> k) << k
    k = 8 - bits
    if mode[0] == "I":
        return -((np.clip(-w, 0, 255) >> k) << k)
    return (np.clip(w, 0, 255) >> k) << k


def shifted(acc, e):
    return word(acc << e if e > 0 else word(acc) >> -e)


class Dense:
    """`read` takes what arrives in a step, `send` gives the next step's a_out."""

    def __init__(self, p):
        self.w = prepare(np.asarray(p["weights"]), p.get("sign_mode"),
                         p.get("num_weight_bits", 8))
        self.e, self.graded = p.get("weight_exp", 0), p.get("num_message_bits", 0) > 0
        self.delays = np.broadcast_to(np.asarray(p.get("delays", 0)), self.w.shape)
        self.ring = np.zeros((int(self.delays.max()) + 1, len(self.w)), np.int64)

    def send(self):
        out = self.ring[0].copy()
        self.ring = np.roll(self.ring, -1, axis=0)
        self.ring[-1] = 0
        return out

    def read(self, s):
        x = s if self.graded else (s != 0).astype(np.int64)
        for d in range(len(self.ring)):
            acc = np.where(self.delays == d, self.w, 0) @ x
            self.ring[d] = word(self.ring[d] + shifted(acc, self.e))


class Conv:
    def __init__(self, p):
        two = lambda x: (x, x) if np.isscalar(x) else tuple(x)
        self.k = np.trunc(p["weight"]).astype(np.int64)
        self.shape = tuple(p["input_shape"])
        self.stride, self.pad = two(p.get("stride", 1)), two(p.get("padding", 0))
        self.dilation, self.groups = two(p.get("dilation", 1)), p.get("groups", 1)
        self.graded = p.get("num_message_bits", 0) > 0
        size = [(self.shape[i] + 2 * self.pad[i]
                 - self.dilation[i] * (self.k.shape[1 + i] - 1) - 1) // self.stride[i] + 1
                for i in (0, 1)]
        self.out = np.zeros((*np.maximum(size, 0), len(self.k)), np.int64)

    def send(self):
        return self.out.copy()

    def read(self, s):
        x = s if self.graded else (s != 0).astype(np.int64)
        co, kx, ky, ci = self.k.shape
        per = co // self.groups
        (px, py), (dx, dy), (sx, sy) = self.pad, self.dilation, self.stride
        padded = np.pad(x, ((px, px), (py, py), (0, 0)))
        out = np.zeros_like(self.out)
        for k in range(co):
            first = k // per * ci
            for a in range(kx):
                for b in range(ky):
                    part = padded[a * dx:, b * dy:, first:first + ci]
                    part = part[::sx, ::sy][:out.shape[0], :out.shape[1]]
                    out[:, :, k] += part @ self.k[k, kx - 1 - a, ky - 1 - b]
        self.out = (out + M) % (2 * M) - M


SYNAPSES = dict(Dense=Dense, DelayDense=Dense, Sparse=Dense, DelaySparse=Dense, Conv=Conv)


def transform(x, connection):
    if connection.get("transpose"):
        x = x.transpose(connection["transpose"])
    return x.reshape(connection["reshape"]) if connection.get("reshape") else x


def simulate(net, given, steps):
    """Outputs {process: (steps, *shape)} and states {(process, state): ...} of
    the network `net` (lava_net.Net) for host values {input: (steps, *shape)}."""
    procs = {name: SYNAPSES[c](p) if c in SYNAPSES else CLASSES[c](shape, p)
             for name, (c, shape, p) in net.processes.items()}
    order, left = [], [n for n, p in procs.items() if isinstance(p, Neuron)]
    feeds = lambda name: {c["source"] for c in net.connections if c["target"] == name}
    while left:  # direct connections come first
        ready = [n for n in left if not feeds(n) & set(left)]
        assert ready, "neurons that feed each other directly"
        order += ready
        left = [n for n in left if n not in ready]
    outs = {n: [] for n in order}
    states = {(n, s): [] for n in order for s in procs[n].state}
    for t in range(steps):
        sent = {n: p.send() for n, p in procs.items() if n not in outs}

        def received(name, port, like):
            total = np.zeros(like, np.int64)
            for c in net.connections:
                if (c["target"], c["target_port"]) == (name, port):
                    total = total + transform(sent[c["source"]], c)
            for i, (target, target_port, _) in net.inputs.items():
                if (target, target_port) == (name, port):
                    total = total + given[i][t]
            return word(total)

        for name in order:
            p = procs[name]
            sent[name] = p.step(*[received(name, port, p.shape) for port in p.inputs])
            outs[name].append(sent[name])
            for s, value in p.state.items():
                states[name, s].append(value.copy())
        for name, p in procs.items():
            if name not in outs:
                like = p.shape if isinstance(p, Conv) else (p.w.shape[1],)
                p.read(received(name, "s_in", like))
    return ({n: np.array(v) for n, v in outs.items()},
            {k: np.array(v) for k, v in states.items()})
