// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A projection's synapses as one list per source, whatever their kind.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_SYNAPSES_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_SYNAPSES_H

#include "dialects/dend/reference/Lanes.h"

#include <variant>

namespace dendrolith::dend {

/// What has arrived at a port and waits for an update, one sum per target
/// element. Fixed-point sums are kept modulo 2^64 and narrowed when read.
struct Arrivals {
  std::vector<double> real;
  std::vector<uint64_t> raw;
};

class Synapses {
public:
  /// Synapses of `op` from `sources` to `targets` elements into a port of reals
  /// or integers. Diagnostics for shapes that do not match, indices outside,
  /// and real weights into a port of integers.
  static mlir::FailureOr<Synapses> create(ProjectOp op, int64_t sources,
                                          int64_t targets, bool realPort,
                                          const Bindings &bindings);

  /// Adds weight * value (integers: << shift, or >> productShift in 16 bits) of
  /// every source that is not zero, sources ascending. `to` may be empty:
  /// nothing has arrived yet.
  void send(const Lanes &source, Arrivals &to) const;

  /// Per target element, empty without a bias.
  const Tensor &bias() const { return biasValues; }

private:
  /// Hears of a synapse; `weight` is the index of its weight.
  using Visit =
      llvm::function_ref<void(int64_t source, int64_t target, int64_t weight)>;
  /// Lists all synapses of a projection.
  using Listing = std::function<void(Visit)>;
  static mlir::FailureOr<Listing> listingOf(ProjectOp op, int64_t sources,
                                            int64_t targets,
                                            const Bindings &bindings,
                                            const Tensor &weights);
  /// Takes weights of a dense layer as they are, target by target; false where
  /// some of them are to be left out.
  bool takeDense(int64_t sources, const Tensor &weights);
  void takeListed(int64_t sources, const Tensor &weights,
                  const Listing &listing);
  /// Fills `begin` and `target`; the answer is the weights beside these.
  template <typename Weight>
  std::vector<Weight> listed(const std::vector<Weight> &weights,
                             const Listing &listing);
  template <typename Weight>
  void sendReals(const Lanes &source, const std::vector<Weight> &weights,
                 std::vector<double> &to) const;
  template <typename Weight>
  void sendIntegers(const Lanes &source, const std::vector<Weight> &weights,
                    std::vector<uint64_t> &to) const;

  std::vector<size_t> begin;    // first synapse of each source, and the end
  std::vector<uint32_t> target; // ascending per source
  bool distinct = true;         // no target comes twice from a source
  /// Real or integer weights as the port is. The narrow forms hold the same
  /// numbers, where they can: reading them is most of the time.
  std::variant<std::vector<double>, std::vector<float>, std::vector<int64_t>,
               std::vector<int16_t>>
      weights;
  size_t targets = 0;
  unsigned shift = 0, productShift = 0;
  bool realPort = true;
  Tensor biasValues;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_SYNAPSES_H
