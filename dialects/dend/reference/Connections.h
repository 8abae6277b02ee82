// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The synapses of a projection as its op has them, whatever their kind: read
// and checked once, for the interpreter and its fast form alike.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_CONNECTIONS_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_CONNECTIONS_H

#include "dialects/dend/reference/Frame.h"
#include "dialects/dend/reference/Tensor.h"

#include <functional>

namespace dendrolith::dend {

struct Connections {
  /// Hears of a synapse; `weight` is the index of its weight.
  using Callback =
      llvm::function_ref<void(int64_t source, int64_t target, int64_t weight)>;

  /// Synapses of `op` from `sources` to `targets` elements into a port of reals
  /// or integers. Diagnostics for shapes that do not match, indices outside,
  /// and real weights into a port of integers.
  static mlir::FailureOr<Connections> create(ProjectOp op, int64_t sources,
                                             int64_t targets, bool intoReals,
                                             const Bindings &bindings);

  int64_t sources = 0, targets = 0; // elements
  bool intoReals = true;            // the port takes reals, else integers
  bool isDense = false; // from all sources to all targets, target by target
  unsigned shift = 0, productShift = 0;
  Tensor weights; // `real` or `ints`, as the port is
  Tensor bias;    // likewise, a number for each target; empty without a bias
  std::function<void(Callback)> forEach; // calls back with each synapse
};

// What a source's value adds to the sums of its targets.

/// What has arrived at a port and waits for an update, one sum per target
/// element. Fixed-point sums are kept modulo 2^64 and narrowed when read.
struct Arrivals {
  std::vector<double> real;
  std::vector<uint64_t> raw;
};

/// One list of synapses per source.
class Synapses {
public:
  explicit Synapses(Connections connections);

  /// Adds weight * value (integers: << shift, or >> productShift in 16 bits) of
  /// every source that is not zero, sources ascending. `to` may be empty:
  /// nothing has arrived yet.
  void send(const PopulationValue &source, Arrivals &to) const;

private:
  struct Synapse {
    uint32_t target, weight; // indices
  };
  uint64_t term(int64_t weight, int64_t value) const;

  Connections connections;
  std::vector<std::vector<Synapse>> bySource;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_CONNECTIONS_H
