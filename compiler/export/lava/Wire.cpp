// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Wire.h"

#include <algorithm>
#include <cmath>

namespace neurite::lava {

std::vector<double> largestSums(const Wire &wire) {
  std::vector<double> sums(wire.targets, 0.0);
  double message = static_cast<double>(wire.largestMessage());
  for (size_t k = 0; k < wire.weights.size(); ++k)
    sums[wire.targetOf[k]] +=
        std::fabs(static_cast<double>(wire.weights[k])) * message;
  return sums;
}

bool divisible(const Wire &wire, unsigned bits) {
  return std::all_of(
      wire.weights.begin(), wire.weights.end(),
      [&](int64_t weight) { return weight % (int64_t(1) << bits) == 0; });
}

bool handsOn(const Wire &wire, int64_t weight) {
  return wire.diagonal && wire.sources == wire.targets &&
         wire.weights.size() == wire.targets &&
         std::all_of(wire.weights.begin(), wire.weights.end(),
                     [&](int64_t w) { return w == weight; });
}

} // namespace neurite::lava
