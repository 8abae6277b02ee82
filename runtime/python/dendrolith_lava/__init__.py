# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds ordinary Lava processes from a file of `dendrolith export --format lava`.

    from dendrolith_lava import load
    network = load("model.lava.pb")   # {name: process}, connected

Needs NumPy, protobuf and Lava. The file is untrusted: everything is checked
before the first process is made, and only classes listed here are imported.
"""
from collections import namedtuple
import importlib
from math import prod
import os

import numpy as np
from google.protobuf.message import DecodeError

from dendrolith_lava import lava_pb2
from dendrolith_lava.body import Body
from dendrolith_lava.checks import LARGEST_POPULATION, FileError, attribute, expect
from dendrolith_lava.classes import CLASSES, POPULATION
from dendrolith_lava.ranges import check_delays, check_ranges
from dendrolith_lava.signals import Signals
from dendrolith_lava.values import neuron_shape, read_value, synapse_shapes

__all__ = ["load", "read", "FileError", "Network", "Output"]

SCHEMA_VERSION = 1
LARGEST_FILE = (1 << 31) - 1

# What the host connects to. latency: steps behind the inputs; port: an OutPort,
# or a variable to probe, which counts `scale` units per 1.
Output = namedtuple("Output", "port latency scale")


class Network(dict):
    """Processes by name. inputs: {name: [InPort]}; outputs: {name: Output}.

    source(name, array) feeds an input with (steps, *shape) of the model's own values;
    after a run of `steps` steps, read(name) gives (steps, *shape) of an output.
    """

    def __init__(self, processes, inputs, outputs, message):
        super().__init__(processes)
        self.inputs, self.outputs, self.message = inputs, outputs, message
        self.signals = Signals(self)

    def source(self, name, array):
        """The RingBuffers before the ports of an input: scaled and padded."""
        return self.signals.source(name, array)

    @property
    def steps(self):
        """Steps to run: those of the inputs and the largest latency behind them."""
        return self.signals.steps

    def read(self, name):
        """What an output gave at each step of the inputs, in the model's values."""
        return self.signals.read(name)


def read(path):
    """The parsed and checked message; makes no process."""
    return Checked(path).message


def load(path):
    """A Network of Lava processes. Raises FileError for what is no such file."""
    checked = Checked(path)
    message = checked.message
    built = {p.name: checked.build(p) for p in message.processes}
    for c in message.connections:
        port = getattr(built[c.source], attribute(c.source_port))
        if c.transpose:
            port = port.transpose(axes=tuple(c.transpose))
        if c.reshape:
            port = port.reshape(tuple(c.reshape))
        port.connect(getattr(built[c.target], attribute(c.target_port)))
    inputs, outputs = {}, {}
    for i in message.inputs:
        inputs.setdefault(i.name, []).append(
            getattr(built[i.target], attribute(i.target_port)))
    for o in message.outputs:
        outputs[o.name] = Output(getattr(built[o.source], attribute(o.source_port)), o.latency,
                                 o.scale or 1.0)
    return Network(built, inputs, outputs, message)


