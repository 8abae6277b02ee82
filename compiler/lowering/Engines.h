// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an engine of a core needs of an integer population: the parameters of
// the fixed-function neuron, or a program and the words it reads.

#ifndef DENDROLITH_COMPILER_LOWERING_ENGINES_H
#define DENDROLITH_COMPILER_LOWERING_ENGINES_H

#include "compiler/lowering/microcode/LowerBody.h"
#include "dialects/dend/Dend.h"
#include "mlir/IR/Builders.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// dend.cuba's integer parameters of a population: one value or one per neuron.
struct CubaTable {
  std::vector<int64_t> decayU, decayV, threshold, bias, startU, startV;
  dend::CubaOp op; // options
};

/// Words of one neuron or of all, neuron by neuron. Variants of a population
/// read the same ones.
using Words = std::shared_ptr<const std::vector<int64_t>>;

/// A program and its data: words per parameter, and per state, nothing for
/// zero.
struct MicroTable {
  Microprogram program;
  std::vector<Words> params, initial;
};

/// Neurons [first, first + count) run program `program` of the population.
struct ProgramRun {
  uint32_t first = 0, count = 0, program = 0;
};

/// The programs of a population: one, or one for each of its variants
/// (Variants.h). They agree in ports and outputs.
struct MicroTables {
  std::vector<MicroTable> programs;
  std::vector<ProgramRun> runs; // all neurons, in order
};

/// Fails with a diagnostic when a parameter cannot be read.
mlir::FailureOr<CubaTable> readCuba(dend::PopulationOp population,
                                    dend::NeuronOp model);

/// Lowers the step body for the target (compiler/lowering/microcode), once for
/// each variant, and binds parameters, biases and initial states. The network
/// is scheduled.
mlir::FailureOr<MicroTables> readMicrocode(dend::PopulationOp population,
                                           dend::NeuronOp model,
                                           const Target &chip);

/// What the schedule has left in an attribute of an op; a diagnostic with the
/// attribute's name if it has left nothing.
mlir::FailureOr<int64_t> scheduled(mlir::Operation *op,
                                   std::optional<uint64_t> value,
                                   mlir::StringAttr name);

// The engine of a group as attributes: the group's part of a population's
// parameters.

/// The neurons of a group: those at positions [first, first + count).
struct GroupNeurons {
  uint32_t first = 0, count = 0;
  /// The neuron at each position of the population; empty: the position.
  llvm::ArrayRef<uint32_t> order;

  /// The values of the group's neurons, by position, of those of all neurons,
  /// each of which has `elements`.
  std::vector<int64_t> gather(const std::vector<int64_t> &values,
                              uint64_t elements) const;
};

chip::CubaAttr cubaAttr(mlir::Builder &builder, const CubaTable &table,
                        const GroupNeurons &neurons);

/// `program`: index among the programs of the core.
chip::MicrocodeAttr microcodeAttr(mlir::Builder &builder,
                                  const MicroTable &table,
                                  const GroupNeurons &neurons, int64_t program);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_ENGINES_H
