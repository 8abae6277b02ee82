# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
class PyInPort:
    VEC_DENSE = "PyInPortVectorDense"


class PyOutPort:
    VEC_DENSE = "PyOutPortVectorDense"
