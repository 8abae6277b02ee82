// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/neuron/MicroKernelsImpl.h"
#include "simulator/functional/neuron/Versions.h"

namespace neurite::sim {

Kernel baseline::choose(const micro::Instruction &code,
                        const OperandBits &bits) {
  return chooseHere(code, bits);
}

Kernel chooseKernel(const micro::Instruction &code, const OperandBits &bits) {
#ifdef NEURITE_AVX2
  static const bool has = hasAvx2();
  if (has)
    return avx2::choose(code, bits);
#endif
  return baseline::choose(code, bits);
}

} // namespace neurite::sim
