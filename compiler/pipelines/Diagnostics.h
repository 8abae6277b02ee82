// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR diagnostics as a dendrolith::Error, for callers that are no passes.

#ifndef DENDROLITH_COMPILER_PIPELINES_DIAGNOSTICS_H
#define DENDROLITH_COMPILER_PIPELINES_DIAGNOSTICS_H

#include "compiler/import/common/Findings.h"
#include "compiler/transforms/network/Refusal.h"
#include "targets/support/Error.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>
#include <string>

namespace dendrolith {

/// The network is sound and does not fit the chip.
class Refused : public Findings {
public:
  Refused(std::vector<std::string> messages, Refusal refusal)
      : Findings(std::move(messages)), refusal(std::move(refusal)) {}
  const Refusal refusal;
};

/// The chip has no engine for a part of the network.
class Unsupported : public Findings {
public:
  using Findings::Findings;
};

/// A form of the network that was tried beside the one that stays, and does not
/// fit either.
struct Tried {
  std::string form;    ///< "with the dendrite in 2 parts"
  std::string message; ///< the whole error
  Refusal refusal;
};

/// While alive, collects the errors of a context with their notes, and drops
/// warnings and remarks. A stage that goes on behind an error has others to
/// say; the first of them is what one message can say.
class DiagnosticsAsError {
public:
  explicit DiagnosticsAsError(mlir::MLIRContext *context);

  /// Throws Findings with the collected texts, each "place: message" and one
  /// line per note; `otherwise` if nothing was collected. They are Refused
  /// where the first is a refusal.
  [[noreturn]] void raise(const std::string &otherwise);

  /// The same, and where the error is a refusal it says about the other form
  /// too. The other form is made for neurons that are too large for a core: if
  /// it fails for another reason, that is what has to change, and comes first.
  [[noreturn]] void raise(const std::string &otherwise,
                          const std::optional<Tried> &tried);

  /// The first of what raise() throws; empty if nothing was collected.
  std::string message() const {
    return found.isEmpty() ? std::string() : found.all().front();
  }
  std::vector<std::string> all() const { return found.all(); }

  /// The first error if it is a refusal, its reason as "place: reason": the
  /// network does not fit the chip in this form. Nothing for any other error.
  const std::optional<Refusal> &refusal() const { return refused; }

  /// raise() if `result` is a failure.
  void check(mlir::LogicalResult result, const std::string &otherwise) {
    if (mlir::failed(result))
      raise(otherwise);
  }

private:
  void take(mlir::Diagnostic &diagnostic);

  Collector found;
  std::optional<Refusal> refused;
  mlir::ScopedDiagnosticHandler handler;
};

/// "file:line:column", or the name of a model's node, or empty.
std::string placeOf(mlir::Location location);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_DIAGNOSTICS_H
