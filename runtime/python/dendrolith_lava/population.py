# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Lava process for neurons that stock Lava has not: it steps a Neuron message.

Lava finds the model of a process by the process' class, and its ports by
attributes of both classes: each Neuron message has a pair of classes.
"""
import numpy as np

from lava.magma.core.decorator import implements, requires, tag
from lava.magma.core.model.py.model import PyLoihiProcessModel
from lava.magma.core.model.py.ports import PyInPort, PyOutPort
from lava.magma.core.model.py.type import LavaPyType
from lava.magma.core.process.ports.ports import InPort, OutPort
from lava.magma.core.process.process import AbstractProcess
from lava.magma.core.process.variable import Var
from lava.magma.core.resources import CPU
from lava.magma.core.sync.protocols.loihi_protocol import LoihiProtocol

from dendrolith_lava import arithmetic, lava_pb2
from dendrolith_lava.body import Body
from dendrolith_lava.checks import attribute


class Population(AbstractProcess):
    """Neurons of one model: ports in_<port>, out_<output>, variables
    state_<state>, each of shape (shape, dims).

    neuron: the message, serialised. start: steps before its first tick, in
    which it does nothing. values: param_<name> (dims, or shape and dims),
    init_<state>, unit_<port> (what arrives counts 2^unit), bias_<port> (added at
    each tick).
    """

    def __init__(self, *, shape, neuron, start=0, name=None, log_config=None, **values):
        super().__init__(shape=shape, neuron=neuron, start=start, values=values,
                         name=name, log_config=log_config)
        body = Body(lava_pb2.Neuron.FromString(neuron))
        for port, kind in body.ports:
            setattr(self, attribute("in_" + port), InPort(shape=shape + kind.dims))
        for output, kind in body.outputs:
            setattr(self, attribute("out_" + output), OutPort(shape=shape + kind.dims))
        for state, kind in body.states:
            setattr(self, "state_" + state, Var(shape=shape + kind.dims,
                                                init=values.get("init_" + state, 0)))


class PopulationModel(PyLoihiProcessModel):
    """Exact in integers, as the dend dialect defines them."""

    def __init__(self, proc_params):
        super().__init__(proc_params)
        self.body = Body(lava_pb2.Neuron.FromString(proc_params["neuron"]))
        self.shape = tuple(proc_params["shape"])
        self.waiting = proc_params["start"]
        values = proc_params["values"]
        self.parameters = []
        for (name, kind), own in zip(self.body.parameters, self.body.per_neuron):
            value = np.asarray(values["param_" + name], np.int64)
            self.parameters.append(value.reshape(((-1,) if own else (1,)) + kind.dims))
        self.biases = [np.asarray(values.get("bias_" + name, 0), np.int64)
                       for name, _ in self.body.ports]
        self.units = [values.get("unit_" + name, 0) for name, _ in self.body.ports]

    def run_spk(self):
        size = (int(np.prod(self.shape)),)
        # Every port is read and written in every step.
        received = []
        for (name, kind), unit, bias in zip(self.body.ports, self.units, self.biases):
            port = getattr(self, attribute("in_" + name))
            value = (port.recv().astype(np.int64) << unit) + bias
            received.append(arithmetic.wrap(value.reshape(size + kind.dims), kind.bits))
        emitted = [np.zeros(size + kind.dims) for _, kind in self.body.outputs]
        if self.waiting:
            self.waiting -= 1
        else:
            states = [getattr(self, "state_" + name).reshape(size + kind.dims)
                      for name, kind in self.body.states]
            new, emitted = self.body.step(received, self.parameters, states)
            for (name, kind), value in zip(self.body.states, new):
                value = np.broadcast_to(value, size + kind.dims)
                setattr(self, "state_" + name, np.array(value.reshape(self.shape + kind.dims)))
        for (name, kind), value in zip(self.body.outputs, emitted):
            value = np.broadcast_to(value, size + kind.dims).astype(np.int32)
            port = getattr(self, attribute("out_" + name))
            port.send(value.reshape(self.shape + kind.dims))


_classes = {}


def population_class(neuron):
    """The process class of a serialised Neuron; its model is beside it."""
    if neuron in _classes:
        return _classes[neuron]
    body = Body(lava_pb2.Neuron.FromString(neuron))
    here = {"__module__": __name__}
    number = len(_classes)
    process = type(f"Population{number}", (Population,), dict(here))
    kinds = (("in_", body.ports, PyInPort.VEC_DENSE, np.int64),
             ("out_", body.outputs, PyOutPort.VEC_DENSE, np.int32),
             ("state_", body.states, np.ndarray, np.int64))
    members = {attribute(prefix + name): LavaPyType(form, dtype)
               for prefix, fields, form, dtype in kinds for name, _ in fields}
    model = type(f"PopulationModel{number}", (PopulationModel,), dict(here, **members))
    for decorate in (tag("fixed_pt"), requires(CPU),
                     implements(proc=process, protocol=LoihiProtocol)):
        model = decorate(model)
    # Lava looks for models among the attributes of the process' module.
    globals().update({process.__name__: process, model.__name__: model})
    _classes[neuron] = process
    return process
