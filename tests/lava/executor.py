# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a loaded network as Lava's fixed_pt models would: slow and obvious, for
the processes that `neurite export` writes. `Population` runs its own model."""
import sys

import numpy as np

M = 1 << 23


def toward_zero(x, bits):
    return np.sign(x) * (np.abs(x) >> bits)


def wrap32(x):
    return (np.asarray(x, np.int64) + (1 << 31)) % (1 << 32) - (1 << 31)


class Lif:
    def __init__(self, process):
        p = process.proc_params
        mant, exp = np.asarray(p["bias_mant"], np.int64), np.asarray(p["bias_exp"], np.int64)
        self.bias = np.where(exp >= 0, mant << np.maximum(exp, 0), mant >> np.maximum(-exp, 0))
        self.p = p
        self.u, self.v = (np.array(np.broadcast_to(p[key], p["shape"]), np.int64) for key in "uv")

    def step(self, inputs):
        p = self.p
        u = toward_zero(self.u * (4096 - (p["du"] + 1)), 12) + (inputs["a_in"] << 6)
        u = np.where(u > M, u - 2 * M, np.where(u <= -M, u + 2 * M, u))
        v = np.clip(toward_zero(self.v * (4096 - p["dv"]), 12) + u + self.bias, -M + 1, M - 1)
        s = v > p["vth"] << 6
        self.u, self.v = u, np.where(s, 0, v)
        return {"s_out": s.astype(np.int64)}


class Synapses:
    """weight_exp shifts each delay's sum; what arrives is sent a step later."""

    def __init__(self, process):
        p = process.proc_params
        weights = p["weights"]
        weights = (weights if isinstance(weights, np.ndarray) else weights.toarray()).astype(np.int64)
        self.weights = self.prepared(weights, p["num_weight_bits"], p.get("sign_mode"))
        self.exponent, self.graded = p["weight_exp"], p["num_message_bits"] > 0
        self.line = [np.zeros(len(weights), np.int64) for _ in range(1 + p.get("delays", 0))]

    @staticmethod
    def prepared(w, bits, mode):
        assert mode is None
        if w.min() >= 0:
            return np.clip(w, 0, 255) >> (8 - bits) << (8 - bits)
        if w.max() <= 0:
            return -(np.clip(-w, 0, 255) >> (8 - bits) << (8 - bits))
        return np.clip(w, -256, 255) >> (9 - bits) << (9 - bits)

    def send(self):
        return self.line[0]

    def receive(self, s):
        total = self.weights @ (s if self.graded else (s != 0).astype(np.int64))
        total = total << self.exponent if self.exponent > 0 else total >> -self.exponent
        self.line = self.line[1:] + [wrap32(total)]


class Conv:
    """A true convolution of (W, H, C), wrapped to 24 bits."""

    def __init__(self, process):
        self.p = process.proc_params
        self.held = np.zeros(process.a_out.shape, np.int64)

    def send(self):
        return self.held

    def receive(self, s):
        p, kernel = self.p, self.p["weight"].astype(np.int64)
        s = s if p["num_message_bits"] > 0 else (s != 0).astype(np.int64)
        (px, py), (sx, sy), (dx, dy) = p["padding"], p["stride"], p["dilation"]
        s = np.pad(s, ((px, px), (py, py), (0, 0)))
        outputs, kx, ky, inputs = kernel.shape
        group = outputs // p["groups"]
        out = np.zeros_like(self.held)
        width, height = out.shape[:2]
        for k in range(outputs):
            first = k // group * inputs
            for a in range(kx):
                for b in range(ky):
                    part = s[a * dx:a * dx + width * sx:sx, b * dy:b * dy + height * sy:sy,
                             first:first + inputs][:width, :height]
                    out[:, :, k] += part @ kernel[k, kx - 1 - a, ky - 1 - b]
        self.held = (out + M) % (2 * M) - M


