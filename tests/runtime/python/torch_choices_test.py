# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/torch.py and compiler/import/torch with cells that choose.
"""Cells that choose among branches, experts or neurons, count and mask: the same network in
double, nearly the same in loihi2's integers, and a state with an empty axis is named."""
import sys

from support import check, dl, finish, np, refused
from torch_support import I, N, agrees, nn, state, torch

F = torch.nn.functional


class Cell(nn.Module):
    def __init__(self, outputs=N):
        super().__init__()
        self.fc = nn.Linear(I, outputs)


class Plateau(Cell):
    """A branch above threshold holds for four steps; NMDA's block."""

    def forward(self, x, d, left, v):
        d = 0.8 * d + self.fc(x).view(-1, N, 3)
        block = 1 / (1 + torch.exp(-1.24 * (d - 0.5)) / 3.57)
        left = torch.where((d > 0.7) & (left <= 0), torch.full_like(left, 4.0), (left - 1).clamp(min=0))
        v = 0.9 * v + 0.1 * (d * block + (left > 0).to(d.dtype)).sum(-1)
        return v, d, left, v


class Depressing(Cell):
    """Short-term plasticity of the inputs."""

    def forward(self, x, r, u, v):
        u = u + (0.2 - u) / 20 + 0.2 * (1 - u) * x
        out = u * r * x
        v = 0.85 * v + 2 * self.fc(out)
        return torch.tanh(v), r + (1 - r) / 8 - out, u, v


class Delta(Cell):
    """A matrix of each neuron, written by the gated delta rule."""

    def __init__(self):
        super().__init__(N * 11)

    def forward(self, x, s):
        k, q, v = self.fc(x).view(-1, N, 11).split([4, 4, 3], dim=-1)
        k = F.normalize(F.silu(k), dim=-1, eps=1e-3)
        s = 0.9 * s
        s = s + torch.einsum("bnk,bnv->bnkv", k, 0.5 * (v - torch.einsum("bnkv,bnk->bnv", s, k)))
        return torch.einsum("bnkv,bnk->bnv", s, q).mean(-1), s


class Experts(nn.Module):
    """Hard gates: an expert has to be the best, or the first of the best."""

    def __init__(self, first):
        super().__init__()
        self.first, self.router = first, nn.Linear(I, 3)
        self.experts = nn.ModuleList(nn.Linear(I, N) for _ in range(3))

    def forward(self, x, v):
        r = self.router(x)
        gate = F.one_hot(r.argmax(-1), 3) if self.first else r == r.amax(dim=1, keepdim=True)
        v = 0.8 * v + torch.stack([e(x) for e in self.experts], 1) * gate.to(x.dtype)[..., None]
        z = (v > 0.4).to(x.dtype)
        return z.sum(1), v - 0.4 * z


class Windowed(nn.Module):
    """A dilated convolution over time; the product of two dendrites."""

    def __init__(self):
        super().__init__()
        self.fc, self.conv = nn.Linear(I, N), nn.Conv1d(N, N * 2, 3, dilation=3, groups=N)

    def forward(self, x, window, v):
        window = torch.cat([window[:, :, 1:], self.fc(x).unsqueeze(2)], dim=2)
        d = torch.tanh(self.conv(window)).squeeze(2).view(-1, N, 2)
        v = 0.8 * v + d.prod(-1) + d[..., 0]
        return v, window, v


class Counting(Cell):
    """Dead neurons by a mask of truths, refractory ones by a counter of integers."""

    def forward(self, x, count, v):
        alive = torch.arange(N) % 3 != 0
        v = (0.8 * v + self.fc(x)).masked_fill((count > 0) | ~alive, 0.0)
        z = v > 0.25
        count = torch.where(z, torch.full_like(count, 3), torch.clamp(count - 1, min=0))
        return z.to(v.dtype), count, v * torch.logical_not(z)


class Branch(Cell):
    """The largest branch alone passes, by its place."""

    def __init__(self):
        super().__init__(N * 4)

    def forward(self, x, d, v):
        d = 0.8 * d + self.fc(x).view(-1, N, 4)
        most = torch.gather(d, -1, d.argmax(-1, keepdim=True)).squeeze(-1)
        v = 0.8 * v + most + 0.3 * (d > 0.4).any(dim=-1)
        least, place = d.min(dim=-1)
        return v, d - F.one_hot(place, 4) * least[..., None], v


class Groups(Cell):
    """The largest of each five neurons fires, and each is weighed by a softmax of its five."""

    def forward(self, x, v):
        g = (0.8 * v + self.fc(x)).view(1, 2, 5)
        z = (g >= g.max(dim=-1, keepdim=True).values).to(g.dtype)
        return z.flatten(1), (g - 0.3 * z * torch.softmax(g, -1)).flatten(1)


class Winners(Cell):
    """The three largest of ten neurons fire."""

    def forward(self, x, v):
        v = 0.8 * v + self.fc(x)
        z = (v >= v.topk(3, dim=1).values[:, -1:]).to(v.dtype)
        return z, v - 0.3 * z


