// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/LinkLoads.h"

#include <algorithm>

namespace dendrolith {

LinkLoads::LinkLoads(const Mesh &mesh, uint32_t steps)
    : mesh(mesh), steps(steps), load(mesh.tilesX * mesh.tilesY * 4 * steps) {}

void LinkLoads::add(uint64_t from, uint64_t to, const float *messages,
                    double share) {
  forEachLink(mesh, from, to, [&](MeshLink link) {
    float *of =
        load.data() + (link.from * 4 + uint64_t(link.direction)) * steps;
    for (uint32_t step = 0; step < steps; ++step)
      of[step] += float(share) * messages[step];
  });
}

std::vector<double> LinkLoads::times(const NocTiming &noc) const {
  std::vector<double> times(steps);
  for (size_t at = 0; at < load.size(); at += steps) {
    auto direction = Direction(at / steps % 4);
    const TileXY tile = mesh.at(at / steps / 4);
    const PortTiming &port = leavesChip(mesh, tile, direction) ? noc.crossing
                             : direction == Direction::East    ? noc.east
                             : direction == Direction::West    ? noc.west
                             : direction == Direction::North   ? noc.north
                                                               : noc.south;
    // A slot behind the port is taken again no sooner than its credit is back.
    const double each = std::max(
        double(port.interval), double(port.forward + port.credit) /
                                   double(std::max<uint64_t>(port.buffer, 1)));
    for (uint32_t step = 0; step < steps; ++step)
      times[step] = std::max(times[step], double(load[at + step]) * each);
  }
  return times;
}

double LinkLoads::perStep(size_t link) const {
  double sum = 0;
  for (uint32_t step = 0; step < steps; ++step)
    sum += double(load[link * steps + step]);
  return sum / steps;
}

double LinkLoads::busiest() const {
  double most = 0;
  for (size_t link = 0; link < load.size() / steps; ++link)
    most = std::max(most, perStep(link));
  return most;
}

std::vector<LinkLoad> LinkLoads::list() const {
  std::vector<LinkLoad> found;
  for (size_t link = 0; link < load.size() / steps; ++link) {
    const double messages = perStep(link);
    if (messages <= 0)
      continue;
    const uint64_t tile = link / 4;
    const auto direction = Direction(link % 4);
    TileXY to = mesh.at(tile);
    to.x += direction == Direction::East;
    to.x -= direction == Direction::West;
    to.y += direction == Direction::South;
    to.y -= direction == Direction::North;
    found.push_back({{tile, mesh.tileAt(to), direction}, messages});
  }
  return found;
}

} // namespace dendrolith
