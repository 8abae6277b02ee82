// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many axons lead over each edge of a board's chips, while cores change
// their chips.

#ifndef DENDROLITH_COMPILER_MAPPING_EDGELOADS_H
#define DENDROLITH_COMPILER_MAPPING_EDGELOADS_H

#include "compiler/mapping/ChipEdges.h"

namespace dendrolith {

class EdgeLoads {
public:
  /// Every core is on the chip that its id says.
  EdgeLoads(const MapNetwork &network, const Target &target,
            const std::vector<Slice> &slices);

  uint32_t chipOf(uint32_t core) const { return chips.at(core); }
  /// The chip of each core, by id.
  const std::map<uint32_t, uint32_t> &cores() const { return chips; }

  /// Puts cores on chips.
  using Moves = std::vector<std::pair<uint32_t, uint32_t>>; // core, chip
  void put(const Moves &moves);

  /// What is beyond the limit in all, and what crosses.
  std::pair<uint64_t, uint64_t> burden() const { return {beyond, crossing}; }
  /// Flows that put() has looked at so far.
  uint64_t effort() const { return looked; }
  /// Edges that nothing crosses are not there.
  EdgeAxons edges() const;

private:
  /// Axons from a core, or the host, to another.
  struct Flow {
    uint32_t from, to;
    uint64_t axons;
  };
  using Edge = std::pair<uint32_t, uint32_t>; // a chip and its neighbour

  uint32_t placeOf(uint32_t core, uint32_t partner) const;
  uint64_t over(uint64_t axons) const;
  const std::vector<Edge> &wayBetween(uint32_t from, uint32_t to);
  void add(const Flow &flow, int sign);

  const Mesh &mesh;
  std::vector<Flow> flows;
  std::map<uint32_t, uint32_t> chips;         // by core
  std::map<uint32_t, std::vector<size_t>> of; // flows by core
  std::map<Edge, std::vector<Edge>> ways;     // by first and last chip
  EdgeAxons load;
  uint64_t beyond = 0, crossing = 0, looked = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_EDGELOADS_H
