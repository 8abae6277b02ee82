// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A projection's synapses as rows of narrow numbers, one row for each source.

#ifndef DENDROLITH_DIALECTS_DEND_FAST_SYNAPSES_H
#define DENDROLITH_DIALECTS_DEND_FAST_SYNAPSES_H

#include "dialects/dend/fast/SideBySide.h"
#include "dialects/dend/reference/Connections.h"
#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

namespace dendrolith::dend {

// Rows of weights, one for each source, added to the sums of their targets:
// most of a calibration of dense layers.

/// Adds what `term` makes of weights and of the value of their source to sums
/// of targets, row by row. Rows of one dense layer have the same targets, side
/// by side: they wait until there are eight, so that a sum is read and written
/// once for all of them. The order of additions into a real sum stays that of
/// the rows; integers are added to each other first, in the type of a term,
/// which holds the sum of eight, and shifted to the left then.
template <typename Sum, typename Weight, typename Term> class Rows {
public:
  Rows(Sum *sums, Term term, unsigned left)
      : sums(sums), term(term), left(left) {}
  ~Rows() { flush(); }
  Rows(const Rows &) = delete;
  Rows &operator=(const Rows &) = delete;

  /// `distinct` says that no target comes twice.
  void add(llvm::ArrayRef<uint32_t> targets, const Weight *weights,
           bool distinct, Sum value) {
    const size_t count = targets.size();
    if (count == 0)
      return;
    const uint32_t first = targets.front();
    const bool isDense = distinct && targets.back() - first == count - 1;
    if (waiting > 0 && (!isDense || first != firstTarget || count != width))
      flush();
    if (!isDense) {
      for (size_t i = 0; i < count; ++i)
        sums[targets[i]] += shifted(term(weights[i], value), left);
      return;
    }
    firstTarget = first;
    width = count;
    rows[waiting] = weights;
    values[waiting] = value;
    if (++waiting == kMost)
      flush();
  }

private:
  static constexpr size_t kMost = 8;

  template <typename Some> static Sum shifted(Some sum, unsigned left) {
    if constexpr (std::is_floating_point_v<Sum>)
      return sum;
    else
      return Sum(sum) << left;
  }

  /// Adds as many of the rows as there are in K, from row `first` on.
  template <size_t... K> void addSome(size_t first, std::index_sequence<K...>) {
    Sum *const all = sums + firstTarget;
    const size_t count = width;
    const Weight *const row[] = {rows[first + K]...};
    const Sum value[] = {values[first + K]...};
    loopSideBySide([=, term = term, left = left]() DENDROLITH_SIDE_BY_SIDE {
      Sum *__restrict const to = all;
      for (size_t i = 0; i < count; ++i)
        if constexpr (std::is_floating_point_v<Sum>) {
          Sum sum = to[i];
          ((sum += term(row[K][i], value[K])), ...);
          to[i] = sum;
        } else {
          to[i] += shifted((term(row[K][i], value[K]) + ...), left);
        }
    });
  }
  void flush() {
    size_t done = 0;
    const auto add = [&](auto some) {
      for (; waiting - done >= some.size(); done += some.size())
        addSome(done, some);
    };
    add(std::make_index_sequence<kMost>());
    add(std::make_index_sequence<kMost / 2>());
    add(std::make_index_sequence<1>());
    waiting = 0;
  }

  Sum *sums;
  Term term;
  unsigned left;
  size_t firstTarget = 0, width = 0, waiting = 0;
  const Weight *rows[kMost] = {};
  Sum values[kMost] = {};
};

/// Every row whose source is not zero; `value` is what a source emits. Integers
/// are shifted to the left by less than their 64 bits.
template <typename Sum, typename Weight, typename Value, typename Term>
void addRows(std::vector<Sum> &sums, llvm::ArrayRef<size_t> begin,
             const std::vector<uint32_t> &target,
             const std::vector<Weight> &weights, bool distinct, Value value,
             Term term, unsigned left = 0) {
  // A processor cannot foresee which sources have a value. So they are listed
  // without branches, some of them at a time.
  constexpr size_t kSome = 256;
  uint32_t with[kSome];
  Rows<Sum, Weight, Term> rows(sums.data(), term, left);
  for (size_t first = 0; first + 1 < begin.size(); first += kSome) {
    const size_t end = std::min(first + kSome, begin.size() - 1);
    size_t count = 0;
    for (size_t s = first; s < end; ++s) {
      with[count] = uint32_t(s);
      count += value(s) != 0;
    }
    for (size_t k = 0; k < count; ++k) {
      const size_t s = with[k];
      rows.add({target.data() + begin[s], begin[s + 1] - begin[s]},
               weights.data() + begin[s], distinct, value(s));
    }
  }
}

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_FAST_SYNAPSES_H
