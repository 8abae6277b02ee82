// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports a file and runs it in the reference interpreter. Keeps MLIR out of
// the tests that use it.

#ifndef DENDROLITH_TESTS_COMPILER_IMPORT_RUN_H
#define DENDROLITH_TESTS_COMPILER_IMPORT_RUN_H

#include "compiler/import/nir/Options.h"
#include "targets/support/Error.h"

#include <map>
#include <memory>

namespace dendrolith::testing {

using Row = std::vector<double>;
using Rows = std::vector<Row>; ///< one row per tick

class Imported {
public:
  explicit Imported(const std::string &path);
  /// Imports a NIR file.
  Imported(const std::string &path, const nir::NirOptions &options);
  ~Imported();

  /// Starts a sample and gives `rows` to the input; returns an output's rows.
  Rows outputs(const Rows &rows, const std::string &input = "input",
               const std::string &output = "output");
  /// Populations to record with outputs(), and their emissions.
  void record(const std::string &population) { recorded[population]; }
  Rows emissions(const std::string &population) const {
    return recorded.at(population);
  }

  std::string text() const; ///< the module, printed
  const Choices &choices() const;
  const Warnings &warnings() const;
  const std::string &name() const;

private:
  struct State;
  explicit Imported(std::unique_ptr<State> state);

  std::unique_ptr<State> state;
  std::map<std::string, Rows> recorded;
};

/// Message of the error with which the import of `path` ends.
std::string refusal(const std::string &path);
std::string refusal(const std::string &path, const nir::NirOptions &options);

} // namespace dendrolith::testing

#endif // DENDROLITH_TESTS_COMPILER_IMPORT_RUN_H
