# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pure LIF (pure_lif.py) as train.py trains it, in PyTorch.

The error at the query alone does not teach it the task in the time there is, so
layers have teachers (Lesson), which are dropped after training.
"""
import math
import pathlib

import torch
import torch.nn.functional as F

import task

# Spikes and their gradients while training; membranes stay in float32.  Without
# matrix units for bfloat16 it would be slower than float32.
CPU = pathlib.Path("/proc/cpuinfo")
FAST = (torch.bfloat16 if CPU.exists() and "amx_bf16" in CPU.read_text()
        else torch.float32)
SLOPE = 1.0  # of the surrogate, per unit of the membrane


class Layer(torch.autograd.Function):
    """Spikes (tokens, n_micro, samples, n) of a layer under a `drive` of that
    shape, or with one tick per token, held; V (or None) brings its own spikes of
    the same tick of the token before, which for the first token are `before`.
    The backward pass sees a sigmoid of slope SLOPE in place of the threshold."""

    @staticmethod
    def forward(ctx, drive, V, before, tau, Vth):
        n = before.shape[-1]
        H = drive.new_empty(len(drive), *before.shape,
                            dtype=torch.promote_types(drive.dtype, torch.float32))
        S = before.new_empty(H.shape)
        back = None if V is None else V.t().contiguous()
        last, quiet = before, torch.empty_like(H[0, 0])
        for h, s, current in zip(H, S, drive):
            h.copy_(current.expand_as(h))
            if V is not None:
                h += (last.reshape(-1, n) @ back).view_as(h)
            h /= tau
            for m in range(len(h)):
                if m:
                    torch.le(h[m - 1], Vth, out=quiet)
                    h[m].addcmul_(h[m - 1], quiet, value=1 - 1 / tau)
                torch.gt(h[m], Vth, out=s[m])
            last = s
        ctx.save_for_backward(H, S, V, before)
        ctx.form = drive.shape[1], tau, Vth
        return S

    @staticmethod
    def backward(ctx, grad):
        H, S, V, before = ctx.saved_tensors
        held, tau, Vth = ctx.form
        keep, n = 1 - 1 / tau, H.shape[-1]
        G, later = torch.empty_like(S), None  # of the current; of the spikes
        for t in reversed(range(len(H))):
            h, g = H[t], grad[t].to(H.dtype, copy=True)
            if later is not None:
                g += later
            slope = torch.sub(h, Vth).mul_(4 * SLOPE).sigmoid_()
            slope = torch.addcmul(slope, slope, slope, value=-1).mul_(4 * SLOPE)
            quiet = torch.le(h, Vth).to(h.dtype)
            g[-1].mul_(slope[-1])
            for m in reversed(range(len(h) - 1)):
                # The next tick starts from h (1 - s).
                g[m].addcmul_(g[m + 1], h[m], value=-keep).mul_(slope[m])
                g[m].addcmul_(g[m + 1], quiet[m], value=keep)
            G[t] = g.div_(tau)
            if V is not None:
                later = (G[t].view(-1, n) @ V).view_as(h)
        gV = None
        if V is not None:
            seen = torch.cat([before[None], S[:-1]]).view(-1, n)
            gV = G.view(-1, n).t() @ seen
        return (G.sum(1, keepdim=True) if held < H.shape[1] else G), gV, later, None, None


class PureLif(torch.nn.Module):
    """Layers of leaky neurons, n_micro ticks per token; a layer of `recurrent`
    also sees its own spikes of the token before, which is all that crosses tokens."""

    def __init__(self, d, layers, width, n_micro, tau, Vth, recurrent, **_):
        super().__init__()
        self.n_micro, self.tau, self.Vth = n_micro, tau, Vth
        widths = [d + 2] + [width] * layers
        draw = lambda n, m, std: std * torch.randn(n, m)
        # Membranes of the order of the threshold from the start, and spikes that
        # prolong themselves.
        self.W = torch.nn.ParameterList(torch.nn.Parameter(
            draw(n, m, 5.2 / math.sqrt(2 * d) if l == 0 else 6.7 / math.sqrt(m)))
            for l, (m, n) in enumerate(zip(widths, widths[1:])))
        self.V = torch.nn.ParameterDict({str(l): torch.nn.Parameter(
            draw(width, width, 2.6 / math.sqrt(width)) + 2 * torch.eye(width))
            for l in recurrent})
        self.b = torch.nn.ParameterList(
            torch.nn.Parameter(torch.full((width,), 0.5)) for _ in self.W)
        self.read = torch.nn.Linear(width, 1)

    def spikes(self, x, before=None):
        """Spikes of every layer (tokens, n_micro, samples, width), for tokens x (tokens,
        samples, d + 2) that follow the `memory` of others."""
        kind = FAST if self.training else x.dtype
        below, found = x[:, None], []
        for l, (W, b) in enumerate(zip(self.W, self.b)):
            if l:
                W, b = W.to(kind), b.to(kind)
            drive = F.linear(below.flatten(0, 2), W, b).view(*below.shape[:3], -1)
            V = self.V[str(l)].to(kind) if str(l) in self.V else None
            start = (before[l] if before else torch.zeros(
                self.n_micro, x.shape[1], len(b), dtype=kind))
            below = self.layer(l, drive, V, start)
            found.append(below)
        return found

    def layer(self, l, drive, V, before):
        """The spikes of layer l under its drive, after the spikes `before`."""
        return Layer.apply(drive, V, before, self.tau, self.Vth)

    def memory(self, spikes, copies):
        """What tokens that follow `spikes` start from, for so many copies of the
        samples."""
        return [s[-1].repeat(1, copies, 1) for s in spikes]

    def answer(self, spikes):
        """The read-out (tokens, samples)."""
        return self.read(rates(spikes[-1], self.read.weight.dtype))[..., 0]

    def forward(self, x, every=False):
        """x (samples, tokens, d + 2); the read-out (samples, tokens), of the
        query alone unless `every` token is asked for, and mean spikes per unit
        and token of each layer."""
        spikes = self.spikes(x.transpose(0, 1))
        out = self.answer(spikes).T
        return (out if every else out[:, -1:],
                [self.n_micro * s.mean() for s in spikes])

    def arrays(self):
        """The parameters under their names in a checkpoint."""
        found = {f"{key}{l}": p for key in "Wb"
                 for l, p in enumerate(getattr(self, key))}
        found.update({f"V{l}": p for l, p in self.V.items()})
        return {**found, "Wout": self.read.weight, "bout": self.read.bias}


def rates(spikes, kind):
    """Their mean over the ticks of a token."""
    return spikes.to(kind).mean(1)


class Lesson(torch.nn.Module):
    """The loss of `queries` queries that each follow the same labelled pairs, and
    of the teachers, linear read-outs of a layer's spikes at every token: of w in
    the layers between, of the products w_i x_i in the last."""

    def __init__(self, net, spec):
        super().__init__()
        self.net, self.spec = net, spec
        self.teachers = torch.nn.ModuleList(
            torch.nn.Linear(spec["width"], spec["d"]) for _ in range(spec["layers"]))

    def forward(self, rng, batch):
        d, k, queries = (self.spec[key] for key in ("d", "k", "queries"))
        x, last, w = task.draw(rng, batch, d, k + queries - 1)
        x[:, -1, d] = last
        x = torch.from_numpy(x).transpose(0, 1)
        w = torch.from_numpy(w).float()
        pairs, query = x[:k], x[k:].clone()
        y = query[..., d].clone()
        query[..., d], query[..., d + 1] = 0.0, 1.0
        context = self.net.spikes(pairs)
        # Queries as samples of one token.
        asked = self.net.spikes(query.flatten(0, 1)[None],
                                self.net.memory(context, queries))
        loss = (self.net.answer(asked) - y.flatten()).square().mean() / d
        top = len(context) - 1
        for l, spikes, truth in (*((l, context, w) for l in range(1, top)),
                                 (top, context, w * pairs[..., :d]),
                                 (top, asked, (w * query[..., :d]).flatten(0, 1))):
            told = self.teachers[l](rates(spikes[l], w.dtype))
            loss = loss + (told - truth).square().mean()
        return loss
