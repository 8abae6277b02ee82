// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR diagnostics as one dendrolith::Error, for callers that are no passes.

#ifndef DENDROLITH_COMPILER_PIPELINES_DIAGNOSTICS_H
#define DENDROLITH_COMPILER_PIPELINES_DIAGNOSTICS_H

#include "compiler/transforms/network/Refusal.h"
#include "targets/support/Error.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>
#include <string>

namespace dendrolith {

/// The network is sound and does not fit the chip.
class Refused : public Error {
public:
  Refused(const std::string &message, Refusal refusal)
      : Error(message), refusal(std::move(refusal)) {}
  const Refusal refusal;
};

/// The chip has no engine for a part of the network.
class Unsupported : public Error {
public:
  using Error::Error;
};

/// A form of the network that was tried beside the one that stays, and does not
/// fit either.
struct Tried {
  std::string form;    ///< "with the dendrite in 2 parts"
  std::string message; ///< the whole error
  Refusal refusal;
};

/// While alive, collects the errors of a context (the first error and its
/// notes) and drops warnings and remarks.
class DiagnosticsAsError {
public:
  explicit DiagnosticsAsError(mlir::MLIRContext *context);

  /// Throws Error with the collected text, "place: message" and one line per
  /// note; `otherwise` if nothing was collected. The error is Refused where it
  /// is a refusal.
  [[noreturn]] void raise(const std::string &otherwise);

  /// The same, and where the error is a refusal it says about the other form
  /// too. The other form is made for neurons that are too large for a core: if
  /// it fails for another reason, that is what has to change, and comes first.
  [[noreturn]] void raise(const std::string &otherwise,
                          const std::optional<Tried> &tried);

  /// What raise() throws; empty if nothing was collected.
  const std::string &message() const { return text; }

  /// The first error if it is a refusal, its reason as "place: reason": the
  /// network does not fit the chip in this form. Nothing for any other error.
  const std::optional<Refusal> &refusal() const { return refused; }

  /// raise() if `result` is a failure.
  void check(mlir::LogicalResult result, const std::string &otherwise) {
    if (mlir::failed(result))
      raise(otherwise);
  }

private:
  std::string text;
  std::optional<Refusal> refused;
  mlir::ScopedDiagnosticHandler handler;
};

/// "file:line:column", or the name of a model's node, or empty.
std::string placeOf(mlir::Location location);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_DIAGNOSTICS_H
