# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps a Neuron message."""
import numpy as np

from dendrolith_lava.checks import FileError, Type, expect, read_tensor, read_type
from dendrolith_lava.operations import OPERATIONS, lift


class Body:
    """A checked step body. Values are (neurons or 1, dims...) arrays of int64."""

    def __init__(self, neuron):
        self.name = neuron.name
        self.where = f"neuron '{neuron.name}'"
        self.types, self.visible, self.literals = [], set(), {}
        self.ports = self.fields(neuron.ports)
        self.parameters = self.fields(neuron.parameters)
        self.states = self.fields(neuron.states)
        self.resets = [field.reset for field in neuron.states]
        for field in neuron.states:
            expect(field.reset in ("", "sample", "never"),
                   f"{self.where}: state '{field.name}' is reset at '{field.reset}'")
        self.ladders = set()  # parameters that are the scale of an ssf
        self.per_neuron = [field.per_neuron for field in neuron.parameters]
        self.program = self.operations(neuron.body)
        self.outputs = [(field.name, read_type(field.type, self.where))
                        for field in neuron.outputs]
        self.next, self.emits = list(neuron.next), list(neuron.emits)
        expect(len(self.next) == len(self.states) and len(self.emits) == len(self.outputs),
               f"{self.where}: a new value for each state and output is expected")
        for number, (name, kind) in zip(self.next + self.emits, self.states + self.outputs):
            expect(number in self.visible and self.types[number] == kind,
                   f"{self.where}: '{name}' becomes value {number}, which is no {kind}")

    def fields(self, fields):
        found = []
        for field in fields:
            kind = read_type(field.type, f"{self.where}: '{field.name}'")
            expect(field.name and field.name not in [name for name, _ in found],
                   f"{self.where}: a second '{field.name}'")
            found.append((field.name, kind))
            self.define(kind)
        return found

    def define(self, kind):
        self.visible.add(len(self.types))
        self.types.append(kind)
        return len(self.types) - 1

    def operations(self, messages):
        return [self.operation(message) for message in messages]

    def operation(self, op):
        where = f"{self.where}: operation '{op.name}'"
        expect(op.name in OPERATIONS, f"{where} is not known")
        expect(set(op.operands) <= self.visible, f"{where} reads a value that is not there")
        kinds = [self.types[number] for number in op.operands]
        results = [read_type(message, where) for message in op.results]
        attributes = {key: read_attribute(value, where) for key, value in op.attributes.items()}
        region = gives = None
        if op.name == "when":
            outside = set(self.visible)
            region, gives = self.operations(op.region), list(op.gives)
            expect(set(gives) <= self.visible, f"{where} gives a value that is not there")
            self.visible = outside
            given = [self.types[number] for number in gives]
            expect(kinds and kinds[0] == Type(1, 0, ()) and kinds[1:] == given == results,
                   f"{where}: what it keeps, gives and results in differ in type")
        else:
            expect(len(results) == 1 and not op.region, f"{where}: expected one result")
            rule, _ = OPERATIONS[op.name]
            try:
                dims = rule(kinds, attributes, results[0])
            except (ValueError, TypeError, KeyError, IndexError) as error:
                text = f"{where}: its operands or attributes do not fit: {error}"
                raise FileError(text) from None
            expect(dims == results[0].dims,
                   f"{where}: its result has dims {list(results[0].dims)}, expected {list(dims)}")
        if op.name == "ssf":
            self.ladder(op.operands[2], where)
        numbers = [self.define(kind) for kind in results]
        if op.name == "literal":
            self.literals[numbers[0]] = attributes["value"]
        return (op.name, list(op.operands), kinds, results, attributes, numbers, region, gives)

    def ladder(self, scale, where):
        """A scale that is known before anything runs is above 0, as in every engine."""
        first = len(self.ports)
        if first <= scale < first + len(self.parameters):
            self.ladders.add(self.parameters[scale - first][0])
        elif scale in self.literals:
            expect(np.min(self.literals[scale]) > 0, f"{where}: a scale of 0 or less")

    def step(self, ports, parameters, states):
        """New states and emitted values; all values (neurons, dims...)."""
        frame = list(ports) + list(parameters) + list(states)
        frame += [None] * (len(self.types) - len(frame))
        self.run(self.program, frame)
        return [frame[n] for n in self.next], [frame[n] for n in self.emits]

    def run(self, program, frame):
        for name, operands, kinds, results, attributes, numbers, region, gives in program:
            values = [frame[n] for n in operands]
            if name != "when":
                try:
                    frame[numbers[0]] = OPERATIONS[name][1](values, kinds, results[0], attributes)
                except ValueError as error:
                    raise FileError(f"{self.where}: operation '{name}': {error}") from None
                continue
            # Operations are pure: run for all, kept where the condition fails.
            self.run(region, frame)
            for number, kept, given in zip(numbers, values[1:], gives):
                new = frame[given]
                frame[number] = np.where(lift(values[0], new.ndim - 1) != 0, new, kept)


def read_attribute(value, where):
    kind = value.WhichOneof("kind")
    if kind == "tensor":
        return read_tensor(value.tensor, where)
    expect(kind in ("integer", "real", "text"), f"{where}: an attribute of kind {kind}")
    return getattr(value, kind)
