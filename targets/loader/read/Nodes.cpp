// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/read/Nodes.h"

#include <cmath>
#include <iterator>

namespace dendrolith {

/// Areas against 7 nm: Stillmaker and Baas, Scaling equations for the accurate
/// prediction of CMOS device performance from 180 nm to 7 nm, Integration 58
/// (2017) 74-81, as transcribed by HWComponents.
static const struct {
  uint64_t node;
  double area;
} kNodes[] = {{7, 1},    {10, 1.7}, {14, 2.9}, {16, 3.2}, {20, 3.6},
              {32, 7.8}, {45, 17},  {65, 25},  {90, 48},  {130, 110}};

/// Between two nodes of the table the logarithm of the area is taken to be a
/// straight line over that of the length.
static std::optional<double> areaAt(uint64_t node) {
  for (size_t i = 0; i < std::size(kNodes); ++i) {
    if (kNodes[i].node == node)
      return kNodes[i].area;
    if (i == 0 || kNodes[i].node < node)
      continue;
    if (kNodes[i - 1].node > node)
      return std::nullopt;
    const double way =
        std::log(double(node) / double(kNodes[i - 1].node)) /
        std::log(double(kNodes[i].node) / double(kNodes[i - 1].node));
    return kNodes[i - 1].area *
           std::pow(kNodes[i].area / kNodes[i - 1].area, way);
  }
  return std::nullopt;
}

std::optional<double> areaFactor(uint64_t from, uint64_t to) {
  if (from == to)
    return 1;
  const std::optional<double> there = areaAt(to), here = areaAt(from);
  if (!there || !here)
    return std::nullopt;
  return *there / *here;
}

} // namespace dendrolith
