# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
class LavaPyType:
    def __init__(self, cls, d_type, precision=None):
        self.cls, self.d_type = cls, d_type
