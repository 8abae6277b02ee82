// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Cut.h"

#include <algorithm>
#include <cmath>

namespace dendrolith {

WorkSums sumUp(const std::vector<std::vector<double>> &loads) {
  WorkSums sums;
  for (const std::vector<double> &of : loads) {
    sums.push_back({0});
    for (double load : of)
      sums.back().push_back(sums.back().back() + load);
  }
  return sums;
}

namespace {

uint32_t partsOf(const std::vector<double> &sums, uint32_t least, double most) {
  const auto size = uint32_t(sums.size() - 1);
  // On a chip without times nothing takes any work.
  const double parts = most > 0 ? std::ceil(sums.back() / most - 1e-9) : 0;
  return uint32_t(
      std::clamp<double>(parts, std::min(std::max(least, 1u), size), size));
}

/// How many cores parts of at most `most` fill, one core after the other.
uint64_t coresFilled(const WorkSums &all, const std::vector<uint32_t> &least,
                     double most) {
  uint64_t cores = 0;
  double room = 0;
  for (size_t p = 0; p < all.size(); ++p) {
    if (all[p].size() < 2)
      continue;
    const uint32_t parts = partsOf(all[p], least[p], most);
    const double each = all[p].back() / parts;
    if (each <= 0) {
      cores = std::max<uint64_t>(cores, 1);
      continue;
    }
    // So many of them share a core.
    const double fits = std::max(1.0, std::floor(most / each + 1e-9));
    const double here = std::min<double>(std::floor(room / each + 1e-9), parts);
    const double rest = parts - here;
    room -= here * each;
    if (rest > 0) {
      const double more = std::ceil(rest / fits);
      cores += uint64_t(more);
      room = most - (rest - (more - 1) * fits) * each;
    }
  }
  return cores;
}

std::vector<uint32_t> equalParts(const std::vector<double> &sums,
                                 uint32_t parts) {
  const auto size = uint32_t(sums.size() - 1);
  std::vector<uint32_t> starts{0};
  for (uint32_t k = 1; k < parts; ++k) {
    const double wanted = sums.back() * k / parts;
    auto at = uint32_t(std::lower_bound(sums.begin(), sums.end(), wanted) -
                       sums.begin());
    if (at > 0 && wanted - sums[at - 1] < sums[at] - wanted)
      --at;
    // No part is empty, whatever the neurons' work is.
    starts.push_back(std::clamp(at, starts.back() + 1, size - (parts - k)));
  }
  starts.push_back(size);
  return starts;
}

} // namespace

SliceStarts cutByWork(const WorkSums &sums, const std::vector<uint32_t> &least,
                      uint32_t cores) {
  double total = 0;
  for (const std::vector<double> &of : sums)
    total += of.back();
  double most = total / std::max(cores, 1u);
  // Too much for a core only where populations cannot be cut as one would like.
  for (int round = 0; round < 200 && coresFilled(sums, least, most) > cores;
       ++round)
    most *= 1.02;
  SliceStarts starts;
  for (size_t p = 0; p < sums.size(); ++p)
    starts.push_back(
        sums[p].size() < 2
            ? std::vector<uint32_t>{0}
            : equalParts(sums[p], partsOf(sums[p], least[p], most)));
  return starts;
}

void halve(std::vector<uint32_t> &starts, size_t k) {
  starts.insert(starts.begin() + std::ptrdiff_t(k) + 1,
                starts[k] + (starts[k + 1] - starts[k]) / 2);
}

} // namespace dendrolith
