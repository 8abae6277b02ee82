// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/Tune.h"

#include "runtime/explore/tune/SplitSamples.h"
#include "runtime/explore/tune/TunePoint.h"
#include "runtime/explore/tune/TuneReport.h"
#include "runtime/host/Files.h"
#include "simulator/timing/kernel/Kernel.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::tuning {
namespace {

// Far more than the arrays that are read may hold.
constexpr uint64_t kInputBytes = uint64_t(8) << 30;
// A layer alone is narrowed until this many times the loss that is kept.
constexpr double kGiveUp = 4;

class Tuner {
public:
  explicit Tuner(const TuneRequest &request)
      : request(request), files(split(request)), meter(runOf(request, files)) {
    heldOut = {files.heldOut, files.heldOutLabels,
               "labels '" + request.labels + "', the part held out"};
  }

  TuneOutcome tune() {
    checkTest();
    meter.findLayers();
    Findings found;
    found.layers = meter.layers();
    found.metric = meter.metric();
    found.files = files;
    found.reference = meter.measureFloat(heldOut).score;
    const double floor = found.reference - request.keep;
    found.floor = floor;
    SearchSpace space;
    for (const TunedLayer &layer : meter.layers()) {
      space.widths.push_back(layer.widths);
      found.start.bits.push_back(layer.widths.back());
    }
    space.floor = floor;
    space.giveUp = found.reference - kGiveUp * request.keep;
    space.grain = 1 / double(files.heldOutSamples);
    space.objective = request.objective;
    const PointStore store(request.folder + "/points", context());
    found.start = measured(store, found.start.bits);
    if (!found.start.refused.empty())
      throw Error(found.start.refused);
    if (!costOf(found.start, request.objective))
      throw Error(fmt::format(
          "--minimise {}: target '{}' has no price for what happens; choose "
          "words, cores or latency",
          nameOf(request.objective), request.run.model.compile.target));
    TuneSearch search(space,
                      [&](const Bits &bits) { return measured(store, bits); });
    const std::optional<Point> best = search.run();
    found.points = search.points();
    found.sensitivity = search.sensitivity();
    if (!best)
      refuse(store, found);
    found.best = *best;
    if (!request.test.inputs.empty())
      judge(found);
    return write(found);
  }

private:
  static SplitFiles split(const TuneRequest &request) {
    return splitFiles(request.run.model.calibrate, request.labels,
                      request.heldOut, request.folder);
  }

  static session::RunRequest runOf(const TuneRequest &request,
                                   const SplitFiles &files) {
    session::RunRequest run = request.run;
    run.model.calibrate = files.calibration;
    run.inputs = files.heldOut;
    run.labels = files.heldOutLabels;
    run.engine =
        request.objective == Objective::Latency ? "cycle" : "functional";
    return run;
  }

  /// Test samples that chose the winner would only flatter it.
  void checkTest() const {
    const std::vector<std::string> tuned = hashes(request.run.model.calibrate);
    const std::vector<std::string> test = hashes(request.test.inputs);
    for (size_t i = 0; i < test.size(); ++i)
      if (std::find(tuned.begin(), tuned.end(), test[i]) != tuned.end())
        throw Error(fmt::format(
            "--test {}: its samples are those of --calibrate, by which the "
            "precision is chosen; give others, or leave --test out",
            request.test.inputs[i]));
  }

  static std::vector<std::string>
  hashes(const std::vector<std::string> &arguments) {
    std::vector<std::string> all;
    for (const std::string &argument : arguments)
      all.push_back(
          sha256OfFile(argument.substr(argument.find('=') + 1), kInputBytes));
    return all;
  }

  /// All that a point depends on beside its bits. Another build may choose
  /// other weights or mappings under the same version, so the program itself
  /// is part of it.
  nlohmann::ordered_json context() const {
    const session::ModelRequest &model = request.run.model;
    std::vector<std::string> weights;
    if (!model.weights.empty())
      weights = {model.weights};
    return {{"dendrolith", DENDROLITH_VERSION},
            {"build", hashes(sim::programFiles())},
            {"model", hashes({request.run.path})},
            {"weights", hashes(weights)},
            {"target", Target::load(model.compile.target).hash},
            {"calibration", hashes(files.calibration)},
            {"held_out", hashes(files.heldOut)},
            {"labels", hashes({files.heldOutLabels})},
            {"settings", request.settings}};
  }

  Point measured(const PointStore &store, const Bits &bits) {
    if (auto known = store.find(bits))
      return *known;
    Point point = meter.measure(bits, heldOut);
    store.add(point);
    request.run.model.listener.find(
        lineOf(point, meter.layers(), meter.metric(), request.objective));
    return point;
  }

  /// Says what would reach the score, as far as the limits that --weight-bits
  /// sets are what keeps it away.
  [[noreturn]] void refuse(const PointStore &store, const Findings &found) {
    const Point *best = &found.start;
    for (const Point &point : found.points)
      if (point.refused.empty() && point.score > best->score)
        best = &point;
    const std::string wanted =
        fmt::format("{} {} below float ({})", meter.metric(), request.keepText,
                    scoreText(found.reference, meter.metric()));
    const std::string instead = fmt::format(
        "the best found is {} with {}", scoreText(best->score, meter.metric()),
        bitsText(meter.layers(), best->bits));
    for (size_t layer = 0; layer < meter.layers().size(); ++layer)
      for (uint64_t width : meter.allWidths(layer)) {
        Bits bits = found.start.bits;
        if (width <= bits[layer])
          continue;
        bits[layer] = width;
        const Point wider = measured(store, bits);
        if (wider.refused.empty() && wider.score >= found.floor)
          throw Error(fmt::format("{} needs at least {} bits in @{}; {}",
                                  wanted, width, meter.layers()[layer].name,
                                  instead));
      }
    throw Error(fmt::format("{} is not reached, and no layer is left to relax: "
                            "{}; allow more with --keep",
                            wanted, instead));
  }

