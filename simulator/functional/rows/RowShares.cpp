// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/rows/RowShares.h"

#include "runtime/host/Workers.h"
#include "simulator/functional/rows/RowBuilder.h"

#include <algorithm>

namespace dendrolith::sim {

RowShares::RowShares(const image::Program &program, const Machine &machine,
                     std::vector<CoreShare> given, image::Program *release)
    : shares(std::move(given)), rows(shares.size()) {
  const bool one = shares.size() == 1;
  inParallel(shares.size(), static_cast<unsigned>(shares.size()),
             [&](size_t s) {
               // Where several read the tables, none can let go of them.
               rows[s] = std::make_unique<Rows>(program, machine, shares[s],
                                                one ? release : nullptr);
             });
  if (!one && release)
    releaseTables(*release);
  firstKind.push_back(0);
  RowBounds bounds;
  for (const auto &each : rows) {
    firstKind.push_back(firstKind.back() + each->kinds());
    buckets.maxDelay = std::max(buckets.maxDelay, each->layout().maxDelay);
    buckets.firstWindow =
        std::max(buckets.firstWindow, each->layout().firstWindow);
    bounds.include(each->bounds());
  }
  buckets.counted = bounds.counted(machine);
  for (const auto &each : rows)
    each->countBy(buckets.counted, machine);
}

uint64_t RowShares::bytes() const {
  uint64_t all = 0;
  for (const auto &each : rows)
    all += each->bytes();
  return all;
}

Delivery RowShares::delivery(size_t kind) const {
  const auto after =
      std::upper_bound(firstKind.begin(), firstKind.end(), kind) - 1;
  return rows[static_cast<size_t>(after - firstKind.begin())]->delivery(kind -
                                                                        *after);
}

std::vector<Traffic::Messages> RowShares::sum(SourceRange sources,
                                              const uint64_t *times) const {
  if (rows.size() == 1)
    return rows[0]->sum(sources, times);
  std::vector<Messages> all;
  for (size_t s = 0; s < rows.size(); ++s)
    for (const Messages &each : rows[s]->sum(sources, times))
      all.push_back({firstKind[s] + each.kind, each.count});
  return all;
}

void RowShares::kindsOf(uint32_t source, std::vector<size_t> &kinds) const {
  kinds.clear();
  std::vector<size_t> some;
  for (size_t s = 0; s < rows.size(); ++s) {
    rows[s]->kindsOf(source, some);
    for (size_t kind : some)
      kinds.push_back(firstKind[s] + kind);
  }
}

} // namespace dendrolith::sim
