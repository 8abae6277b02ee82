# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the stand-ins of lava.proc share."""
from lava.magma.core.process.ports.ports import InPort, OutPort
from lava.magma.core.process.process import AbstractProcess


class Neurons(AbstractProcess):
    INPUTS = ("a_in",)

    def __init__(self, *, shape, **kwargs):
        super().__init__(shape=shape, **kwargs)
        for name in self.INPUTS:
            setattr(self, name, InPort(shape=shape))
        self.s_out = OutPort(shape=shape)
