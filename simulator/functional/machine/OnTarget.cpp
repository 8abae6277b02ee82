// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/OnTarget.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <set>

namespace dendrolith::sim {

Extent extentOf(const Machine &machine, const Target &target) {
  std::set<uint64_t> tiles;
  for (const Machine::Core &core : machine.cores())
    tiles.insert(target.tileOf(core.id));
  return dendrolith::extentOf(target.mesh, tiles);
}

void checkFits(const Machine &machine, const Target &target) {
  for (const Machine::Core &core : machine.cores())
    if (core.id >= target.numCores())
      throw Error(fmt::format(
          "program: expected core ids below {}, the cores of the mesh of "
          "target "
          "'{}'{}, found {}; run it on the target it was compiled for",
          target.numCores(), target.name,
          target.mesh.place.empty() ? "" : " (" + target.mesh.place + ")",
          core.id));
}

} // namespace dendrolith::sim
