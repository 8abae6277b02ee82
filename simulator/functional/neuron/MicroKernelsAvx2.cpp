// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels for processors with AVX2 (simulator/CMakeLists.txt has the flag).

#include "simulator/functional/neuron/MicroKernelsImpl.h"

namespace neurite::sim::avx2 {

Kernel choose(const micro::Instruction &code, const OperandBits &bits) {
  return chooseHere(code, bits);
}

} // namespace neurite::sim::avx2
