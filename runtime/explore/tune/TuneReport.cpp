// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/TuneReport.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::tuning {
namespace {

using Json = nlohmann::ordered_json;

std::string number(const std::optional<double> &value, double unit = 1) {
  return value ? fmt::format("{:.1f}", *value / unit) : "-";
}

/// "-31.2 %" of what the network costs where the search began.
std::string change(std::optional<double> now, std::optional<double> before) {
  return now && before && *before > 0
             ? fmt::format("{:+.1f} %", 100 * (*now / *before - 1))
             : "-";
}

/// " (95 %: 91.81 % to 96.34 %)", where the metric has an interval.
std::string intervalText(const Point &point, const std::string &metric) {
  return point.low && point.high
             ? fmt::format(" (95 %: {} to {})", scoreText(*point.low, metric),
                           scoreText(*point.high, metric))
             : "";
}

std::vector<Point> frontOf(const TuneRequest &request, const Findings &found) {
  return paretoSet(found.points, request.objective);
}

std::string tableOf(const TuneRequest &request, const Findings &found) {
  std::vector<std::string> header;
  for (const TunedLayer &layer : found.layers)
    header.push_back(layer.name);
  for (const char *name : {"score", "95 % from", "to", "energy nJ", "words",
                           "words read", "cores", "latency us", ""})
    header.push_back(name);
  report::TextTable table(header);
  auto add = [&](const Point &point, const std::string &mark) {
    std::vector<std::string> row;
    for (uint64_t bits : point.bits)
      row.push_back(std::to_string(bits));
    auto end = [&](const std::optional<double> &score) {
      return score ? scoreText(*score, found.metric) : "-";
    };
    row.insert(row.end(),
               {scoreText(point.score, found.metric), end(point.low),
                end(point.high), number(point.energy, 1e3),
                report::grouped(uint64_t(point.words)), number(point.wordsRead),
                report::grouped(uint64_t(point.cores)),
                number(point.latency, 1e3), mark});
    table.add(row);
  };
  for (const Point &point : frontOf(request, found))
    add(point, point == found.best    ? "chosen"
               : point == found.start ? "start"
                                      : "");
  return table.text();
}

std::string sensitivityOf(const Findings &found) {
  report::TextTable table({"only this layer", "bits: score"});
  for (size_t layer = 0; layer < found.sensitivity.size(); ++layer) {
    std::string line;
    for (const Point &point : found.sensitivity[layer])
      line += fmt::format(
          "{}{}: {}", line.empty() ? "" : ", ", point.bits[layer],
          point.refused.empty() ? scoreText(point.score, found.metric)
                                : "refused");
    table.add({found.layers[layer].name, line});
  }
  return table.text();
}

} // namespace

std::string scoreText(double score, const std::string &metric) {
  return metric == "accuracy" ? fmt::format("{:.2f} %", 100 * score)
                              : fmt::format("{:.4f}", score);
}

std::string lineOf(const Point &point, const std::vector<TunedLayer> &layers,
                   const std::string &metric, Objective objective) {
  const std::string bits = bitsText(layers, point.bits);
  if (!point.refused.empty())
    return bits + ": refused, " + point.refused;
  return fmt::format("{}: {}, {} {}", bits, scoreText(point.score, metric),
                     number(costOf(point, objective)), unitOf(objective));
}

std::string commandOf(const TuneRequest &request, const Findings &found) {
  std::string command = "dendrolith compile " + request.run.path;
  if (!request.settings.empty())
    command += " " + request.settings;
  for (const std::string &file : found.files.calibration)
    command += " --calibrate " + file;
  // -> would be a redirection.
  return command + " --weight-bits '" +
         bitsText(found.layers, found.best.bits) + "' -o best.dlp";
}

