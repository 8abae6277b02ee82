# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.proc.standin import Neurons


class ATRLIF(Neurons):
    def __init__(self, *, shape, i=0, v=0, theta=5, r=0, s=0, delta_i=0.4, delta_v=0.4,
                 delta_theta=0.2, delta_r=0.2, theta_0=5, theta_step=3.75, bias_mant=0,
                 bias_exp=0, name=None, log_config=None):
        super().__init__(shape=shape, name=name, log_config=log_config)
