# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The network as train.py trains it, in PyTorch: all tokens of a sequence at once.

A token that does not select a branch leaves it frozen, which is the same as a decay
of 1 and a step of 0.  With c the running sum of the logarithms of the decays, the
corrections u_t = beta_t (v_t - k_t g_t S) of a block solve the unit triangular system

    u_t + beta_t sum_{s<t} exp(c_t - c_s) (k_t . k_s) u_s = beta_t v_t

and its read-outs are o_t = sum_{s<=t} exp(c_t - c_s) (q_t . k_s) u_s.  reference.py
runs the network as it is written down instead, token by token.
"""
import math

import torch
import torch.nn.functional as F

RMS_EPSILON = 1e-6
L2_FLOOR = 1e-12


def rms(z):
    return z * torch.rsqrt(z.square().mean(-1, keepdim=True) + RMS_EPSILON)


def heads(z, count):
    """(samples, tokens, count * n) to (samples, count, tokens, n)."""
    return z.unflatten(-1, (count, -1)).transpose(1, 2)


class Layer(torch.nn.Module):
    def __init__(self, d, H, dk, dv, Er, Es, topk, M, dkb, P, **_):
        super().__init__()
        self.H, self.Er, self.Es, self.topk = H, Er, Es, topk
        self.windows = [slice(m * P, m * P + dkb) for m in range(M)]
        E = Er + Es
        par = lambda x: torch.nn.Parameter(x)
        scaled = lambda *shape: par(torch.randn(*shape) / math.sqrt(d))
        self.Wq, self.Wk, self.Wv = (scaled(d, H * n) for n in (dk, dk, dv))
        self.Wb, self.Wg = scaled(d, H * E), scaled(d, H * E)
        # Steps start at one half, and memories at some fifty tokens.
        self.bb, self.bg = par(torch.zeros(H * E)), par(torch.full((H * E,), 4.0))
        tap = torch.tensor([0.5, 0.5])
        self.cq, self.ck, self.cv = (
            par(tap + 0.1 * torch.randn(H * n, 2)) for n in (dk, dk, dv))
        self.Wr = par(torch.randn(H, dk, Er) / math.sqrt(dk))
        near = lambda: par(torch.eye(dk) + 0.1 * torch.randn(H, E, dk, dk))
        self.EQ, self.EK = near(), near()
        self.on, self.nw = par(torch.ones(H * dv)), par(torch.ones(d))
        self.Wo = par(torch.randn(H * dv, d) / math.sqrt(H * dv))

    def mixed(self, n, W, taps):
        z = n @ W
        before = F.pad(z, (0, 0, 1, 0))[:, :-1]
        return heads(F.silu(taps[:, 0] * before + taps[:, 1] * z), self.H)

    def route(self, q):
        """Weights of the branches, zero where one is not selected."""
        shared = q.new_full((*q.shape[:3], self.Es), 1 / max(self.Es, 1))
        if self.Er == 0:
            return shared
        scores = torch.softmax(q @ self.Wr, -1)
        taken = torch.sort(-scores, dim=-1, stable=True)[1][..., : self.topk]
        mask = torch.zeros_like(scores).scatter(-1, taken, 1.0)
        return torch.cat([shared, scores * mask], -1)

    def forward(self, x):
        """The residual stream behind the layer, and how often each branch ran."""
        n = rms(x) * self.nw
        q, k = self.mixed(n, self.Wq, self.cq), self.mixed(n, self.Wk, self.ck)
        v = self.mixed(n, self.Wv, self.cv)
        weight = self.route(q).permute(3, 0, 1, 2)  # (E, samples, H, tokens)
        runs = (weight > 0).to(x.dtype)
        branch = lambda W, b: heads(n @ W + b, self.H).permute(3, 0, 1, 2)
        beta = runs * torch.sigmoid(branch(self.Wb, self.bb))
        c = (runs * F.logsigmoid(branch(self.Wg, self.bg))).cumsum(-1)
        tokens = x.shape[1]
        past = torch.ones(tokens, tokens, dtype=torch.bool).tril()
        decay = (c[..., :, None] - c[..., None, :]).masked_fill(~past, -torch.inf).exp()
        target = beta[..., None] * v
        expand = lambda z, W: z @ W.permute(1, 0, 3, 2)[:, None]
        qe, ke = expand(q, self.EQ), expand(k, self.EK)
        o = 0.0
        for rows in self.windows:
            qb = F.normalize(qe[..., rows], dim=-1, eps=L2_FLOOR)
            kb = F.normalize(ke[..., rows], dim=-1, eps=L2_FLOOR)
            system = beta[..., None] * decay * (kb @ kb.transpose(-1, -2))
            u = torch.linalg.solve_triangular(
                system.tril(-1), target, upper=False, unitriangular=True)
            o = o + (decay * (qb @ kb.transpose(-1, -2))) @ u
        o = (weight[..., None] * o).sum(0)
        o = rms(o).transpose(1, 2).flatten(2) * self.on
        return x + o @ self.Wo, runs.mean((1, 2, 3))


class DendAttn(torch.nn.Module):
    def __init__(self, d, V, L, **rest):
        super().__init__()
        self.emb = torch.nn.Parameter(torch.randn(V, d) / math.sqrt(d))
        self.layers = torch.nn.ModuleList(Layer(d, **rest) for _ in range(L))
        self.nf = torch.nn.Parameter(torch.ones(d))
        self.head = torch.nn.Parameter(torch.randn(d, V) / math.sqrt(d))

    def forward(self, tokens):
        """Token ids (samples, tokens) to logits (samples, tokens, V), and per layer
        the share of tokens at which each branch ran."""
        x, use = self.emb[tokens], []
        for layer in self.layers:
            x, runs = layer(x)
            use.append(runs)
        return (rms(x) * self.nf) @ self.head, use

    def arrays(self):
        """The parameters under their names in a checkpoint."""
        return {name.replace("layers.", "l_").replace(".", "_"): value
                for name, value in self.state_dict().items()}
