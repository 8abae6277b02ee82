// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The change that a vertex would make in each part that it shares nets with.
// Parts::optionsOf() finds it: one pass over the nets gives all parts at once.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_PARTOPTIONS_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_PARTOPTIONS_H

#include "compiler/mapping/cluster/Hypergraph.h"

#include <cstring>
#include <vector>

namespace dendrolith::cluster {

class Parts;

/// The change that moving a vertex to a part makes.
struct PartOption {
  uint32_t part = none;
  double cost = 0; ///< change of cost()
  /// Change of excess(), and excess of that part afterwards. Both take the
  /// words of a list that is there already to grow evenly.
  double excess = 0, there = 0;
};

/// A net as a vertex sees it that is one of its pins.
struct NetReach {
  bool counted = false, self = false;
  double alone = 0, more = 0; // words in a list of its own, in another one
  uint32_t core = none;       // the part of another vertex that sends it
};

/// Scratch memory of optionsOf(), one for each thread.
class OptionScratch {
public:
  explicit OptionScratch(uint32_t parts)
      : common(parts), touchedAt(parts, 0), runAt(parts, 0) {}

private:
  friend class Parts;
  struct alignas(32) Common {
    double cost = 0, words = 0, axons = 0;
    double fromHere = 0; // rate of nets whose source is there
  };
  /// Two of the sums of a part, which processors add at once.
  using Two = double __attribute__((vector_size(16)));
  static void add(double *sums, Two more) {
    Two all;
    std::memcpy(&all, sums, sizeof all);
    all += more;
    std::memcpy(sums, &all, sizeof all);
  }
  void begin() {
    ++stamp;
    touched.clear();
    options.clear();
    ownLast.clear();
  }
  void touch(uint32_t p) {
    if (touchedAt[p] == stamp)
      return;
    touchedAt[p] = stamp;
    common[p] = {};
    touched.push_back(p);
  }

  // Sums of the vertex that is asked about, by part.
  std::vector<Common> common;
  std::vector<uint64_t> touchedAt;
  std::vector<uint32_t> touched;
  uint64_t stamp = 0;
  std::vector<uint32_t> ownLast; // own nets with no other pin in its part
  std::vector<PartOption> options;
  // For nets that are added together: what each adds to the cost and the
  // words of a part, and which parts they reach.
  std::vector<Two> shares;
  std::vector<uint64_t> runAt;
  uint64_t run = 0;
};

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_PARTOPTIONS_H
