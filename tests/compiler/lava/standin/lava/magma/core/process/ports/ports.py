# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ports and the transforms between them."""
import numpy as np


class Port:
    def __init__(self, shape):
        assert isinstance(shape, tuple), "a shape is a tuple"
        self.shape = tuple(int(n) for n in shape)


class InPort(Port):
    def __init__(self, shape):
        super().__init__(shape)
        self.sources = []  # (OutPort, transforms)


class OutPort(Port):
    def __init__(self, shape, root=None, transforms=()):
        super().__init__(shape)
        self.root, self.transforms = root or self, transforms

    def reshape(self, new_shape):
        assert np.prod(new_shape) == np.prod(self.shape), "ReshapeError"
        new_shape = tuple(new_shape)
        return OutPort(new_shape, self.root, self.transforms + (lambda x: x.reshape(new_shape),))

    def transpose(self, axes=None):
        assert sorted(axes) == list(range(len(self.shape))), "TransposeIndexError"
        return OutPort(tuple(self.shape[a] for a in axes), self.root,
                       self.transforms + (lambda x: x.transpose(axes),))

    def connect(self, port):
        assert isinstance(port, InPort) and port.shape == self.shape, "shapes are incompatible"
        assert all(source is not self.root for source, _ in port.sources), "DuplicateConnectionError"
        port.sources.append((self.root, self.transforms))
