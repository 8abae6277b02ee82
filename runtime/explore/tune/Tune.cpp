// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/Tune.h"

#include "runtime/explore/tune/SplitSamples.h"
#include "runtime/explore/tune/TunePoint.h"
#include "runtime/explore/tune/TuneReport.h"
#include "runtime/explore/tune/TuneSearch.h"
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

} // namespace dendrolith::tuning
