# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The neurons that MMDEND is compared with, as train.py trains them, in PyTorch.

Values are laid out (steps, channels, samples), as in torch_net.py.  EQUATIONS.md has
the equations and where they come from; `constants` gives the parameters under
their names in a checkpoint.  Neurons without a reset from one step to the next
are computed for all steps at once.  Networks of `STEPPED`, which no kind of checkpoint has,
are written as their exported step (.pt2).
"""
import re

import numpy as np
import torch
import torch.nn.functional as F

# A branch of eq. 12 as one matrix over the steps, and the straight-through rule.
from torch_net import HIDDEN, LEAST_DECAY, through, toeplitz

STEPS, ORDER, MODES = 32, 16, 4
# The drive of a PMSN soma in one step, in thresholds, is at most this.
MOST_DRIVE = 7.0


def fire(v, theta, inclusive=False):
    """Spikes where v is above theta, with an arctan surrogate."""
    above = (v >= theta) if inclusive else (v > theta)
    return through(torch.atan(np.pi * (v - theta)) / np.pi, above.to(v.dtype))


def learned(value):
    return torch.nn.Parameter(torch.as_tensor(value, dtype=torch.float32))


def logit(p):
    return float(np.log(p / (1 - p)))


class Plif(torch.nn.Module):
    """LIF whose time constant is learned, one per layer."""

    def __init__(self, **_):
        super().__init__()
        self.rate = learned(logit(0.5))

    def constants(self):
        return {"tau": 1 / torch.sigmoid(self.rate)}

    def forward(self, I):
        v, out, rate = torch.zeros_like(I[0]), [], torch.sigmoid(self.rate)
        for current in I.unbind(0):
            h = v + rate * (current - v)
            s = fire(h, 1.0)
            v = h * (1 - s.detach())
            out.append(s)
        return torch.stack(out)


class Klif(torch.nn.Module):
    """LIF, tau = 2, whose potential is scaled by a learned k and rectified."""

    def __init__(self, **_):
        super().__init__()
        self.k = learned(1.0)

    def constants(self):
        return {"tau": torch.tensor(2.0), "k": self.k}

    def forward(self, I):
        v, out = torch.zeros_like(I[0]), []
        for current in I.unbind(0):
            h = F.relu(self.k * (v + (current - v) / 2))
            s = fire(h, 1.0)
            v = h * (1 - s.detach())
            out.append(s)
        return torch.stack(out)


class Glif(torch.nn.Module):
    """Gated LIF: per channel three gates between two ways to leak, to take in
    current and to reset."""

    THETA = 0.5
    START = dict(alpha=0.5, beta=0.5, gamma=0.5, keep=0.25,
                 leak=THETA / (2 * STEPS), reset=THETA, conduct=0.5)

    def __init__(self, **_):
        super().__init__()
        for name, value in self.START.items():
            noise = 0.2 * (torch.rand(HIDDEN) - 0.5)
            self.register_parameter(name, learned(logit(value) + noise))

    def constants(self):
        found = {name: torch.sigmoid(getattr(self, name)) for name in self.START}
        return {**found, "theta": torch.tensor(self.THETA)}

    def forward(self, I):
        p = {name: value if name == "theta" else value[:, None]
             for name, value in self.constants().items()}
        keep = 1 - p["alpha"] * (1 - p["keep"])
        leak = (1 - p["alpha"]) * p["leak"]
        gain = 1 - p["beta"] * (1 - p["conduct"])
        drop = (1 - p["gamma"]) * p["reset"]
        u, s, out = torch.zeros_like(I[0]), torch.zeros_like(I[0]), []
        for current in I.unbind(0):
            u = keep * u * (1 - p["gamma"] * s) - leak + gain * current - drop * s
            s = fire(u, self.THETA)
            out.append(s)
        return torch.stack(out)


class Psn(torch.nn.Module):
    """Parallel spiking neuron: H = W X over the steps, a threshold per step."""

    def __init__(self, **_):
        super().__init__()
        bound = 1 / np.sqrt(STEPS)
        self.w = learned(bound * (2 * torch.rand(STEPS, STEPS) - 1))
        self.theta = learned(torch.ones(STEPS))

    def mask(self):
        return torch.ones_like(self.w)

    def constants(self):
        return {"w": self.w * self.mask(), "theta": self.theta}

    def forward(self, I):
        h = ((self.w * self.mask()) @ I.reshape(len(I), -1)).view(I.shape)
        return fire(h, self.theta[:, None, None], inclusive=True)


class MaskedPsn(Psn):
    """PSN that sees the last ORDER steps only."""

    def mask(self):
        age = torch.arange(STEPS)[:, None] - torch.arange(STEPS)
        return ((age >= 0) & (age < ORDER)).to(self.w.dtype)


class SlidingPsn(torch.nn.Module):
    """Masked PSN whose rows are one row, shifted: a filter of ORDER taps,
    the newest input's first."""

    def __init__(self, **_):
        super().__init__()
        self.w = learned(0.5 ** torch.arange(float(ORDER)))
        self.theta = learned(1.0)

    def constants(self):
        return {"w": self.w, "theta": self.theta}

    def forward(self, I):
        matrix = toeplitz(F.pad(self.w, (0, len(I) - ORDER)))
        h = (matrix @ I.reshape(len(I), -1)).view(I.shape)
        return fire(h, self.theta, inclusive=True)


