# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A host's arrays in front of a network, and what it gives behind it.

Lava's RingBuffer starts again at its end, so what goes in is padded with zeros up to
the step in which the last output of the last tick is there.
"""
import numpy as np

from dendrolith_lava.checks import expect


def turned(values, axes):
    """An array (time, *neurons, *rest) whose neurons have three axes, (C, H, W) for a
    host and (W, H, C) in Lava, the other way round; others as they are."""
    if axes != 3:
        return values
    return values.transpose((0, 3, 2, 1) + tuple(range(4, values.ndim)))


def encode(values, message, ports, steps, axes=None):
    """(ticks, *shape) of real values as (elements..., steps) of integers; so many
    `axes` of the port are of neurons, else all."""
    values = np.asarray(values, float)
    expect(np.isfinite(values).all(), f"input '{message.name}': expected finite values")
    numbers = np.rint(values * (message.scale or 1.0))  # half to even
    if message.scale:
        numbers = np.clip(numbers, message.lowest, message.highest)
    else:
        expect((numbers == values).all() and message.lowest <= numbers.min()
               and numbers.max() <= message.highest,
               f"input '{message.name}': expected integers from {message.lowest} to "
               f"{message.highest}")
    flat = numbers.reshape(len(numbers), -1)
    size = int(np.prod(ports))
    expect(flat.shape[1] == size,
           f"input '{message.name}': {flat.shape[1]} values in a step, expected {size}")
    axes = len(ports) if axes is None else axes
    host = tuple(ports[:axes])[::-1] if axes == 3 else tuple(ports[:axes])
    flat = turned(flat.reshape((-1,) + host + tuple(ports[axes:])), axes)
    data = np.zeros(tuple(ports) + (steps,), np.int32)
    data[..., :len(flat)] = np.moveaxis(flat.reshape((len(flat),) + tuple(ports)), 0, -1)
    return data


def decode(data, message, ticks, axes=None):
    """(elements..., steps) of what came as (ticks, *shape); a probed variable in real
    units. So many `axes` are of neurons, else all; what a neuron has beyond one number
    is flat, as `dendrolith run` gives it."""
    values = np.moveaxis(np.asarray(data), -1, 0)[message.latency:message.latency + ticks]
    axes = values.ndim - 1 if axes is None else axes
    values = turned(values, axes)
    if values.ndim > axes + 2:
        values = values.reshape(values.shape[:axes + 1] + (-1,))
    return values / message.scale if message.probe and message.scale else values


class Signals:
    """What Network.source and Network.read share: sources, sinks and their length."""

    def __init__(self, network):
        self.network, self.ticks, self.sources, self.sinks = network, None, {}, {}

    def axes(self, name, shape):
        """How many axes of a port's shape are those of a process' neurons."""
        process = next(p for p in self.network.message.processes if p.name == name)
        return len(process.shape) or len(shape)  # synapses have no neurons of their own

    @property
    def latency(self):
        return max([o.latency for o in self.network.message.outputs], default=0)

    def source(self, name, array):
        from lava.proc.io.source import RingBuffer
        messages = [i for i in self.network.message.inputs if i.name == name]
        expect(messages, f"no input '{name}', expected one of {sorted(self.network.inputs)}")
        expect(name not in self.sources, f"input '{name}': it has a source")
        array = np.asarray(array)
        expect(array.ndim >= 1 and len(array), f"input '{name}': expected (steps, ...)")
        expect(self.ticks in (None, len(array)),
               f"input '{name}': {len(array)} steps, the other inputs have {self.ticks}")
        self.ticks = len(array)
        if not self.sinks:
            self.attach()
        self.sources[name] = []
        for message, port in zip(messages, self.network.inputs[name]):
            ring = RingBuffer(data=encode(array, message, tuple(message.shape), self.steps,
                                          self.axes(message.target, message.shape)))
            ring.s_out.connect(port)
            self.sources[name].append(ring)
        return self.sources[name]

    @property
    def steps(self):
        expect(self.ticks is not None, "no input has a source yet")
        return self.ticks + self.latency

    def attach(self):
        """A sink for every output: nothing can be connected to a running network."""
        from lava.proc.io.sink import RingBuffer
        from lava.proc.monitor.process import Monitor
        for message in self.network.message.outputs:
            port = self.network.outputs[message.name].port
            if message.probe:
                sink = Monitor()
                sink.probe(port, self.steps)
            else:
                sink = RingBuffer(shape=port.shape, buffer=self.steps)
                port.connect(sink.a_in)
            self.sinks[message.name] = sink

    def read(self, name):
        messages = [o for o in self.network.message.outputs if o.name == name]
        expect(messages, f"no output '{name}', expected one of {sorted(self.network.outputs)}")
        expect(name in self.sinks, f"output '{name}': give every input a source, and run "
                                   "network.steps steps, before it is read")
        expect(getattr(self.sinks[name], "runtime", True) is not None,
               f"output '{name}': the part of the network that it belongs to was never run; "
               f"run a process of that part, network['{messages[0].source}'].run(...), too")
        if messages[0].probe:
            variable, = (v for p in self.sinks[name].get_data().values() for v in p.values())
            data = np.moveaxis(np.asarray(variable), 0, -1)
        else:
            data = self.sinks[name].data.get()
        return decode(data, messages[0], self.ticks,
                      self.axes(messages[0].source, data.shape[:-1]))
