// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Metrics.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith::session {
namespace {

/// Sums over the decoded ticks of a sample's first output, one per element.
std::vector<double> sums(const Recording &recording, uint64_t sample,
                         const Decode &decode = {}) {
  const sim::OutputData &output = recording.outputs.front();
  const uint64_t width = product(output.shape);
  const uint64_t ticks = recording.ticks * output.ticks;
  if (decode.last > ticks)
    throw Error(fmt::format("the answer is to be the last {} ticks of output "
                            "'{}', which has {} a sample; give longer samples "
                            "or another --metric",
                            decode.last, output.name, ticks));
  std::vector<double> sum(width, 0.0);
  const uint64_t begin = sample * ticks * width;
  eachPiece(output, begin + (decode.last ? (ticks - decode.last) * width : 0),
            begin + ticks * width,
            [&](const double *values, uint64_t first, size_t count) {
              for (size_t k = 0; k < count; ++k)
                sum[(first + k) % width] += values[k];
            });
  return sum;
}

} // namespace

Metric chooseMetric(const std::string &flag, const std::string &model) {
  if (flag.empty())
    return {"accuracy", parseDecode(model, "the model's output"),
            model.empty() ? "default" : "model"};
  auto checked = [&](Metric metric) {
    if (metric.name == "r2" && metric.decode.each)
      throw Error("--metric '" + flag +
                  "': answers at each tick are judged by accuracy; give "
                  "r2:mean or r2:last=N");
    return metric;
  };
  size_t colon = flag.find(':');
  std::string name = flag.substr(0, colon);
  if (name != "accuracy" && name != "r2")
    throw Error("--metric '" + flag +
                "': expected accuracy or r2, alone or with :mean, :last=N "
                "or :each");
  if (colon == std::string::npos) {
    Metric metric = chooseMetric("", model);
    metric.name = name;
    return checked(metric);
  }
  // An empty text decodes by mean, but nobody means that by a lone colon.
  std::string decode = flag.substr(colon + 1);
  return checked(
      {name,
       parseDecode(decode.empty() ? ":" : decode, "--metric '" + flag + "'"),
       "command line"});
}

/// Calls take(i, values) with the elements of each answer.
template <typename Take> static void each(const Answers &answers, Take take) {
  const uint64_t width = answers.width, count = answers.count();
  if (!answers.output) {
    for (uint64_t i = 0; i < count; ++i)
      take(i, answers.values.data() + i * width);
    return;
  }
  sim::ValueReader reader(*answers.output);
  const uint64_t most = std::max<uint64_t>(sim::ValueReader::kPiece / width, 1);
  for (uint64_t i = 0; i < count; i += most) {
    const uint64_t n = std::min(most, count - i);
    const double *values = reader.at(i * width, n * width);
    for (uint64_t k = 0; k < n; ++k)
      take(i + k, values + k * width);
  }
}

std::vector<int64_t> Answers::classes() const {
  std::vector<int64_t> all;
  all.reserve(count());
  each(*this, [&](uint64_t, const double *scores) {
    all.push_back(std::max_element(scores, scores + width) - scores);
  });
  return all;
}

std::vector<bool> Answers::silent() const {
  std::vector<bool> all;
  all.reserve(count());
  each(*this, [&](uint64_t, const double *scores) {
    all.push_back(
        std::all_of(scores, scores + width, [](double x) { return x == 0; }));
  });
  return all;
}

uint64_t Answers::ties(const std::vector<double> &labels) const {
  uint64_t tied = 0;
  each(*this, [&](uint64_t i, const double *scores) {
    if (labels.empty() || labels[i] != kNotAsked)
      tied += std::count(scores, scores + width,
                         *std::max_element(scores, scores + width)) > 1;
  });
  return tied;
}

uint64_t asked(const Answers &answers, const std::vector<double> &labels) {
  return answers.count() -
         uint64_t(std::count(labels.begin(), labels.end(), kNotAsked));
}

Answers answers(const Recording &recording, const Decode &decode) {
  Answers all;
  if (decode.each) {
    const sim::OutputData &output = recording.outputs.front();
    all.width = product(output.shape);
    all.ticks = recording.ticks * output.ticks;
    all.output = &output;
    return all;
  }
  for (uint64_t sample = 0; sample < recording.samples; ++sample) {
    std::vector<double> sum = sums(recording, sample, decode);
    all.width = sum.size();
    uint64_t ticks = decode.last
                         ? decode.last
                         : recording.ticks * recording.outputs.front().ticks;
    for (double value : sum)
      all.values.push_back(value / double(ticks));
  }
  return all;
}

/// Refuses labels that are no class, and names the usual mistake.
static void checkClasses(const std::vector<double> &labels,
                         const Answers &answers, const std::string &place) {
  const uint64_t classes = answers.width;
  auto wrong = std::find_if(labels.begin(), labels.end(), [&](double label) {
    return (label < 0 || label >= double(classes)) &&
           !(answers.ticks && label == kNotAsked);
  });
  if (wrong == labels.end()) {
    if (asked(answers, labels) == 0)
      throw Error(fmt::format("{}: expected a class at one step at least, "
                              "found {} everywhere, where nothing is asked",
                              place, kNotAsked));
    return;
  }
  const auto index = uint64_t(wrong - labels.begin());
  if (answers.ticks)
    throw Error(fmt::format(
        "{}: expected classes from 0 to {}, the elements of the read-out, or "
        "{} where nothing is asked, found {} at sample {}, step {}",
        place, classes - 1, kNotAsked, *wrong, index / *answers.ticks,
        index % *answers.ticks));
  auto [least, most] = std::minmax_element(labels.begin(), labels.end());
  throw Error(fmt::format(
      "{}: expected classes from 0 to {}, the elements of the "
      "read-out, found {} at sample {}{}",
      place, classes - 1, *wrong, index,
      *least == 1 && *most == double(classes)
          ? fmt::format("; they seem to count from 1 (1 to {}): subtract 1",
                        classes)
          : ""));
}

