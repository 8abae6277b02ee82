# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/torch.py and compiler/import/torch with many ways to write a cell.
"""Seventeen cells with branches, each in another style of PyTorch, are the same network in
double and nearly the same in loihi2's integers."""
import math
from dataclasses import dataclass
from typing import NamedTuple, Tuple

from support import check, dl, finish, np
from torch_support import I, N, agrees, nn, state, torch
from torch_support import x as given

F = torch.nn.functional


@dataclass
class Config:
    neurons: int = N
    branches: int = 4
    tau: Tuple[float, ...] = (2.0, 5.0, 10.0, 20.0)
    theta: float = 0.6
    dt: float = 1.0


class SurrogateSpike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, theta):
        ctx.save_for_backward(v)
        return (v >= theta).to(v)

    @staticmethod
    def backward(ctx, g):
        (v,) = ctx.saved_tensors
        return g / (1 + v.abs()) ** 2, None


class Configured(nn.Module):
    """dataclass config, list comprehension over branches, ModuleList, stack, sum."""

    def __init__(self, cfg=Config()):
        super().__init__()
        self.cfg = cfg
        self.dend = nn.ModuleList([nn.Linear(I, cfg.neurons, bias=b == 0) for b in range(cfg.branches)])
        self.decay = [math.exp(-cfg.dt / t) for t in cfg.tau]

    def forward(self, x, d, v):
        parts = [a * d[:, b] + (1 - a) * fc(x) for b, (a, fc) in enumerate(zip(self.decay, self.dend))]
        d = torch.stack(parts, dim=1)
        v = v.mul(0.9).add(d.sum(dim=1), alpha=2.0)
        s = SurrogateSpike.apply(v, self.cfg.theta)
        return s, d, v - s.detach() * self.cfg.theta


class Dictionary(nn.Module):
    """ParameterDict, einsum over (neuron, branch, source), softplus time constants."""

    def __init__(self):
        super().__init__()
        self.p = nn.ParameterDict({
            "w": nn.Parameter(torch.randn(N, 3, I) * 0.5),
            "log_tau": nn.Parameter(torch.rand(N, 3) * 2),
            "gate": nn.Parameter(torch.randn(N, 3)),
        })

    def forward(self, x, d):
        tau = F.softplus(self.p["log_tau"]) + 1
        alpha = torch.exp(-1.0 / tau)
        drive = torch.einsum("nbi,ki->knb", self.p["w"], x)
        d = alpha * d + (1 - alpha) * drive
        return torch.einsum("knb,nb->kn", d, torch.sigmoid(self.p["gate"])), d


class Convolved(nn.Module):
    """F.conv1d over a window of time kept in a buffer-like state; depthwise."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)
        self.kernel = nn.Parameter(torch.randn(N, 1, 5) * 0.5)

    def forward(self, x, window):
        window = torch.cat((window[..., 1:], self.fc(x).unsqueeze(-1)), dim=-1)
        y = F.conv1d(window, self.kernel, groups=N).squeeze(-1)
        return torch.tanh(y), window


class Rolled(nn.Module):
    """A ring of delays by torch.roll, written in place on a fresh tensor."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)
        self.register_buffer("weights", torch.tensor([0.5, 0.25, 0.125, 0.0625]))

    def forward(self, x, line, v):
        line = torch.roll(line, shifts=1, dims=-1)
        new = line.clone()
        new[..., 0] = self.fc(x)
        v = 0.8 * v + (new * self.weights).sum(-1)
        z = torch.where(v > 0.3, 1.0, 0.0)
        return z, new, torch.where(z.bool(), v - 0.3, v)


class Cumulative(nn.Module):
    """cumsum over branches: what reaches the soma passes by the nearer branches."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N * 4)
        self.register_buffer("keep", torch.linspace(0.5, 0.95, 4))

    def forward(self, x, d):
        drive = self.fc(x).unflatten(-1, (N, 4))
        d = self.keep * d + drive
        path = torch.cumsum(d, dim=-1)
        return path[..., -1].clamp(-1, 1) + 0.1 * path.mean(-1), d


class Sequenced(nn.Module):
    """An nn.Sequential inside, shared by all neurons, of what each neuron holds."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)
        self.mlp = nn.Sequential(nn.Linear(3, 6), nn.GELU(approximate="tanh"), nn.Linear(6, 3), nn.Tanh())

    def forward(self, x, m):
        u = self.fc(x)[..., None]
        m = 0.9 * m + 0.1 * self.mlp(m + u)
        return m.sum(-1), m


