// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/StockNeurons.h"

#include "compiler/export/lava/Catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace dendrolith::lava {
namespace {

constexpr int64_t kDecayOne = 4096;
constexpr int64_t kThresholdMantissa = (int64_t(1) << 17) - 1;
// This threshold is above every voltage: a neuron with that mantissa never
// fires.
constexpr int64_t kNeverFires = int64_t(1) << 17;

bool isOneNumber(const std::vector<int64_t> &values) {
  return std::all_of(values.begin(), values.end(),
                     [&](int64_t value) { return value == values.front(); });
}

/// Gives the value of each neuron, in Lava's order.
std::vector<int64_t> inOrder(const std::vector<int64_t> &values,
                             const std::vector<uint32_t> &order) {
  std::vector<int64_t> out(order.size(), values.empty() ? 0 : values.front());
  if (values.size() > 1)
    for (size_t i = 0; i < order.size(); ++i)
      out[i] = values[order[i]];
  return out;
}

/// Finds a voltage v of which Lava's leak leaves `kept`: sign(v) (|v| keep >>
/// 12).
std::optional<int64_t> beforeLeak(int64_t kept, int64_t keep) {
  if (kept == 0)
    return 0;
  if (keep == 0)
    return std::nullopt;
  int64_t magnitude = (std::abs(kept) * kDecayOne + keep - 1) / keep;
  if (magnitude > CubaNumbers::kVoltageLimit)
    return std::nullopt;
  return kept < 0 ? -magnitude : magnitude;
}

/// Finds the voltage from which `steps` steps of leak and bias lead to `v`
/// without firing on the way.
std::optional<int64_t> earlier(int64_t v, int64_t bias, int64_t keep,
                               int64_t threshold, int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    if (v > threshold)
      return std::nullopt;
    auto before = beforeLeak(v - bias, keep);
    if (!before)
      return std::nullopt;
    v = *before;
  }
  return v;
}

} // namespace

std::optional<Process> asLif(const std::string &name, const Dims &shape,
                             const std::vector<uint32_t> &order,
                             const CubaNumbers &cuba, int64_t latency,
                             std::string &why) {
  auto refuse = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (cuba.inputWrapBits || cuba.biasWrap || cuba.openHigh ||
      cuba.currentBits != kCubaCurrentBits)
    return refuse("its current wraps in another way than LIF's");
  if (cuba.vmin != -CubaNumbers::kVoltageLimit ||
      cuba.vmax != CubaNumbers::kVoltageLimit)
    return refuse("its voltage is clipped at other limits than LIF's");
  if (cuba.refractory > 1)
    return refuse("LIF has no refractory time");
  if (!isOneNumber(cuba.threshold))
    return refuse("LIF has one threshold for all neurons");
  int64_t threshold = cuba.threshold.front();
  int64_t mantissa = threshold >> kCurrentShift;
  // A voltage that is clipped at or below the threshold is never above it.
  if (cuba.silent || threshold >= cuba.vmax)
    mantissa = kNeverFires;
  else if (mantissa << kCurrentShift != threshold || mantissa < 0 ||
           mantissa > kThresholdMantissa)
    return refuse(fmt::format("its threshold {} is no multiple of 64 up to {}",
                              threshold, kThresholdMantissa << kCurrentShift));
  auto inRange = [](const std::vector<int64_t> &values, int64_t low) {
    return std::all_of(values.begin(), values.end(), [&](int64_t value) {
      return value >= low && value <= kDecayOne;
    });
  };
  if (!inRange(cuba.decayU, -1) || !inRange(cuba.decayV, 0))
    return refuse("a decay is outside LIF's range");
  std::vector<int64_t> u = inOrder(cuba.startU, order),
                       v = inOrder(cuba.startV, order),
                       decayV = inOrder(cuba.decayV, order),
                       bias = inOrder(cuba.bias, order);
  if (latency > 0 && !isZero(u))
    return refuse(fmt::format("it lags by {} steps, before which its initial "
                              "current would run off",
                              latency));
  for (size_t i = 0; i < v.size(); ++i) {
    auto start = earlier(v[i], bias[i], kDecayOne - decayV[i],
                         mantissa << kCurrentShift, latency);
    if (!start)
      return refuse(fmt::format(
          "neuron {} lags by {} steps, and no initial voltage makes up for its "
          "bias of {} in them",
          order[i], latency, bias[i]));
    v[i] = *start;
  }
  Process process;
  process.set_name(name);
  process.set_lava_class("lava.proc.lif.process.LIF");
  process.mutable_shape()->Assign(shape.begin(), shape.end());
  setNumbers(process, "du", shape, inOrder(cuba.decayU, order));
  setNumbers(process, "dv", shape, decayV);
  setInteger(process, "vth", mantissa);
  if (!setBias(process, shape, bias))
    return refuse("a bias has more than 12 bits of mantissa");
  setNumbers(process, "u", shape, u);
  setNumbers(process, "v", shape, v);
  return process;
}

} // namespace dendrolith::lava
