// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search has looked at already. A sweep over numbers of cores often ends
// with the same cut of the network for several of them, or with the same slices
// on the same cores.

#ifndef NEURITE_COMPILER_MAPPING_SEARCH_LOOKS_H
#define NEURITE_COMPILER_MAPPING_SEARCH_LOOKS_H

#include "compiler/mapping/search/Arrangement.h"

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace neurite {

/// May be asked from several threads: which of them looks first at something
/// that two look at changes no answer.
class Looks {
public:
  /// Where slices went, and what that is predicted to cost.
  struct Placed {
    Cores cores;
    Evaluation eval;
  };

  /// What was made last of the network in an order, if of these starts.
  std::shared_ptr<const Arrangement> arrangement(const NeuronOrder &order,
                                                 const Starts &starts) const {
    const std::lock_guard<std::mutex> lock(mutex);
    return lastStarts == starts && lastOrder == order ? last : nullptr;
  }
  void keep(const NeuronOrder &order, const Starts &starts,
            std::shared_ptr<const Arrangement> made) {
    const std::lock_guard<std::mutex> lock(mutex);
    lastOrder = order;
    lastStarts = starts;
    last = std::move(made);
  }

  /// What became of slices that were packed so.
  std::optional<Placed> placed(const NeuronOrder &order, const Starts &starts,
                               const Cores &packed) const {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto known = places.find(std::tie(order, starts, packed));
    return known == places.end() ? std::nullopt : std::optional(known->second);
  }
  void keep(const NeuronOrder &order, const Starts &starts, const Cores &packed,
            const Placed &placed) {
    const std::lock_guard<std::mutex> lock(mutex);
    places.emplace(std::make_tuple(order, starts, packed), placed);
  }

private:
  mutable std::mutex mutex;
  NeuronOrder lastOrder;
  Starts lastStarts;
  std::shared_ptr<const Arrangement> last;
  std::map<std::tuple<NeuronOrder, Starts, Cores>, Placed, std::less<>> places;
};

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_SEARCH_LOOKS_H