Json resultOf(const TuneRequest &request, const Findings &found) {
  auto part = [](uint64_t samples, const std::vector<std::string> &files) {
    return Json{{"samples", samples}, {"files", files}};
  };
  auto all = [](const std::vector<Point> &points) {
    Json list = Json::array();
    for (const Point &point : points)
      list.push_back(toJson(point));
    return list;
  };
  Json layers = Json::array(), alone = Json::array(), test;
  for (const TunedLayer &layer : found.layers)
    layers.push_back({{"name", layer.name}, {"widths", layer.widths}});
  for (const std::vector<Point> &points : found.sensitivity)
    alone.push_back(all(points));
  if (found.testBest)
    test = {{"files", request.test.inputs},
            {"labels", request.test.labels},
            {"float_score", found.testFloat->score},
            {"start", toJson(*found.testStart)},
            {"best", toJson(*found.testBest)}};
  return {{"schema", "1"},
          {"dendrolith", DENDROLITH_VERSION},
          {"model", request.run.path},
          {"target", request.run.model.compile.target},
          {"metric", found.metric},
          {"minimise", nameOf(request.objective)},
          {"unit", unitOf(request.objective)},
          {"keep", request.keep},
          {"data",
           {{"calibration",
             part(found.files.calibrationSamples, found.files.calibration)},
            {"held_out", part(found.files.heldOutSamples, found.files.heldOut)},
            {"test", test}}},
          {"float_score", found.reference},
          {"floor", found.floor},
          {"layers", layers},
          {"start", toJson(found.start)},
          {"best", toJson(found.best)},
          {"weight_bits", bitsText(found.layers, found.best.bits)},
          {"command", commandOf(request, found)},
          {"sensitivity", alone},
          {"pareto", all(frontOf(request, found))},
          {"points", all(found.points)}};
}

std::string textOf(const TuneRequest &request, const Findings &found) {
  const Point &best = found.best, &start = found.start;
  std::string text = fmt::format(
      "Samples: {} calibrate, {} others, held out, tell how good a precision "
      "is\nFloat on those held out: {}; to keep: {} (--keep {})\n\n",
      found.files.calibrationSamples, found.files.heldOutSamples,
      scoreText(found.reference, found.metric),
      scoreText(found.floor, found.metric), request.keepText);
  text += sensitivityOf(found) + "\n";
  text += fmt::format("Of {} precisions, those that no other one beats in "
                      "score and {}\n",
                      found.points.size(), nameOf(request.objective)) +
          tableOf(request, found) + "\n";
  text += fmt::format(
      "Chosen: {} with {}{}; against {}: energy {}, words {}, words read {}, "
      "cores {}{}\n",
      bitsText(found.layers, best.bits), scoreText(best.score, found.metric),
      intervalText(best, found.metric), bitsText(found.layers, start.bits),
      change(best.energy, start.energy), change(best.words, start.words),
      change(best.wordsRead, start.wordsRead), change(best.cores, start.cores),
      best.latency ? ", latency " + change(best.latency, start.latency) : "");
  text += fmt::format("These {} samples chose it among {} precisions, so that "
                      "it is likely to do "
                      "worse on others; {}\n",
                      found.files.heldOutSamples, found.points.size(),
                      found.testBest ? "the test samples say how well"
                                     : "--test says how well");
  if (found.testBest)
    text += fmt::format("Test samples, which had no part in this: float {}, {} "
                        "{}, chosen {}{}\n",
                        scoreText(found.testFloat->score, found.metric),
                        bitsText(found.layers, start.bits),
                        scoreText(found.testStart->score, found.metric),
                        scoreText(found.testBest->score, found.metric),
                        intervalText(*found.testBest, found.metric));
  return text + "Again: " + commandOf(request, found) + "\nwrote " +
         request.folder + "/best.dlp, tune.json and pareto.csv\n";
}

std::string csvOf(const TuneRequest &request, const Findings &found) {
  std::string text;
  for (const TunedLayer &layer : found.layers)
    text += report::csvCell(layer.name) + ",";
  text += "score,score_low,score_high,energy_low_pJ,energy_high_pJ,latency_ns,"
          "words,words_read,cores,chosen\n";
  auto cell = [](const std::optional<double> &value) {
    return (value ? fmt::format("{}", *value) : "") + ",";
  };
  for (const Point &point : frontOf(request, found)) {
    for (uint64_t bits : point.bits)
      text += std::to_string(bits) + ",";
    for (const std::optional<double> &value :
         {std::optional(point.score), point.low, point.high, point.energy,
          point.energyHigh, point.latency, std::optional(point.words),
          std::optional(point.wordsRead), std::optional(point.cores)})
      text += cell(value);
    text += point == found.best ? "1\n" : "0\n";
  }
  return text;
}

} // namespace dendrolith::tuning
