// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks whose structure ops were expanded.

#ifndef DENDROLITH_TESTS_COMPILER_TRANSFORMS_EXPANDED_H
#define DENDROLITH_TESTS_COMPILER_TRANSFORMS_EXPANDED_H

#include "tests/dialects/dend/reference/Support.h"

#include <random>

namespace dendrolith::test {

using dend::test::Argument;

/// A one-op body over many neurons: text of a network whose population @P has
/// the state "result", set to %out of type `type`.
std::string bodyNetwork(const std::string &type,
                        const std::vector<Argument> &arguments,
                        const std::string &body, int64_t neurons);

/// Parses the body of a network, expands every model (twice: the second time
/// must change nothing) and prepares the interpreter. Failures fail the test.
class Expanded {
public:
  explicit Expanded(const std::string &body);

  dend::Interpreter *operator->() const { return interpreter.get(); }
  explicit operator bool() const { return interpreter != nullptr; }
  /// The expanded network as text.
  const std::string &text() const { return printed; }
  dend::NetworkOp network() {
    return *module->getOps<dend::NetworkOp>().begin();
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<dend::Interpreter> interpreter;
  std::string printed;
};

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_TRANSFORMS_EXPANDED_H
