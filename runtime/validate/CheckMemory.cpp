// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core's synapse memory and its in-axons. Lists may share entries, so nothing
// here walks a list that another may share: that could take quadratic time.

#include "runtime/image/Tables.h"
#include "runtime/validate/ImageChecks.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>

using namespace neurite;
using check::Compartments;

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
  if (list.shift > 31)
    refuse(fmt::format("expected a shift of at most 31, found {}", list.shift));
  if (list.weightBits > 16 || list.indexBits > 32)
    refuse(fmt::format("expected at most 16 weight bits and 32 index bits, "
                       "found {} and {}",
                       list.weightBits, list.indexBits));
  if (list.words == 0)
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

namespace {
/// A core's memory where it lies.
struct Tables {
  Tables(const std::string &place, const image::Core &core)
      : lists(whole<PackedLists>(place, "lists", core.synapses().lists())),
        weights(
            whole<PackedNumbers>(place, "weights", core.synapses().weights())),
        offsets(
            whole<PackedNumbers>(place, "offsets", core.synapses().offsets())),
        axons(whole<PackedInAxons>(place, "in-axons", core.in_axons())) {}

  PackedLists lists;
  PackedNumbers weights, offsets;
  PackedInAxons axons;

private:
  template <typename Table>
  static Table whole(const std::string &place, const char *name,
                     const std::string &bytes) {
    return decodeAt(
        place, name, [](const std::string &bytes) { return Table(bytes); },
        bytes);
  }
};
} // namespace

/// Whether lists of one shape are as checkForm() wants them.
static bool isPlain(const SynapseList &list) {
  return (list.kind == ListKind::Dense || list.kind == ListKind::Sparse) &&
         list.count > 0 && list.shift <= 31 && list.weightBits <= 16 &&
         list.indexBits <= 32 && list.words > 0;
}

/// How many numbers are at most the one before.
static size_t countFalls(const PackedNumbers &numbers) {
  size_t falls = 0;
  for (size_t i = 1; i < numbers.size; ++i)
    falls += numbers.raw[i] <= numbers.raw[i - 1];
  return falls;
}

namespace {
/// What lists of one shape take of weights and offsets.
struct Size {
  uint32_t count = 0, indexed = 0;
};

/// What a core's lists reach.
struct Reach {
  uint64_t lowest = ~uint64_t(0), end = 0; // compartments
  size_t falls = 0;                        // of offsets from list to list
};

/// A column of one width, read without asking for it.
template <typename T> struct Narrow {
  explicit Narrow(const columns::View &view) : first(view.data()) {}
  uint32_t operator[](size_t row) const {
    return loadLittle<T>(first + row * sizeof(T));
  }
  const char *first;
};
} // namespace

/// What lists take in all. This and the next are functions of their own so that
/// all they use stays in registers.
template <typename Codes>
__attribute__((noinline)) static std::pair<uint64_t, uint64_t>
totalOf(size_t lists, const Codes codes, const Size *sizes) {
  uint64_t entries = 0, indices = 0;
  for (size_t l = 0; l < lists; ++l) {
    const auto [count, indexed] = sizes[codes[l]];
    entries += count;
    indices += indexed;
  }
  return {entries, indices};
}

/// Lists in order. Without a branch for each: dense ones read an offset, too,
/// and take none of it.
template <typename Codes, typename Bases, typename Offsets>
__attribute__((noinline)) static Reach
reachOf(size_t lists, const Codes codes, const Bases bases,
        const Offsets offsets, const Size *sizes) {
  Reach reach;
  size_t at = 0;
  uint32_t last = 0; // of the offsets so far
  for (size_t l = 0; l < lists; ++l) {
    const auto [count, indexed] = sizes[codes[l]];
    const uint64_t base = bases[l];
    const uint32_t sparse = indexed ? ~uint32_t(0) : 0;
    const uint32_t first = offsets[at & sparse] & sparse;
    const uint32_t largest = offsets[(at + indexed - 1) & sparse];
    reach.falls += sparse & 1 & (at > 0) & (first <= last);
    reach.lowest = std::min(reach.lowest, base + first);
    const uint32_t farthest = (largest & sparse) | ((count - 1) & ~sparse);
    reach.end = std::max(reach.end, base + farthest + 1);
    last = (largest & sparse) | (last & ~sparse);
    at += indexed;
  }
  return reach;
}

