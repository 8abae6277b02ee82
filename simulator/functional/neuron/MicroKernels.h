// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction for a block of neurons: loops over elements and neurons that
// a compiler turns into vector code.
//
// The plain twin of every kernel is its meaning for one element in the
// reference interpreter (dialects/dend/FixedPoint.h); MicrocodeTest and the
// random bodies of tests/agreement compare both. MicroKernelsTest compares the
// two versions of each kernel (Versions.h) with each other. `dendrolith-bench
// --benchmark_filter=microcode` times them; over all kernels AVX2 gains a
// factor of 1.5 (geometric mean, 128 neurons).

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROKERNELS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROKERNELS_H

#include "runtime/microcode/Isa.h"
#include "targets/support/Versions.h"

#include <cstddef>
#include <cstdint>

namespace dendrolith::sim {

/// One vector for each neuron of a block: element e of neuron j is at
/// first[e * element + j * lane], where `lane` is 0 if all neurons share it.
struct Lanes {
  int64_t *first = nullptr;
  size_t element = 0, lane = 0;
};

/// What a kernel reads (a, b, c) and writes (d).
struct KernelArguments {
  const micro::Instruction *code = nullptr;
  size_t neurons = 0;
  Lanes d, a, b, c;
};
/// Whether there is one neuron, each of whose vectors lies in order, so that a
/// kernel's inner loop can go over elements: wide neurons stand alone.
inline bool liesInOrder(const KernelArguments &k) {
  return k.neurons == 1 && k.d.element <= 1 && k.a.element <= 1 &&
         k.b.element <= 1 && k.c.element <= 1;
}
using Kernel = void (*)(const KernelArguments &);
using KernelVersions = Versions<void(const KernelArguments &)>;

using micro::OperandBits;

/// The kernel for an instruction: the fast one where the bits prove that 64 are
/// enough. Null for skip and emit.
KernelVersions chooseKernel(const micro::Instruction &code,
                            const OperandBits &bits);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROKERNELS_H
