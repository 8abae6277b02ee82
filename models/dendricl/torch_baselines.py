# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks that the paper compares DendriCL with, as train.py trains them, in
PyTorch: Spikformer and Active Dendrites (spikformer.py and active_dendrites.py have
their equations).  While training several queries follow each context, every one
from the same state."""
import math

import torch
import torch.nn.functional as F

import task
from torch_net import Fire, lif


def draw(*shape, std):
    return torch.nn.Parameter(std * torch.randn(*shape))


def passes(drive, count, decay, theta=1.0):
    """Spikes (count, ...) of units whose drive is (count, ...), or (1, ...), held."""
    return torch.stack(lif(drive.expand(count, *drive.shape[1:]).unbind(0), theta, decay))


class Spikformer(torch.nn.Module):
    def __init__(self, d, d_m, heads, width, blocks, n_micro, decay, **_):
        super().__init__()
        self.heads, self.blocks, self.n_micro, self.decay = heads, blocks, n_micro, decay
        par, params = torch.nn.Parameter, {}
        params["We"], params["be"] = draw(d_m, d + 2, std=1 / math.sqrt(2)), par(
            torch.zeros(d_m))
        for l in range(blocks):
            for name, shape in (("q", (d_m, d_m)), ("k", (d_m, d_m)), ("v", (d_m, d_m)),
                                ("o", (d_m, d_m)), ("1", (width, d_m)), ("2", (d_m, width))):
                params[f"W{name}{l}"] = draw(*shape, std=1.5 / math.sqrt(shape[1]))
                params[f"b{name}{l}"] = par(torch.zeros(shape[0]))
            params[f"scale{l}"] = par(torch.full((d_m,), 0.125))
            params[f"shift{l}"] = par(torch.zeros(d_m))
        self.params = torch.nn.ParameterDict(params)
        self.read = torch.nn.Linear(d_m, 1)

    def spikes(self, name, below):
        p = self.params
        drive = F.linear(below, p[f"W{name}"], p[f"b{name}"])
        self.activity.append(passes(drive, self.n_micro, self.decay))
        return self.activity[-1]

    def forward(self, x, every=False, queries=1):
        """x (samples, tokens, d + 2), the last `queries` of which see the others and
        themselves alone; the read-out (samples, queries, or tokens) and mean spikes
        per unit and token of each layer."""
        p, self.activity = self.params, []
        tokens = x.shape[1]
        context = tokens - queries
        sees = torch.tril(torch.ones(tokens, tokens))
        sees[context:, context:] = torch.eye(queries)
        asked = slice(0 if every else context, None)
        stream = self.spikes("e", x[None])  # (passes, samples, tokens, d_m)
        for l in range(self.blocks):
            rows = asked if l == self.blocks - 1 else slice(None)
            split = lambda s: s.unflatten(-1, (self.heads, -1)).transpose(2, 3)
            mine = stream[:, :, rows]
            q, k, v = (split(self.spikes(f"{n}{l}", s)) for n, s in
                       (("q", mine), ("k", stream), ("v", stream)))
            seen = ((q @ k.transpose(-1, -2)) * sees[rows].to(q.dtype)) @ v
            drive = (p[f"scale{l}"] * seen.transpose(2, 3).flatten(3)) + p[f"shift{l}"]
            self.activity.append(passes(drive, self.n_micro, self.decay))
            stream = mine + self.spikes(f"o{l}", self.activity[-1])
            stream = stream + self.spikes(f"2{l}", self.spikes(f"1{l}", stream))
        out = self.read(stream.mean(0))[..., 0]
        return out, [self.n_micro * s.mean() for s in self.activity]

    def arrays(self):
        return {**self.params, "Wout": self.read.weight, "bout": self.read.bias}


def winners(drive, k):
    """Spikes of the k largest of the last axis; the surrogate lies where the k-th
    and the next one meet."""
    top = drive.detach().topk(k + 1, -1).values
    return Fire.apply(drive - top[..., k - 1 :].mean(-1, keepdim=True))


class ActiveDendrites(torch.nn.Module):
    def __init__(self, d, k, width, segments, k_winners, layers, **_):
        super().__init__()
        self.k, self.layers = k_winners, layers
        # The segments' weights are of the order of the others where a context counts
        # as one: a power of two, exact in the checkpoint.
        self.unit = 2.0 ** -round(math.log2(k))
        params = {"W0": draw(width, d + 2, std=1.0), "b0": draw(width, std=0.5)}
        for l in range(1, layers):
            params[f"W{l}"] = draw(width, width, std=1 / math.sqrt(k_winners))
            params[f"b{l}"] = draw(width, std=0.1)
            params[f"D{l}"] = draw(width, segments, width, std=2 / math.sqrt(width))
        self.params = torch.nn.ParameterDict(params)
        self.read = torch.nn.Linear(width, 1)

    def forward(self, x, every=False, queries=1):
        """As Spikformer's."""
        p = self.params
        first = winners(F.linear(x, p["W0"], p["b0"]), self.k)
        context = x.shape[1] - queries
        # What the segments have been told before each token, the queries as one.
        seen = F.pad(torch.cumsum(first[:, :context], 1), (0, 0, 1, 0))
        below = first
        if not every:
            seen, below = seen[:, -1:], first[:, context:]
        for l in range(1, self.layers):
            segments = torch.einsum("nkc,btc->btnk", self.unit * p[f"D{l}"], seen)
            gate = torch.sigmoid(segments.amax(-1))
            below = winners(gate * F.linear(below, p[f"W{l}"], p[f"b{l}"]), self.k)
        self.lesson = seen[:, -1], below
        return self.read(below)[..., 0], [first.mean(), below.mean()]

    def arrays(self):
        scaled = {key: self.unit * value if key[0] == "D" else value
                  for key, value in self.params.items()}
        return {**scaled, "Wout": self.read.weight, "bout": self.read.bias}


class Questions(torch.nn.Module):
    """The loss of `queries` queries that each follow the same labelled pairs.
    Active Dendrites have teachers, which are dropped after training: linear
    read-outs that must tell the true w from what the segments are told, and the
    products w_i x_i from the last layer."""

    def __init__(self, net, spec):
        super().__init__()
        self.net, self.spec = net, spec
        if isinstance(net, ActiveDendrites):
            self.teachers = torch.nn.ModuleList(
                torch.nn.Linear(spec["width"], spec["d"]) for _ in range(2))

    def forward(self, rng, batch):
        d, k, queries = (self.spec[key] for key in ("d", "k", "queries"))
        x, last, w = task.draw(rng, self.spec.get("batch", batch), d, k + queries - 1)
        x[:, -1, d] = last
        y = torch.from_numpy(x[:, k:, d].copy())
        x[:, k:, d], x[:, k:, d + 1] = 0.0, 1.0
        out, _ = self.net(torch.from_numpy(x), queries=queries)
        loss = (out - y).square().mean() / d
        if isinstance(self.net, ActiveDendrites):
            context, last = self.net.lesson
            w = torch.from_numpy(w).float()
            products = w[:, None] * torch.from_numpy(x[:, k:, :d])
            loss = (loss + (self.teachers[0](context / k) - w).square().mean()
                    + (self.teachers[1](last) - products).square().mean())
        return loss
