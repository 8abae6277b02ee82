# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keyword arguments as Python has them, checked before memory is taken."""
from collections import namedtuple
import importlib
from math import prod

import numpy as np

from dendrolith_lava.checks import LARGEST_POPULATION, expect, read_tensor
from dendrolith_lava.classes import ENUMS


def neuron_shape(shape, where):
    shape = tuple(shape)
    expect(1 <= len(shape) <= 4 and all(shape) and prod(shape) <= LARGEST_POPULATION,
           f"{where}: shape {list(shape)}, expected up to 4 axes and {LARGEST_POPULATION} neurons")
    return shape


def synapse_shapes(kwargs, where):
    """(in, out) of a synapse process."""
    if "weights" in kwargs:
        weights = kwargs["weights"]
        rows, columns = weights.dims if isinstance(weights, Csr) else weights.shape
        return (columns,), (rows,)
    kernel, shape = kwargs["weight"], kwargs["input_shape"]
    groups = kwargs.get("groups", 1)
    expect(groups >= 1 and kernel.shape[0] % groups == 0 and kernel.shape[3] * groups == shape[2],
           f"{where}: kernel {list(kernel.shape)} in {groups} groups does not fit "
           f"input {list(shape)}")
    out = []
    for axis in (0, 1):
        stride, padding, dilation = (kwargs.get(key, (other, other))[axis] for key, other in
                                     (("stride", 1), ("padding", 0), ("dilation", 1)))
        expect(1 <= stride <= 127 and 0 <= padding <= 127 and 1 <= dilation <= 127
               and kernel.shape[1 + axis] <= 127,
               f"{where}: a stride, padding, dilation or kernel beyond 127")
        room = shape[axis] + 2 * padding - dilation * (kernel.shape[1 + axis] - 1) - 1
        expect(room >= 0, f"{where}: its kernel is larger than its input")
        out.append(room // stride + 1)
    expect(prod(out) * kernel.shape[0] <= LARGEST_POPULATION, f"{where}: too many outputs")
    return shape, (out[0], out[1], kernel.shape[0])


class Csr(namedtuple("Csr", "dims indptr indices data")):
    """A sparse matrix, checked; SciPy's when called."""

    def __call__(self):
        from scipy.sparse import csr_matrix
        return csr_matrix((self.data, self.indices, self.indptr), shape=self.dims)


def sparse(matrix):
    """DelaySparse takes no dense matrix."""
    rows, columns = np.nonzero(matrix)
    begin = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(matrix)))])
    return Csr(matrix.shape, begin.astype(np.int64), columns.astype(np.int32),
               matrix[rows, columns])


def read_value(value, form, shape, where):
    """The Python value of a keyword, of the form that its class wants."""
    kind = value.WhichOneof("kind")
    if form in ENUMS:
        module, names = ENUMS[form]
        expect(kind == "text" and value.text in names, f"{where}: expected one of {list(names)}")
        return lambda: getattr(importlib.import_module(module), form)[value.text]
    if form in ("text", "flag"):
        expect(kind == form, f"{where}: expected a {form}, found {kind}")
        return getattr(value, kind)
    if form in ("pair", "triple"):
        found = tuple(value.integers.values)
        expect(kind == "integers" and len(found) == {"pair": 2, "triple": 3}[form],
               f"{where}: expected a {form} of integers")
        expect(form == "pair" or all(0 < x for x in found) and prod(found) <= LARGEST_POPULATION,
               f"{where}: {list(found)}")
        return found
    if kind == "integer" and form in ("integer", "number", "real", "delays", "csr_delays"):
        expect(not form.endswith("delays") or 0 <= value.integer <= 63,
               f"{where}: {value.integer}, expected 0 to 63")
        return value.integer
    if kind == "real" and form == "real":
        expect(np.isfinite(value.real), f"{where}: {value.real}")
        return value.real
    expect(kind == "tensor" and form in ("number", "delays", "csr_delays", "matrix", "kernel",
                                         "csr"),
           f"{where}: expected {form}, found {kind}")
    if form == "csr_delays":
        delays = read_csr(value.tensor, where)
        numbers = delays.data if isinstance(delays, Csr) else delays
        expect(not numbers.size or 0 <= numbers.min() and numbers.max() <= 63,
               f"{where}: expected delays from 0 to 63")
        return delays if isinstance(delays, Csr) else sparse(delays)
    if form == "csr":
        return read_csr(value.tensor, where)
    tensor = read_tensor(value.tensor, where)
    expect(tensor.dtype.kind == "i" and tensor.size,
           f"{where}: expected integers, found '{value.tensor.dtype}'")
    rank = {"matrix": 2, "kernel": 4, "delays": 2}.get(form, tensor.ndim)
    expect(tensor.ndim == rank, f"{where}: {tensor.ndim} axes, expected {rank}")
    if form == "delays":
        expect(0 <= tensor.min() and tensor.max() <= 63, f"{where}: expected delays from 0 to 63")
    if form == "number" and shape:
        expect(tensor.shape == shape,
               f"{where}: shape {list(tensor.shape)}, expected {list(shape)}")
    return tensor.astype(np.int64 if form == "delays" or tensor.itemsize == 8 else np.int32)


def read_csr(tensor, where):
    if not tensor.HasField("csr"):
        dense = read_tensor(tensor, where)
        expect(dense.dtype.kind == "i" and dense.ndim == 2,
               f"{where}: expected a matrix of integers")
        return dense.astype(np.int32)
    expect(tensor.dtype in ("i1", "i2", "i4") and len(tensor.dims) == 2 and not tensor.dense
           and all(0 < n <= LARGEST_POPULATION for n in tensor.dims),
           f"{where}: no sparse matrix of integers")
    rows, columns = tensor.dims
    csr, size = tensor.csr, int(tensor.dtype[1])
    expect(len(csr.indptr) == 8 * (rows + 1),
           f"{where}: {len(csr.indptr)} bytes of row starts for {rows} rows")
    begin = np.frombuffer(csr.indptr, "<i8")
    expect(len(csr.indices) % 4 == 0 and len(csr.indices) // 4 * size == len(csr.data),
           f"{where}: {len(csr.indices)} bytes of indices for {len(csr.data)} of data")
    column = np.frombuffer(csr.indices, "<i4")
    expect(begin[0] == 0 and begin[-1] == len(column) and (np.diff(begin) >= 0).all(),
           f"{where}: its row starts do not rise from 0 to {len(column)}")
    rising = np.diff(column.astype(np.int64)) > 0
    inside = np.ones(len(rising), bool)
    inside[begin[1:-1][(begin[1:-1] > 0) & (begin[1:-1] < len(column))] - 1] = False
    expect(((column >= 0) & (column < columns)).all() and (rising | ~inside).all(),
           f"{where}: the indices of a row do not rise within {columns} columns")
    data = np.frombuffer(csr.data, "<" + tensor.dtype).astype(np.int32)
    return Csr((rows, columns), begin, column, data)
