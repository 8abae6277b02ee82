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


class Compartments(torch.nn.Module):
    """Basal and apical dendrites and somas of a layer of `d_m` units that see
    `inputs` numbers."""

    def __init__(self, d, d_m, d_a, inputs):
        super().__init__()
        par = lambda x: torch.nn.Parameter(x)
        # The deviation is 1/sqrt(d_a), so that W_A^T W_A is about I and gamma about the
        # step of the LMS rule; the paper's 1/sqrt(d) diverges.
        self.WA = par(torch.randn(d_a, d) / math.sqrt(d_a))
        self.WB = par(torch.randn(d_m, inputs) / math.sqrt(inputs))
        self.bB = par((2 * torch.rand(d_m) - 1) / math.sqrt(inputs))
        self.WO = par(torch.randn(d_m, d_a) / math.sqrt(d_a))
        self.gA, self.gB = par(torch.tensor(1.0)), par(torch.tensor(1.0))
        self.at = par(torch.tensor(2.2))
        self.gt = par(torch.tensor(math.log(math.expm1(0.1))))
        self.th1 = par(torch.tensor(1.0))

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

    def basal(self, below):
        return self.gB * F.linear(below, self.WB, self.bB)

    def apical(self, z):
        return self.gA * F.linear(z, self.WO @ self.WA)

    def constants(self):
        return {"alpha": self.alpha().detach(), "gamma": self.gamma().detach()}


class DendriCL(Compartments):
    """soma: "virtual" (n_micro steps per token from rest), "memoryless" (one
    step, no leak) or "leaky" (one step per token, the membranes carried on).
    spike: 0 for a DendriCNN, whose units pass on how far they are above their
    thresholds.  Layers `above` the first see its spikes in place of the token."""

    def __init__(self, d, d_m, d_a, soma, n_micro, decay, spike=1, layers=1,
                 d_b=None, **_):
        super().__init__(d, d_m, d_a, d + 2)
        self.soma, self.n_micro, self.decay, self.spike = soma, n_micro, decay, spike
        width = d_b or 2 * d_m
        self.th2 = torch.nn.Parameter(torch.tensor(1.0))
        self.F1 = torch.nn.Linear(d_m, width)
        self.F2 = torch.nn.Linear(width, d_m)
        self.R = torch.nn.Linear(d_m, 1)
        self.above = torch.nn.ModuleList(
            Compartments(d, d_m, d_a, d_m) for _ in range(layers - 1))

    def outputs(self, currents, theta):
        """What units under `currents`, one (samples, n) per step, pass on."""
        if not self.spike:
            return torch.stack([F.relu(current - theta) for current in currents])
        return torch.stack(lif(currents, theta, self.decay))

    def forward(self, x, every=False):
        """x (samples, tokens, d + 2); the read-out (samples, tokens), of the
        query alone unless `every` token is asked for, and mean spikes per unit
        and token of the somas of each layer and of the block."""
        layers = [self, *self.above]
        z = [layer.estimates(x) for layer in layers]
        if not every and self.soma != "leaky":
            x, z = x[:, -1:], [last[:, -1:] for last in z]
        ticks = lambda current: (
            current.unbind(1) if self.soma == "leaky"
            else [current.flatten(0, 1)] * (self.n_micro if self.spike else 1))
        found = [self.outputs(ticks(self.basal(x) + self.apical(z[0])), self.th1)]
        for layer, own in zip(self.above, z[1:]):
            held = torch.stack(ticks(layer.apical(own)))
            found.append(self.outputs((held + layer.basal(found[-1])).unbind(0),
                                      layer.th1))
        block = self.outputs(self.F1(found[-1]).unbind(0), self.th2)
        activity = [len(s) * s.mean() if self.soma != "leaky" else s.mean()
                    for s in (*found, block)]
        if self.soma != "leaky":
            block = block.mean(0).view(*x.shape[:2], -1).transpose(0, 1)
        return self.R(self.F2(block))[..., 0].T, activity

    def arrays(self):
        """The parameters under their names in a checkpoint."""
        named = {key: value for key, value in self.state_dict().items()
                 if not key.startswith("above.")}
        named.update(self.constants())
        for l, layer in enumerate(self.above, 1):
            named.update({f"L{l}.{key}": value for key, value in
                          {**layer.state_dict(), **layer.constants()}.items()})
        return named
