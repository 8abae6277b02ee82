// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/Mesh.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace neurite::sim {

static uint64_t distance(uint64_t a, uint64_t b) {
  return a < b ? b - a : a - b;
}

Hops tileHops(const Target &target, uint64_t from, uint64_t to) {
  TileXY a = target.tileXY(from), b = target.tileXY(to);
  return {distance(a.x, b.x), distance(a.y, b.y)};
}

std::vector<std::pair<uint32_t, uint32_t>>
tileRoute(const Target &target, uint64_t from, uint64_t to) {
  std::vector<std::pair<uint32_t, uint32_t>> links;
  TileXY at = target.tileXY(from), end = target.tileXY(to);
  auto tileAt = [&](TileXY p) {
    return static_cast<uint32_t>(p.y * target.mesh.tilesX + p.x);
  };
  while (at.x != end.x || at.y != end.y) {
    TileXY next = at;
    if (at.x != end.x)
      next.x = at.x < end.x ? at.x + 1 : at.x - 1;
    else
      next.y = at.y < end.y ? at.y + 1 : at.y - 1;
    links.emplace_back(tileAt(at), tileAt(next));
    at = next;
  }
  return links;
}

uint64_t flitsOf(const Target &target, uint32_t payloadBits) {
  uint64_t width = std::max<uint64_t>(target.mesh.flitBits, 1);
  return std::max<uint64_t>(1, (payloadBits + width - 1) / width);
}

SpikeForm spikeForm(const Machine::Group &group, uint32_t source) {
  SpikeForm form;
  if (!group.micro)
    return form;
  for (const MicroProgram::Output &output : group.micro->outputs()) {
    if (source >= output.source + output.elements * output.sourcesPerElement)
      continue;
    if (output.isUnary()) {
      form.counter = Counter::SpikesUnary;
    } else if (output.kind == image::Microprogram::Emission::GRADED) {
      form.counter = Counter::SpikesGraded;
      form.graded = true;
      form.payloadBits = payloadBits(output.low, output.high);
    }
    break;
  }
  return form;
}

void countWork(CoreCounts &counts, const micro::Work &work, uint64_t issued) {
  static constexpr std::array<Counter, kMicroClasses> counters = {
#define MICRO_CLASS(Name, text, counter) Counter::counter,
#include "targets/loader/MicroOps.def"
  };
  counts[Counter::MicrocodeIssue] += issued;
  for (size_t c = 0; c < work.size(); ++c)
    counts[counters[c]] += work[c];
}

uint64_t usedTiles(const Machine &machine, const Target &target) {
  std::set<uint64_t> tiles;
  for (const Machine::Core &core : machine.cores())
    tiles.insert(target.tileOf(core.id));
  return tiles.size();
}

void checkFits(const Machine &machine, const Target &target) {
  if (target.mesh.multicast)
    throw Error(fmt::format("target '{}': expected multicast: false, found "
                            "true; the engines send one message per core",
                            target.name));
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

} // namespace neurite::sim
