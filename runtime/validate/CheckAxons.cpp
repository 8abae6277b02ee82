// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks where messages go: every row must find a core and an in-axon.

#include "runtime/image/PackedAxons.h"
#include "runtime/validate/Check.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

using namespace dendrolith;

void check::CoreIndex::add(uint32_t id, CoreTables tables) {
  if (id >= indexOf.size())
    indexOf.resize(id + 1, -1);
  indexOf[id] = static_cast<int32_t>(cores.size());
  cores.push_back(std::move(tables));
}

check::CoreTables *check::CoreIndex::find(uint32_t id) {
  if (id >= indexOf.size() || indexOf[id] < 0)
    return nullptr;
  return &cores[indexOf[id]];
}

check::AccumulatorSums::AccumulatorSums(const image::Core &core)
    : inAxons(decodeInAxons(core.in_axons())),
      lists(decodeLists(core.synapses().lists())),
      offsets(decodeU32(core.synapses().offsets())),
      weights(decodeI16(core.synapses().weights())) {}

void check::AccumulatorSums::add(uint32_t inAxon, uint64_t payload) {
  const InAxon &axon = inAxons[inAxon];
  const SynapseList &list = lists[axon.list];
  unsigned __int128 most = 0;
  for (uint32_t i = 0; i < list.count; ++i) {
    const auto size = static_cast<unsigned __int128>(
                          std::abs(int32_t(weights[list.first + i])))
                      << leftShiftOf(list.shift);
    if (list.kind == ListKind::Conv) {
      most = std::max(most, size);
      continue;
    }
    const size_t at =
        size_t(axon.base) +
        (list.kind == ListKind::Dense ? i : offsets[list.firstOffset + i]);
    if (at >= sums.size())
      sums.resize(at + 1);
    sums[at] += size * payload;
  }
  anywhere += most * payload;
}

unsigned __int128 check::AccumulatorSums::largest() const {
  unsigned __int128 most = 0;
  for (unsigned __int128 sum : sums)
    most = std::max(most, sum);
  return most + anywhere;
}

/// Counts rows by core if they take the in-axons of each core one after the
/// other, as a compiler numbers them. False, and nothing is added, if the table
/// is not of that form or something is wrong with it. The plain twin is
/// addAnyOrder(); CheckAxonsTest holds both to one sum. tests/bench/study.py
/// shows the gain ("load s"): with the twin, loading an image of 10,000 or
/// 100,000 neurons takes 1.3 times as long.
static bool addInOrder(const PackedAxons &axons, uint64_t payload,
                       check::CoreIndex &cores) {
  // Small tables are not worth a counter for each core.
  if (axons.size < cores.ids() || !axons.axon.isAll(0))
    return false;
  std::vector<uint32_t> messages(cores.ids());
  bool rising = true;
  for (size_t source = 0, r = 0; source < axons.sources(); ++source) {
    uint32_t last = 0;
    for (const size_t end = axons.begin(source + 1); r < end; ++r) {
      const uint32_t core = axons.core[r];
      if (core >= messages.size())
        return false;
      rising &= last <= core;
      last = core;
      ++messages[core];
    }
  }
  if (!rising)
    return false;
  std::vector<uint32_t> first(messages.size());
  for (auto [core, start] : axons.starts)
    if (core < first.size())
      first[core] = start;
  for (uint32_t id = 0; id < messages.size(); ++id) {
    const check::CoreTables *core = cores.find(id);
    if (messages[id] > 0 &&
        (!core || core->sums ||
         (!core->left &&
          uint64_t(first[id]) + messages[id] > core->shifts.size())))
      return false;
  }
  for (uint32_t id = 0; id < messages.size(); ++id)
    if (messages[id] > 0 && !cores.find(id)->left) {
      check::CoreTables &core = *cores.find(id);
      unsigned __int128 sum = 0; // largest contributions to a payload of 1
      if (core.oneShift)
        sum = static_cast<unsigned __int128>(
                  core.largestWeight << leftShiftOf(core.shifts.front())) *
              messages[id];
      else
        for (uint32_t a = first[id]; a < first[id] + messages[id]; ++a)
          sum += core.largestWeight << leftShiftOf(core.shifts[a]);
      core.arriving += sum * payload;
    }
  return true;
}

/// Checks every row, wherever it points.
static void addAnyOrder(const std::string &place, const PackedAxons &axons,
                        uint64_t payload, check::CoreIndex &cores) {
  AxonWalk walk(axons);
  for (size_t source = 0; source < axons.sources(); ++source) {
    AxonRow last;
    const uint32_t begin = axons.begin(source), end = axons.begin(source + 1);
    for (uint32_t r = begin; r < end; ++r) {
      const AxonRow row = walk.next();
      auto refuse = [&](const std::string &what) {
        throw Error(
            fmt::format("{}, source {}, row {}: {}", place, source, r, what));
      };
      check::CoreTables *core = cores.find(row.core);
      if (!core)
        refuse(fmt::format("core {} is not a core of the program", row.core));
      if (!core->left && row.axon >= core->shifts.size())
        refuse(fmt::format("in-axon {} does not exist, core {} has {} in-axons",
                           row.axon, row.core, core->shifts.size()));
      if (r > begin && (last.core > row.core ||
                        (last.core == row.core && last.axon >= row.axon)))
        refuse(fmt::format("expected rows in order of (core, axon) without "
                           "repetition, found ({}, {}) after ({}, {})",
                           row.core, row.axon, last.core, last.axon));
      last = row;
      if (core->left)
        continue;
      if (core->sums)
        core->sums->add(row.axon, payload);
      else
        core->arriving +=
            static_cast<unsigned __int128>(payload) *
            (core->largestWeight << leftShiftOf(core->shifts[row.axon]));
    }
  }
}

void check::checkAxons(const std::string &place, const image::Axons &image,
                       uint64_t sources, uint64_t payload, CoreIndex &cores) {
  uint64_t bounds = countRows(image.begin());
  if (bounds != sources + 1)
    throw Error(fmt::format("{}: expected {} row bounds (sources + 1), found "
                            "{}",
                            place, sources + 1, bounds));
  const PackedAxons axons = [&] {
    try {
      return PackedAxons(image);
    } catch (const Error &error) {
      throw Error(fmt::format("{}, rows: {}", place, error.what()));
    }
  }();
  if (axons.begin(0) != 0 || axons.begin(sources) != axons.size)
    throw Error(fmt::format("{}: expected row bounds from 0 to {}, found {} to "
                            "{}",
                            place, axons.size, axons.begin(0),
                            axons.begin(sources)));
  for (uint64_t source = 0; source < sources; ++source) {
    uint32_t begin = axons.begin(source), end = axons.begin(source + 1);
    // Rising bounds with this end stay within the rows.
    if (begin > end || end > axons.size)
      throw Error(fmt::format("{}, source {}: expected rising row bounds, "
                              "found {} before {}",
                              place, source, begin, end));
  }
  if (!addInOrder(axons, payload, cores))
    addAnyOrder(place, axons, payload, cores);
}
