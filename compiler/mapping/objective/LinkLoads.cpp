// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/LinkLoads.h"

#include <algorithm>

namespace dendrolith {

LinkLoads::LinkLoads(const Mesh &mesh, uint32_t steps)
    : mesh(mesh), steps(steps), slot(mesh.tiles() * 4, kUnused) {}

void LinkLoads::add(uint64_t from, uint64_t to, const float *messages,
                    double share) {
  forEachLink(mesh, from, to, [&](MeshLink link) {
    uint32_t &at = slot[link.from * 4 + uint64_t(link.direction)];
    if (at == kUnused) {
      at = uint32_t(used.size());
      used.push_back(link.from * 4 + uint64_t(link.direction));
      load.resize(load.size() + steps);
    }
    float *of = load.data() + size_t(at) * steps;
    for (uint32_t step = 0; step < steps; ++step)
      of[step] += float(share) * messages[step];
  });
}

std::vector<double> LinkLoads::times(const NocTiming &noc) const {
  std::vector<double> times(steps);
  for (size_t i = 0; i < used.size(); ++i) {
    auto direction = Direction(used[i] % 4);
    const TileXY tile = mesh.at(used[i] / 4);
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
      times[step] =
          std::max(times[step], double(load[i * steps + step]) * each);
  }
  return times;
}

double LinkLoads::perStep(size_t i) const {
  double sum = 0;
  for (uint32_t step = 0; step < steps; ++step)
    sum += double(load[i * steps + step]);
  return sum / steps;
}

double LinkLoads::busiest() const {
  double most = 0;
  for (size_t i = 0; i < used.size(); ++i)
    most = std::max(most, perStep(i));
  return most;
}

std::vector<LinkLoad> LinkLoads::list() const {
  std::vector<LinkLoad> found;
  std::vector<uint64_t> rising = used;
  std::sort(rising.begin(), rising.end());
  for (uint64_t link : rising) {
    const double messages = perStep(slot[link]);
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
