// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/TuneSearch.h"

#include <algorithm>

namespace dendrolith::tuning {

const Point &TuneSearch::at(const Bits &bits) {
  auto found = known.find(bits);
  if (found == known.end())
    found = known.emplace(bits, measure(bits)).first;
  return found->second;
}

std::vector<Point> TuneSearch::points() const {
  std::vector<Point> all;
  for (const auto &[bits, point] : known)
    all.push_back(point);
  return all;
}

Bits TuneSearch::widest() const {
  Bits bits;
  for (const std::vector<uint64_t> &widths : space.widths)
    bits.push_back(widths.back());
  return bits;
}

std::optional<Bits> TuneSearch::moved(const Bits &bits, size_t layer,
                                      int by) const {
  const std::vector<uint64_t> &widths = space.widths[layer];
  const ptrdiff_t to = std::find(widths.begin(), widths.end(), bits[layer]) -
                       widths.begin() + by;
  if (to < 0 || to >= ptrdiff_t(widths.size()))
    return std::nullopt;
  Bits other = bits;
  other[layer] = widths[size_t(to)];
  return other;
}

void TuneSearch::measureAlone() {
  alone.assign(space.widths.size(), {});
  for (size_t layer = 0; layer < alone.size(); ++layer)
    for (auto bits = moved(widest(), layer, -1); bits;
         bits = moved(*bits, layer, -1)) {
      const Point &point = at(*bits);
      alone[layer].push_back(point);
      if (!point.refused.empty() || point.score < space.giveUp)
        break;
    }
}

Bits TuneSearch::widened(Bits bits) {
  while (!isGood(at(bits))) {
    std::optional<Bits> best;
    for (size_t layer = 0; layer < bits.size(); ++layer)
      if (auto wider = moved(bits, layer, +1)) {
        const Point &point = at(*wider);
        if (point.refused.empty() && (!best || point.score > at(*best).score))
          best = wider;
      }
    if (!best)
      return widest();
    bits = *best;
  }
  return bits;
}

Bits TuneSearch::narrowed(Bits bits) {
  auto cost = [&](const Point &point) {
    return costOf(point, space.objective).value_or(0);
  };
  for (;;) {
    const Point now = at(bits);
    std::optional<Bits> best;
    double most = 0;
    for (size_t layer = 0; layer < bits.size(); ++layer) {
      auto narrower = moved(bits, layer, -1);
      if (!narrower)
        continue;
      const Point &point = at(*narrower);
      if (!isGood(point) || !isCheaper(point, now, space.objective))
        continue;
      const double loss = std::max(now.score - point.score, 0.0) + space.grain;
      const double gain = (cost(now) - cost(point)) / loss;
      if (!best || gain > most) {
        best = narrower;
        most = gain;
      }
    }
    if (!best)
      return bits;
    bits = *best;
  }
}

Bits TuneSearch::traded(Bits bits) {
  for (;;) {
    std::optional<Bits> best;
    for (size_t up = 0; up < bits.size(); ++up)
      for (size_t down = 0; down < bits.size(); ++down) {
        auto wider = up == down ? std::nullopt : moved(bits, up, +1);
        auto other = wider ? moved(*wider, down, -1) : std::nullopt;
        if (other && isGood(at(*other)) &&
            isCheaper(at(*other), at(best.value_or(bits)), space.objective))
          best = other;
      }
    if (!best)
      return bits;
    bits = narrowed(*best);
  }
}

std::optional<Point> TuneSearch::run() {
  const Bits top = widest();
  at(top);
  measureAlone();
  if (isGood(at(top)))
    traded(narrowed(top));
  // The widest network need not be the best one.
  Bits together = top;
  for (size_t layer = 0; layer < alone.size(); ++layer)
    for (const Point &point : alone[layer])
      if (isGood(point))
        together[layer] = point.bits[layer];
  if (const Bits enough = widened(together); isGood(at(enough)))
    traded(narrowed(enough));
  std::optional<Point> best;
  for (const auto &[bits, point] : known)
    if (isGood(point) && (!best || isCheaper(point, *best, space.objective)))
      best = point;
  return best;
}

} // namespace dendrolith::tuning
