// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/mesh/Routing.h"

namespace dendrolith {

std::vector<std::pair<uint32_t, uint32_t>>
routeBetween(const Mesh &mesh, uint64_t from, uint64_t to) {
  std::vector<std::pair<uint32_t, uint32_t>> links;
  forEachLink(mesh, from, to, [&](const MeshLink &link) {
    links.emplace_back(static_cast<uint32_t>(link.from),
                       static_cast<uint32_t>(link.to));
  });
  return links;
}

} // namespace dendrolith
