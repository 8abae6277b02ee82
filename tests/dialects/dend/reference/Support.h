// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks from text, and one-op step bodies, in the reference interpreter and
// in its fast form at once: all that a test runs holds the two equal.

#ifndef DENDROLITH_TESTS_DIALECTS_DEND_REFERENCE_SUPPORT_H
#define DENDROLITH_TESTS_DIALECTS_DEND_REFERENCE_SUPPORT_H

#include "dialects/dend/fast/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>
#include <string>

namespace dendrolith::dend::test {

using Reals = std::vector<double>;
using Ints = std::vector<int64_t>;

/// The reference interpreter of a network, with the fast form beside it. Its
/// answers are the reference's; a number that differs in the other one fails
/// the test.
class BothForms {
public:
  void reset();
  void tick(const std::map<std::string, Reals> &values);
  Reals output(llvm::StringRef name) const;
  const Signal &emission(llvm::StringRef population,
                         llvm::StringRef output = "") const;
  const Signal &state(llvm::StringRef population, llvm::StringRef state) const;
  const std::vector<InputInfo> &inputs() const { return plain->inputs(); }
  const std::vector<OutputInfo> &outputs() const { return plain->outputs(); }
  int64_t ticks(llvm::StringRef population) const {
    return plain->ticks(population);
  }

  std::unique_ptr<Interpreter> plain;
  std::unique_ptr<fast::Interpreter> fast;
};

/// A parsed network and its interpreter. `errors` collects every diagnostic,
/// notes included, one per line.
class Loaded {
public:
  /// `body` is what stands between the braces of the network.
  explicit Loaded(const std::string &body, const Bindings &bindings = {});

  BothForms *operator->() { return &forms; }
  explicit operator bool() const { return forms.fast != nullptr; }
  NetworkOp network;
  std::string errors;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  BothForms forms;
};

/// A parameter of a one-op body: `type` is the value's type; the elements are
/// a list like "[1, 2]" or one number. Per neuron it has a leading axis.
struct Argument {
  std::string name, type, elements;
  int64_t neurons = 0; // 0: shared
};

/// Runs `body`, which defines %out of type `type`, once for `neurons` neurons
/// and returns %out of all of them. A failure to load fails the test.
Reals evalReal(const std::string &type, const std::vector<Argument> &arguments,
               const std::string &body, int64_t neurons = 1);
Ints evalInts(const std::string &type, const std::vector<Argument> &arguments,
              const std::string &body, int64_t neurons = 1);

/// Text of a constant holding `elements` for a value of `type`; with neurons,
/// one value per neuron.
std::string constant(const std::string &name, const std::string &type,
                     const std::string &elements, int64_t neurons = 0);

} // namespace dendrolith::dend::test

#endif // DENDROLITH_TESTS_DIALECTS_DEND_REFERENCE_SUPPORT_H
