// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths of what each core waited for, and what that one waited for before, back
// to the beginning of a sample. Paths share their beginnings. Links that no
// path needs any more are used again, so that not every step of every core is
// kept.

#ifndef DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_CRITICALPATHS_H
#define DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_CRITICALPATHS_H

#include "simulator/RunResult.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dendrolith::sim {

class CriticalPaths {
public:
  static constexpr uint32_t none = UINT32_MAX;

  /// Adds a link behind `before`; whoever gets it releases it.
  uint32_t add(const StepTime &time, uint32_t before) {
    uint32_t index = firstFree;
    if (index == none) {
      index = static_cast<uint32_t>(links.size());
      links.emplace_back();
    } else {
      firstFree = links[index].before;
    }
    if (before != none)
      ++links[before].uses;
    links[index] = {time, before, 1};
    return index;
  }

  /// Gives back a link, and those before it that nothing else needs.
  void release(uint32_t link) {
    while (link != none && --links[link].uses == 0) {
      const uint32_t before = links[link].before;
      links[link].before = firstFree;
      firstFree = link;
      link = before;
    }
  }

  /// All links up to this one, the first one first.
  std::vector<StepTime> to(uint32_t link) const {
    std::vector<StepTime> path;
    for (; link != none; link = links[link].before)
      path.push_back(links[link].time);
    std::reverse(path.begin(), path.end());
    return path;
  }

private:
  struct Link {
    StepTime time;
    uint32_t before = none; // of an unused link, the next unused one
    uint32_t uses = 0;
  };
  std::vector<Link> links;
  uint32_t firstFree = none;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_CRITICALPATHS_H