class Pmsn(torch.nn.Module):
    """Parallel multi-compartment neuron: MODES coupled hidden compartments in
    their eigenbasis, per channel, and a soma that counts whole thresholds."""

    def __init__(self, **_):
        super().__init__()
        shape = (HIDDEN, MODES)
        self.log_decay = learned(torch.full(shape, 0.5).log())
        self.lam_im = learned(np.pi * torch.arange(float(MODES)).repeat(HIDDEN, 1))
        low, high = np.log(0.02), np.log(0.5)
        self.log_dt = learned(low + (high - low) * torch.rand(HIDDEN))
        self.B = learned(torch.randn(*shape, 2) * 0.7)
        self.C = learned(torch.randn(*shape, 2) * 0.7)
        self.go = learned(torch.randn(HIDDEN) * 0.3 + 0.3)

    def constants(self):
        dt = self.log_dt.exp()
        decay = torch.maximum(self.log_decay.exp(), LEAST_DECAY / dt[:, None])
        return dict(lam_re=-decay, lam_im=self.lam_im, dt=dt, B=self.B, C=self.C,
                    go=self.go, theta=torch.tensor(1.0))

    def forward(self, I):
        p, steps = self.constants(), len(I)
        lam = torch.complex(p["lam_re"], p["lam_im"])
        step = lam * p["dt"][:, None]
        gain = (step.exp() - 1) / lam * torch.view_as_complex(p["B"])
        power = (step[..., None] * torch.arange(float(steps), dtype=I.dtype)).exp()
        weight = torch.view_as_complex(p["C"]) * gain
        kernel = (weight[..., None] * power).sum(1).real  # (channels, steps)
        age = torch.arange(steps)[:, None] - torch.arange(steps)
        matrix = kernel[:, age.clamp(min=0)] * (age >= 0)
        drive = (matrix @ I.transpose(0, 1)).transpose(0, 1)
        drive = (drive + p["go"][:, None] * I).clamp(0, MOST_DRIVE)
        total = drive.cumsum(0)
        before = F.pad(total[:-1].detach().floor(), (0, 0, 0, 0, 1, 0))
        return fire(total - before, 1.0, inclusive=True)


BASELINES = {"plif": Plif, "klif": Klif, "glif": Glif, "psn": Psn,
             "masked_psn": MaskedPsn, "sliding_psn": SlidingPsn, "pmsn": Pmsn}


