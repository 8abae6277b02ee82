// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lava/NetxRules.h"

#include <algorithm>
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

/// The largest k with b * 2^k <= a; k may be negative.
static int floorLog2(int64_t a, int64_t b) {
  int k = 0;
  while (b << (k + 1) <= a)
    ++k;
  if (k == 0)
    while (a << -k < b)
      --k;
  return k;
}

/// What Dense makes of a shifted weight. Its mode follows the signs that it
/// sees: 0 counts as either.
static int64_t prepared(int64_t weight, bool negative, bool positive,
                        int bits) {
  if (negative && positive) {
    int cut = std::max(8 - bits + 1, 1);
    // The number is multiplied instead of shifted back, which is undefined for
    // negative numbers.
    return (std::clamp<int64_t>(weight, -256, 255) >> cut) *
           (int64_t(1) << cut);
  }
  int cut = std::max(8 - bits, 0);
  int64_t size = std::min<int64_t>(std::abs(weight), 255) >> cut << cut;
  return negative ? -size : size;
}

NetxWeights netxWeights(const std::vector<int64_t> &weights) {
  auto [low, high] = std::minmax_element(weights.begin(), weights.end());
  int64_t least = *low, most = *high;
  bool isMixed = least < 0 && most >= 0; // as NetX sees it
  // Beyond these bounds NetX clips, or shifts to the right and leaves nothing.
  for (size_t i = 0; i < weights.size(); ++i) {
    int64_t lowest = most > 0 ? -256 : -255, highest = least < 0 ? 254 : 255;
    if (weights[i] < lowest || weights[i] > highest)
      return {0, 8,
              NetxWeights::Loss{
                  i, isMixed ? double(std::clamp(weights[i], lowest, highest))
                     : weights[i] == -256 ? -255.0
                                          : 0.0}};
  }
  NetxWeights out;
  int shift;
  if (!isMixed)
    shift = least < 0 ? floorLog2(256, -least) : floorLog2(255, most);
  else if (most == 0)
    shift = floorLog2(128, -least) + 1;
  else
    shift = std::min(floorLog2(127, most), floorLog2(128, -least)) + 1;
  int zeros = 8; // low bits that no weight uses
  for (int64_t weight : weights)
    while (zeros && weight % (int64_t(1) << zeros))
      --zeros;
  int bits = 8 - shift - (zeros - (isMixed ? 1 : 0));
  for (size_t i = 0; i < weights.size(); ++i) {
    int64_t scaled = weights[i] * (int64_t(1) << shift);
    int64_t kept = prepared(scaled, least < 0, most > 0, bits);
    if (kept != scaled) {
      out.loss = NetxWeights::Loss{i, std::ldexp(double(kept), -shift)};
      return out;
    }
  }
  // With odd weights above 127 NetX asks for 9 bits, which Dense does not have.
  if (bits > 8) {
    for (size_t i = 0; i < weights.size(); ++i)
      if (weights[i] % 2) {
        out.loss = NetxWeights::Loss{i, double(weights[i] - 1)};
        return out;
      }
  }
  out.shift = unsigned(shift);
  out.bits = unsigned(bits);
  return out;
}

} // namespace dendrolith::lava
