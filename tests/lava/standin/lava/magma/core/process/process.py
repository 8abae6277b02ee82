# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
class AbstractProcess:
    def __init__(self, *, name=None, log_config=None, **kwargs):
        self.name, self.proc_params = name, kwargs
