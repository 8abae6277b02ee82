// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/fast/Ranges.h"

#include "dialects/dend/fast/SideBySide.h"

#include <cmath>
#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace mlir;

namespace dendrolith::dend {
namespace {

template <typename T> void extend(Range &range, const T *values, const T *end) {
  for (; values != end; ++values) {
    const T x = *values;
    range.invalid |= x != x;
    if (double(x) < range.low)
      range.low = double(x);
    if (double(x) > range.high)
      range.high = double(x);
  }
}

constexpr size_t kBlock = 64;

/// Whether none of a block widens a range. What is not a number is outside.
bool isInside(const Range &range, const int64_t *values) {
  // Integers of this size are the same as reals; others are looked at singly.
  constexpr double exact = double(int64_t(1) << 53);
  if (!range.seen() || range.low < -exact || range.high > exact)
    return false;
  const auto low = int64_t(std::ceil(range.low)),
             high = int64_t(std::floor(range.high));
  bool isInside = false;
  loopSideBySide([=, &isInside]() DENDROLITH_SIDE_BY_SIDE {
    int64_t least = values[0], most = values[0];
    for (size_t k = 1; k < kBlock; ++k) {
      least = values[k] < least ? values[k] : least;
      most = values[k] > most ? values[k] : most;
    }
    isInside = least >= low && most <= high;
  });
  return isInside;
}

/// In vectors by hand: compilers make a loop of single comparisons of this.
bool isInsidePortably(const Range &range, const double *values) {
  using Pair = double __attribute__((vector_size(16)));
  const Pair low = {range.low, range.low}, high = {range.high, range.high};
  auto inside = low == low; // all bits set, but where it is not a number
  for (size_t k = 0; k < kBlock; k += 2) {
    Pair x;
    std::memcpy(&x, values + k, sizeof x);
    inside &= (x >= low) & (x <= high);
  }
  return inside[0] && inside[1];
}

#ifdef __x86_64__
DENDROLITH_TARGET_AVX512 bool isInsideInVectors(const Range &range,
                                                const double *values) {
  const __m512d low = _mm512_set1_pd(range.low),
                high = _mm512_set1_pd(range.high);
  unsigned inside = 0xff;
  for (size_t k = 0; k < kBlock; k += 8) {
    const __m512d x = _mm512_loadu_pd(values + k);
    inside &= _mm512_cmp_pd_mask(x, low, _CMP_GE_OQ) &
              _mm512_cmp_pd_mask(x, high, _CMP_LE_OQ);
  }
  return inside == 0xff;
}
#endif

bool isInside(const Range &range, const double *values) {
#ifdef __x86_64__
  if (hasLongVectors())
    return isInsideInVectors(range, values);
#endif
  return isInsidePortably(range, values);
}

/// Few numbers widen a range: whole blocks are looked at first, without
/// branches.
template <typename T> void extend(Range &range, const std::vector<T> &numbers) {
  const T *block = numbers.data(), *end = block + numbers.size();
  for (; end - block >= ptrdiff_t(kBlock); block += kBlock)
    if (!isInside(range, block))
      extend(range, block, block + kBlock);
  extend(range, block, end);
}

} // namespace

double Range::magnitude() const {
  return seen() ? std::max(std::fabs(low), std::fabs(high)) : 0.0;
}
void Range::add(const std::vector<double> &numbers) { extend(*this, numbers); }
void Range::add(const std::vector<int64_t> &numbers) { extend(*this, numbers); }
void Range::add(const Range &other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  invalid |= other.invalid;
}

Observer Ranges::observer() {
  return [this](const Update &update) {
    NeuronOp model = update.model;
    auto [found, isNew] = bodies.try_emplace(update.population);
    Body &body = found->second;
    if (isNew) {
      auto add = [&](Value value) {
        body.at[value] = body.values.size();
        body.values.push_back(value);
      };
      llvm::for_each(model.getBlock().getArguments(), add);
      model.getBlock().walk(
          [&](Operation *op) { llvm::for_each(op->getResults(), add); });
      body.ranges.resize(body.values.size());
    }
    for (auto [value, range] : llvm::zip_equal(body.values, body.ranges)) {
      const PopulationValue &lanes = update.frame[value];
      range.add(lanes.real);
      range.add(lanes.raw);
    }
  };
}

void Ranges::add(const Ranges &other) {
  for (const auto &[population, body] : other.bodies) {
    auto [mine, isNew] = bodies.try_emplace(population, body);
    if (!isNew) // of the same body, in its order
      for (auto [range, added] :
           llvm::zip_equal(mine->second.ranges, body.ranges))
        range.add(added);
  }
}

Range Ranges::value(PopulationOp population, Value value) const {
  auto body = bodies.find(population);
  if (body == bodies.end())
    return {};
  auto slot = body->second.at.find(value);
  return slot == body->second.at.end() ? Range()
                                       : body->second.ranges[slot->second];
}

Range Ranges::port(PopulationOp population, StringRef name) const {
  NeuronOp model = modelOf(population);
  int index = model.findPort(name);
  return index < 0 ? Range() : value(population, model.getPortArgs()[index]);
}

Range Ranges::state(PopulationOp population, StringRef name) const {
  NeuronOp model = modelOf(population);
  int index = model.findState(name);
  if (index < 0)
    return Range();
  auto yield = cast<YieldOp>(model.getBlock().getTerminator());
  Range range = value(population, model.getStateArgs()[index]);
  range.add(value(population, yield.getStates()[index]));
  return range;
}

} // namespace dendrolith::dend
