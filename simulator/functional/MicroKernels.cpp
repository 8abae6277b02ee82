// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/MicroKernelsImpl.h"

#include <algorithm>

namespace neurite::sim {

Kernel baseline::choose(const micro::Instruction &code,
                        const OperandBits &bits) {
  return chooseHere(code, bits);
}

Kernel chooseKernel(const micro::Instruction &code, const OperandBits &bits) {
#ifdef NEURITE_AVX2
  static const bool has = __builtin_cpu_supports("avx2");
  if (has)
    return avx2::choose(code, bits);
#endif
  return baseline::choose(code, bits);
}

unsigned resultBits(const micro::Instruction &code, const OperandBits &bits) {
  switch (code.op) {
  case MicroOp::Move:
  case MicroOp::Maximum:
    return bits.a;
  case MicroOp::Min:
  case MicroOp::Max:
    return std::max(bits.a, bits.b);
  case MicroOp::Clamp:
    return std::max({bits.a, bits.b, bits.c});
  case MicroOp::Select:
    return std::max(bits.b, bits.c);
  case MicroOp::Table:
    return bits.b;
  case MicroOp::Compare:
  case MicroOp::TopK:
    return 2; // 0 or 1
  case MicroOp::Clz:
    return 8;
  case MicroOp::Ladder:
    return 33;
  default:
    return std::max<unsigned>(code.width, 2);
  }
}

} // namespace neurite::sim
