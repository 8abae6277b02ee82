// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which projections a Lava graph becomes, and which accumulators they need so
// that every sum is Lava's to the bit.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_PLAN_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_PLAN_H

#include "compiler/import/lava/Graph.h"
#include "targets/support/Error.h"

namespace dendrolith::lava {

/// One projection from an input or a neuron process to an input port.
struct Projection {
  enum class Pattern { Diagonal, Dense, Sparse, Conv } pattern;
  Arrival::From from; ///< Input or Neuron
  size_t source;
  bool fired = false; ///< reads s != 0 instead of s
  size_t target, input;
  int own = -1; ///< which of PortPlan::own it ends at; -1: the common one
  /// The mantissas. There are none (ones on the diagonal), targets x sources,
  /// one for each pair of `indices`, or those of the kernel in the order of
  /// `window`.
  std::vector<int16_t> weights;
  std::vector<int32_t> indices; ///< (target, source), by source, then target
  const dend::Window *window = nullptr;
  int64_t delay = 0, shift = 0;
};

/// Accumulators of an input port. Sums of whole numbers modulo 2^32 may share
/// one; a sum that Lava shifts right or wraps to 24 bits needs its own, unless
/// its bound shows that nothing is lost.
struct PortPlan {
  bool common = false;
  double bound = 0; ///< largest |sum| of all of them
  std::vector<Term> own;
};

struct Plan {
  Warnings warnings;
  std::vector<Projection> projections;
  std::vector<std::vector<PortPlan>> ports;  ///< by node, input port
  std::vector<bool> firedNodes, firedInputs; ///< asked for s != 0
};

/// Throws Error where several senders reach a synapse that reads s != 0, and
/// for kernels of more than 16 bits.
Plan makePlan(const Graph &graph);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_PLAN_H
