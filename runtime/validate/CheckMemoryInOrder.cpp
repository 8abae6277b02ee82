// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/validate/CheckMemoryInOrder.h"

#include <algorithm>
#include <utility>

namespace dendrolith::check {
namespace {

/// Whether lists of one shape are as the general check wants them, and no
/// convolution's.
bool isPlain(const SynapseList &list) {
  return (list.kind == ListKind::Dense || list.kind == ListKind::Sparse) &&
         list.count > 0 && isListShift(list.shift) && list.weightBits <= 16 &&
         list.indexBits <= 32 && (list.words > 0 || list.weightBits == 0);
}

/// How many numbers are at most the one before.
size_t countFalls(const PackedNumbers &numbers) {
  size_t falls = 0;
  for (size_t i = 1; i < numbers.size; ++i)
    falls += numbers.raw[i] <= numbers.raw[i - 1];
  return falls;
}

/// How many weights and offsets lists of one shape take.
struct Size {
  uint32_t count = 0, indexed = 0;
};

/// What a core's lists reach.
struct Reach {
  uint64_t lowest = ~uint64_t(0), end = 0; // accumulators
  size_t falls = 0; // how often an offset falls from one list to the next
};

/// A column whose width the compiler knows.
template <typename T> struct Narrow {
  explicit Narrow(const columns::View &view) : first(view.data()) {}
  uint32_t operator[](size_t row) const {
    return loadLittle<T>(first + row * sizeof(T));
  }
  const char *first;
};

/// How many weights and offsets all lists take.
template <typename Codes>
std::pair<uint64_t, uint64_t> totalOf(size_t lists, const Codes codes,
                                      const Size *sizes) {
  uint64_t entries = 0, indices = 0;
  for (size_t l = 0; l < lists; ++l) {
    const auto [count, indexed] = sizes[codes[l]];
    entries += count;
    indices += indexed;
  }
  return {entries, indices};
}

/// What lists in order reach. There is no branch for each list: dense ones read
/// an offset, too, and masks take nothing of it.
template <typename Codes, typename Bases, typename Offsets>
Reach reachOf(size_t lists, const Codes codes, const Bases bases,
              const Offsets offsets, const Size *sizes) {
  Reach reach;
  size_t at = 0;
  uint32_t last = 0; // offset so far
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

} // namespace

bool checkMemoryInOrder(const MemoryTables &tables,
                        const std::vector<AccumulatorRange> &used,
                        CoreTables &result) {
  const auto &[lists, weights, offsets, axons] = tables;
  if (!lists.inOrder() || !axons.list.isAll(0) || axons.size != lists.size ||
      used.size() != 1 || !axons.port.isAll(0) ||
      !std::all_of(lists.shapes.begin(), lists.shapes.end(), isPlain) ||
      lists.code.largest(lists.size) >= lists.shapes.size() ||
      axons.delay.largest(axons.size) > kMaxDelay)
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
  // Offsets that no list takes may be anything, which is for the other check.
  // Masks have 32 bits.
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
  // All falls are between lists, so that there is none within a list.
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

} // namespace dendrolith::check
