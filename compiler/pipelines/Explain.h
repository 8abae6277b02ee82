// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fidelity report: what became of each node of a model on a target.

#ifndef DENDROLITH_COMPILER_PIPELINES_EXPLAIN_H
#define DENDROLITH_COMPILER_PIPELINES_EXPLAIN_H

#include "compiler/import/common/Importer.h"
#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

#include <string>
#include <vector>

namespace dendrolith {

enum class Fidelity { Exact, Approximated, Refused, Open };

struct NodeFate {
  std::string name, type;
  uint64_t weights = 0; ///< numbers that the file has of it
  Fidelity fidelity = Fidelity::Open;
  std::string how; ///< how and how much, or why
};

/// `floats` is the network as imported; `fixed` the quantised one, null if the
/// target refuses it. Models without nodes (.mlir, .npz) are told population by
/// population.
std::vector<NodeFate> explainNodes(const ImportedModel &model,
                                   dend::NetworkOp floats,
                                   dend::NetworkOp fixed, const Target &chip);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_EXPLAIN_H