class Checked:
    """A message, and the keyword arguments and port shapes of its processes."""

    def __init__(self, path):
        size = os.path.getsize(path)
        expect(size <= LARGEST_FILE, f"{path}: {size} bytes, expected at most {LARGEST_FILE}")
        with open(path, "rb") as file:
            try:
                self.message = lava_pb2.Model.FromString(file.read())
            except DecodeError as error:
                raise FileError(f"{path}: no Lava model of Dendrolith ({error})") from None
        expect(self.message.schema_version == SCHEMA_VERSION,
               f"{path}: schema version {self.message.schema_version}, expected {SCHEMA_VERSION}")
        self.bodies, self.serialised, self.kwargs = {}, {}, {}
        self.inputs, self.outputs, self.variables, self.is_neuron = {}, {}, {}, {}
        for neuron in self.message.neurons:
            expect(neuron.name not in self.bodies, f"a second neuron '{neuron.name}'")
            self.bodies[neuron.name] = Body(neuron)
            self.serialised[neuron.name] = neuron.SerializeToString(deterministic=True)
        for process in self.message.processes:
            self.process(process)
        self.connections()
        self.ends()

    # Processes

    def process(self, process):
        where = f"process '{process.name}'"
        expect(process.name and process.name not in self.kwargs, f"{where}: a name used before")
        expect(process.lava_class in CLASSES,
               f"{where}: class '{process.lava_class}' is not among those that are loaded")
        if process.lava_class == POPULATION:
            return self.population(process, where)
        kind = CLASSES[process.lava_class]
        shape = neuron_shape(process.shape, where) if "s_out" in kind.outputs else None
        expect(shape or not process.shape, f"{where}: synapses have no shape of their own")
        kwargs = {"shape": shape} if shape else {}
        for key, value in process.kwargs.items():
            expect(key in kind.kwargs,
                   f"{where}: keyword '{key}' is not one of {sorted(kind.kwargs)}")
            form = kind.kwargs[key].rstrip("?")
            kwargs[key] = read_value(value, form, shape, f"{where}: '{key}'")
        for key, form in kind.kwargs.items():
            expect(key in kwargs or form.endswith("?"), f"{where}: keyword '{key}' is missing")
        check_ranges(process.lava_class, kwargs, where)
        check_delays(kwargs, where)
        into, out = (shape, shape) if shape else synapse_shapes(kwargs, where)
        self.register(process.name, kwargs, {port: into for port in kind.inputs},
                      {port: out for port in kind.outputs},
                      kind.variables, bool(shape))

    def population(self, process, where):
        shape = neuron_shape(process.shape, where)
        values = dict(process.kwargs)
        name = read_value(values.pop("neuron", lava_pb2.Value()), "text", None,
                          f"{where}: 'neuron'")
        expect(name in self.bodies, f"{where}: neuron '{name}' is not in the file")
        body = self.bodies[name]
        expect(all(prod(kind.dims) * prod(shape) <= LARGEST_POPULATION for kind in body.types),
               f"{where}: a value of all neurons has more than {LARGEST_POPULATION} elements")
        kwargs = {"shape": shape, "neuron": self.serialised[name]}
        wanted = {"param_" + n: (shape if own else ()) + k.dims
                  for (n, k), own in zip(body.parameters, body.per_neuron)}
        free = {"init_" + n: shape + k.dims for n, k in body.states}
        free.update({"bias_" + n: shape + k.dims for n, k in body.ports})
        units = {"unit_" + n for n, _ in body.ports}
        bits = {"param_" + n: k.bits for n, k in body.parameters}
        bits.update({"init_" + n: k.bits for n, k in body.states})
        for key, value in values.items():
            at = f"{where}: '{key}'"
            if key == "start":
                kwargs[key] = read_value(value, "integer", None, at)
                expect(0 <= kwargs[key] < 1 << 31, f"{at}: {kwargs[key]} steps")
                continue
            if key in units:
                kwargs[key] = read_value(value, "integer", None, at)
                expect(0 <= kwargs[key] < 32, f"{at}: {kwargs[key]} bits")
                continue
            dims = {**wanted, **free}.get(key)
            expect(dims is not None, f"{at} belongs to nothing of neuron '{name}'")
            kwargs[key] = read_value(value, "number", None, at)
            given = np.asarray(kwargs[key])
            expect(given.shape == dims or (given.shape == () and key in free),
                   f"{at}: shape {list(given.shape)}, expected {list(dims)}")
            half = 1 << (bits.get(key, 64) - 1)
            low, high = (0, 1) if half == 1 else (-half, half - 1)
            expect(low <= int(given.min()) and int(given.max()) <= high,
                   f"{at}: a number beyond its type")
        for key in wanted:
            expect(key in kwargs, f"{where}: '{key}' is missing")
        for name in body.ladders:
            expect(np.min(kwargs["param_" + name]) > 0,
                   f"{where}: 'param_{name}': the scale of an ssf, expected above 0")
        self.register(process.name, kwargs, {"in_" + n: shape + k.dims for n, k in body.ports},
                      {"out_" + n: shape + k.dims for n, k in body.outputs},
                      {"state_" + n for n, _ in body.states}, True)

    def register(self, name, kwargs, inputs, outputs, variables, is_neuron):
        self.kwargs[name] = kwargs
        self.inputs.update({(name, port): shape for port, shape in inputs.items()})
        self.outputs.update({(name, port): shape for port, shape in outputs.items()})
        self.variables[name], self.is_neuron[name] = variables, is_neuron

    def build(self, process):
        kwargs = self.kwargs[process.name]
        if process.lava_class == POPULATION:
            from dendrolith_lava.population import population_class
            return population_class(kwargs["neuron"])(name=process.name, **kwargs)
        module, _, name = process.lava_class.rpartition(".")  # a key of CLASSES
        kwargs = {key: value() if callable(value) else value for key, value in kwargs.items()}
        built = getattr(importlib.import_module(module), name)(**kwargs)
        built.name = process.name  # not all constructors take it
        return built

    # Connections

    def connections(self):
        seen, direct = set(), {}
        for c in self.message.connections:
            where = f"connection '{c.source}.{c.source_port}' to '{c.target}.{c.target_port}'"
            source, target = (c.source, c.source_port), (c.target, c.target_port)
            expect(source in self.outputs, f"{where}: its source is not in the file")
            expect(target in self.inputs, f"{where}: its target is not in the file")
            expect((source, target) not in seen, f"{where}: a second time")
            seen.add((source, target))
            shape = self.outputs[source]
            if c.transpose:
                expect(sorted(c.transpose) == list(range(len(shape))),
                       f"{where}: transpose {list(c.transpose)} of {len(shape)} axes")
                shape = tuple(shape[axis] for axis in c.transpose)
            if c.reshape:
                expect(len(c.reshape) <= 8 and prod(c.reshape) == prod(shape),
                       f"{where}: {list(shape)} cannot become {list(c.reshape)}")
                shape = tuple(c.reshape)
            expect(shape == self.inputs[target],
                   f"{where}: shape {list(shape)}, expected {list(self.inputs[target])}")
            if self.is_neuron[c.source] and self.is_neuron[c.target]:
                direct.setdefault(c.source, []).append(c.target)
        refuse_cycles(direct)

    def ends(self):
        for i in self.message.inputs:
            shape = self.inputs.get((i.target, i.target_port))
            expect(i.name and shape is not None, f"input '{i.name}': its target is not in the file")
            expect(tuple(i.shape) == shape,
                   f"input '{i.name}': shape {list(i.shape)}, expected {list(shape)}")
            expect(i.lowest <= i.highest, f"input '{i.name}': from {i.lowest} to {i.highest}")
        names = set()
        for o in self.message.outputs:
            known = o.source_port in self.variables.get(o.source, ()) if o.probe \
                else (o.source, o.source_port) in self.outputs
            expect(o.name and o.name not in names and known,
                   f"output '{o.name}': its source is not in the file")
            names.add(o.name)


def refuse_cycles(direct):
    """Neurons that feed themselves with no synapses between would wait for ever."""
    waiting = {}
    for source, targets in direct.items():
        for target in targets:
            waiting[target] = waiting.get(target, 0) + 1
    ready = [name for name in direct if name not in waiting]
    while ready:
        for target in direct.get(ready.pop(), ()):
            waiting[target] -= 1
            if not waiting[target]:
                del waiting[target]
                ready.append(target)
    expect(not waiting, f"processes {sorted(waiting)} feed each other in the same step")
