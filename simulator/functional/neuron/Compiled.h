// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs as machine code: what an engine asks of a compiler of programs, and
// how it runs what it gets. The compiler itself is compiler/native, which
// links MLIR; nothing here does.
//
// The plain twin is MicroProgram::run() (Microcode.h); dendrolith-jit-tests
// hold both equal over random programs, and tests/bench/README.md has the gain.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_COMPILED_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_COMPILED_H

#include "simulator/functional/neuron/Microcode.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace dendrolith::sim {

/// Updates all neurons of a group. Rows of ports, states and parameters of
/// neurons are `row` words apart, and neurons beyond the last one up to a whole
/// number of lanes are updated, too, which nobody sees.
///   runs     whether a neuron runs, by neuron and lane
///   scratch  CompiledProgram::scratch words
///   sent     what neurons emit, [element in program order][row]; whatever
///            stands there of a neuron that does not run
///   any      whether a neuron emits anything; left alone for a single neuron
///   counts   how many neurons ran each part but part 0; added to
///   came     whether a neuron ran a part, [part][row]; part 0 is left out
///   amounts  by instruction, the amount it shifts by
using CompiledFunction = void (*)(const int64_t *ports, int64_t *states,
                                  const int64_t *shared, const int64_t *own,
                                  const int64_t *constants, int64_t *scratch,
                                  const uint8_t *runs, int64_t *sent,
                                  uint8_t *any, uint64_t *counts, uint8_t *came,
                                  const int64_t *amounts, uint64_t row,
                                  uint64_t neurons);

/// The machine code of a program, which others like it may share.
struct CompiledProgram {
  CompiledFunction function = nullptr;
  size_t scratch = 0;         // words
  std::shared_ptr<void> code; // keeps the function in memory
};

/// By group of a machine; null for those that have none.
using CompiledGroups = std::vector<std::shared_ptr<const CompiledProgram>>;

/// Makes machine code for this processor.
class ProgramCompiler {
public:
  virtual ~ProgramCompiler() = default;
  /// Null if the program is none that it compiles. May be called from several
  /// threads at a time.
  virtual std::shared_ptr<const CompiledProgram>
  compile(const MicroProgram &program) = 0;
};

/// What CompiledFunction takes as `amounts` of a program.
std::vector<int64_t> amountsOf(const MicroProgram &program);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_COMPILED_H
