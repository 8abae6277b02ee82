// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rewrite that was asked for did: one row per population it changed.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_REWRITEREPORT_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_REWRITEREPORT_H

#include "dialects/dend/Dend.h"

#include <string>

namespace dendrolith {

/// Weights that a projection stores; without any, one for each target.
int64_t synapsesOf(dend::ProjectOp project);

/// Neurons and synapses of a whole network.
struct NetworkSize {
  int64_t neurons = 0, synapses = 0;
};
NetworkSize sizeOf(dend::NetworkOp network);

/// Appends a row to the network's `rewrites`: the size before, and the size it
/// has now.
void recordRewrite(dend::NetworkOp network, llvm::StringRef rewrite,
                   llvm::StringRef population, const std::string &detail,
                   NetworkSize before, const std::string &removedIds = "");

/// Says in the rows of these rewrites that have no such text yet what was
/// verified.
void recordVerified(dend::NetworkOp network,
                    llvm::ArrayRef<llvm::StringRef> rewrites,
                    const std::string &verified);

/// The error of a rewrite that changes nothing: what it looks for, and what is
/// in the way in the populations that come close.
mlir::InFlightDiagnostic appliesNowhere(dend::NetworkOp network,
                                        llvm::StringRef rewrite,
                                        llvm::StringRef looksFor,
                                        llvm::ArrayRef<std::string> obstacles);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_REWRITEREPORT_H
