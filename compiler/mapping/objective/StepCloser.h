// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the last message of a step is served, and which core that closes.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPCLOSER_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPCLOSER_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dendrolith {

/// Of ends that are equal the first one counts, in the order of the instants at
/// which tiles act and then of tiles. A replay lets a tile act some instants
/// ahead of the others, so that ends of one span of time come in another order;
/// only spans follow each other.
class StepCloser {
public:
  static constexpr uint32_t nobody = ~uint32_t(0);

  void reset() {
    ends.clear();
    last = 0;
    by = 0;
  }

  /// `tile`, which acts at `now`, knows that something ends at `at`; `core` is
  /// what closes the step then, if that is the last end.
  void end(uint64_t now, uint32_t tile, double at, uint32_t core) {
    if (at > last)
      ends.push_back({now, tile, core, at});
  }

  /// What was said of a span is all of it. `inOrder` where it was one instant,
  /// at which tiles act in the order in which they wake each other.
  void closeSpan(bool inOrder) {
    if (ends.empty())
      return;
    if (!inOrder && ends.size() > 1)
      std::stable_sort(
          ends.begin(), ends.end(), [](const End &a, const End &b) {
            return a.now != b.now ? a.now < b.now : a.tile < b.tile;
          });
    for (const End &end : ends)
      if (end.at > last) {
        last = end.at;
        by = end.core == nobody ? by : end.core;
      }
    ends.clear();
  }

  double served() const { return last; }
  uint32_t core() const { return by; }

private:
  struct End {
    uint64_t now = 0;
    uint32_t tile = 0, core = 0;
    double at = 0;
  };
  std::vector<End> ends; // of the open span, but those before the last end
  double last = 0;
  uint32_t by = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPCLOSER_H
