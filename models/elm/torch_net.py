# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks as train.py trains them, in PyTorch; equations as in EQUATIONS.md.

Branch sums and the first layer of a neuron's MLP are both linear with nothing
between them, so training multiplies them into one matrix.  The recurrent layer
is one function with its own derivative (backpropagation through time by hand),
in which gradients of weights are summed over all steps at once: several times
faster than following every step.  Values are (steps, samples, units).
"""
import numpy as np
import torch

C, LAM, TAU_R, TAU_MIN = 10.0, 5.0, 5.0, 1.0
SURROGATE = 5.0  # slope of the derivative that stands for that of a step


def block_diagonal(blocks):
    """(N, rows, columns) to one matrix (N rows, N columns)."""
    n, rows, columns = blocks.shape
    full = blocks.new_zeros(n, rows, n, columns)
    each = torch.arange(n)
    full[each, :, each] = blocks
    return full.view(n * rows, n * columns)


def per_neuron(left, right, n):
    """sum over steps and samples of left x right within each neuron: (n, l, r)."""
    return torch.bmm(left.reshape(-1, n, left.shape[-1] // n).permute(1, 2, 0),
                     right.reshape(-1, n, right.shape[-1] // n).permute(1, 0, 2))


class Recurrent(torch.autograd.Function):
    """Eq. 1 (ii) to (v) for a layer: drive (T, B, N hidden) is what the inputs
    and b1 give to the first layer; a (T, B, N) comes out."""

    @staticmethod
    def forward(ctx, drive, Wrec, W1m, W2, b2, wr, bias, km, gain, kr, binary):
        T, B, _ = drive.shape
        N, dm = wr.shape
        both = torch.cat([Wrec, block_diagonal(W1m)])
        second, read = block_diagonal(W2), block_diagonal(wr[:, :, None])
        decay, reach = km.repeat(N), gain.repeat(N)
        z = drive.new_zeros(B, N + N * dm)  # [a of the step before; km m]
        r = drive.new_zeros(B, N)
        Z, H, D, M, Q = [], [], [], [], []
        for t in range(T):
            h = torch.addmm(drive[t], z, both).relu_()
            d = torch.addmm(b2.view(-1), h * h, second).tanh_()
            m = torch.addcmul(z[:, N:], reach, d)
            p = m @ read
            r = torch.add(kr * r, p, alpha=1 - kr)
            q = bias + p - r
            Z.append(z), H.append(h), D.append(d), M.append(m), Q.append(q)
            a = (q > 0).to(q.dtype) if binary else q.relu()
            z = torch.cat([a, decay * m], 1)
        Z, H, D, M, Q = (torch.stack(all) for all in (Z, H, D, M, Q))
        ctx.save_for_backward(Z, H, D, M, Q, both, second, wr, decay, reach)
        ctx.rest = kr, binary
        return (Q > 0).to(Q.dtype) if binary else Q.relu()

    @staticmethod
    def backward(ctx, grad):
        Z, H, D, M, Q, both, second, wr, decay, reach = ctx.saved_tensors
        kr, binary = ctx.rest
        N, dm = wr.shape
        slope = (1 / (1 + SURROGATE * Q.abs()) ** 2 if binary
                 else (Q > 0).to(Q.dtype))
        to_mlp = (1 - D * D) * reach
        both, second = both.t().contiguous(), second.t().contiguous()
        twice = 2 * H
        dz = torch.zeros_like(Z[0])
        dr = Q.new_zeros(Q[0].shape)
        dQ, dP, dO, dH = ([None] * len(Q) for _ in range(4))
        for t in reversed(range(len(Q))):
            dq = (grad[t] + dz[:, :N]) * slope[t]
            dr = dr - dq
            dp = torch.add(dq, dr, alpha=1 - kr)
            dm_ = torch.addcmul(decay * dz[:, N:], dp.repeat_interleave(dm, 1), wr.view(-1))
            do = to_mlp[t] * dm_
            dh = (do @ second) * twice[t]
            dz = dh @ both
            dz[:, N:] += dm_
            dr = kr * dr
            dQ[t], dP[t], dO[t], dH[t] = dq, dp, do, dh
        dQ, dP, dO, dH = (torch.stack(all) for all in (dQ, dP, dO, dH))
        flat = dH.view(-1, dH.shape[-1])
        dWrec = Z[..., :N].reshape(-1, N).t() @ flat
        return (dH, dWrec, per_neuron(Z[..., N:], dH, N), per_neuron(H * H, dO, N),
                dO.sum((0, 1)).view(N, dm), per_neuron(M, dP, N)[..., 0],
                dQ.sum((0, 1)), None, None, None, None)


class Memory(torch.autograd.Function):
    """Eq. 1 (ii), (iii) without a hidden layer: drive (T, B, units) is what the
    inputs and b1 give; the memory after the last step comes out."""

    @staticmethod
    def forward(ctx, drive, blocks, km, gain):
        full, m = block_diagonal(blocks), torch.zeros_like(drive[0])
        K, U = [], []
        for now in drive.unbind(0):
            k = km * m
            u = torch.addmm(now, k, full).tanh_()
            m = torch.addcmul(k, gain, u)
            K.append(k), U.append(u)
        ctx.save_for_backward(torch.stack(K), torch.stack(U), full, km, gain)
        ctx.n = len(blocks)
        return m

    @staticmethod
    def backward(ctx, dm):
        K, U, full, km, gain = ctx.saved_tensors
        slope, back, dU = gain * (1 - U * U), full.t().contiguous(), [None] * len(K)
        for t in reversed(range(len(K))):
            dU[t] = dm * slope[t]
            dm = km * torch.addmm(dm, dU[t], back)
        dU = torch.stack(dU)
        return dU, per_neuron(K, dU, ctx.n), None, None


def uniform(rng, shape, fan):
    """PyTorch's default for linear layers, from numpy's generator."""
    bound = 1 / np.sqrt(fan)
    return torch.nn.Parameter(torch.tensor(rng.uniform(-bound, bound, shape),
                                           dtype=torch.float32))


class Layer(torch.nn.Module):
    """The arrays of one layer, under their names in a checkpoint; `pick` draws
    the sources of a neuron."""

    def __init__(self, rng, n, sources, dm, trees, width, hidden, tau, pick):
        super().__init__()
        self.n, self.sources, self.trees = n, sources, trees
        first = hidden or dm
        self.idx = np.array([pick(trees * width) for _ in range(n)])
        self.col = np.arange(n)[:, None] * trees + np.arange(trees * width) // width
        self.ws = uniform(rng, (n, trees * width), width)
        self.W1 = uniform(rng, (n, trees + dm, first), trees + dm)
        self.b1 = uniform(rng, (n, 1, first), trees + dm)
        if hidden:
            self.W2 = uniform(rng, (n, hidden, dm), hidden)
            self.b2 = uniform(rng, (n, 1, dm), hidden)
        self.wr = uniform(rng, (n, dm), dm)
        self.b = torch.nn.Parameter(torch.zeros(n))
        self.tau = torch.tensor(tau, dtype=torch.float32)

    def fused(self):
        """(sources, n first): synapses, branch sums and the first layer."""
        gather = self.ws.new_zeros(self.n, self.trees, self.sources)
        gather = gather.index_put(
            (torch.arange(self.n)[:, None], torch.tensor(self.col % self.trees),
             torch.tensor(self.idx)), C * self.ws, accumulate=True)
        W = torch.einsum("nbs,nbh->snh", gather, self.W1[:, :self.trees])
        return W.reshape(self.sources, -1)

    def decays(self):
        return torch.exp(-1 / self.tau), 1 - torch.exp(-LAM / self.tau)

    def arrays(self, prefix):
        found = {f"{prefix}_{name}": value.detach().numpy()
                 for name, value in self.named_parameters()}
        found[f"{prefix}_idx"] = self.idx.astype(np.int16)
        found[f"{prefix}_col"] = self.col.astype(np.int16)
        found[f"{prefix}_tau"] = self.tau.numpy()
        return found


class Net(torch.nn.Module):
    def __init__(self, seed, inputs, n, dm, trees, width, hidden, rho, tau_max,
                 classes, binary):
        super().__init__()
        rng = np.random.default_rng(seed)
        self.inputs, self.binary = inputs, binary

        def mixed(count):
            """`rho` of the synapses from the layer itself, no source twice."""
            own = min(n, int(rng.binomial(count, rho)))
            own = max(own, count - inputs)
            return rng.permutation(np.concatenate(
                [inputs + rng.permutation(n)[:own], rng.permutation(inputs)[:count - own]]))

        self.rec = Layer(rng, n, inputs + n, dm, trees, width, hidden,
                         np.geomspace(TAU_MIN, tau_max, dm) if dm > 1 else [tau_max ** 0.5],
                         mixed)
        # A read-out neuron has 32 synapses or all there are, on branches of 4.
        width = 4 if n >= 8 else 1
        self.ro = Layer(rng, classes, n, 3, min(8, n // width), width, 0,
                        np.geomspace(TAU_MIN, tau_max, 3),
                        lambda count: rng.permutation(n)[:count])
        self.lin = torch.nn.Linear(classes, classes)
        bound = 1 / np.sqrt(classes)
        with torch.no_grad():
            self.lin.weight.copy_(torch.tensor(rng.uniform(-bound, bound, (classes, classes))))
            self.lin.bias.zero_()

    def forward(self, x):
        """x (B, T, inputs): scores (B, classes) at the last step, the memories of
        the read-out layer there, and a."""
        rec, ro = self.rec, self.ro
        W = rec.fused()
        drive = x.transpose(0, 1) @ W[:self.inputs] + rec.b1.view(-1)
        km, gain = rec.decays()
        a = Recurrent.apply(drive, W[self.inputs:], rec.W1[:, rec.trees:], rec.W2,
                            rec.b2.view(rec.n, -1), rec.wr, rec.b, km, gain,
                            float(np.exp(-1 / TAU_R)), self.binary)
        drive = a @ ro.fused() + ro.b1.view(-1)
        km, gain = (value.repeat(ro.n) for value in ro.decays())
        m = Memory.apply(drive, ro.W1[:, ro.trees:], km, gain)
        y = ro.b + (m * ro.wr.view(-1)).view(len(m), ro.n, -1).sum(2)
        return self.lin(y), m, a

    def arrays(self):
        return {**self.rec.arrays("rec"), **self.ro.arrays("ro"),
                "lin_weight": self.lin.weight.detach().numpy(),
                "lin_bias": self.lin.bias.detach().numpy()}