  /// Test samples have had no part in the choice.
  void judge(Findings &found) {
    found.testFloat = meter.measureFloat(request.test);
    found.testStart = meter.measure(found.start.bits, request.test);
    found.testBest = meter.measure(found.best.bits, request.test);
  }

  TuneOutcome write(const Findings &found) {
    meter.saveImage(found.best.bits, request.folder + "/best.dlp");
    TuneOutcome outcome;
    outcome.result = resultOf(request, found);
    outcome.text = textOf(request, found);
    writeAside(request.folder + "/pareto.csv", csvOf(request, found));
    writeAside(request.folder + "/tune.json", outcome.result.dump(2) + "\n");
    return outcome;
  }

  const TuneRequest &request;
  const SplitFiles files;
  PointMeter meter;
  LabelledFiles heldOut;
};

} // namespace

TuneOutcome tune(const TuneRequest &request) { return Tuner(request).tune(); }

// The search for the cheapest bits of each layer that keep a score. It knows
// nothing of networks: its caller measures points.
const Point &TuneSearch::at(const Bits &bits) {
  auto found = known.find(bits);
  if (found == known.end())
    found = known.emplace(bits, measure(bits)).first;
  return found->second;
}

std::vector<Point> TuneSearch::points() const {
  std::vector<Point> all;
  for (const auto &[bits, point] : known)
    all.push_back(point);
  return all;
}

Bits TuneSearch::widest() const {
  Bits bits;
  for (const std::vector<uint64_t> &widths : space.widths)
    bits.push_back(widths.back());
  return bits;
}

std::optional<Bits> TuneSearch::moved(const Bits &bits, size_t layer,
                                      int by) const {
  const std::vector<uint64_t> &widths = space.widths[layer];
  const ptrdiff_t to = std::find(widths.begin(), widths.end(), bits[layer]) -
                       widths.begin() + by;
  if (to < 0 || to >= ptrdiff_t(widths.size()))
    return std::nullopt;
  Bits other = bits;
  other[layer] = widths[size_t(to)];
  return other;
}

void TuneSearch::measureAlone() {
  alone.assign(space.widths.size(), {});
  for (size_t layer = 0; layer < alone.size(); ++layer)
    for (auto bits = moved(widest(), layer, -1); bits;
         bits = moved(*bits, layer, -1)) {
      const Point &point = at(*bits);
      alone[layer].push_back(point);
      if (!point.refused.empty() || point.score < space.giveUp)
        break;
    }
}

Bits TuneSearch::widened(Bits bits) {
  while (!isGood(at(bits))) {
    std::optional<Bits> best;
    for (size_t layer = 0; layer < bits.size(); ++layer)
      if (auto wider = moved(bits, layer, +1)) {
        const Point &point = at(*wider);
        if (point.refused.empty() && (!best || point.score > at(*best).score))
          best = wider;
      }
    if (!best)
      return widest();
    bits = *best;
  }
  return bits;
}

Bits TuneSearch::narrowed(Bits bits) {
  auto cost = [&](const Point &point) {
    return costOf(point, space.objective).value_or(0);
  };
  for (;;) {
    const Point now = at(bits);
    std::optional<Bits> best;
    double most = 0;
    for (size_t layer = 0; layer < bits.size(); ++layer) {
      auto narrower = moved(bits, layer, -1);
      if (!narrower)
        continue;
      const Point &point = at(*narrower);
      if (!isGood(point) || !isCheaper(point, now, space.objective))
        continue;
      const double loss = std::max(now.score - point.score, 0.0) + space.grain;
      const double gain = (cost(now) - cost(point)) / loss;
      if (!best || gain > most) {
        best = narrower;
        most = gain;
      }
    }
    if (!best)
      return bits;
    bits = *best;
  }
}

Bits TuneSearch::traded(Bits bits) {
  for (;;) {
    std::optional<Bits> best;
    for (size_t up = 0; up < bits.size(); ++up)
      for (size_t down = 0; down < bits.size(); ++down) {
        auto wider = up == down ? std::nullopt : moved(bits, up, +1);
        auto other = wider ? moved(*wider, down, -1) : std::nullopt;
        if (other && isGood(at(*other)) &&
            isCheaper(at(*other), at(best.value_or(bits)), space.objective))
          best = other;
      }
    if (!best)
      return bits;
    bits = narrowed(*best);
  }
}

std::optional<Point> TuneSearch::run() {
  const Bits top = widest();
  at(top);
  measureAlone();
  if (isGood(at(top)))
    traded(narrowed(top));
  // The widest network need not be the best one.
  Bits together = top;
  for (size_t layer = 0; layer < alone.size(); ++layer)
    for (const Point &point : alone[layer])
      if (isGood(point))
        together[layer] = point.bits[layer];
  if (const Bits enough = widened(together); isGood(at(enough)))
    traded(narrowed(enough));
  std::optional<Point> best;
  for (const auto &[bits, point] : known)
    if (isGood(point) && (!best || isCheaper(point, *best, space.objective)))
      best = point;
  return best;
}

} // namespace dendrolith::tuning
