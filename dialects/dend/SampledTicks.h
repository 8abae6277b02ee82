// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which root ticks of the calibration samples the attribute `activity` has a
// bit for. Where the clock of a population or an input divides the root tick,
// an element has such bits for each of its ticks, side by side. The mapper
// predicts steps from them: mean rates do not say which neurons are active
// together, and a step takes as long as its busiest core.

#ifndef DENDROLITH_DIALECTS_DEND_SAMPLEDTICKS_H
#define DENDROLITH_DIALECTS_DEND_SAMPLEDTICKS_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace dendrolith {

class SampledTicks {
public:
  static constexpr uint64_t kBits = 64;

  /// A run has `samples` samples with `ticks` root ticks each. As many samples
  /// as 64 bits hold are taken, evenly spread; of a longer sample, the first 64
  /// ticks.
  SampledTicks(uint64_t samples, uint64_t ticks)
      : ticks(ticks), kept(std::min(ticks, kBits)),
        count(kept == 0 ? 0 : std::min(samples, kBits / kept)),
        stride(count == 0 ? 1 : samples / count) {}

  uint64_t samples() const { return count; }
  uint64_t ticksOfEach() const { return kept; }

  /// The bit of a root tick, counted over all samples; none if it has none.
  std::optional<unsigned> bitOf(uint64_t tick) const {
    if (ticks == 0)
      return std::nullopt;
    uint64_t sample = tick / ticks, within = tick % ticks;
    if (within >= kept || sample % stride != 0 || sample / stride >= count)
      return std::nullopt;
    return unsigned(sample / stride * kept + within);
  }

private:
  uint64_t ticks, kept, count, stride;
};

} // namespace dendrolith

#endif // DENDROLITH_DIALECTS_DEND_SAMPLEDTICKS_H