class Stepped(torch.nn.Module):
    """`step(I, *states)` gives the spikes and the next of STATES states, which begin at 0."""

    STATES = 1

    def __init__(self, **_):
        super().__init__()

    def spikes(self, v, theta):
        """As `fire` while it learns: an exported step has no surrogate."""
        return fire(v, theta) if self.training else (v > theta).to(v.dtype)

    def forward(self, I):
        states, out = [torch.zeros_like(I[0])] * self.STATES, []
        for current in I.unbind(0):
            s, *states = self.step(current, *states)
            out.append(s)
        return torch.stack(out)


class NoReset(Stepped):
    """LIF, tau = 2, that fires without a reset."""

    def step(self, I, v):
        v = v + (I - v) / 2
        return self.spikes(v, 1.0), v


class TcLif(Stepped):
    """Two compartments: a dendrite without leak and a soma that draws from it, coupled by
    learned numbers of the layer."""

    STATES = 3

    def __init__(self, **_):
        super().__init__()
        self.back, self.draw = learned(0.0), learned(0.0)

    def step(self, I, d, v, s):
        d = d - torch.sigmoid(self.back) * v + I - 0.5 * s
        v = v + torch.sigmoid(self.draw) * d - s
        s = self.spikes(v, 1.0)
        return s, d, v, s.detach()


class Alif(Stepped):
    """Adaptive LIF: a channel's threshold rises with its spikes."""

    STATES = 3

    def __init__(self, **_):
        super().__init__()
        # Time constants of some 2 to 20 steps, of the membrane and of the threshold.
        logits = torch.linspace(0.0, 3.0, HIDDEN)[:, None]
        self.keep, self.fade = learned(logits), learned(logits.flip(0))

    def step(self, I, u, a, s):
        keep, fade = torch.sigmoid(self.keep), torch.sigmoid(self.fade)
        a = fade * a + (1 - fade) * s
        theta = 0.1 + 1.8 * a
        u = keep * u + (1 - keep) * I - theta * s
        s = self.spikes(u, theta)
        return s, u, a, s


class Srnn(Alif):
    """The same, which sees the spikes of its layer."""

    def __init__(self, **_):
        super().__init__()
        self.V = torch.nn.Linear(HIDDEN, HIDDEN, bias=False)
        torch.nn.init.orthogonal_(self.V.weight, 0.5)

    def step(self, I, u, a, s):
        return super().step(I + self.V.weight @ s, u, a, s)


STEPPED = {"lif_no_reset": NoReset, "tclif": TcLif, "alif": Alif, "srnn": Srnn}


class Step(torch.nn.Module):
    """One step of a trained network, whose states are buffers that it changes; `folded`
    has W and b of each layer and Wout, bout."""

    def __init__(self, neurons, folded):
        super().__init__()
        self.neurons = neurons
        for name, value in folded.items():
            value = torch.as_tensor(value)
            self.register_buffer(name, value[:, None] if value.ndim == 1 else value)
        for l, neuron in enumerate(neurons):
            for n in range(neuron.STATES):
                self.register_buffer(f"state{l}_{n}", torch.zeros(HIDDEN, 1))

    def forward(self, x):
        h = x.T
        for l, neuron in enumerate(self.neurons):
            states = [getattr(self, f"state{l}_{n}") for n in range(neuron.STATES)]
            h, *after = neuron.step(getattr(self, f"W{l}") @ h + getattr(self, f"b{l}"), *states)
            for state, new in zip(states, after):
                state.copy_(new)
        return (self.Wout @ h + self.bout).T


def write(neurons, folded, path):
    folded = {name: value for name, value in folded.items() if name != "meta"}
    with torch.no_grad():
        step = Step(neurons, folded).float().eval()
        program = torch.export.export(step, (torch.zeros(1, folded["W0"].shape[1]),), strict=False)
        program = program.run_decompositions()
    for node in program.graph.nodes:  # no folder of who made it
        if node.meta.get("stack_trace"):
            node.meta["stack_trace"] = re.sub('File "[^"]*/', 'File "', node.meta["stack_trace"])
    torch.export.save(program, path)
