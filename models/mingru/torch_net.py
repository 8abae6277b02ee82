# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The network as train.py trains it, in PyTorch: two layers with a memory and a read-out.  README.md has the equations.

A layer has two forms: `forward` is a step, which is exported, and `unrolled` does all
linear maps of a sample at once, which is fast to train.
"""
import re

import torch


class MinGRU(torch.nn.Module):
    def __init__(self, inputs, neurons):
        super().__init__()
        self.gate, self.value = torch.nn.Linear(inputs, neurons), torch.nn.Linear(inputs, neurons)
        self.neurons = neurons

    def update(self, h, z, w):
        return h + torch.sigmoid(z) * (w - h)

    def drives(self, x):
        return self.gate(x), self.value(x)


class Net(torch.nn.Module):
    def __init__(self, inputs, neurons, classes):
        super().__init__()
        self.inputs = inputs
        self.first, self.second = MinGRU(inputs, neurons), MinGRU(neurons, neurons)
        self.read = torch.nn.Linear(neurons, classes)

    def unrolled(self, x):
        """Read-out (samples, steps, classes) of x (samples, steps, inputs)."""
        for layer in (self.first, self.second):
            h, out = torch.zeros(len(x), layer.neurons, dtype=x.dtype), []
            for drives in zip(*(drive.unbind(1) for drive in layer.drives(x))):
                h = layer.update(h, *drives)
                out.append(h)
            x = torch.stack(out, 1)
        return self.read(x)

    def forward(self, x, first, second):
        first = self.first.update(first, *self.first.drives(x))
        second = self.second.update(second, *self.second.drives(first))
        return self.read(second), first, second


class Step(torch.nn.Module):
    """A step whose states are buffers that it changes."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.register_buffer("first", torch.zeros(1, net.first.neurons))
        self.register_buffer("second", torch.zeros(1, net.second.neurons))

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
