// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/SplitSamples.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace dendrolith::tuning {
namespace {

/// SplitMix64: a number without a pattern for each sample.
uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

} // namespace

Split drawSplit(uint64_t samples, double share) {
  if (samples < 2)
    throw Error(fmt::format("expected 2 or more samples, to calibrate on some "
                            "and to judge by others, found {}",
                            samples));
  std::vector<uint64_t> order(samples);
  std::iota(order.begin(), order.end(), uint64_t(0));
  std::sort(order.begin(), order.end(), [](uint64_t a, uint64_t b) {
    return std::pair(mixed(a), a) < std::pair(mixed(b), b);
  });
  const uint64_t out = std::clamp<uint64_t>(
      uint64_t(std::llround(share * double(samples))), 1, samples - 1);
  Split split;
  const auto cut = order.begin() + ptrdiff_t(out);
  split.heldOut.assign(order.begin(), cut);
  split.calibration.assign(cut, order.end());
  std::sort(split.heldOut.begin(), split.heldOut.end());
  std::sort(split.calibration.begin(), split.calibration.end());
  return split;
}

Array rowsOf(const Array &array, const std::vector<uint64_t> &rows) {
  Array some = array;
  const uint64_t size = array.size() / array.shape.at(0);
  some.shape[0] = rows.size();
  auto take = [&](auto &values, const auto &from) {
    const uint64_t width = from.size() / array.size() * size;
    values.clear();
    for (uint64_t row : rows)
      values.insert(values.end(), from.begin() + ptrdiff_t(row * width),
                    from.begin() + ptrdiff_t((row + 1) * width));
  };
  if (!array.real.empty())
    take(some.real, array.real);
  if (!array.ints.empty())
    take(some.ints, array.ints);
  return some;
}

SplitFiles splitFiles(const std::vector<std::string> &samples,
                      const std::string &labels, double share,
                      const std::string &folder) {
  const Array answers = loadNpy(labels);
  const uint64_t count = answers.shape.empty() ? 1 : answers.shape[0];
  std::vector<Array> arrays;
  for (const std::string &argument : samples) {
    const std::string path = argument.substr(argument.find('=') + 1);
    arrays.push_back(loadNpy(path));
    const std::vector<uint64_t> &shape = arrays.back().shape;
    if (shape.empty() || shape[0] != count || arrays.back().size() == 0)
      throw Error(fmt::format(
          "{}: expected a label for each of the samples in '{}', {}, found "
          "labels {}",
          labels, path, shapeText(shape), shapeText(answers.shape)));
  }
  const Split split = drawSplit(count, share);
  makeFolder(folder);
  SplitFiles files;
  for (size_t i = 0; i < samples.size(); ++i) {
    const size_t equals = samples[i].find('=');
    const std::string name =
        equals == std::string::npos ? "" : samples[i].substr(0, equals + 1);
    const std::string number = i ? std::to_string(i + 1) : "";
    auto write = [&](const char *part, const std::vector<uint64_t> &rows) {
      const std::string path = folder + "/" + part + number + "_x.npy";
      saveNpy(path, rowsOf(arrays[i], rows));
      return name + path;
    };
    files.calibration.push_back(write("calibration", split.calibration));
    files.heldOut.push_back(write("heldout", split.heldOut));
  }
  files.heldOutLabels = folder + "/heldout_y.npy";
  saveNpy(files.heldOutLabels, rowsOf(answers, split.heldOut));
  files.calibrationSamples = split.calibration.size();
  files.heldOutSamples = split.heldOut.size();
  return files;
}

} // namespace dendrolith::tuning
