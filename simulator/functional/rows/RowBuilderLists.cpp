// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer on many cores gets a spike of the layer before in many messages. Each
// has a short list that reaches nearly all neurons of its core. Where these lie
// side by side in the accumulators of the program, they are one dense list
// here, which is added in vector loops. Neurons that no list has among them get
// a weight of 0, and no mark that they had input.
//
// The plain twin is what addEntries() does with each list. RowsTest holds both
// equal.

#include "simulator/functional/rows/RowBuilder.h"

#include <algorithm>

namespace dendrolith::sim {

/// Joined lists have at least so many weights, so many accumulators between
/// two of them at most, and no more than a fourth of holes in all.
static constexpr uint32_t kLeastJoined = 16, kWidestGap = 4, kFewest = 4;

/// Joined lists begin and end at multiples of so many accumulators. Lists of a
/// layer, which lack some neurons at their ends, then have the same ends, and
/// RowBatch can add them together.
static constexpr uint32_t kAligned = 8;

bool RowBuilder::chainsPay() const {
  // Fixed-function neurons have counted sums, which take entries alone.
  if (std::none_of(
          machine.groups().begin(), machine.groups().end(),
          [](const Machine::Group &group) { return group.micro != nullptr; }))
    return false;
  uint64_t wide = 0, all = 0;
  for (uint32_t c = share.first; c < share.end; ++c)
    for (size_t l = 0; l < readers[c].numLists(); ++l) {
      const SynapseList &shape = readers[c].shapes()[readers[c].allCodes()[l]];
      all += shape.count;
      if (uint64_t(shape.count) * kFewest >= machine.cores()[c].accumulators)
        wide += shape.count;
    }
  return 2 * wide > all;
}

bool RowBuilder::extend(Chain &chain, const Message &m) const {
  const ListReader &reader = readers[m.core];
  const SynapseList &shape = reader.shapes()[m.list.shape];
  const bool dense = shape.kind == ListKind::Dense;
  uint32_t end = chain.base + uint32_t(chain.weights.size());
  for (uint32_t k = 0; k < shape.count; ++k) {
    const uint32_t at =
        placeOf(m) + (dense ? k : reader.offset(m.list.firstOffset + k));
    if (at < end || at - end > kWidestGap)
      return false;
    end = at + 1;
    chain.weights.resize(at - chain.base);
    chain.present.resize(at - chain.base);
    chain.weights.push_back(reader.weight(m.list.first + k));
    chain.present.push_back(1);
  }
  chain.entries += shape.count;
  return true;
}

void RowBuilder::pad(Chain &chain) const {
  const std::vector<Machine::Core> &cores = machine.cores();
  const Machine::Core &last = cores[share.end - 1];
  const uint32_t lowest = cores[share.first].firstAccumulator,
                 highest = last.firstAccumulator + last.accumulators,
                 end = chain.base + uint32_t(chain.weights.size());
  const uint32_t base = std::max(chain.base / kAligned * kAligned, lowest);
  const uint32_t count =
      std::min((end + kAligned - 1) / kAligned * kAligned, highest) - base;
  const uint32_t before = chain.base - base;
  chain.weights.insert(chain.weights.begin(), before, 0);
  chain.present.insert(chain.present.begin(), before, 0);
  chain.weights.resize(count);
  chain.present.resize(count);
  chain.base = base;
}

bool RowBuilder::addChain(size_t next, size_t &end) {
  auto shapeOf = [this](const Message &m) -> const SynapseList & {
    return readers[m.core].shapes()[m.list.shape];
  };
  const Message &head = messages[next];
  const SynapseList &shape = shapeOf(head);
  chain.weights.clear();
  chain.present.clear();
  chain.entries = 0;
  chain.base = placeOf(head);
  if (shape.kind != ListKind::Dense)
    chain.base += readers[head.core].offset(head.list.firstOffset);
  for (end = next; end < messages.size(); ++end) {
    const Message &m = messages[end];
    const size_t before = chain.weights.size();
    if (shapeOf(m).shift == shape.shift && m.list.delay == head.list.delay &&
        extend(chain, m))
      continue;
    chain.weights.resize(before);
    chain.present.resize(before);
    break;
  }
  auto count = uint32_t(chain.weights.size());
  // A single list that is served as one anyhow may be that of many sources.
  const bool alone = end <= next + 1 && !isShort(shape);
  if (alone || chain.entries < kLeastJoined ||
      uint64_t(count - chain.entries) * kFewest > count ||
      rows.listWeights.size() + count > mostJoined) {
    end = std::max(end, next + 1);
    return false;
  }
  pad(chain);
  count = uint32_t(chain.weights.size());
  Rows::Run run{rows.listWeights.size(),
                count,
                head.list.delay,
                chain.base,
                Rows::kNone,
                shape.shift};
  if (count > chain.entries) {
    run.present = uint32_t(rows.listPresent.size());
    rows.listPresent.insert(rows.listPresent.end(), chain.present.begin(),
                            chain.present.end());
  }
  rows.runs.push_back(run);
  rows.listWeights.insert(rows.listWeights.end(), chain.weights.begin(),
                          chain.weights.end());
  return true;
}

// This adds lists whose entries have delays of their own: the entries of one
// delay are a run. Such a list is one message, and is counted as one.

bool RowBuilder::hasDelays(const Message &m) const {
  const ListReader &reader = readers[m.core];
  if (!reader.hasEntryDelays())
    return false;
  const SynapseList &shape = reader.shapes()[m.list.shape];
  for (uint32_t k = 0; k < shape.count; ++k)
    if (reader.entryDelay(m.list.first + k))
      return true;
  return false;
}

void RowBuilder::addDelayed(const Message &m, size_t before, uint64_t due) {
  const ListReader &reader = readers[m.core];
  const SynapseList &shape = reader.shapes()[m.list.shape];
  std::map<uint32_t, std::vector<uint32_t>> byDelay;
  for (uint32_t k = 0; k < shape.count; ++k) {
    const uint32_t delay = reader.entryDelay(m.list.first + k);
    byDelay[delay].push_back(k);
    if (latest[m.core] >= due + delay + layout.firstWindow)
      widenTo(placeOf(m, k), due + delay);
  }
  for (const auto &[delay, entries] : byDelay)
    addPart(m, entries, m.list.delay + delay, before);
  layout.maxDelay =
      std::max(layout.maxDelay, m.list.delay + byDelay.rbegin()->first);
  addKindOf(m);
}

void RowBuilder::addPart(const Message &m, const std::vector<uint32_t> &entries,
                         uint32_t delay, size_t before) {
  const ListReader &reader = readers[m.core];
  const SynapseList &shape = reader.shapes()[m.list.shape];
  const auto count = uint32_t(entries.size());
  if (isShort(shape, /*delayed=*/true) &&
      rows.packed.size() + rows.wide.size() <= mostEntries &&
      (!rows.weightBits || count <= rows.packed.room())) {
    openRun(before, delay).count += count;
    uint32_t *out = rows.weightBits ? rows.packed.extend(count) : nullptr;
    for (uint32_t k : entries) {
      const int32_t weight = reader.weight(m.list.first + k);
      if (out)
        *out++ = packEntry(placeOf(m, k),
                           uint32_t(weight) << (shape.shift - rows.shift),
                           rows.weightBits);
      else
        rows.wide.push_back(
            {placeOf(m, k), weight * (int32_t(1) << shape.shift)});
    }
    return;
  }
  rows.runs.push_back({rows.listWeights.size(), count, delay, placeOf(m),
                       uint32_t(rows.listOffsets.size()), shape.shift});
  for (uint32_t k : entries) {
    rows.listWeights.push_back(reader.weight(m.list.first + k));
    rows.listOffsets.push_back(placeOf(m, k) - placeOf(m));
  }
}

} // namespace dendrolith::sim
