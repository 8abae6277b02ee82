# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A host's arrays in front of a network, and what it gives behind it.

Lava's RingBuffer starts again at its end, so what goes in is padded with zeros up to
the step in which the last output of the last tick is there.
"""
import numpy as np

from dendrolith_lava.checks import expect


def encode(values, message, ports, steps):
    """(ticks, *shape) of real values as (elements..., steps) of integers."""
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
    if len(ports) == 3:  # (C, H, W) becomes (W, H, C)
        flat = flat.reshape((-1,) + tuple(ports[::-1])).transpose(0, 3, 2, 1)
    data = np.zeros(tuple(ports) + (steps,), np.int32)
    data[..., :len(flat)] = np.moveaxis(flat.reshape((len(flat),) + tuple(ports)), 0, -1)
    return data


def decode(data, message, ticks):
    """(elements..., steps) of what came as (ticks, *shape); a probed variable in real
    units."""
    values = np.moveaxis(np.asarray(data), -1, 0)[message.latency:message.latency + ticks]
    if values.ndim == 4:  # (W, H, C) becomes (C, H, W)
        values = values.transpose(0, 3, 2, 1)
    return values / message.scale if message.probe and message.scale else values


class Signals:
    """What Network.source and Network.read share: sources, sinks and their length."""

    def __init__(self, network):
        self.network, self.ticks, self.sources, self.sinks = network, None, {}, {}

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
            ring = RingBuffer(data=encode(array, message, tuple(message.shape), self.steps))
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
        if messages[0].probe:
            variable, = (v for p in self.sinks[name].get_data().values() for v in p.values())
            data = np.moveaxis(np.asarray(variable), 0, -1)
        else:
            data = self.sinks[name].data.get()
        return decode(data, messages[0], self.ticks)
