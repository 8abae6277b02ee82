// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Drift.h"

#include "targets/support/Text.h"

#include <cmath>

namespace dendrolith::session {
namespace {

constexpr uint64_t kLeastTicks = 100;

/// Means and products of deviations, kept up value by value (Welford), so that
/// long sums do not cancel.
struct Moments {
  double count = 0, meanX = 0, meanY = 0, xx = 0, yy = 0, xy = 0;

  void add(double x, double y) {
    ++count;
    const double dx = x - meanX, dy = y - meanY;
    meanX += dx / count;
    meanY += dy / count;
    xx += dx * (x - meanX);
    yy += dy * (y - meanY);
    xy += dx * (y - meanY);
  }

  /// Adds the values of another (Chan).
  void merge(const Moments &other) {
    if (other.count == 0)
      return;
    const double all = count + other.count, dx = other.meanX - meanX,
                 dy = other.meanY - meanY, part = count * other.count / all;
    xx += other.xx + dx * dx * part;
    yy += other.yy + dy * dy * part;
    xy += other.xy + dx * dy * part;
    meanX += dx * other.count / all;
    meanY += dy * other.count / all;
    count = all;
  }

  std::optional<double> correlation() const {
    const double squares = xx * yy;
    if (!(squares > 0))
      return std::nullopt;
    return xy / std::sqrt(squares);
  }
};

} // namespace

std::optional<Drift> driftOf(const Recording &a, const Recording &b) {
  if (a.outputs.empty())
    return std::nullopt;
  const sim::OutputData &left = a.outputs.front(), &right = b.outputs.front();
  const uint64_t width = product(left.shape), ticks = a.ticks * left.ticks;
  if (ticks < kLeastTicks || left.size() != right.size())
    return std::nullopt;
  std::array<Moments, Drift::kStretches> moments;
  sim::ValueReader reader(right);
  for (uint64_t sample = 0; sample < a.samples; ++sample)
    for (uint64_t s = 0; s < Drift::kStretches; ++s) {
      auto place = [&](uint64_t stretch) {
        return (sample * ticks + ticks * stretch / Drift::kStretches) * width;
      };
      eachPiece(left, place(s), place(s + 1),
                [&](const double *x, uint64_t first, size_t count) {
                  const double *y = reader.at(first, count);
                  for (size_t i = 0; i < count; ++i)
                    moments[s].add(x[i], y[i]);
                });
    }
  Drift drift;
  Moments all;
  for (size_t s = 0; s < Drift::kStretches; ++s) {
    drift.stretches[s] = moments[s].correlation();
    all.merge(moments[s]);
  }
  drift.all = all.correlation();
  return drift;
}

nlohmann::ordered_json toJson(const std::optional<Drift> &drift) {
  if (!drift)
    return nullptr;
  auto number = [](const std::optional<double> &value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json json = {
      {"all", number(drift->all)},
      {"stretches", nlohmann::ordered_json::array()}};
  for (const std::optional<double> &value : drift->stretches)
    json["stretches"].push_back(number(value));
  return json;
}

} // namespace dendrolith::session
