// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/MeasurePoint.h"

#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"
#include "runtime/session/Engines.h"
#include "runtime/session/Score.h"
#include "runtime/session/Workload.h"
#include "runtime/session/native/NativePrograms.h"
#include "simulator/FunctionalProgram.h"
#include "simulator/report/result/Pricing.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <numeric>

namespace dendrolith::tuning {
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

std::optional<double> numberIn(const nlohmann::ordered_json &json) {
  return json.is_number() ? std::optional<double>(json.get<double>())
                          : std::nullopt;
}

void addEnergy(Point &point, const std::vector<CostTable> &tables,
               const sim::RunResult &result) {
  const double samples = double(result.samples);
  for (const CostTable &table : tables) {
    const sim::Energy energy =
        sim::price(result.counts, table, sim::systemPs(result));
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
  session::Workload workload(request);
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
  decode = workload.decode();
  metricName = session::chooseMetric(request.metric, decode).name;
  model = std::move(workload.model);
}

std::vector<uint64_t> PointMeter::allWidths(size_t layer) const {
  return chipWidths[layer];
}

session::MappedProgram PointMeter::compile(const Bits &bits) {
  CompileOptions options = request.model.compile;
  options.weightBits = bitsText(tuned, bits);
  model->quantise(options);
  return session::mapProgram(*model, options);
}

void PointMeter::judge(Point &point, const session::Recording &recording,
                       const LabelledFiles &on) const {
  const session::Metric metric = session::chooseMetric(request.metric, decode);
  const session::Answers answers = session::answers(recording, metric.decode);
  const auto score = session::scoreJson(
      metric, answers,
      session::loadLabels(on.labels, metric, answers, on.place));
  point.score = score.at("value").get<double>();
  point.low = numberIn(score.at("low"));
  point.high = numberIn(score.at("high"));
}

Point PointMeter::run(const Bits &bits, const LabelledFiles &on) {
  Point point;
  const session::LoadedInputs inputs = session::loadInputs(
      on.inputs, session::inputShapes(model->floatNetwork()), 0, {});
  auto [program, chip] = compile(bits);
  point.words = storedWords(program);
  point.cores = double(program.mapping().cores());
  sim::RunOptions options;
  options.timing = request.timing;
  options.threads = request.threads;
  options.compiler = nativePrograms();
  sim::RunResult result =
      request.engine == "cycle"
          ? sim::runCycle(program, chip, inputs.samples, options)
          : sim::FunctionalProgram(&program, chip).run(inputs.samples, options);
  const double samples = double(result.samples);
  point.wordsRead =
      double(result.counts.total()[sim::Counter::SynmemWords]) / samples;
  addEnergy(point, report::chooseCosts(request.costs, chip), result);
  if (const auto &each = result.sampleLatencyPs; !each.empty())
    point.latency = std::accumulate(each.begin(), each.end(), 0.0) / 1e3 /
                    double(each.size());
  judge(point, session::recordingOf(std::move(result)), on);
  return point;
}

Point PointMeter::measure(const Bits &bits, const LabelledFiles &on) {
  Point point;
  try {
    point = run(bits, on);
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
  session::Workload workload(one);
  session::Engines engines(workload);
  Point point;
  judge(point, engines.run(one.engine, {}), on);
  return point;
}

void PointMeter::saveImage(const Bits &bits, const std::string &path) {
  saveProgram(compile(bits).program, path);
}

} // namespace dendrolith::tuning
