// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a graph of nodes to populations joined by projections: every chain of
// linear nodes between two populations is one linear map with one delay.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_WIRING_H
#define DENDROLITH_COMPILER_IMPORT_NIR_WIRING_H

#include "compiler/import/nir/Dynamics.h"
#include "compiler/import/nir/LinearMap.h"

namespace dendrolith::nir {

/// What reaches `target`, a population or an Output, from `source`, a
/// population or an Input. The bias is added at every tick.
struct Projection {
  unsigned source, target; ///< nodes of the graph
  LinearMap map;
  int64_t delay; ///< ticks
  Bias bias;
  LateBias late; ///< biases that a Delay or a silent loop holds back
  /// Carries the source's output "early", with a tick more of delay: what
  /// leaves late comes round a loop in the step of its leaving.
  bool early = false;
};

/// Gives a projection for each edge into a node, which stay apart; paths that
/// meet in a linear node before it are added up. Throws dendrolith::Error for a
/// cycle without delay and maps that would be too large.
std::vector<Projection> wire(Graph &graph, const Policy &policy);

/// True if the projection hands its source on unchanged, in the same tick.
bool isPlain(const Projection &projection);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_WIRING_H
