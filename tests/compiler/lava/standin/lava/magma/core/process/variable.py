# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
class Var:
    def __init__(self, shape, init=0, shareable=True):
        self.shape, self.init = tuple(shape), init
