# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.proc.standin import Neurons


class GradedVec(Neurons):
    def __init__(self, *, shape, vth=1, exp=0):
        super().__init__(shape=shape)


class GradedReluVec(GradedVec):
    pass