class Unbound(nn.Module):
    """unbind, per-branch gates, product of branches, minimum and maximum."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, 3 * N)
        self.tau = nn.Parameter(torch.zeros(3))

    def forward(self, x, d):
        d = d * self.tau.sigmoid() + self.fc(x).view(-1, N, 3)
        a, b, c = d.unbind(dim=-1)
        coincidence = torch.minimum(a, b).clamp_min(0) * torch.sigmoid(4 * c)
        return coincidence, d


class State(NamedTuple):
    v: torch.Tensor
    w: torch.Tensor


class Named(nn.Module):
    """States as a named tuple; AdEx-like with clamp of the exponent; methods of its own."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(I, N)
        self.register_buffer("dt", torch.tensor(0.1))

    def current(self, v, w):
        return -v + 0.2 * torch.exp(torch.clamp((v - 0.5) / 0.2, max=3.0)) - w

    def forward(self, x, s: State):
        v = s.v + self.dt * (self.current(s.v, s.w) + 3 * self.lin(x))
        w = s.w + self.dt * 0.5 * (0.3 * v - s.w)
        z = torch.gt(v, 0.8).type_as(v)
        return z, State(v * (1 - z), w + 0.1 * z)


class Buffered(nn.Module):
    """States in buffers that the step changes in place."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)
        self.register_buffer("mem", torch.zeros(1, N))
        self.register_buffer("trace", torch.zeros(1, N, 2), persistent=False)

    def forward(self, x):
        self.trace.mul_(torch.tensor([0.5, 0.9])).add_(self.fc(x).unsqueeze(-1))
        self.mem = self.mem * 0.7 + self.trace.prod(-1)
        out = (self.mem > 0.1).float()
        self.mem = self.mem.masked_fill(out.bool(), 0.0)
        return out


class Attending(nn.Module):
    """Softmax over the branches of each neuron: attention to the loudest."""

    def __init__(self):
        super().__init__()
        self.q = nn.Linear(I, N * 4)
        self.v = nn.Linear(I, N * 4)

    def forward(self, x, d):
        d = 0.8 * d + self.v(x).reshape(1, N, 4)
        score = torch.softmax(self.q(x).reshape(1, N, 4) / math.sqrt(4), dim=-1)
        return torch.einsum("bnk,bnk->bn", score, d), d


class Masked(nn.Module):
    """Sparse fixed wiring by a mask; recurrent with the spikes of the step before; weight norm by hand."""

    def __init__(self):
        super().__init__()
        self.w_in, self.w_rec = nn.Parameter(torch.randn(N, I)), nn.Parameter(torch.randn(N, N) * 0.3)
        self.register_buffer("mask", (torch.rand(N, I) < 0.5).float())
        self.g = nn.Parameter(torch.ones(N, 1))

    def forward(self, x, v, z):
        w = self.g * self.w_in / self.w_in.norm(dim=1, keepdim=True) * self.mask
        rec = self.w_rec - torch.diag(torch.diagonal(self.w_rec))
        v = 0.9 * v * (1.0 - z) + x @ w.t() + z @ rec.T
        z = torch.sign(F.relu(v - 0.5))
        return z, v, z


class Grouped(nn.Module):
    """Two kinds of neurons in one layer by split and cat, each with its own rule."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)

    def forward(self, x, v):
        u = self.fc(x)
        fast, slow = torch.tensor_split(v, 2, dim=1)
        uf, us = u.chunk(2, dim=-1)
        fast = 0.5 * fast + uf
        slow = torch.lerp(slow, us, 0.05)
        v = torch.cat([fast, slow], dim=1)
        return torch.relu(v), v


class Bursting(nn.Module):
    """Soma and apical dendrite: a back-propagating spike opens a window in which the plateau makes bursts."""

    def __init__(self):
        super().__init__()
        self.basal, self.apical = nn.Linear(I, N, bias=False), nn.Linear(I, N, bias=False)
        self.tau = nn.Parameter(torch.full((N,), 2.0))

    def forward(self, x, soma, dend, since):
        k = torch.sigmoid(self.tau)
        dend = k * dend + (1 - k) * (2 * self.apical(x) + torch.logical_and(since >= 1, since < 4).to(x.dtype))
        plateau = torch.sigmoid(8 * (dend - 0.3))
        soma = 0.8 * soma + self.basal(x) + 0.5 * plateau
        spike = (soma - 0.5 > 0).to(soma)
        since = torch.where(spike.bool(), torch.zeros_like(since), (since + 1).clamp(max=10.0))
        return spike * (1 + plateau.gt(0.5).to(spike)), soma * (1 - spike), dend, since