class PopulationRunner:
    def __init__(self, process):
        module = sys.modules[type(process).__module__]
        model = next(c for c in vars(module).values()
                     if getattr(c, "implements_process", None) is type(process))
        assert "fixed_pt" in model.tags
        self.model = model(process.proc_params)
        for name in vars(process):
            kind = getattr(model, name, None)
            if name.startswith("state_"):
                var = getattr(process, name)
                setattr(self.model, name, np.array(np.broadcast_to(var.init, var.shape), kind.d_type))

    def step(self, inputs):
        for name, value in inputs.items():
            setattr(self.model, name, Receiver(value))
        sent = {name: Sender() for name in dir(type(self.model)) if name.startswith("out_")}
        vars(self.model).update(sent)
        self.model.run_spk()
        return {name: port.value.astype(np.int64) for name, port in sent.items()}

    def __getattr__(self, name):  # a variable
        return getattr(self.model, name)


class Receiver:
    def __init__(self, value):
        self.value = value

    def recv(self):
        return self.value


class Sender:
    def send(self, value):
        self.value = value


KINDS = {"LIF": Lif, "Dense": Synapses, "DelayDense": Synapses, "Sparse": Synapses,
         "DelaySparse": Synapses, "Conv": Conv}


class Executor:
    """step({input: array of (C, H, W) or (N)}) -> {output: array}, a step of all."""

    def __init__(self, network):
        self.network = network
        self.models, self.inputs, self.outputs = {}, {}, {}
        for name, process in network.items():
            kind = KINDS.get(type(process).__name__, PopulationRunner)
            self.models[name] = kind(process)
            ports = vars(process)
            self.inputs[name] = {k: p for k, p in ports.items() if type(p).__name__ == "InPort"}
            self.outputs[name] = {k: p for k, p in ports.items() if type(p).__name__ == "OutPort"}
        self.synapses = [n for n, m in self.models.items() if hasattr(m, "send")]
        self.neurons = [n for n in self.models if n not in self.synapses]

    def step(self, host):
        sent, given = {}, {}
        for message in self.network.message.inputs:
            x = np.asarray(host[message.name])
            if message.scale:
                x = np.clip(np.rint(x * message.scale), message.lowest, message.highest)
            x = x.astype(np.int64)
            assert message.lowest <= x.min() and x.max() <= message.highest
            shape = tuple(message.shape)
            given[message.target, message.target_port] = \
                x.transpose() if len(shape) == 3 and x.ndim == 3 else x.reshape(shape)

        def received(name):
            values = {}
            for key, port in self.inputs[name].items():
                total = np.array(np.broadcast_to(given.get((name, key), 0), port.shape), np.int64)
                for source, transforms in port.sources:
                    value = sent[id(source)]
                    for transform in transforms:
                        value = transform(value)
                    total += value
                values[key] = total
            return values

        for name in self.synapses:
            sent[id(self.network[name].a_out)] = self.models[name].send()
        waiting = list(self.neurons)
        while waiting:  # direct connections are of the same step
            ready = [n for n in waiting if all(id(s) in sent for port in self.inputs[n].values()
                                               for s, _ in port.sources)]
            assert ready, "processes wait for each other"
            for name in ready:
                result = self.models[name].step(received(name))
                sent.update({id(self.outputs[name][key]): value for key, value in result.items()})
                waiting.remove(name)
        for name in self.synapses:
            self.models[name].receive(received(name)["s_in"])
        return {o.name: np.array(getattr(self.models[o.source], o.source_port)) if o.probe
                else sent[id(self.outputs[o.source][o.source_port])]
                for o in self.network.message.outputs}


def run(load, path, host, ticks):
    """Values of each output at each tick: {name: (ticks, shape)}, integers."""
    network = load(path)
    executor = Executor(network)
    last = max(o.latency for o in network.outputs.values())
    rows = []
    for t in range(ticks + last):
        rows.append(executor.step({name: x[t] if t < ticks else np.zeros_like(x[0])
                                   for name, x in host.items()}))
    return {name: np.array([row[name] for row in rows[o.latency:o.latency + ticks]])
            for name, o in network.outputs.items()}
