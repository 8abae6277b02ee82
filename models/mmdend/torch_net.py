# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks as train.py trains them, in PyTorch.

Branches and soma are linear, so a layer is eq. 12 of the paper: a convolution
over time, here one Toeplitz matrix (steps, steps) per branch and one for the
soma, shared by all channels.  Values are laid out (steps, channels, samples).
reference.py runs the exported network as a recurrence instead.
"""
import numpy as np
import torch
import torch.nn.functional as F

import task

HIDDEN, COMPARTMENTS = 128, 8
# |A| of a branch stays below 1 - 2^-8, so that rounding A to the fewest bits
# a chip would use cannot make it grow.
LEAST_DECAY = 1.02 * 2.0 ** -8  # of -Re(lam) dt
LIF_TAU = 2.0


def through(soft, hard):
    """`hard` forward, the derivative of `soft` backward."""
    return soft + (hard - soft).detach()


def toeplitz(kernel):
    """kernel (steps) to the matrix that convolves with it: M[t, q] =
    kernel[t - q], zero above the diagonal."""
    steps = len(kernel)
    padded = F.pad(kernel, (steps, 0))  # index steps + t - q
    t = torch.arange(steps)
    return padded[steps + t[:, None] - t[None, :]]


class Dendrites(torch.nn.Module):
    """One MMDEND layer behind its input current; eq. 10 to 17."""

    def __init__(self, J, Dp, S, U, K=COMPARTMENTS, shift=True):
        super().__init__()
        self.J, self.Dp, self.S, self.U = J, Dp, S, U
        par = torch.nn.Parameter
        self.log_decay = par(torch.full((J, K), 0.5).log())
        self.lam_im = par(np.pi * torch.arange(float(K)).repeat(J, 1))
        self.log_dt = par(torch.linspace(np.log(0.02), np.log(0.5), J))
        self.B = par(torch.randn(J, K, 2) * 0.7)
        self.C = par(torch.randn(J, K, 2) * 0.7)
        self.go = par(torch.randn(J) * 0.3)
        self.log_tauj = par(torch.zeros(J))
        self.log_taus = par(torch.tensor(2.0).log())
        self.gs = par(torch.tensor(0.3))
        for name in ("phi_p", "log_phi_s"):  # learned where firing shifts and scales
            value = torch.nn.Parameter(torch.tensor(0.0), requires_grad=shift)
            self.register_parameter(name, value)

    def constants(self):
        """The parameters under their names in a checkpoint."""
        dt = self.log_dt.exp()
        decay = torch.maximum(self.log_decay.exp(), LEAST_DECAY / dt[:, None])
        return dict(lam_re=-decay, lam_im=self.lam_im, dt=dt, B=self.B, C=self.C,
                    go=self.go, tauj=self.log_tauj.exp(), taus=self.log_taus.exp(),
                    gs=self.gs, phi_p=self.phi_p, phi_s=self.log_phi_s.exp())

    def forward(self, I):
        """I (steps, D, samples) to integer spikes of the same shape."""
        p, steps = self.constants(), len(I)
        time = torch.arange(float(steps), dtype=I.dtype)
        lam = torch.complex(p["lam_re"], p["lam_im"])
        step = lam * p["dt"][:, None]
        gain = (step.exp() - 1) / lam * torch.view_as_complex(p["B"])
        power = (step[..., None] * time).exp()  # (J, K, steps)
        weight = torch.view_as_complex(p["C"]) * gain
        kernel = (weight[..., None] * power).sum(1).real  # (J, steps)
        direct = torch.eye(steps, dtype=I.dtype)
        drive = p["gs"] * I
        for j in range(self.J):
            first, end = j * self.S, j * self.S + self.Dp
            matrix = toeplitz(kernel[j]) + p["go"][j] * direct
            part = I[:, first:end]
            d = F.relu(matrix @ part.reshape(steps, -1)).view(part.shape)
            drive = drive + F.pad(d / p["tauj"][j], (0, 0, first, I.shape[1] - end))
        beta = torch.exp(-1 / p["taus"])
        soma = toeplitz(p["taus"] * (1 - beta) * beta ** time)
        Vs = (soma @ drive.reshape(steps, -1)).view(I.shape)
        level = ((Vs - p["phi_p"]) / p["phi_s"]).clamp(-self.U, self.U)
        return through(level, level.floor())


class Lif(torch.nn.Module):
    """One LIF layer with hard reset (eq. 1 to 3), arctan surrogate."""

    def constants(self):
        return {}

    def forward(self, I):
        v, out = torch.zeros_like(I[0]), []
        # unbind: indexing I[t] makes the backward pass quadratic in the steps.
        for current in I.unbind(0):
            h = (1 - 1 / LIF_TAU) * v + current / LIF_TAU
            s = through(torch.atan(np.pi * (h - 1)) / np.pi, (h > 1).to(h.dtype))
            v = h * (1 - s.detach())
            out.append(s)
        return torch.stack(out)


class Net(torch.nn.Module):
    """Two layers of linear map, batch norm and neurons, which `make` makes;
    linear read-out of the mean over the steps."""

    def __init__(self, make, inputs):
        super().__init__()
        widths = [inputs, HIDDEN, HIDDEN]
        self.maps = torch.nn.ModuleList(
            torch.nn.Linear(i, o, bias=False) for i, o in zip(widths, widths[1:]))
        self.norms = torch.nn.ModuleList(
            torch.nn.BatchNorm1d(HIDDEN, momentum=0.02) for _ in self.maps)
        self.neurons = torch.nn.ModuleList(
            make() for _ in self.maps)
        self.read = torch.nn.Linear(HIDDEN, len(task.CLASSES))

    def forward(self, x):
        """x (samples, steps, inputs) of grey levels; logits (samples,
        classes) and the spikes of both layers."""
        h = (x.permute(1, 2, 0) - task.OFFSET) / task.SCALE
        spikes = []
        for linear, norm, neurons in zip(self.maps, self.norms, self.neurons):
            h = neurons(norm(torch.matmul(linear.weight, h)))
            spikes.append(h)
        return self.read(h.mean(0).T), spikes
