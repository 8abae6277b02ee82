// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR diagnostics as one neurite::Error, for callers that are no passes.

#ifndef NEURITE_COMPILER_PIPELINES_DIAGNOSTICS_H
#define NEURITE_COMPILER_PIPELINES_DIAGNOSTICS_H

#include "targets/support/Error.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>
#include <string>

namespace neurite {

/// While alive, collects the errors of a context (the first error and its
/// notes) and drops warnings and remarks.
class DiagnosticsAsError {
public:
  explicit DiagnosticsAsError(mlir::MLIRContext *context);

  /// Throws Error with the collected text, "place: message" and one line per
  /// note; `otherwise` if nothing was collected.
  [[noreturn]] void raise(const std::string &otherwise);

  /// The first error, "place: reason", if it is a refusal (Refusal.h): the
  /// network does not fit the chip in this form. Nothing for any other error.
  const std::optional<std::string> &refusal() const { return refused; }

  /// raise() if `result` is a failure.
  void check(mlir::LogicalResult result, const std::string &otherwise) {
    if (mlir::failed(result))
      raise(otherwise);
  }

private:
  std::string text;
  std::optional<std::string> refused;
  mlir::ScopedDiagnosticHandler handler;
};

/// "file:line:column", or the name of a model's node, or empty.
std::string placeOf(mlir::Location location);

} // namespace neurite

#endif // NEURITE_COMPILER_PIPELINES_DIAGNOSTICS_H