/// Lists that follow each other and in-axons that take them one by one, as a
/// compiler numbers them, are checked with nothing unpacked and without a
/// branch for each list. False if the tables are not of that form or something
/// is wrong with them: what it is, is for the general way to say.
static bool checkInOrder(const Tables &tables,
                         const std::vector<Compartments> &used,
                         check::CoreTables &result) {
  const auto &[lists, weights, offsets, axons] = tables;
  if (!lists.inOrder() || !axons.list.isAll(0) || axons.size != lists.size ||
      used.size() != 1 || !axons.port.isAll(0) ||
      !std::all_of(lists.shapes.begin(), lists.shapes.end(), isPlain) ||
      lists.code.largest(lists.size) >= lists.shapes.size() ||
      axons.delay.largest(axons.size) > check::kMaxDelay)
    return false;
  std::vector<Size> sizes; // by code
  bool oneShift = true;
  for (const SynapseList &shape : lists.shapes) {
    sizes.push_back(
        {shape.count, shape.kind == ListKind::Sparse ? shape.count : 0});
    oneShift &= shape.shift == lists.shapes.front().shift;
  }
  const bool narrowCode = lists.code.bytes() == 1;
  const auto [entries, indices] =
      narrowCode
          ? totalOf(lists.size, Narrow<uint8_t>(lists.code), sizes.data())
          : totalOf(lists.size, lists.code, sizes.data());
  // Offsets that no list takes may be anything. Rows are masked by 32 bits.
  if (entries > weights.size || indices != offsets.size || indices > UINT32_MAX)
    return false;
  static const char none[4] = {};
  const columns::View offset = indices ? offsets.raw : columns::View(none, 2);
  const bool narrow =
      narrowCode && axons.base.bytes() == 2 && offset.bytes() == 2;
  const Reach reach = narrow ? reachOf(lists.size, Narrow<uint8_t>(lists.code),
                                       Narrow<uint16_t>(axons.base),
                                       Narrow<uint16_t>(offset), sizes.data())
                             : reachOf(lists.size, lists.code, axons.base,
                                       offset, sizes.data());
  // Within a list there is no fall.
  if (reach.lowest < used[0].begin || reach.end > used[0].end ||
      reach.falls != countFalls(offsets))
    return false;
  result.maxDelay = axons.delay.largest(axons.size);
  result.oneShift = oneShift;
  result.shifts.resize(axons.size);
  if (oneShift)
    std::fill(result.shifts.begin(), result.shifts.end(),
              lists.shapes.front().shift);
  else
    for (size_t a = 0; a < axons.size; ++a)
      result.shifts[a] = lists.shapes[lists.code[a]].shift;
  return true;
}

/// Every list and every in-axon, wherever they lie.
static void checkAnyOrder(const std::string &place, const image::Core &core,
                          const Tables &tables,
                          const std::vector<Compartments> &used,
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
                               [](uint64_t at, const Compartments &range) {
                                 return at < range.begin;
                               });
    else
      ++after;
    if (after == used.begin() || last >= std::prev(after)->end)
      refuse(fmt::format("list {} from base {} reaches compartments {} to {}, "
                         "not all of which the core's groups hold",
                         axon.list, axon.base, first, last));
    const uint32_t port = tables.axons.port[a], delay = tables.axons.delay[a];
    if (port != 0)
      refuse(fmt::format("expected port 0, found {}: an accumulator is "
                         "addressed by its base",
                         port));
    if (delay > check::kMaxDelay)
      refuse(fmt::format("expected a delay of at most {} steps, found {}",
                         check::kMaxDelay, delay));
    result.shifts.push_back(list.shift);
    result.maxDelay = std::max(result.maxDelay, delay);
  }
}

void check::checkMemory(const std::string &place, const image::Core &core,
                        const std::vector<Compartments> &used,
                        CoreTables &result) {
  const Tables tables(place, core);
  const uint32_t widest = tables.weights.raw.largest(tables.weights.size);
  if (widest > 0xffff)
    throw Error(fmt::format("{}, weights: expected numbers of 16 bits, found "
                            "wider ones",
                            place));
  // Signs go last: 2 w for w, 2 w - 1 for -w.
  result.largestWeight = (widest + 1) / 2;
  if (!checkInOrder(tables, used, result))
    checkAnyOrder(place, core, tables, used, result);
}
