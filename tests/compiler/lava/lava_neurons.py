# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lava's fixed-point neurons once more, in plain NumPy: a step of each class,
written from the formulas and independent of the compiler."""
import numpy as np

M = 1 << 23


def word(x):
    """What an int32 of NumPy keeps."""
    return (np.asarray(x, np.int64) + (1 << 31)) % (1 << 32) - (1 << 31)


def tz(x, k):
    x = np.asarray(x, np.int64)
    return np.sign(x) * (np.abs(x) >> k)


def turn(u):
    return np.where(u > M, u - 2 * M, np.where(u <= -M, u + 2 * M, u))


def bias_of(p):
    mant, exp = np.broadcast_arrays(p.get("bias_mant", 0), p.get("bias_exp", 0))
    mant, exp = mant.astype(np.int64), exp.astype(np.int64)
    return np.where(exp >= 0, mant << np.maximum(exp, 0), mant >> np.maximum(-exp, 0))


class Neuron:
    """States by name; `step(inputs)` gives s_out."""
    inputs = ("a_in",)

    def __init__(self, shape, p):
        self.p, self.shape, self.t = p, tuple(shape), 0
        self.state = {}
        for name in self.names:
            self.state[name] = np.broadcast_to(
                np.asarray(p.get(name, 0), np.int64), self.shape).copy()

    def current(self, a, u, v):
        p = self.p
        keep = 4096 - (np.asarray(p.get("du", 0), np.int64) + 1)
        u = turn(word(word(tz(u * keep, 12)) + word(a << 6)))
        dv = np.asarray(p.get("dv", 0), np.int64)
        v = word(word(tz(v * (4096 - dv), 12)) + u + bias_of(p))
        return u, np.clip(v, -M + 1, M - 1)


class LIF(Neuron):
    names = ("u", "v")

    def step(self, a):
        u, v = self.current(a, **self.state)
        s = v > np.asarray(self.p.get("vth", 10), np.int64) * 64
        self.state = dict(u=u, v=np.where(s, 0, v))
        return s.astype(np.int64)


class LIFReset(LIF):
    def step(self, a):
        self.t += 1
        every = self.p.get("reset_interval", 1)
        if self.t % every == self.p.get("reset_offset", 0) % every:
            self.state = {k: np.zeros_like(v) for k, v in self.state.items()}
        return super().step(a)


class TernaryLIF(Neuron):
    names = ("u", "v")

    def step(self, a):
        u, v = self.current(a, **self.state)
        s = ((v > np.int64(self.p.get("vth_hi", 10)) * 64).astype(np.int64)
             - (v < np.int64(self.p.get("vth_lo", -10)) * 64))
        self.state = dict(u=u, v=np.where(s != 0, 0, v))
        return s


class ATRLIF(Neuron):
    names = ("i", "v", "theta", "r")

    def __init__(self, shape, p):
        super().__init__(shape, p)
        self.th0 = np.int64(np.trunc(p.get("theta_0", 5) * 64))
        self.up = np.int64(np.trunc(p.get("theta_step", 3.75) * 64))
        self.state["theta"] = np.full(self.shape, self.th0)

    def step(self, a):
        p, st = self.p, self.state
        k_i = 4096 - (p.get("delta_i", 0.4) * 4096 + 1)
        k = {x: np.int64(np.trunc(4096 - p.get("delta_" + x, usual) * 4096))
             for x, usual in (("v", 0.4), ("theta", 0.2), ("r", 0.2))}
        i = turn(word(tz(np.trunc(st["i"] * k_i).astype(np.int64), 12) + a * 64))
        v = np.clip(word(tz(st["v"] * k["v"], 12) + i + bias_of(p)), -M + 1, M - 1)
        theta = tz((st["theta"] - self.th0) * k["theta"], 12) + self.th0
        r = tz(st["r"] * k["r"], 12)
        s = v - r >= theta
        self.state = dict(i=i, v=v, theta=np.where(s, theta + self.up, theta),
                          r=np.where(s, r + 2 * theta, r))
        return s.astype(np.int64)


class RF(Neuron):
    names, inputs = ("real", "imag"), ("a_real_in", "a_imag_in")

    def __init__(self, shape, p):
        super().__init__(shape, {})
        turn_, one = 2 * np.pi / p["period"], 1 << p.get("decay_bits", 0)
        self.sin = int((1 - p["alpha"]) * np.sin(turn_) * one)
        self.cos = int((1 - p["alpha"]) * np.cos(turn_) * one)
        self.db, self.e = p.get("decay_bits", 0), p.get("state_exp", 0)
        self.vth = int(p.get("vth", 1) * 2 ** self.e)

    def advance(self, a_real, a_imag):
        re, im = self.state["real"], self.state["imag"]
        nr = tz(self.cos * re, self.db) - tz(self.sin * im, self.db)
        ni = tz(self.sin * re, self.db) + tz(self.cos * im, self.db)
        return tuple(np.clip(n + word(a << self.e), -M + 1, M - 1)
                     for n, a in ((nr, a_real), (ni, a_imag)))

    def step(self, a_real, a_imag):
        old = self.state["imag"]
        real, imag = self.advance(a_real, a_imag)
        self.state = dict(real=real, imag=imag)
        return ((real >= self.vth) & (imag >= 0) & (old < 0)).astype(np.int64)


class RF_IZ(RF):
    def step(self, a_real, a_imag):
        real, imag = self.advance(a_real, a_imag)
        s = imag >= self.vth
        self.state = dict(real=np.where(s, 0, real),
                          imag=np.where(s, self.vth - 1, imag))
        return s.astype(np.int64)


class Delta(Neuron):
    names = ("act", "residue", "error")

    def encode(self, act):
        p, st = self.p, self.state
        e = p.get("spike_exp", 0) + p.get("state_exp", 0)
        vth = int(p["vth"] * 2 ** e)
        d = word(act - st["act"] + st["residue"])
        measure = word(st["error"] + d) if p.get("cum_error") else d
        sp = np.where(word(np.abs(measure)) >= vth, d, 0)
        if p.get("cum_error"):
            st["error"] = np.where(sp != 0, 0, measure)
        st["act"], st["residue"] = act, word(d - sp)
        return sp >> p.get("state_exp", 0)

    def step(self, a):
        p = self.p
        return self.encode(word(a << (p.get("spike_exp", 0) + p.get("state_exp", 0))))


class SigmaDelta(Delta):
    names = ("sigma", "act", "residue", "error")

    def step(self, a):
        p, st = self.p, self.state
        e = p.get("spike_exp", 0) + p.get("state_exp", 0)
        st["sigma"] = word(st["sigma"] + a)
        act = word(st["sigma"] + np.asarray(p.get("bias", 0), np.int64) * (1 << e))
        if p.get("act_mode", "RELU") == "RELU":
            act = np.maximum(act, 0)
        return self.encode(act)


class Sigma(Neuron):
    names = ("sigma",)

    def step(self, a):
        self.state["sigma"] = word(self.state["sigma"] + a)
        return self.state["sigma"]


class GradedVec(Neuron):
    names = ()

    def step(self, a):
        return a * (word(np.abs(a)) > self.p.get("vth", 1))


class GradedReluVec(Neuron):
    names = ()

    def step(self, a):
        return a * (a > self.p.get("vth", 1))


class ProdNeuron(Neuron):
    names, inputs = (), ("a_in1", "a_in2")

    def step(self, a, b):
        z = word(a * b) >> self.p.get("exp", 0)
        return z * (word(np.abs(z)) > self.p.get("vth", 1))


CLASSES = {c.__name__: c for c in (
    LIF, LIFReset, TernaryLIF, ATRLIF, RF, RF_IZ, Delta, Sigma, SigmaDelta,
    GradedVec, GradedReluVec, ProdNeuron)}
