// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lava/Netx.h"

#include <cmath>

namespace dendrolith::lava {

static constexpr double kPi = 3.14159265358979323846;
static constexpr double kUnit = 1 << kDecayBits;

Resonance resonanceOf(double sine, double cosine) {
  sine /= kUnit;
  cosine /= kUnit;
  // The order of operations is NetX's, because it decides the last bit.
  double frequency = std::atan2(sine, cosine) / 2 / kPi;
  return {1 / frequency, 1 - std::sqrt(sine * sine + cosine * cosine)};
}

Rotation rotationOf(const Resonance &resonance) {
  double angle = 2 * kPi / resonance.period;
  // Lava computes (1 - alpha) * sin(2 pi / period) * 2^decay_bits.
  double sine = (1 - resonance.alpha) * std::sin(angle) * kUnit;
  double cosine = (1 - resonance.alpha) * std::cos(angle) * kUnit;
  auto isFar = [](double x) { return std::fabs(x - std::round(x)) > 1e-6; };
  return {int64_t(sine), int64_t(cosine), isFar(sine) && isFar(cosine)};
}

} // namespace dendrolith::lava
