# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from enum import IntEnum, unique

from lava.proc.standin import Neurons


@unique
class ActivationMode(IntEnum):
    UNIT, RELU = range(2)


class Delta(Neurons):
    def __init__(self, *, shape, vth, cum_error=False, spike_exp=0, state_exp=0):
        super().__init__(shape=shape)


class Sigma(Neurons):
    def __init__(self, *, shape):
        super().__init__(shape=shape)


class SigmaDelta(Neurons):
    def __init__(self, *, shape, vth, bias=0, act_mode=ActivationMode.RELU, cum_error=False,
                 spike_exp=0, state_exp=0):
        super().__init__(shape=shape)
