# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every check of a file needs: the error, types and tensors."""
from collections import namedtuple
from math import prod
import re

import numpy as np

# Elements of one value of one neuron, and of all neurons of a population.
LARGEST_VALUE = 1 << 24
LARGEST_POPULATION = 1 << 28

Type = namedtuple("Type", "bits exponent dims")


class FileError(ValueError):
    """The file is not what it should be; the text says where."""


def expect(condition, text):
    if not condition:
        raise FileError(text)


def attribute(port):
    """The attribute of a process that holds a port: in_ports and out_ports are lists
    of Lava's own."""
    return port + "_" if re.fullmatch("(in|out)_ports_*", port) else port


def read_type(message, where):
    dims = tuple(message.dims)
    expect(1 <= message.bits <= 64, f"{where}: {message.bits} bits, expected 1 to 64")
    expect(abs(message.exponent) <= 1023,
           f"{where}: exponent {message.exponent}, expected -1023 to 1023")
    expect(all(dims) and len(dims) <= 8 and prod(dims) <= LARGEST_VALUE,
           f"{where}: dims {list(dims)}, expected at most {LARGEST_VALUE} elements")
    return Type(message.bits, message.exponent, dims)


def read_tensor(tensor, where):
    """A dense tensor, checked before any memory is taken."""
    sizes = {"i1": 1, "i2": 2, "i4": 4, "i8": 8, "f4": 4, "f8": 8}
    expect(tensor.dtype in sizes,
           f"{where}: dtype '{tensor.dtype}', expected one of {sorted(sizes)}")
    expect(not tensor.HasField("csr"), f"{where}: expected a dense tensor, found CSR")
    dims = tuple(tensor.dims)
    expect(len(dims) <= 8, f"{where}: {len(dims)} axes, expected at most 8")
    wanted = prod(dims) * sizes[tensor.dtype]
    expect(wanted == len(tensor.dense),
           f"{where}: dims {list(dims)} of {tensor.dtype} take {wanted} bytes, "
           f"found {len(tensor.dense)}")
    return np.frombuffer(tensor.dense, "<" + tensor.dtype).reshape(dims)
