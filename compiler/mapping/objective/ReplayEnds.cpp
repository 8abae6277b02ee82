// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/ReplayEnds.h"

#include "compiler/mapping/objective/MeshRoutes.h"

#include <algorithm>

namespace dendrolith {

ReplayEnds::ReplayEnds(const std::vector<uint32_t> &coreOf,
                       const Target &target) {
  std::vector<uint32_t> ids = coreOf;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  cores = uint32_t(ids.size());
  const Mesh &mesh = target.mesh;
  auto add = [&](uint64_t tile) {
    tiles.push_back(MeshRoutes::indexOf(mesh, mesh.at(tile)));
  };
  for (uint32_t id : ids)
    add(target.tileOf(id));
  for (uint64_t chip = 0; chip < (mesh.hostOnEach ? mesh.chips() : 1); ++chip)
    add(mesh.hostTile(chip * mesh.tilesPerChip()));
  for (uint32_t core : coreOf) {
    slices.push_back(
        uint32_t(std::lower_bound(ids.begin(), ids.end(), core) - ids.begin()));
    const uint64_t tile = mesh.hostTile(target.tileOf(core));
    hosts.push_back(uint32_t(cores + mesh.chipOf(tile)));
  }
}

} // namespace dendrolith
