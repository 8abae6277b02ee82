# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from enum import IntEnum, unique

from lava.proc.standin import Neurons


@unique
class ActivationMode(IntEnum):
    UNIT, RELU = range(2)


class Delta(Neurons):
    def __init__(self, *, shape, vth, cum_error=False, spike_exp=0, state_exp=0, name=None,
                 log_config=None):
        super().__init__(shape=shape, name=name, log_config=log_config)


class Sigma(Neurons):
    def __init__(self, *, shape, name=None, log_config=None):
        super().__init__(shape=shape, name=name, log_config=log_config)


class SigmaDelta(Neurons):
    def __init__(self, *, shape, vth, bias=0, act_mode=ActivationMode.RELU, cum_error=False,
                 spike_exp=0, state_exp=0, name=None, log_config=None):
        super().__init__(shape=shape, name=name, log_config=log_config)
