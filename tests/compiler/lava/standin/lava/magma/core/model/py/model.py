# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
class PyLoihiProcessModel:
    implements_process = None

    def __init__(self, proc_params):
        self.proc_params = proc_params
