// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks a core's synapse memory and its in-axons. Lists may share
// entries, so nothing here walks a list that another may share: that could take
// quadratic time.

#include "runtime/validate/Check.h"

#include "runtime/image/Tables.h"
#include "runtime/validate/CheckMemoryInOrder.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>

using namespace dendrolith;
using check::AccumulatorRange;

/// Decodes a blob, naming it when it is not whole.
template <typename Decode>
static auto decodeAt(const std::string &place, const char *table, Decode decode,
                     const std::string &bytes) {
  try {
    return decode(bytes);
  } catch (const Error &error) {
    throw Error(fmt::format("{}, {}: {}", place, table, error.what()));
  }
}

[[noreturn]] static void refuseList(const std::string &place, size_t l,
                                    const std::string &what) {
  throw Error(fmt::format("{}, list {}: {}", place, l, what));
}

/// Checks what lists of one shape have in common; l is one of them.
static void checkForm(const std::string &place, size_t l,
                      const SynapseList &list) {
  auto refuse = [&](const std::string &what) { refuseList(place, l, what); };
  if (list.kind > ListKind::Conv)
    refuse(fmt::format("expected kind 0 (dense), 1 (sparse) or 2 (conv), "
                       "found {}",
                       static_cast<int>(list.kind)));
  if (list.count == 0)
    refuse("expected at least one entry, found 0");
  if (!isListShift(list.shift))
    refuse(fmt::format("expected a shift of at most 31, or 65 to 95 for one of "
                       "1 to 31 to the right, found {}",
                       list.shift));
  if (list.weightBits > 16 || list.indexBits > 32)
    refuse(fmt::format("expected at most 16 weight bits and 32 index bits, "
                       "found {} and {}",
                       list.weightBits, list.indexBits));
  // A list whose entries have no bits is an event that takes no memory.
  if (list.words == 0 && list.weightBits > 0)
    refuse("expected at least one word of memory, found 0");
}

/// Checks where list l lies in the memory behind it. `runStart[i]` is where the
/// strictly increasing run of offsets that holds i begins.
static void checkPlace(const std::string &place, size_t l,
                       const SynapseList &list, size_t weights,
                       const std::vector<uint32_t> &runStart) {
  auto refuse = [&](const std::string &what) { refuseList(place, l, what); };
  if (uint64_t(list.first) + list.count > weights)
    refuse(fmt::format("expected entries among {} weights, found {} to {}",
                       weights, list.first,
                       uint64_t(list.first) + list.count - 1));
  if (list.kind == ListKind::Dense)
    return;
  uint64_t end = uint64_t(list.firstOffset) + list.count;
  if (end > runStart.size())
    refuse(fmt::format("expected offsets among {}, found {} to {}",
                       runStart.size(), list.firstOffset, end - 1));
  if (runStart[end - 1] > list.firstOffset)
    refuse("expected strictly increasing offsets, found a smaller or equal "
           "one after a larger");
}

static std::vector<uint32_t>
findRunStarts(const std::vector<uint32_t> &offsets) {
  std::vector<uint32_t> runStart(offsets.size());
  for (size_t i = 1; i < offsets.size(); ++i)
    runStart[i] = offsets[i] > offsets[i - 1] ? runStart[i - 1]
                                              : static_cast<uint32_t>(i);
  return runStart;
}

template <typename Table>
static Table whole(const std::string &place, const char *name,
                   const std::string &bytes) {
  return decodeAt(
      place, name, [](const std::string &bytes) { return Table(bytes); },
      bytes);
}

/// Checks every list and every in-axon, wherever they lie.
static void checkAnyOrder(const std::string &place, const image::Core &core,
                          const check::MemoryTables &tables,
                          const std::vector<AccumulatorRange> &used,
                          check::CoreTables &result) {
  const image::Synapses &memory = core.synapses();
  auto lists = decodeAt(place, "lists", decodeLists, memory.lists());
  auto offsets = decodeU32(memory.offsets());
  auto inAxons = decodeInAxons(core.in_axons());

  std::vector<uint32_t> runStart = findRunStarts(offsets);
  std::vector<bool> checked(tables.lists.shapes.size());
  for (size_t l = 0; l < lists.size(); ++l) {
    if (uint32_t code = tables.lists.code[l]; !checked[code]) {
      checkForm(place, l, lists[l]);
      checked[code] = true;
    }
    checkPlace(place, l, lists[l], tables.weights.size, runStart);
  }

  result.shifts.clear();
  result.shifts.reserve(inAxons.size());
  for (size_t a = 0; a < inAxons.size(); ++a) {
    const InAxon &axon = inAxons[a];
    auto refuse = [&](const std::string &what) {
      throw Error(fmt::format("{}, in-axon {}: {}", place, a, what));
    };
    if (axon.list >= lists.size())
      refuse(fmt::format("list {} does not exist, the core has {} lists",
                         axon.list, lists.size()));
    const SynapseList &list = lists[axon.list];
    uint64_t first = axon.base, last = axon.base;
    if (list.kind == ListKind::Dense) {
      last += list.count - 1;
    } else {
      first += offsets[list.firstOffset];
      last += offsets[list.firstOffset + list.count - 1];
    }
    // The run that begins last among those that begin at or before `first`.
    auto after = used.begin();
    if (used.size() > 1 || used.empty() || first < after->begin)
      after = std::upper_bound(used.begin(), used.end(), first,
                               [](uint64_t at, const AccumulatorRange &range) {
                                 return at < range.begin;
                               });
    else
      ++after;
    if (after == used.begin() || last >= std::prev(after)->end)
      refuse(fmt::format("list {} from base {} reaches accumulators {} to {}, "
                         "not all of which the core's groups hold",
                         axon.list, axon.base, first, last));
    const uint32_t port = tables.axons.port[a], delay = tables.axons.delay[a];
    if (port != 0 && list.kind != ListKind::Conv)
      refuse(fmt::format("expected port 0, found {}: only a convolution has a "
                         "kernel, whose in-axon it would number",
                         port));
    if (delay > check::kMaxDelay)
      refuse(fmt::format("expected a delay of at most {} steps, found {}",
                         check::kMaxDelay, delay));
    result.shifts.push_back(list.shift);
    result.maxDelay = std::max(result.maxDelay, delay);
  }
}

void check::checkMemory(const std::string &place, const image::Core &core,
                        const std::vector<AccumulatorRange> &used,
                        CoreTables &result) {
  const image::Synapses &memory = core.synapses();
  const auto weights = whole<PackedWeights>(place, "weights", memory.weights());
  if (weights.longest() > kMaxDelay)
    throw Error(fmt::format("{}, weights: expected delays of at most {} steps, "
                            "found {}",
                            place, kMaxDelay, weights.longest()));
  const MemoryTables tables = {
      whole<PackedLists>(place, "lists", memory.lists()), weights,
      whole<PackedNumbers>(place, "offsets", memory.offsets()),
      whole<PackedInAxons>(place, "in-axons", core.in_axons())};
  const uint32_t widest = tables.weights.raw.largest(tables.weights.size);
  if (widest > 0xffff)
    throw Error(fmt::format("{}, weights: expected numbers of 16 bits, found "
                            "wider ones",
                            place));
  // The sign is the lowest bit: 2 w stands for w, and 2 w - 1 for -w.
  result.largestWeight = (widest + 1) / 2;
  if (!checkMemoryInOrder(tables, used, result))
    checkAnyOrder(place, core, tables, used, result);
  // Which in-axon has which entries does not matter for a bound.
  result.maxDelay += weights.longest();
}
