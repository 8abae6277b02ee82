// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A projection's synapses as rows of narrow numbers, one row for each source.

#ifndef DENDROLITH_DIALECTS_DEND_FAST_SYNAPSES_H
#define DENDROLITH_DIALECTS_DEND_FAST_SYNAPSES_H

#include "dialects/dend/reference/Synapses.h"

#include <variant>

namespace dendrolith::dend::fast {

class Synapses {
public:
  explicit Synapses(const Connections &all);

  /// Adds what dend::Synapses adds, and each sum in its order.
  void send(const PopulationValue &source, Arrivals &to) const;

private:
  /// Takes weights of a dense layer as they are; false where some of them are
  /// to be left out.
  bool takeDense(const Connections &all);
  /// Fills `begin` and `target`; the answer is the weights beside these.
  template <typename Weight>
  std::vector<Weight> listed(const std::vector<Weight> &byIndex,
                             const Connections &all);
  template <typename Weight>
  void sendReals(const PopulationValue &source,
                 const std::vector<Weight> &weights,
                 std::vector<double> &to) const;
  template <typename Weight>
  void sendIntegers(const PopulationValue &source,
                    const std::vector<Weight> &weights,
                    std::vector<uint64_t> &to) const;

  std::vector<size_t> begin;    // first synapse of each source, and the end
  std::vector<uint32_t> target; // ascending per source
  bool distinct = true;         // no target comes twice from a source
  /// Real or integer weights as the port is. The narrow forms hold the same
  /// numbers, where they can: reading them is most of the time.
  std::variant<std::vector<double>, std::vector<float>, std::vector<int64_t>,
               std::vector<int16_t>>
      weights;
  size_t targets;
  unsigned shift, productShift;
  bool intoReals;
};

} // namespace dendrolith::dend::fast

#endif // DENDROLITH_DIALECTS_DEND_FAST_SYNAPSES_H
