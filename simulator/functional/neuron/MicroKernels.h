// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction for a block of neurons: loops over elements and neurons that
// a compiler turns into vector code. The kernels exist twice, for any processor
// and for AVX2; integers give the same result in both.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_NEURON_MICROKERNELS_H
#define NEURITE_SIMULATOR_FUNCTIONAL_NEURON_MICROKERNELS_H

#include "runtime/microcode/Isa.h"

#include <cstddef>
#include <cstdint>

namespace neurite::sim {

/// A vector of every neuron of a block: element e of neuron j is at
/// first[e * element + j * lane]; `lane` is 0 where all neurons share it.
struct Lanes {
  int64_t *first = nullptr;
  size_t element = 0, lane = 0;
};

struct KernelArguments {
  const micro::Instruction *code = nullptr;
  size_t neurons = 0;
  Lanes d, a, b, c;
};
using Kernel = void (*)(const KernelArguments &);

using micro::OperandBits;

/// The kernel for an instruction: the fast one where the bits prove that 64 are
/// enough. Null for skip and emit.
Kernel chooseKernel(const micro::Instruction &code, const OperandBits &bits);

namespace baseline {
Kernel choose(const micro::Instruction &code, const OperandBits &bits);
}
namespace avx2 {
Kernel choose(const micro::Instruction &code, const OperandBits &bits);
}

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_NEURON_MICROKERNELS_H
