// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network in the reference interpreter, and in its fast form without machine
// code and with it.

#ifndef DENDROLITH_TESTS_COMPILER_NATIVE_TWINS_H
#define DENDROLITH_TESTS_COMPILER_NATIVE_TWINS_H

#include "compiler/native/BodyCompiler.h"
#include "dialects/dend/fast/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>

namespace dendrolith::test {

/// A number for an input that carries any.
using Draw = std::function<double(std::mt19937_64 &)>;
double moderate(std::mt19937_64 &random);
/// Quotients and products of these are 0 and -0, infinite, and no numbers.
double edge(std::mt19937_64 &random);

/// A network from text; null where it is none.
class Parsed {
public:
  explicit Parsed(const std::string &text);
  dend::NetworkOp network;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

class Twins {
public:
  /// Throws std::runtime_error where the network cannot be interpreted.
  Twins(dend::NetworkOp network, const dend::Bindings &bindings);

  /// Runs all on the same random inputs, some samples of `ticks` root ticks.
  /// Returns the first state or emission that is not equal to the bit, or
  /// nothing. Which of two numbers that are none a sum has is left open.
  std::string compare(int samples, int ticks, std::mt19937_64 &random,
                      const Draw &draw);

  int bodies = 0, compiled = 0; ///< that were asked for, and that became code

private:
  class Counting;
  std::vector<dend::Interpreter *> everyForm() const;
  std::string difference(const dend::Interpreter &other);

  dend::NetworkOp network;
  std::unique_ptr<dend::Interpreter> plain;
  std::unique_ptr<dend::fast::Interpreter> fast, withCode;
};

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_NATIVE_TWINS_H
