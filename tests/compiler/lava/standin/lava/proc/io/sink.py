# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.magma.core.process.ports.ports import InPort
from lava.magma.core.process.process import AbstractProcess
from lava.magma.core.process.variable import Var
import numpy as np


class RingBuffer(AbstractProcess):
    """Keeps what arrives in step t in data[..., (t - 1) % buffer]."""

    def __init__(self, *, shape, buffer):
        super().__init__(shape=shape, buffer=buffer)
        self.a_in = InPort(shape=shape)
        self.data = Var(shape=shape + (buffer,), init=np.zeros(shape + (buffer,)))
        self.data.get = lambda: self.data.init
