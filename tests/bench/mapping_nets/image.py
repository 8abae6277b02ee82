# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads from a program image (runtime/image/program.proto) where neurons lie."""
import numpy as np

HEADER = len("DENDROLITH\n") + 64 + 1  # magic, digest, end of line
LAST_LINE = 64 + 1 + 16 + 1  # of a file of sections: digest and length of the index


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of a message: numbers, or the bytes of what has a length."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if kind == 2:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def column(data):
    """A packed table of one column (runtime/image/Columns.h), or nothing."""
    if len(data) == 0:
        return np.zeros(0, "<u4")
    rows, width = int.from_bytes(data[:4], "little"), data[4]
    if width == 0:
        return np.full(rows, int.from_bytes(data[5:9], "little"))
    return np.frombuffer(data[5:], f"<u{width}", rows).astype(np.int64)


def program_fields(data):
    """The fields of the program; cores of a file of sections lack their memory."""
    if bytes(data[:12]) != b"DENDROLITH2\n":
        return list(fields(data[HEADER:]))
    end = len(data) - LAST_LINE
    index = list(fields(data[end - int(bytes(data[-17:-1]), 16):end]))
    found, at = [], 12
    for number, core in index:
        if number == 2:
            parts = dict(fields(core))
            groups, memory = (dict(fields(parts[k])).get(1, 0) for k in (2, 3))
            found.append((12, data[at:at + groups]))
            at += groups + memory
    head = dict(fields(dict(index)[1]))[1]
    return list(fields(data[at:at + head])) + found


def cores_of_neurons(path):
    """By population: the core of each neuron, by the model's number."""
    core, numbers = {}, {}
    for number, value in program_fields(memoryview(path.read_bytes())):
        if number == 9:
            population = dict(fields(value))
            name = bytes(population[1]).decode()
            core[name] = np.full(population.get(2, 0), -1)
            numbers[name] = column(population.get(9, b""))
        elif number == 12:
            core_id = 0
            for inner, group in fields(value):
                if inner == 1:
                    core_id = group
                elif inner == 2:
                    place(dict(fields(group)), core_id, core, numbers)
    return core


def place(group, core_id, core, numbers):
    name = bytes(group[1]).decode()
    first, count = group.get(2, 0), group.get(3, 0)
    neurons = np.arange(first, first + count)
    if len(numbers[name]):
        neurons = numbers[name][neurons]
    core[name][neurons] = core_id
