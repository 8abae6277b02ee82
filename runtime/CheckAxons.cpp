// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where messages go: every row must find a core and an in-axon.

#include "runtime/ImageChecks.h"
#include "runtime/Tables.h"
#include "targets/Error.h"

#include <fmt/format.h>

using namespace neurite;

void check::CoreIndex::add(uint32_t id, CoreTables tables) {
  if (id >= position.size())
    position.resize(id + 1, -1);
  position[id] = static_cast<int32_t>(cores.size());
  cores.push_back(std::move(tables));
}

check::CoreTables *check::CoreIndex::find(uint32_t id) {
  if (id >= position.size() || position[id] < 0)
    return nullptr;
  return &cores[position[id]];
}

void check::checkAxons(const std::string &place, const image::Axons &axons,
                       uint64_t sources, uint64_t payload, CoreIndex &cores) {
  uint64_t bounds = countRows(axons.begin());
  if (bounds != sources + 1)
    throw Error(fmt::format("{}: expected {} row bounds (sources + 1), found "
                            "{}",
                            place, sources + 1, bounds));
  AxonTable table;
  try {
    table = decodeAxons(axons);
  } catch (const Error &error) {
    throw Error(fmt::format("{}, rows: {}", place, error.what()));
  }
  if (table.begin.front() != 0 || table.begin.back() != table.rows.size())
    throw Error(fmt::format("{}: expected row bounds from 0 to {}, found {} to "
                            "{}",
                            place, table.rows.size(), table.begin.front(),
                            table.begin.back()));
  for (uint64_t source = 0; source < sources; ++source) {
    uint32_t begin = table.begin[source], end = table.begin[source + 1];
    // Rising bounds with this end stay within the rows.
    if (begin > end || end > table.rows.size())
      throw Error(fmt::format("{}, source {}: expected rising row bounds, "
                              "found {} before {}",
                              place, source, begin, end));
    for (uint32_t r = begin; r < end; ++r) {
      const AxonRow &row = table.rows[r];
      auto refuse = [&](const std::string &what) {
        throw Error(
            fmt::format("{}, source {}, row {}: {}", place, source, r, what));
      };
      CoreTables *core = cores.find(row.core);
      if (!core)
        refuse(fmt::format("core {} is not a core of the program", row.core));
      if (row.axon >= core->shifts.size())
        refuse(fmt::format("in-axon {} does not exist, core {} has {} in-axons",
                           row.axon, row.core, core->shifts.size()));
      if (r > begin) {
        const AxonRow &last = table.rows[r - 1];
        if (last.core > row.core ||
            (last.core == row.core && last.axon >= row.axon))
          refuse(fmt::format("expected rows in order of (core, axon) without "
                             "repetition, found ({}, {}) after ({}, {})",
                             row.core, row.axon, last.core, last.axon));
      }
      core->arriving += static_cast<unsigned __int128>(payload) *
                        (core->largestWeight << core->shifts[row.axon]);
    }
  }
}
