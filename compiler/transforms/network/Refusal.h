// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics that answer "not in this form, on this chip". A caller that tries
// several forms of a network (a dendrite on one core or over several) goes on
// after such an answer, and must not go on after any other error.

#ifndef NEURITE_COMPILER_TRANSFORMS_NETWORK_REFUSAL_H
#define NEURITE_COMPILER_TRANSFORMS_NETWORK_REFUSAL_H

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace neurite {

/// Marks a started error as a refusal. Its text becomes `reason`, or
/// "reason; advice" where there is something to try.
mlir::InFlightDiagnostic refuse(mlir::InFlightDiagnostic error,
                                const llvm::Twine &reason,
                                const llvm::Twine &advice = "");

/// The reason of a refusal; nothing for any other diagnostic.
std::optional<llvm::StringRef> refusalOf(mlir::Diagnostic &diagnostic);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_NETWORK_REFUSAL_H
