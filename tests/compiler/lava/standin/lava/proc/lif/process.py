# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.magma.core.process.variable import Var
from lava.proc.standin import Neurons


class AbstractLIF(Neurons):
    def __init__(self, *, shape, u, v, du, dv, bias_mant, bias_exp, name, log_config, **kwargs):
        super().__init__(shape=shape, u=u, v=v, du=du, dv=dv, bias_mant=bias_mant,
                         bias_exp=bias_exp, name=name, log_config=log_config, **kwargs)
        self.u, self.v = Var(shape=shape, init=u), Var(shape=shape, init=v)


class LIF(AbstractLIF):
    def __init__(self, *, shape, u=0, v=0, du=0, dv=0, bias_mant=0, bias_exp=0, vth=10,
                 name=None, log_config=None, **kwargs):
        super().__init__(shape=shape, u=u, v=v, du=du, dv=dv, bias_mant=bias_mant,
                         bias_exp=bias_exp, name=name, log_config=log_config, vth=vth, **kwargs)


class LIFReset(LIF):
    def __init__(self, *, shape, u=0, v=0, du=0, dv=0, bias_mant=0, bias_exp=0, vth=10,
                 reset_interval=1, reset_offset=0, name=None, log_config=None):
        super().__init__(shape=shape, u=u, v=v, du=du, dv=dv, bias_mant=bias_mant,
                         bias_exp=bias_exp, vth=vth, name=name, log_config=log_config)


class TernaryLIF(AbstractLIF):
    def __init__(self, *, shape, u=0, v=0, du=0, dv=0, bias_mant=0, bias_exp=0, vth_hi=10,
                 vth_lo=-10, name=None, log_config=None):
        super().__init__(shape=shape, u=u, v=v, du=du, dv=dv, bias_mant=bias_mant,
                         bias_exp=bias_exp, name=name, log_config=log_config)
