// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which groups of a run get machine code.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_COMPILEGROUPS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_COMPILEGROUPS_H

#include "simulator/functional/machine/Machine.h"
#include "simulator/functional/neuron/Compiled.h"
#include "simulator/options/RunOptions.h"

#include <cstdint>
#include <memory>

namespace dendrolith::sim {

/// What interpreting a program must come to in all of a run for each of its
/// instructions, before machine code is made of it: element operations, where
/// each instruction of a visit counts kInstruction more. Chosen with
/// tests/bench/jit.py.
constexpr uint64_t kWorthCompiling = uint64_t(5) << 20;
constexpr uint64_t kInstruction = 64;

/// The machine code of the groups whose programs are worth it, in a run of so
/// many ticks and samples; null where none is. Groups whose programs differ in
/// numbers alone are worth it together. `threads` compile at a time; with one,
/// none is started.
std::shared_ptr<const CompiledGroups>
compileGroups(const Machine &machine, const RunOptions &options, uint64_t ticks,
              uint64_t samples, unsigned threads);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_COMPILEGROUPS_H
