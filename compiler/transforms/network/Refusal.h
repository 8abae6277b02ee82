// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics that answer "not in this form, on this chip". A caller may try
// several forms of a network, such as a dendrite on one core or over several.
// It goes on after such an answer, and must not go on after any other error.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_NETWORK_REFUSAL_H
#define DENDROLITH_COMPILER_TRANSFORMS_NETWORK_REFUSAL_H

#include "dialects/dend/Dend.h"
#include "mlir/IR/Diagnostics.h"
#include "targets/support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace dendrolith {

/// What a refusal says to a caller that may try another form.
struct Refusal {
  std::string reason; ///< the text without advice, or shorter
  /// One neuron alone is too large, which smaller neurons may help.
  bool oneNeuron = false;
  /// What of the chip is too small, as the fit table calls it; empty where it
  /// cannot be counted.
  std::string resource = {};
  uint64_t used = 0, limit = 0;
};

/// Marks a started error as a refusal. Its text becomes `reason`, or
/// "reason; advice" where there is something to try.
mlir::InFlightDiagnostic refuse(mlir::InFlightDiagnostic error,
                                const llvm::Twine &reason,
                                const llvm::Twine &advice = "",
                                bool oneNeuron = false);

/// Marks a started error, whose text is complete, as a refusal.
mlir::InFlightDiagnostic refuse(mlir::InFlightDiagnostic error,
                                const Refusal &refusal);

/// The refusal in a diagnostic; nothing in any other one.
std::optional<Refusal> refusalOf(mlir::Diagnostic &diagnostic);

// Passes leave warnings on the network, from where they reach the program image
// and the result of each run.

/// Appends to the warnings of a network.
void warn(dend::NetworkOp network, const Warning &warning);

/// Returns all of them, in the order in which they were left.
Warnings warningsOf(dend::NetworkOp network);

/// Names a population as warnings do: "layer 'fc1'".
std::string placeOfLayer(llvm::StringRef population);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_NETWORK_REFUSAL_H
