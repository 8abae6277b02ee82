// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lists of one projection into one slice take. There are millions of
// lists, and each is looked at once.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_LISTTALLY_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_LISTTALLY_H

#include "compiler/mapping/network/Demand.h"
#include "compiler/mapping/network/HashSet.h"
#include "compiler/mapping/network/ListFormat.h"

#include <array>

namespace dendrolith {

/// What makes two lists of different format, as a set member.
uint64_t formatKey(const ListPlan &plan, uint32_t weightBits);

class ListTally {
public:
  /// With `shared`, lists have a content: those that are equal are stored once,
  /// and equal ones at equal bases have one in-axon.
  explicit ListTally(bool shared) : shared(shared) {}

  void add(const ListPlan &plan) {
    formats |= uint64_t(1) << plan.indexBits; // at most 32
    if (!shared) {
      ++axons;
      words += plan.words;
      return;
    }
    waiting[held++] = {plan.content, plan.words, plan.firstOffset};
    if (held == waiting.size())
      settle();
  }

  uint64_t inAxons() {
    settle();
    return axons;
  }
  uint64_t synapseWords() {
    settle();
    return words;
  }
  void addTo(std::array<uint64_t, numSums> &sums, SmallSet &formatKeys,
             uint32_t weightBits);

private:
  struct Waiting {
    uint64_t content, words;
    uint32_t firstOffset;
  };
  void settle();

  const bool shared;
  uint64_t axons = 0, words = 0;
  uint64_t formats = 0; // by index bits, 0 = dense
  HashSet knownContents, knownAxons;
  // Sets of many slices are larger than caches, so that what is looked up is
  // asked for some lists ahead.
  std::array<Waiting, 16> waiting;
  size_t held = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_LISTTALLY_H
