# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks as train.py trains them, in PyTorch: two layers with a memory and a read-out.  README.md has the equations.

A layer has two forms: `forward` is a step, which is exported, and `unrolled` does all
linear maps of a sample at once, which is fast to train.
"""
import re

import torch


class MinGRU(torch.nn.Module):
    """A gated memory for each neuron."""

    def __init__(self, inputs, neurons):
        super().__init__()
        self.gate, self.value = torch.nn.Linear(inputs, neurons), torch.nn.Linear(inputs, neurons)
        self.state = (neurons,)

    def drives(self, x):
        return self.gate(x), self.value(x)

    def step(self, h, z, w):
        h = h + torch.sigmoid(z) * (w - h)
        return h, h


class S4D(torch.nn.Module):
    """Complex memories of each neuron, as pairs of reals, which turn and fade at rates of their own."""

    PAIRS = 4

    def __init__(self, inputs, neurons):
        super().__init__()
        self.mix = torch.nn.Linear(inputs, neurons)
        shape = (neurons, self.PAIRS)
        self.step_size = torch.nn.Parameter(torch.linspace(-3, 0, neurons))             # its logarithm
        self.fading = torch.nn.Parameter(torch.full(shape, 0.5).log())                  # of -Re A
        self.turning = torch.nn.Parameter(torch.pi * torch.arange(self.PAIRS).repeat(neurons, 1))  # Im A
        self.out = torch.nn.Parameter(torch.randn(*shape, 2) * 0.5)
        self.past = torch.nn.Parameter(torch.ones(neurons))
        self.state = (neurons, 2 * self.PAIRS)

    def drives(self, x):
        return (self.mix(x),)

    def step(self, h, u):
        size, fading = self.step_size.exp()[:, None], self.fading.exp()
        keep, angle = torch.exp(-fading * size), self.turning * size
        turn, shear = keep * torch.cos(angle), keep * torch.sin(angle)
        real, imaginary = h[..., :self.PAIRS], h[..., self.PAIRS:]
        real, imaginary = (turn * real - shear * imaginary + size * u[..., None],
                           shear * real + turn * imaginary)
        y = (self.out[..., 0] * real - self.out[..., 1] * imaginary).sum(-1) + self.past * u
        return torch.cat((real, imaginary), -1), torch.relu(y)


class S5(torch.nn.Module):
    """Complex memories that a layer shares: all inputs drive each, and all neurons read each."""

    def __init__(self, inputs, neurons):
        super().__init__()
        memories = neurons // 2
        self.mix, self.past = torch.nn.Linear(inputs, 2 * memories, bias=False), torch.nn.Linear(inputs, neurons)
        self.read = torch.nn.Linear(2 * memories, neurons, bias=False)
        self.step_size = torch.nn.Parameter(torch.linspace(-3, 0, memories))            # its logarithm
        self.fading = torch.nn.Parameter(torch.full((memories,), 0.5).log())            # of -Re A
        self.turning = torch.nn.Parameter(torch.pi * torch.arange(memories) % 4)        # Im A
        self.state = (memories, 2)

    def drives(self, x):
        return (*self.mix(x).chunk(2, -1), self.past(x))

    def step(self, h, u, v, past):
        size, fading = self.step_size.exp(), self.fading.exp()
        keep, angle = torch.exp(-fading * size), self.turning * size
        turn, shear = keep * torch.cos(angle), keep * torch.sin(angle)
        real, imaginary = h[..., 0], h[..., 1]
        real, imaginary = turn * real - shear * imaginary + size * u, shear * real + turn * imaginary + size * v
        return torch.stack((real, imaginary), -1), torch.relu(self.read(torch.cat((real, imaginary), -1)) + past)


class Net(torch.nn.Module):
    def __init__(self, layer, inputs, neurons, classes):
        super().__init__()
        self.inputs = inputs
        self.first, self.second = layer(inputs, neurons), layer(neurons, neurons)
        self.read = torch.nn.Linear(neurons, classes)

    def unrolled(self, x):
        """Read-out (samples, steps, classes) of x (samples, steps, inputs)."""
        for layer in (self.first, self.second):
            h, out = torch.zeros(len(x), *layer.state, dtype=x.dtype), []
            for drives in zip(*(drive.unbind(1) for drive in layer.drives(x))):
                h, y = layer.step(h, *drives)
                out.append(y)
            x = torch.stack(out, 1)
        return self.read(x)

    def forward(self, x, first, second):
        first, y = self.first.step(first, *self.first.drives(x))
        second, y = self.second.step(second, *self.second.drives(y))
        return self.read(y), first, second


class Step(torch.nn.Module):
    """A step whose states are buffers that it changes."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.register_buffer("first", torch.zeros(1, *net.first.state))
        self.register_buffer("second", torch.zeros(1, *net.second.state))

    def forward(self, x):
        y, first, second = self.net(x, self.first, self.second)
        self.first.copy_(first)
        self.second.copy_(second)
        return y


def write(net, path):
    with torch.no_grad():
        program = torch.export.export(Step(net).eval(), (torch.zeros(1, net.inputs),), strict=False)
        program = program.run_decompositions()
    for node in program.graph.nodes:  # a file that ships names no folder of who made it
        if node.meta.get("stack_trace"):
            node.meta["stack_trace"] = re.sub('File "[^"]*/', 'File "', node.meta["stack_trace"])
    torch.export.save(program, path)
