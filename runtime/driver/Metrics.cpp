// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Metrics.h"

#include "targets/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neurite::driver {
namespace {

/// Sums over ticks of a sample's first output, one per element.
std::vector<double> sums(const Recording &recording, uint64_t sample) {
  const sim::OutputData &output = recording.outputs.front();
  uint64_t width = 1;
  for (uint64_t extent : output.shape)
    width *= extent;
  std::vector<double> sum(width, 0.0);
  const uint64_t all = recording.ticks * output.ticks * width;
  const double *at = output.values.data() + sample * all;
  for (uint64_t k = 0; k < all; ++k)
    sum[k % width] += at[k];
  return sum;
}

} // namespace

std::vector<int64_t> classes(const Recording &recording) {
  std::vector<int64_t> all;
  for (uint64_t sample = 0; sample < recording.samples; ++sample) {
    std::vector<double> sum = sums(recording, sample);
    all.push_back(std::max_element(sum.begin(), sum.end()) - sum.begin());
  }
  return all;
}

std::vector<int64_t> loadLabels(const std::string &path, uint64_t samples) {
  Array array = loadNpy(path);
  if (!array.isInteger() || array.size() != samples || array.shape.size() > 1)
    throw Error(fmt::format("labels '{}': expected {} integers, one per "
                            "sample, found {} of shape {}",
                            path, samples,
                            array.isInteger() ? "integers" : "reals",
                            shapeText(array.shape)));
  return array.ints;
}

double accuracy(const std::vector<int64_t> &classes,
                const std::vector<int64_t> &labels) {
  uint64_t right = 0;
  for (size_t i = 0; i < classes.size(); ++i)
    right += classes[i] == labels[i];
  return double(right) / double(classes.size());
}

Agreement compare(const Recording &a, const Recording &b) {
  Agreement agreement;
  agreement.samples = a.samples;
  std::vector<int64_t> left = classes(a), right = classes(b);
  for (size_t i = 0; i < left.size(); ++i)
    agreement.sameClass += left[i] == right[i];
  for (size_t o = 0; o < a.outputs.size(); ++o) {
    agreement.values += a.outputs[o].values.size();
    for (size_t k = 0; k < a.outputs[o].values.size(); ++k)
      agreement.different += a.outputs[o].values[k] != b.outputs[o].values[k];
  }
  double total = 0;
  uint64_t used = 0;
  for (uint64_t sample = 0; sample < a.samples; ++sample) {
    std::vector<double> x = sums(a, sample), y = sums(b, sample);
    double xy = 0, xx = 0, yy = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      xy += x[k] * y[k];
      xx += x[k] * x[k];
      yy += y[k] * y[k];
    }
    if (xx == 0 || yy == 0)
      continue;
    total += xy / std::sqrt(xx * yy);
    ++used;
  }
  if (used)
    agreement.cosine = total / double(used);
  return agreement;
}

} // namespace neurite::driver
