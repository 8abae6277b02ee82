# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LSNN (pure_lif.py with neuron "alif") as train.py trains it, in PyTorch: Pure LIF
whose thresholds rise with a neuron's own spikes and fade over tokens.

It is taught as Pure LIF is (torch_lif.Lesson).
"""
import math

import torch

from torch_lif import SLOPE, PureLif


class AdaptiveLayer(torch.autograd.Function):
    """Spikes (tokens, n_micro, samples, n) as torch_lif.Layer gives them, and the
    rise of the thresholds after them, from the rise `risen` (samples, n) before.
    A spike takes the threshold off the potential and adds `rise`; between ticks the
    rise fades by `rho`."""

    @staticmethod
    def forward(ctx, drive, V, before, risen, tau, Vth, rho, rise):
        n = before.shape[-1]
        H = drive.new_empty(len(drive), *before.shape, dtype=risen.dtype)
        A, S = torch.empty_like(H), before.new_empty(H.shape)  # A: threshold - Vth
        back = None if V is None else V.t().contiguous()
        last, a = before, risen.clone()
        for h, limit, s, current in zip(H, A, S, drive):
            h.copy_(current.expand_as(h))
            if V is not None:
                h += (last.reshape(-1, n) @ back).view_as(h)
            h /= tau
            for m in range(len(h)):
                if m:
                    kept = torch.addcmul(h[m - 1], s[m - 1], Vth + limit[m - 1],
                                         value=-1)
                    h[m].add_(kept, alpha=1 - 1 / tau)
                limit[m].copy_(a)
                torch.gt(h[m], Vth + a, out=s[m])
                a.mul_(rho).add_(s[m], alpha=rise)
            last = s
        ctx.save_for_backward(H, A, S, V, before)
        ctx.form = drive.shape[1], tau, Vth, rho, rise
        return S, a

    @staticmethod
    def backward(ctx, grad, later_rise):
        H, A, S, V, before = ctx.saved_tensors
        held, tau, Vth, rho, rise = ctx.form
        keep, n = 1 - 1 / tau, H.shape[-1]
        G, later = torch.empty_like(S), None
        ga = later_rise.to(H.dtype, copy=True)
        for t in reversed(range(len(H))):
            h, limit, s = H[t], A[t] + Vth, S[t].to(H.dtype)
            g = grad[t].to(H.dtype, copy=True)
            if later is not None:
                g += later
            slope = torch.sub(h, limit).mul_(4 * SLOPE).sigmoid_()
            slope = torch.addcmul(slope, slope, slope, value=-1).mul_(4 * SLOPE)
            for m in reversed(range(len(h))):
                # The potential after the spike is what the next tick keeps.
                gv = None if m == len(h) - 1 else keep * g[m + 1]
                gs = g[m].add_(ga, alpha=rise)
                if gv is not None:
                    gs.addcmul_(gv, limit[m], value=-1)
                gs.mul_(slope[m])  # of h - limit
                ga = (ga * rho).sub_(gs)
                if gv is not None:
                    ga.addcmul_(gv, s[m], value=-1)
                    gs.add_(gv)
            G[t] = g.div_(tau)
            if V is not None:
                later = (G[t].view(-1, n) @ V).view_as(h)
        gV = None
        if V is not None:
            seen = torch.cat([before[None], S[:-1]]).view(-1, n)
            gV = G.view(-1, n).t() @ seen
        current = G.sum(1, keepdim=True) if held < H.shape[1] else G
        return current, gV, later, ga, None, None, None, None


class Lsnn(PureLif):
    """Pure LIF with thresholds that adapt."""

    def __init__(self, beta, tau_a, **shape):
        super().__init__(**shape)
        self.beta, self.tau_a = beta, tau_a
        self.risen = [None] * len(self.W)  # of each layer, after its last tokens

    def layer(self, l, drive, V, before):
        spikes, risen = before if isinstance(before, tuple) else (before, None)
        if risen is None:
            risen = torch.zeros(spikes.shape[1:], dtype=torch.promote_types(
                drive.dtype, torch.float32))
        rho = math.exp(-1 / self.tau_a)
        found, self.risen[l] = AdaptiveLayer.apply(
            drive, V, spikes, risen, self.tau, self.Vth, rho, self.beta * (1 - rho))
        return found

    def memory(self, spikes, copies):
        return [(s, risen.repeat(copies, 1))
                for s, risen in zip(super().memory(spikes, copies), self.risen)]

    def arrays(self):
        found = super().arrays()
        for l in range(len(self.W)):
            found[f"beta{l}"] = torch.tensor(self.beta)
            found[f"tau_a{l}"] = torch.tensor(self.tau_a)
        return found
