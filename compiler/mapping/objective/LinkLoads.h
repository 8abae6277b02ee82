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
  double perStep(size_t link) const;

  const Mesh &mesh;
  const uint32_t steps;
  std::vector<float> load; // by tile, direction and step
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_LINKLOADS_H
