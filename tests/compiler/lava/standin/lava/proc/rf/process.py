# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.proc.standin import Neurons


class RF(Neurons):
    INPUTS = ("a_real_in", "a_imag_in")

    def __init__(self, *, shape, period, alpha, state_exp=0, decay_bits=0, vth=1, name=None,
                 log_config=None):
        super().__init__(shape=shape, name=name, log_config=log_config)
