# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.proc.standin import Neurons


class ProdNeuron(Neurons):
    INPUTS = ("a_in1", "a_in2")

    def __init__(self, *, shape, vth=1, exp=0):
        super().__init__(shape=shape)
