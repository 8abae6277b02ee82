# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.magma.core.process.ports.ports import InPort, OutPort
from lava.magma.core.process.process import AbstractProcess


class Conv(AbstractProcess):
    def __init__(self, *, weight, input_shape, padding=(0, 0), stride=(1, 1), dilation=(1, 1),
                 groups=1, weight_exp=0, num_weight_bits=8, num_message_bits=0, sign_mode=None,
                 name=None, log_config=None):
        super().__init__(weight=weight, input_shape=input_shape, padding=padding, stride=stride,
                         dilation=dilation, groups=groups, num_message_bits=num_message_bits,
                         name=name, log_config=log_config)
        size = [(input_shape[a] + 2 * padding[a] - dilation[a] * (weight.shape[1 + a] - 1) - 1)
                // stride[a] + 1 for a in (0, 1)]
        self.s_in = InPort(shape=tuple(input_shape))
        self.a_out = OutPort(shape=(*size, weight.shape[0]))