/// Leaves what belongs to the first samples.
static void keepFirst(Array &array, uint64_t samples) {
  if (array.shape.empty() || array.shape.front() <= samples)
    return;
  const uint64_t each = array.size() / array.shape.front();
  array.shape.front() = samples;
  if (array.isInteger())
    array.ints.resize(samples * each);
  else
    array.real.resize(samples * each);
}

std::vector<double> loadLabels(const std::string &path, const Metric &metric,
                               const Answers &answers, std::string place,
                               bool first) {
  Array array = loadNpy(path);
  if (first)
    keepFirst(array, answers.samples());
  if (place.empty())
    place = "labels '" + path + "'";
  uint64_t samples = answers.samples();
  auto refuse = [&](const std::string &expected) {
    throw Error(fmt::format(
        "{}: expected {}, found {} of shape {}", place, expected,
        array.isInteger()                          ? "integers"
        : array.kind == Array::NumberKind::Complex ? "complex numbers"
                                                   : "reals",
        shapeText(array.shape)));
  };
  bool flat = array.shape == std::vector<uint64_t>{samples};
  if (metric.name == "accuracy") {
    if (answers.ticks) {
      const uint64_t ticks = *answers.ticks;
      if (!array.isInteger() ||
          !(array.shape == std::vector<uint64_t>{samples, ticks} ||
            (samples == 1 && array.shape == std::vector<uint64_t>{ticks})))
        refuse(fmt::format("integers of shape ({}, {}), samples by steps, as "
                           "the answers are each step's",
                           samples, ticks));
    } else if (!array.isInteger() ||
               !(flat || (array.shape.empty() && samples == 1))) {
      refuse(fmt::format("{} integers, one per sample{}", samples,
                         array.shape.size() == 2
                             ? " (--metric accuracy:each judges the answer of "
                               "each step)"
                             : ""));
    }
  } else if (array.kind == Array::NumberKind::Complex ||
             !((flat && answers.width == 1) ||
               array.shape == std::vector<uint64_t>{samples, answers.width})) {
    refuse(fmt::format("numbers of shape ({}, {}), samples by elements of the "
                       "read-out{}",
                       samples, answers.width,
                       answers.width == 1 ? fmt::format(", or ({},)", samples)
                                          : ""));
  }
  std::vector<double> labels;
  for (uint64_t i = 0; i < array.size(); ++i) {
    labels.push_back(array.value(i));
    if (!std::isfinite(labels.back()))
      throw Error(fmt::format("{}: expected finite numbers, found {} at {}",
                              place, labels.back(), i));
  }
  if (metric.name == "accuracy")
    checkClasses(labels, answers, place);
  return labels;
}

Agreement compare(const Recording &a, const Recording &b, const Metric &metric,
                  const std::vector<double> &labels) {
  Agreement agreement;
  agreement.samples = a.samples;
  for (size_t o = 0; o < a.outputs.size(); ++o) {
    agreement.values += a.outputs[o].size();
    sim::ValueReader other(b.outputs[o]);
    eachPiece(a.outputs[o], 0, a.outputs[o].size(),
              [&](const double *x, uint64_t first, size_t count) {
                const double *y = other.at(first, count);
                for (size_t k = 0; k < count; ++k)
                  agreement.different += x[k] != y[k];
              });
  }
  Answers left = answers(a, metric.decode), right = answers(b, metric.decode);
  if (metric.name == "r2") {
    double squares = 0;
    for (size_t i = 0; i < left.values.size(); ++i) {
      double gap = left.values[i] - right.values[i];
      squares += gap * gap;
    }
    agreement.rms = std::sqrt(squares / double(left.values.size()));
    return agreement;
  }
  std::vector<int64_t> mine = left.classes(), other = right.classes();
  agreement.answers = asked(left, labels);
  agreement.sameClass = 0;
  const std::vector<bool> quiet = left.silent(), silent = right.silent();
  for (size_t i = 0; i < mine.size(); ++i) {
    if (!labels.empty() && labels[i] == kNotAsked)
      continue;
    agreement.silent += silent[i];
    *agreement.sameClass += mine[i] == other[i] && !quiet[i] && !silent[i];
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
    if (xx == 0 && yy == 0)
      continue;
    total += xx == 0 || yy == 0 ? 0 : xy / std::sqrt(xx * yy);
    ++used;
  }
  if (used)
    agreement.cosine = total / double(used);
  return agreement;
}

nlohmann::ordered_json toJson(const Agreement &agreement) {
  nlohmann::ordered_json json = {{"engine", nullptr},
                                 {"score", nullptr},
                                 {"samples", agreement.samples},
                                 {"output_values", agreement.values},
                                 {"different_values", agreement.different},
                                 {"answers", nullptr},
                                 {"same_class", nullptr},
                                 {"answer_rms", nullptr},
                                 {"rate_cosine", nullptr},
                                 {"correlation", nullptr},
                                 {"spikes_equal", nullptr},
                                 {"layers", nullptr}};
  if (agreement.answers)
    json["answers"] = *agreement.answers;
  if (agreement.sameClass)
    json["same_class"] = *agreement.sameClass;
  if (agreement.rms)
    json["answer_rms"] = *agreement.rms;
  if (agreement.cosine)
    json["rate_cosine"] = *agreement.cosine;
  return json;
}

} // namespace dendrolith::session