class Normed(nn.Module):
    """LayerNorm over the branches of a neuron, and a residual."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N * 4)
        self.ln = nn.LayerNorm(4)
        self.mix = nn.Linear(4, 1)

    def forward(self, x, d):
        d = 0.9 * d + self.fc(x).view(1, N, 4)
        return self.mix(F.silu(self.ln(d)) + d).squeeze(-1), d


class Receptors(nn.Module):
    """AMPA, NMDA and GABA by a table, addcmul, rsub, reciprocal and a double exponential."""
    NAMES = ("ampa", "nmda", "gaba")

    def __init__(self):
        super().__init__()
        self.syn = nn.ModuleDict({n: nn.Linear(I, N) for n in self.NAMES})
        self.register_buffer("reversal", torch.tensor([1.0, 1.0, -0.5]))
        self.register_buffer("tau", torch.tensor([2.0, 10.0, 5.0]))

    def forward(self, x, g, v):
        drive = torch.stack([self.syn[n](x).abs() for n in self.NAMES], dim=-1)
        g = torch.addcmul(drive, g, torch.exp(-self.tau.reciprocal()))
        block = torch.ones_like(g)
        block[..., 1] = torch.reciprocal(1 + torch.exp(-2 * v))
        current = (g * block * (self.reversal - v[..., None])).sum(dim=-1)
        v = v + 0.05 * (current - v)
        return v, g, v


class Mixture(nn.Module):
    """A mixture of experts over branches: the largest wins; a standard deviation of branches."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, N, I) * 0.4)
        self.bias = nn.Parameter(torch.zeros(4, N))

    def forward(self, x, d):
        drive = torch.stack([F.linear(x, w, b) for w, b in zip(self.weight, self.bias)], dim=-1)
        d = d + (drive - d) / torch.tensor([2.0, 4.0, 8.0, 16.0])
        best = d.max(dim=-1, keepdim=True).values
        won = torch.where(d == best, d, torch.zeros_like(d))
        return won.sum(-1) + 0.1 * d.std(dim=-1, unbiased=False), d


class Dendrinet(nn.Module):
    """DendriNet's equations: K synapses of exp(w) on each branch, shunting, voltages of children
    through conductances."""

    K = 3

    def __init__(self):
        super().__init__()
        few = torch.rand(2, N * 5, I).argsort(dim=-1) < self.K
        self.register_buffer("mask", few.float())
        self.w, self.g = nn.Parameter(torch.randn(2, N * 5, I)), nn.Parameter(torch.randn(N, 4))
        self.slope, self.middle = nn.Parameter(torch.full((5,), 4.0)), nn.Parameter(torch.full((5,), 0.4))

    def rate(self, v, which):
        return (torch.tanh(self.slope[which] * (v - self.middle[which])) + 1) / 2

    def forward(self, x):
        excitation, inhibition = (F.linear(x, w).view(1, N, 5) for w in torch.exp(self.w) * self.mask)
        e, i = excitation[..., 1:], inhibition[..., 1:]
        branch = self.rate(e / (1 + e + i), slice(1, None))
        g = self.g.exp()
        e, i = excitation[..., 0], inhibition[..., 0]
        return self.rate((e + (g * branch).sum(-1)) / (1 + e + i + g.sum(-1)), 0)


CASES = (
    (Configured, [state(4, N), state(N)]), (Dictionary, [state(N, 3)]), (Convolved, [state(N, 5)]),
    (Rolled, [state(N, 4), state(N)]), (Cumulative, [state(N, 4)]), (Sequenced, [state(N, 3)]),
    (Unbound, [state(N, 3)]), (Attending, [state(N, 4)]), (Masked, [state(N), state(N)]), (Grouped, [state(N)]),
    (Bursting, [state(N), state(N), state(N)]), (Normed, [state(N, 4)]), (Receptors, [state(N, 3), state(N)]),
    (Mixture, [state(N, 4)]),
)
for kind, states in CASES:
    torch.manual_seed(2)
    net, _, want, chip = agrees(kind.__name__, kind(), states)
    off = np.abs(chip - want).mean()
    print(f"{kind.__name__}: {net.difference:.1e} from torch, {off:.4f} in integers")
    check(off < (0.08 if kind is Masked else 0.02), f"{kind.__name__} in integers: {off}")
for kind, states in ((Named, [State(state(N), state(N))]), (Buffered, []), (Dendrinet, [])):
    torch.manual_seed(2)
    net = dl.from_torch(kind(), (torch.tensor(given[0, :1]).float(), *states))
    check(net.difference < 1e-12, f"{kind.__name__}: said {net.difference}")
    chip = np.asarray(dl.compile(net, "loihi2", calibrate=given).run(given, engine="functional").outputs, dtype=float)
    off = np.abs(chip - np.asarray(net.run(given).outputs).reshape(chip.shape)).mean()
    print(f"{kind.__name__}: {net.difference:.1e} from torch, {off:.4f} in integers")
    check(off < 0.02 and np.ptp(chip) > 0.1, f"{kind.__name__} in integers: {off}")
finish()
