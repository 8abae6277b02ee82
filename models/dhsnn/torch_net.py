# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks as train.py trains them, in PyTorch: one step of a layer of neurons with
branches and of its read-out.  README.md has the equations."""
import re

import torch
import torch.nn.functional as F

SLOPE = 5.0  # steepness of the surrogate derivative 1 / (1 + (SLOPE x)^2)


class Spike(torch.autograd.Function):
    """1 if x > 0, else 0; the backward pass sees a smooth step instead."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad / (1 + (SLOPE * x) ** 2)


def parts(neurons, sources, branches):
    """Which sources each branch of each neuron has: every source once a neuron, on a
    branch drawn at random, as in DH-SNN.  So branches cost no synapses."""
    mask = torch.zeros(neurons, branches, sources)
    for neuron in mask:
        for branch, part in enumerate(torch.randperm(sources).tensor_split(branches)):
            neuron[branch, part] = 1
    return mask


class Net(torch.nn.Module):
    def __init__(self, inputs, neurons, branches, classes):
        super().__init__()
        self.inputs, self.neurons, self.branches, self.classes = inputs, neurons, branches, classes
        sources = inputs + neurons
        self.register_buffer("mask", parts(neurons, sources, branches))
        bound = 6 * (branches / sources) ** 0.5
        self.weight = torch.nn.Parameter((torch.rand(neurons, branches, sources) * 2 - 1) * bound)
        # The logit of what a branch, a soma and the read-out keep of a step.
        spread = torch.linspace(-1, 3, branches) if branches > 1 else torch.zeros(1)
        self.branch_keep = torch.nn.Parameter(spread + 0.5 * torch.randn(neurons, branches))
        self.soma_keep = torch.nn.Parameter(1 + torch.randn(neurons))
        self.read_keep = torch.nn.Parameter(2 * torch.ones(classes))
        self.read = torch.nn.Linear(neurons, classes)
        self.register_buffer("theta", torch.tensor(1.0))

    def synapses(self):
        return int(self.mask.sum()) + self.neurons * self.classes

    def states(self, samples):
        like = {"dtype": self.theta.dtype}
        return (torch.zeros(samples, self.neurons, self.branches, **like),
                torch.zeros(samples, self.neurons, **like), torch.zeros(samples, self.neurons, **like),
                torch.zeros(samples, self.classes, **like))

    def forward(self, x, d, v, z, y):
        drive = F.linear(torch.cat([x, z], 1), (self.weight * self.mask).flatten(0, 1))
        keep = torch.sigmoid(self.branch_keep)
        d = keep * d + (1 - keep) * drive.reshape(d.shape)
        keep = torch.sigmoid(self.soma_keep)
        v = keep * v + (1 - keep) * d.sum(2)
        z = Spike.apply(v - self.theta)
        keep = torch.sigmoid(self.read_keep)
        y = keep * y + self.read(z)
        return y, d, v - z.detach() * self.theta, z, y


def unrolled(net, x):
    """Read-out (samples, steps, classes) and spikes (samples, steps, neurons)."""
    states, read, spikes = net.states(len(x)), [], []
    for now in x.unbind(1):
        y, *states = net(now, *states)
        read.append(y)
        spikes.append(states[2])
    return torch.stack(read, 1), torch.stack(spikes, 1)


class Step(torch.nn.Module):
    """A step whose states are buffers that it changes."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        for name, start in zip("dvzy", net.states(1)):
            self.register_buffer(name, start)

    def forward(self, x):
        y, *after = self.net(x, self.d, self.v, self.z, self.y)
        for name, new in zip("dvzy", after):
            getattr(self, name).copy_(new)
        return y


def write(net, path):
    step = Step(net).eval()
    with torch.no_grad():
        program = torch.export.export(step, (torch.zeros(1, net.inputs),), strict=False)
        program = program.run_decompositions()
    for node in program.graph.nodes:  # a file that ships names no folder of who made it
        if node.meta.get("stack_trace"):
            node.meta["stack_trace"] = re.sub('File "[^"]*/', 'File "', node.meta["stack_trace"])
    torch.export.save(program, path)
