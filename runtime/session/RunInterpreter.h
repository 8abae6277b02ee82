// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network in the reference interpreter or its fast form, and what it leaves
// behind.

#ifndef DENDROLITH_RUNTIME_SESSION_RUNINTERPRETER_H
#define DENDROLITH_RUNTIME_SESSION_RUNINTERPRETER_H

#include "dialects/dend/fast/CompiledBody.h"
#include "runtime/session/Operations.h"
#include "runtime/session/Recording.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::session {

struct InterpreterRun {
  dend::NetworkOp network; ///< float or integer
  const dend::Bindings &bindings;
  const std::map<std::string, Samples> &inputs;
  std::vector<sim::TraceRequest> traces = {};
  /// Called from the caller's thread now and then; may be empty.
  std::function<void(uint64_t done, uint64_t all)> progress = {};
  bool spikes = false; ///< every emission of populations with one binary output
  sim::Stores stores = {};
  unsigned threads = 1; ///< samples at a time; 0 is one per processor
  bool fast = false;    ///< in the fast form, which gives the same bits
  /// The fast form makes machine code of step bodies that are worth it, or of
  /// all; may be null.
  dend::BodyCompiler *compiler = nullptr;
  bool alwaysCompile = false;
  OperationSums *operations = nullptr; ///< of a float network; may be null
};

/// Float traces are reals, integer ones raw integers. The result does not
/// depend on the threads. Throws Error for unknown nodes and states, and for
/// values an input cannot carry.
Recording runInterpreter(const InterpreterRun &run);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RUNINTERPRETER_H
