# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks as train.py trains them, in PyTorch.

The apical state is W_A z for a z of d numbers (z <- alpha z + gamma e x), so
training follows z and never the d_a-wide state.  Where no somatic state crosses
tokens the soma is computed for the query alone, for the loss looks nowhere else.
reference.py runs the network as it is written down instead.
"""
import math

import torch
import torch.nn.functional as F

GAMMA_RANGE = (1e-3, 0.2)  # the paper's Appendix O


class Fire(torch.autograd.Function):
    """1 if x > 0, else 0; the backward pass sees the arctan surrogate."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 1 / math.pi * grad / (1 + (math.pi * x) ** 2)


def lif(currents, theta, decay):
    """Currents, one (samples, n) per step, to the list of their spikes; the
    membrane starts at 0 and loses theta per spike."""
    v, spikes = 0.0, []
    for current in currents:
        v = decay * v + current
        s = Fire.apply(v - theta)
        v = v - theta * s
        spikes.append(s)
    return spikes


class DendriCL(torch.nn.Module):
    """soma: "virtual" (n_micro steps per token from rest), "memoryless" (one
    step, no leak) or "leaky" (one step per token, the membranes carried on)."""

    def __init__(self, d, d_m, d_a, soma, n_micro, decay, **_):
        super().__init__()
        self.soma, self.n_micro, self.decay = soma, n_micro, decay
        par = lambda x: torch.nn.Parameter(x)
        # The deviation is 1/sqrt(d_a), so that W_A^T W_A is about I and gamma about the
        # step of the LMS rule; the paper's 1/sqrt(d) diverges.
        self.WA = par(torch.randn(d_a, d) / math.sqrt(d_a))
        self.WB = par(torch.randn(d_m, d + 2) / math.sqrt(d + 2))
        self.bB = par((2 * torch.rand(d_m) - 1) / math.sqrt(d + 2))
        self.WO = par(torch.randn(d_m, d_a) / math.sqrt(d_a))
        self.gA, self.gB = par(torch.tensor(1.0)), par(torch.tensor(1.0))
        self.at = par(torch.tensor(2.2))
        self.gt = par(torch.tensor(math.log(math.expm1(0.1))))
        self.th1, self.th2 = par(torch.tensor(1.0)), par(torch.tensor(1.0))
        self.F1 = torch.nn.Linear(d_m, 2 * d_m)
        self.F2 = torch.nn.Linear(2 * d_m, d_m)
        self.R = torch.nn.Linear(d_m, 1)

    def alpha(self):
        return torch.sigmoid(self.at)

    def gamma(self):
        return F.softplus(self.gt).clamp(*GAMMA_RANGE)

    def estimates(self, x):
        """z before each token's update (samples, tokens, d)."""
        d = x.shape[-1] - 2
        z, found = torch.zeros_like(x[:, 0, :d]), []
        alpha, gamma = self.alpha(), self.gamma()
        keys = x[..., :d] @ (self.WA.T @ self.WA)
        # unbind: indexing x[:, t] makes the backward pass quadratic in the tokens.
        for token, key in zip(x.unbind(1), keys.unbind(1)):
            found.append(z)
            y, flag = token[:, d], token[:, d + 1]
            error = (1 - flag) * (y - (z * key).sum(1))
            z = alpha * z + gamma * error[:, None] * token[:, :d]
        return torch.stack(found, 1)

    def forward(self, x, every=False):
        """x (samples, tokens, d + 2); the read-out (samples, tokens), of the
        query alone unless `every` token is asked for, and mean spikes per unit
        and token of soma and block."""
        z = self.estimates(x)
        if not every and self.soma != "leaky":
            x, z = x[:, -1:], z[:, -1:]
        current = (self.gB * F.linear(x, self.WB, self.bB)
                   + self.gA * F.linear(z, self.WO @ self.WA))
        ticks = (current.unbind(1) if self.soma == "leaky"
                 else [current.flatten(0, 1)] * self.n_micro)
        soma = torch.stack(lif(ticks, self.th1, self.decay))
        block = torch.stack(lif(self.F1(soma).unbind(0), self.th2, self.decay))
        activity = [self.n_micro * s.mean() for s in (soma, block)]
        if self.soma != "leaky":
            block = block.mean(0).view(*current.shape[:2], -1).transpose(0, 1)
        return self.R(self.F2(block))[..., 0].T, activity

    def arrays(self):
        """The parameters under their names in a checkpoint."""
        return {**self.state_dict(), "alpha": self.alpha().detach(),
                "gamma": self.gamma().detach()}
