// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many messages each link of the mesh carries in each step, and how long
// that takes.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_LINKLOADS_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_LINKLOADS_H

#include "targets/loader/chip/Timing.h"
#include "targets/mesh/Routing.h"

#include <cstdint>
#include <vector>

namespace dendrolith {

struct LinkLoad {
  MeshLink link{};
  double messages = 0; ///< per step
};

class LinkLoads {
public:
  LinkLoads(const Mesh &mesh, uint32_t steps);

  /// Adds `share` of the messages (one number for each step) to each link of
  /// the route between two tiles.
  void add(uint64_t from, uint64_t to, const float *messages, double share);

  /// When the last link is through, by step.
  std::vector<double> times(const NocTiming &noc) const;
  /// Messages per step on the link that has most of them.
  double busiest() const;
  /// Links in use, by tile and direction.
  std::vector<LinkLoad> list() const;

private:
  static constexpr uint32_t kUnused = ~uint32_t(0);
  /// Of the i-th link in use.
  double perStep(size_t i) const;

  const Mesh &mesh;
  const uint32_t steps;
  std::vector<uint32_t> slot; // by tile and direction: which link in use
  std::vector<uint64_t> used; // links, as tile * 4 + direction
  std::vector<float> load;    // by link in use and step
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_LINKLOADS_H
