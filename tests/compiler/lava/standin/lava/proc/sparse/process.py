# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.magma.core.process.ports.ports import InPort, OutPort
from lava.magma.core.process.process import AbstractProcess


class Sparse(AbstractProcess):
    def __init__(self, *, weights, name=None, num_message_bits=0, log_config=None, **kwargs):
        super().__init__(weights=weights.tocsr(), num_message_bits=num_message_bits, name=name,
                         log_config=log_config, **kwargs)
        self.s_in = InPort(shape=(weights.shape[1],))
        self.a_out = OutPort(shape=(weights.shape[0],))


class DelaySparse(Sparse):
    def __init__(self, *, weights, delays, max_delay=0, name=None, num_message_bits=0,
                 log_config=None, **kwargs):
        assert isinstance(delays, int) or delays.shape == weights.shape
        super().__init__(weights=weights, delays=delays, max_delay=max_delay, name=name,
                         num_message_bits=num_message_bits, log_config=log_config, **kwargs)
