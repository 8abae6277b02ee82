# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from enum import Enum


class SignMode(Enum):
    NULL, MIXED, EXCITATORY, INHIBITORY = range(4)