class Duty(Cell):
    """Winners by a threshold, those that won rarely ahead; the rest is masked at their places."""

    def forward(self, x, duty, v):
        v = 0.8 * v + self.fc(x)
        ahead = v * torch.exp(0.3 - duty)
        won = torch.where(ahead < ahead.kthvalue(N - 2, dim=1, keepdim=True)[0], torch.zeros_like(v), v)
        lost = torch.ones_like(v, dtype=torch.bool).scatter_(1, v.topk(2)[1], False)
        return won, 0.9 * duty + 0.1 * won.ne(0), v.masked_fill(lost, 0.5)


class Ranked(Cell):
    """The two largest branches, the median one, and the order of neurons."""

    def __init__(self):
        super().__init__(N * 5)

    def forward(self, x, d, v):
        d = 0.8 * d + self.fc(x).view(-1, N, 5)
        most, place = d.topk(2, dim=-1)
        v = 0.8 * v + most.sum(-1) + 0.5 * d.median(-1).values
        d = d - 0.3 * d * torch.zeros_like(d).scatter(-1, place, 1.0)
        return torch.cat([v.sort(dim=1, descending=True).values, v[:, v.argmax(1)]], 1), d, v


class Selective(nn.Module):
    """A scan whose decay, input and read-out follow from the input, as Mamba's."""

    def __init__(self):
        super().__init__()
        self.inside, self.parts, self.rate = nn.Linear(I, N), nn.Linear(N, 9), nn.Linear(1, N)
        self.log_a = nn.Parameter(torch.log(torch.arange(1.0, 5.0).repeat(N, 1)))

    def forward(self, x, h):
        u = F.silu(self.inside(x))
        rate, b, c = self.parts(u).split([1, 4, 4], -1)
        rate = F.softplus(self.rate(rate))
        h = torch.exp(rate[..., None] * -torch.exp(self.log_a)) * h + (rate * u)[..., None] * b[:, None]
        return torch.einsum("bnk,bk->bn", h, c) + u, h


class Fast(nn.Module):
    """A matrix of N rows that outer products write and a vector reads."""

    def __init__(self):
        super().__init__()
        self.key, self.value = nn.Linear(I, N), nn.Linear(I, 6)

    def forward(self, x, w):
        k, v = torch.tanh(self.key(x)), self.value(x)
        y = torch.bmm(w, v.unsqueeze(2)).squeeze(2)
        return y, 0.9 * w + 0.1 * torch.bmm(k.unsqueeze(2), v.unsqueeze(1))


class Tokens(nn.Module):
    """Rows of an embedding by the input, and of a code book by its own choice."""

    def __init__(self):
        super().__init__()
        self.table, self.book, self.fc = nn.Embedding(5, 6), nn.Parameter(torch.randn(6, N)), nn.Linear(6, 6)

    def forward(self, x, v):
        v = 0.8 * v + self.fc(self.table(x.long()).squeeze(1))
        return torch.cat([v, self.book[v.argmax(-1)]], 1), v


class Mapped(nn.Module):
    """torch.vmap over neurons, functional_call with scaled parameters."""

    def __init__(self):
        super().__init__()
        self.cell, self.a = nn.GRUCell(I, N), nn.Parameter(torch.rand(N))

    def forward(self, x, h, v):
        h = torch.func.functional_call(self.cell, {k: 1.1 * w for k, w in self.cell.named_parameters()}, (x, h))
        v = torch.vmap(torch.vmap(lambda u, v, a: torch.tanh(a * v + u)), in_dims=(0, 0, None))(h, v, self.a)
        return v, h, v


tokens = np.random.default_rng(1).integers(0, 5, (3, 30, 1)).astype(float)
CASES = (
    ("Plateau", lambda: Plateau(N * 3), [state(N, 3), state(N, 3), state(N)]),
    ("Depressing", Depressing, [state(I, value=1.0), state(I, value=0.2), state(N)]),
    ("Delta", Delta, [state(N, 4, 3)]), ("Experts", lambda: Experts(False), [state(3, N)]),
    ("First experts", lambda: Experts(True), [state(3, N)]), ("Windowed", Windowed, [state(N, 7), state(N)]),
    ("Counting", Counting, [torch.zeros(1, N, dtype=torch.int64), state(N)]),
    ("Branch", Branch, [state(N, 4), state(N)]), ("Groups", Groups, [state(N)]),
    ("Winners", Winners, [state(N)]), ("Duty", Duty, [state(N), state(N)]),
    ("Ranked", Ranked, [state(N, 5), state(N)]), ("Selective", Selective, [state(N, 4)]),
    ("Fast", Fast, [state(N, 6)]), ("Tokens", Tokens, [state(6)], tokens), ("Mapped", Mapped, [state(N), state(N)]),
)
for name, make, states, *own in CASES:
    torch.manual_seed(2)
    net, _, want, chip = agrees(name, make(), states, *own)
    off = np.abs(chip - want).mean()
    print(f"{name}: {net.difference:.1e} from torch, {off:.4f} in integers", flush=True)
    check(off < 0.03, f"{name} in integers: {off}")
refused("an empty axis", lambda: dl.from_torch(Branch(), (torch.zeros(1, I), state(N, 0), state(N))),
        f"{sys.argv[0].rsplit('/', 1)[-1]}:{Branch.forward.__code__.co_firstlineno}: ", "the state 'd' has shape (1, 10, 0)")
finish()
