# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
class AbstractProcess:
    def __new__(cls, **kwargs):
        process = super().__new__(cls)
        process.given = kwargs  # to the constructor
        return process

    def __init__(self, *, name=None, log_config=None, **kwargs):
        self.name, self.proc_params = name, kwargs
        self.in_ports, self.out_ports = [], []  # Lava's lists of them
