// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Metrics.h"

#include "targets/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neurite::driver {
namespace {

/// Sums over the decoded ticks of a sample's first output, one per element.
std::vector<double> sums(const Recording &recording, uint64_t sample,
                         const Decode &decode = {}) {
  const sim::OutputData &output = recording.outputs.front();
  uint64_t width = 1;
  for (uint64_t extent : output.shape)
    width *= extent;
  const uint64_t ticks = recording.ticks * output.ticks;
  if (decode.last > ticks)
    throw Error(fmt::format("the answer is to be the last {} ticks of output "
                            "'{}', which has {} a sample; give longer samples "
                            "or another --metric",
                            decode.last, output.name, ticks));
  std::vector<double> sum(width, 0.0);
  const double *at = output.values.data() + sample * ticks * width;
  for (uint64_t k = decode.last ? (ticks - decode.last) * width : 0;
       k < ticks * width; ++k)
    sum[k % width] += at[k];
  return sum;
}

} // namespace

Metric chooseMetric(const std::string &flag, const std::string &model) {
  if (flag.empty())
    return {parseDecode(model, "the model's output"),
            model.empty() ? "default" : "model"};
  size_t colon = flag.find(':');
  if (flag.substr(0, colon) != "accuracy")
    throw Error("--metric '" + flag +
                "': expected accuracy, accuracy:mean or accuracy:last=N");
  if (colon == std::string::npos)
    return chooseMetric("", model);
  // An empty text decodes by mean, but nobody means that by a lone colon.
  std::string decode = flag.substr(colon + 1);
  return {parseDecode(decode.empty() ? ":" : decode, "--metric '" + flag + "'"),
          "command line"};
}

std::vector<int64_t> classes(const Recording &recording, const Decode &decode) {
  std::vector<int64_t> all;
  for (uint64_t sample = 0; sample < recording.samples; ++sample) {
    std::vector<double> sum = sums(recording, sample, decode);
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

Agreement compare(const Recording &a, const Recording &b,
                  const Decode &decode) {
  Agreement agreement;
  agreement.samples = a.samples;
  std::vector<int64_t> left = classes(a, decode), right = classes(b, decode);
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
