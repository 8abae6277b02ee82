// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an engine of a core needs of an integer population: the parameters of
// the fixed-function neuron, or a program and the words it reads.

#ifndef NEURITE_COMPILER_LOWERING_ENGINES_H
#define NEURITE_COMPILER_LOWERING_ENGINES_H

#include "dialects/dend/Dend.h"
#include "runtime/program.pb.h"
#include "targets/Target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace neurite {

/// dend.cuba's integer parameters of a population: one value or one per neuron.
struct CubaTable {
  std::vector<int64_t> decayU, decayV, threshold, bias, startU, startV;
  dend::CubaOp op; // options
};

/// A program and its data: per parameter one neuron's words or those of all
/// neurons, neuron by neuron; per state the same, or nothing for zero.
struct MicroTable {
  image::Microprogram program;
  std::vector<std::vector<int64_t>> params, initial;
};

/// Fails with a diagnostic when a parameter cannot be read.
mlir::FailureOr<CubaTable> readCuba(dend::PopulationOp population,
                                    dend::NeuronOp model);

/// Lowers the step body for the target (compiler/lowering/microcode) and binds
/// its parameters, biases and initial states. The network is scheduled.
mlir::FailureOr<MicroTable> readMicrocode(dend::PopulationOp population,
                                          dend::NeuronOp model,
                                          const Target &chip);

/// Integers of the constant a symbol names, seen from `from`.
mlir::FailureOr<std::vector<int64_t>> readSymbol(mlir::Operation *from,
                                                 mlir::Attribute symbol);

/// An integer the schedule has left on an op; a diagnostic if it has not.
mlir::FailureOr<int64_t> scheduled(mlir::Operation *op, llvm::StringRef name);

} // namespace neurite

#endif // NEURITE_COMPILER_LOWERING_ENGINES_H
