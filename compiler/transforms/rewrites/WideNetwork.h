// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other populations in place of a wide one, with what it received and sent.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDENETWORK_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDENETWORK_H

#include "compiler/transforms/rewrites/WideBody.h"

namespace dendrolith {

struct WideOptions {
  /// What several pieces need of the ports is computed once, in a front neuron,
  /// and sent to them; without it each of them computes it.
  bool front = false;
  /// The most bits of a message; a wider value takes several.
  unsigned messageBits = 32;
};

/// Divides the neurons of a population each into parts `NAME.0`, `NAME.1`, ...,
/// perhaps `NAME.front`, and a combiner, which keeps the name, the outputs and
/// what follows from several parts. All of them run in the same tick.
mlir::LogicalResult divideNeuron(dend::PopulationOp population,
                                 const WideBody &body,
                                 const WideOptions &options);

/// Puts neurons `NAME.PORT` before a port, one per element: they gather its
/// synapses on as many cores as these need, and send the sums on in the same
/// tick.
mlir::LogicalResult collectSynapses(dend::PopulationOp population,
                                    llvm::StringRef port, unsigned messageBits);

/// Why one neuron of a population cannot be divided into parts; empty if it
/// can.
std::string whyNotDivisible(dend::PopulationOp population);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDENETWORK_H
