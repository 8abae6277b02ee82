# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lava-dl's loader builds from a NetX file, in plain numpy: the keyword
arguments of the processes, and the network run step by step in Lava's integers.
Written from the rules of the format alone, beside the reader it tests."""
import h5py
import numpy as np

HALF = 1 << 23


def scaled(weight):
    """(weights, weight_exp, num_weight_bits) of a dense layer."""
    weight = weight.astype(int)
    low, high = weight.min(), weight.max()
    mixed = int(low < 0 <= high)
    with np.errstate(divide="ignore"):
        if mixed:
            scale = min(np.float64(127) / high, np.float64(-128) / low)
        else:
            scale = -256 / low if low < 0 else 255 / high
    bits = int(np.floor(np.log2(scale))) + mixed
    zeros = next(n for n in range(8, -1, -1) if not (weight % (1 << n)).any())
    return weight << bits, -bits, 8 - bits - (zeros - mixed)


def prepared(weights, bits):
    """What Dense keeps of them, by the signs that it sees."""
    low, high = weights.min(), weights.max()
    if low < 0 < high:
        k = 8 - bits + 1
        return np.clip(weights, -256, 255) >> k << k
    k = 8 - bits
    if low < 0:
        return -(np.clip(-weights, 0, 255) >> k << k)
    return np.clip(weights, 0, 255) >> k << k


def delays(delay, shape):
    delay = np.asarray(delay).astype(int)
    if delay.ndim == 1:
        delay = delay.reshape((-1, 1) if len(delay) == shape[0] else (1, -1))
    return np.broadcast_to(delay, shape)


def resonance(sine, cosine):
    sine, cosine = sine / 4096, cosine / 4096
    return (1 / (np.arctan2(sine, cosine) / 2 / np.pi),
            1 - np.sqrt(sine ** 2 + cosine ** 2))


def shift(x, bits):
    return np.sign(x) * (np.abs(x) >> bits)


class Lif:
    def __init__(self, size, group, bias):
        self.u = self.v = np.zeros(size, int)
        self.du = 4096 - (np.asarray(group["iDecay"]) - 1 + 1)
        self.dv = 4096 - np.asarray(group["vDecay"])
        self.threshold, self.bias = int(group["vThMant"]) << 6, bias << 6

    def step(self, a):
        u = shift(self.u * self.du, 12) + (a << 6)
        self.u = np.where(u > HALF, u - 2 * HALF,
                          np.where(u <= -HALF, u + 2 * HALF, u))
        v = np.clip(shift(self.v * self.dv, 12) + self.u + self.bias,
                    1 - HALF, HALF - 1)
        s = v > self.threshold
        self.v = np.where(s, 0, v)
        return s.astype(int)

    def states(self):
        return {"u": self.u, "v": self.v}


class SigmaDelta:
    """With `kind` delta, sigma or sigma-delta (rectified)."""
    def __init__(self, size, group, bias, kind):
        self.sigma = self.act = self.residue = np.zeros(size, int)
        self.threshold, self.bias = int(group["vThMant"]) << 12, bias << 12
        self.kind = kind

    def step(self, a):
        self.sigma = self.sigma + a
        if self.kind == "sigma":
            return self.sigma
        act = (a << 12 if self.kind == "delta"
               else np.maximum(self.sigma + self.bias, 0))
        d = act - self.act + self.residue
        self.act = act
        s = np.where(np.abs(d) >= self.threshold, d, 0)
        self.residue = d - s
        return s >> 6

    def states(self):
        sigma = {} if self.kind == "delta" else {"sigma": self.sigma}
        encoder = {"act": self.act, "residue": self.residue}
        return sigma if self.kind == "sigma" else {**sigma, **encoder}


class Resonator:
    def __init__(self, size, group, kind):
        period, alpha = resonance(float(group["sinDecay"]), float(group["cosDecay"]))
        self.sin = int((1 - alpha) * np.sin(2 * np.pi / period) * 4096)
        self.cos = int((1 - alpha) * np.cos(2 * np.pi / period) * 4096)
        self.re = self.im = np.zeros(size, int)
        self.threshold, self.kind = int(group["vThMant"]) << 6, kind

    def step(self, real, imag):
        old = self.im
        re = shift(self.cos * self.re, 12) - shift(self.sin * self.im, 12) + (real << 6)
        im = shift(self.sin * self.re, 12) + shift(self.cos * self.im, 12) + (imag << 6)
        self.re, self.im = (np.clip(x, 1 - HALF, HALF - 1) for x in (re, im))
        if self.kind == "RF_PHASE":
            return ((self.re >= self.threshold) & (self.im >= 0) & (old < 0)).astype(int)
        s = self.im >= self.threshold
        self.re, self.im = np.where(s, 0, self.re), np.where(s, self.threshold - 1, self.im)
        return s.astype(int)

    def states(self):
        return {"real": self.re, "imag": self.im}


def string(node):
    value = node[()] if node.shape == () else node[0]
    return value.decode() if isinstance(value, bytes) else str(value)


def neuron_of(layer, size, bias, first):
    if "neuron" not in layer:
        return Lif(size, {"iDecay": 0, "vDecay": 4096, "vThMant": 1 << 17}, bias), 0
    group = {k: string(v) if k in ("type", "activation") else
             (v[()] if v.shape != (1,) else v[0]) for k, v in layer["neuron"].items()}
    if group["type"] in ("CUBA", "LOIHI"):
        return Lif(size, group, bias), 0
    if group["type"] == "SDNN":
        kind = ("delta" if first else "sigma" if "sigma_output" in group
                else "sigma-delta")
        return SigmaDelta(size, {"vThMant": 0, **group}, bias, kind), 16
    return Resonator(size, group, group["type"]), 0


def correlate(x, weight, stride, padding, dilation, groups):
    """(channel, height, width) of x under (out, in / groups, height, width)."""
    x = np.pad(x, [(0, 0)] + [(p, p) for p in padding])
    outputs, inputs, *kernel = weight.shape
    size = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in
            zip(x.shape[1:], kernel, stride, dilation)]
    y = np.zeros((outputs, *size), int)
    for o in range(outputs):
        part = x[o // (outputs // groups) * inputs:][:inputs]
        for i, j in np.ndindex(*kernel):
            rows = i * dilation[0] + np.arange(size[0]) * stride[0]
            columns = j * dilation[1] + np.arange(size[1]) * stride[1]
            y[o] += np.tensordot(weight[o, :, i, j], part[:, rows][:, :, columns], 1)
    return (y + HALF) % (2 * HALF) - HALF


class Dense:
    """Weights with delays; the sum of each delay is shifted by itself."""
    def __init__(self, weight, delay, scale):
        weights, self.exponent, bits = scale
        weights = prepared(weights, bits)
        self.parts = [(d, np.where(delay == d, weights, 0)) for d in np.unique(delay)]

    def __call__(self, past):
        """`past(k)`: the messages k steps ago."""
        return sum((w @ past(1 + d).reshape(-1)) >> -self.exponent
                   for d, w in self.parts)


def run(path, x, reset=None):
    """Outputs (steps, *shape) and states of every layer with neurons, by name;
    x has (steps, *shape) in the file's order. reset is NetX's (interval, offset)."""
    built = []
    bits = 0
    with h5py.File(path) as file:
        layers = file["layer"]
        for number in range(len(layers)):
            layer = layers[str(number)]
            kind = string(layer["type"])
            if kind == "flatten" or kind == "input" and "neuron" not in layer:
                continue
            built.append((f"layer{number}", *build(layer, kind, bits)))
            bits = built[-1][-1]
    spikes = {name: [] for name, *_ in built}
    states = {}

    def past(source, step, back, binary):
        values = x if source is None else spikes[source]
        if step - back < 0:
            return np.zeros_like(x[0] if source is None else spikes[source][0])
        value = np.asarray(values[step - back]).astype(int)
        return (value != 0).astype(int) if binary else value

    for step in range(len(x)):
        before = None
        for number, (name, neuron, synapses, recurrent, binary, _) in enumerate(built):
            if reset and isinstance(neuron, Lif) and (step - reset[1] - number) % reset[0] == 0:
                neuron.u, neuron.v = 0 * neuron.u, 0 * neuron.v
            if synapses is None:
                a = [x[step].astype(int)]
            else:
                a = [s(lambda k: past(before, step, k, binary))
                     for s in synapses] if step else [0 * any_state(neuron)
                                                      for _ in synapses]
            if recurrent is not None and step:
                a[0] = a[0] + recurrent(lambda k: past(name, step, k, binary))
            spikes[name].append(neuron.step(*a))
            for state, value in neuron.states().items():
                states.setdefault(f"{name}:{state}", []).append(value)
            before = name
    return ({k: np.array(v) for k, v in spikes.items()},
            {k: np.array(v) for k, v in states.items()})


def run_samples(path, x):
    """Spikes of every layer, and of the last as `output`: (samples, steps, n)."""
    runs = [run(path, sample)[0] for sample in x]
    spikes = {name: np.array([r[name] for r in runs]) for name in runs[0]}
    return {**spikes, "output": spikes[list(spikes)[-1]]}


def any_state(neuron):
    return next(iter(neuron.states().values()))


def build(layer, kind, bits):
    """(neuron, synapses, recurrent, are messages read as 0 and 1, own bits)"""
    shape = tuple(np.atleast_1d(layer["shape"][()]))
    size = shape if kind in ("conv", "input") else (int(np.prod(shape)),)
    bias = np.zeros(size, int)
    if "bias" in layer and kind != "input":
        given = layer["bias"][()].astype(int)
        bias = bias + (given[:, None, None] if kind == "conv" else given)
    neuron, own = neuron_of(layer, size, bias, kind == "input")
    if kind == "input":
        return neuron, None, None, False, own
    if kind == "conv":
        pair = lambda key: np.broadcast_to(layer[key][()], 2)
        weight = layer["weight"][()].astype(int)
        weight = weight.reshape(weight.shape[:4])
        window = (pair("stride"), pair("padding"), pair("dilation"),
                  int(layer["groups"][()]))
        return (neuron, [lambda past: correlate(past(1), weight, *window)], None,
                bits == 0, own)
    if isinstance(layer["weight"], h5py.Group):
        parts = [layer["weight"][k][()] for k in ("real", "imag")]
        parts = [p.reshape(size[0], -1) for p in parts]
        return (neuron, [Dense(p, np.zeros(p.shape, int), scaled(p.astype(int))) for p in parts],
                None, bits == 0, own)
    weight = layer["weight"][()].reshape(size[0], -1).astype(int)
    delay = delays(layer["delay"][()] if "delay" in layer else 0, weight.shape)
    if kind == "dense":
        return neuron, [Dense(weight, delay, scaled(weight))], None, bits == 0, own
    back = layer["weight_rec"][()].reshape(size[0], -1).astype(int)
    both, exponent, width = scaled(np.hstack((weight, back)))
    split = weight.shape[1]
    return (neuron, [Dense(weight, delay, (both[:, :split], exponent, width))],
            Dense(back, delay if "delay" in layer else 0 * back,
                  (both[:, split:], exponent, width)), bits == 0, own)
