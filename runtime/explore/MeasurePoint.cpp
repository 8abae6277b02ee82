// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/MeasurePoint.h"

#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"
#include "runtime/session/Engines.h"
#include "runtime/session/Score.h"
#include "runtime/session/Workload.h"
#include "simulator/report/Pricing.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace neurite::explore {
namespace {

// Weights of both signs need a bit beside the sign.
constexpr uint64_t kLeastBits = 2;

double storedWords(const image::Program &program) {
  double words = 0;
  for (const image::Core &core : program.cores())
    for (const SynapseList &list : decodeLists(core.synapses().lists()))
      words += list.words;
  return words;
}

std::optional<double> maybe(const nlohmann::ordered_json &json) {
  return json.is_number() ? std::optional<double>(json.get<double>())
                          : std::nullopt;
}

void addEnergy(Point &point, const session::Workload &workload,
               const sim::RunResult &result) {
  const auto tables =
      report::chooseCosts(workload.request.costs, workload.chip());
  const double samples = double(result.samples);
  for (const CostTable &table : tables) {
    const sim::Energy energy = sim::price(result.counts, table, result.timePs);
    if (!energy.isPriced())
      continue;
    const double each = energy.total / samples;
    point.energy = std::min(point.energy.value_or(each), each);
    point.energyHigh = std::max(point.energyHigh.value_or(each), each);
  }
}

} // namespace

std::string bitsText(const std::vector<TunedLayer> &layers, const Bits &bits) {
  std::string text;
  for (size_t i = 0; i < layers.size(); ++i)
    text += (i ? "," : "") + layers[i].name + "=" + std::to_string(bits[i]);
  return text;
}

PointMeter::PointMeter(session::RunRequest asked) : request(std::move(asked)) {
  request.digest = false;
  request.model.listener = {};
}

void PointMeter::findLayers() {
  const session::Workload workload(request);
  const Target chip = workload.chip();
  std::map<std::string, int> into;
  for (const image::QuantRow &row : workload.program.quantisation())
    into[row.layer()] += row.weights() > 0;
  for (const image::QuantRow &row : workload.program.quantisation()) {
    if (row.weights() == 0)
      continue;
    TunedLayer layer;
    layer.name =
        into[row.layer()] > 1 ? row.source() + "->" + row.layer() : row.layer();
    if (std::any_of(tuned.begin(), tuned.end(), [&](const TunedLayer &other) {
          return other.name == layer.name;
        }))
      continue; // two of the same ends have the same bits
    std::vector<uint64_t> all;
    for (uint64_t code : chip.synapses.weightBitCodes)
      if (code >= kLeastBits && code < chip.formats.weightBits)
        all.push_back(code);
    all.push_back(chip.formats.weightBits);
    for (uint64_t width : all)
      if (width < row.weight_bits())
        layer.widths.push_back(width);
    layer.widths.push_back(row.weight_bits());
    tuned.push_back(std::move(layer));
    chipWidths.push_back(std::move(all));
  }
  if (tuned.empty())
    throw Error(request.path + ": has no layer whose bits could be chosen: its "
                               "weights are integers already");
  metricName = session::chooseMetric(request.metric, workload.decode()).name;
}

std::vector<uint64_t> PointMeter::allWidths(size_t layer) const {
  return chipWidths[layer];
}

session::RunRequest PointMeter::requestOf(const Bits &bits) const {
  session::RunRequest one = request;
  one.model.compile.weightBits = bitsText(tuned, bits);
  return one;
}

Point PointMeter::run(const session::RunRequest &one) const {
  session::Workload workload(one);
  Point point;
  if (session::onChip(one.engine)) {
    point.words = storedWords(workload.program);
    point.cores = double(workload.program.mapping().cores());
  }
  session::Engines engines(workload);
  const session::Recording recording = engines.run(one.engine, {});
  const session::Metric metric =
      session::chooseMetric(one.metric, workload.decode());
  const session::Answers answers = session::answers(recording, metric.decode);
  const auto score = session::scoreJson(
      metric, answers, session::loadLabels(one.labels, metric, answers));
  point.score = score.at("value").get<double>();
  point.low = maybe(score.at("low"));
  point.high = maybe(score.at("high"));
  if (!session::onChip(one.engine))
    return point;
  const sim::RunResult &result = engines.result;
  const double samples = double(result.samples);
  point.wordsRead =
      double(result.counts.total()[sim::Counter::SynmemWords]) / samples;
  addEnergy(point, workload, result);
  if (const auto &each = result.sampleLatencyPs; !each.empty())
    point.latency = std::accumulate(each.begin(), each.end(), 0.0) / 1e3 /
                    double(each.size());
  return point;
}

Point PointMeter::measure(const Bits &bits, const LabelledFiles &on) const {
  session::RunRequest one = requestOf(bits);
  one.inputs = on.inputs;
  one.labels = on.labels;
  Point point;
  try {
    point = run(one);
  } catch (const Error &error) {
    point.refused = error.what();
  }
  point.bits = bits;
  return point;
}

Point PointMeter::measureFloat(const LabelledFiles &on) const {
  session::RunRequest one = request;
  one.engine = "float";
  one.inputs = on.inputs;
  one.labels = on.labels;
  return run(one);
}

void PointMeter::saveImage(const Bits &bits, const std::string &path) const {
  const session::RunRequest one = requestOf(bits);
  saveProgram(session::Workload(one).program, path);
}

} // namespace neurite::explore
