# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.magma.core.process.ports.ports import OutPort
from lava.magma.core.process.process import AbstractProcess


class RingBuffer(AbstractProcess):
    """Sends data[..., (t - 1) % length] in step t."""

    def __init__(self, *, data):
        super().__init__(data=data)
        self.data, self.s_out = data, OutPort(shape=data.shape[:-1])
