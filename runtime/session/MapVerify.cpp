// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/MapVerify.h"

#include "compiler/mapping/objective/Evaluation.h"
#include "runtime/image/Tables.h"
#include "simulator/Run.h"
#include "simulator/energy/Energy.h"
#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/result/Utilisation.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dendrolith::session {
namespace {

// About as many ticks are simulated as the mapper predicts steps from.
constexpr uint64_t kTicks = 128;
// How much more the loads of a core count that all steps wait for. Halved each
// time that the mapping has not become better.
constexpr double kGain = 0.2;

/// The first samples, and of them the first ticks where one alone is longer
/// and does not end with a query.
std::map<std::string, Samples>
firstOf(const std::map<std::string, Samples> &samples,
        const std::vector<InputShape> &inputs) {
  std::map<std::string, Samples> some = samples;
  const bool asks =
      std::any_of(inputs.begin(), inputs.end(),
                  [](const InputShape &input) { return input.query; });
  for (const InputShape &input : inputs) {
    Samples &of = some.at(input.name);
    const uint64_t ticks = std::max<uint64_t>(of.steps / input.ticks, 1);
    of.keep(std::clamp<uint64_t>(kTicks / ticks, 1, of.samples));
    if (of.samples == 1 && ticks > kTicks && !asks) {
      of.steps = kTicks * input.ticks;
      of.values = of.values.first(of.steps * of.stored());
    }
  }
  return some;
}

class Refinement {
public:
  Refinement(Compilation &model, const ModelRequest &request,
             const std::map<std::string, Samples> &samples)
      : model(model), options(request.compile), listener(request.listener),
        given(samples) {}

  VerifiedMapping run(unsigned rounds) {
    Reweighing weights, ofBest;
    double gain = kGain;
    sim::RunResult bestRun;
    mlir::OwningOpRef<mlir::ModuleOp> best;
    for (unsigned round = 0; round <= rounds; ++round) {
      const std::shared_ptr<const SearchControl> &control = options.control;
      if (round > 0 && control && control->mustStop && control->mustStop())
        break;
      map(round > 0 ? &weights : nullptr);
      if (round == 0)
        checkSolver();
      sim::RunResult simulated = simulate();
      MapRound row = judge(simulated);
      const bool isBest = std::all_of(
          verified.rounds.begin(), verified.rounds.end(),
          [&](const MapRound &other) { return row.price < other.price; });
      verified.rounds.push_back(std::move(row));
      if (isBest) {
        chosen = verified.rounds.size() - 1;
        best = model.takeMapped();
        verified.program = std::move(program);
        bestRun = std::move(simulated);
        ofBest = withParts(std::move(weights), verified.program, bestRun);
        gain = kGain;
      } else if (round == chosen + 1) {
        // The parts as they are in this mapping led away from it.
        ofBest.update = ofBest.network = ofBest.receive = ofBest.barrier = 1;
      } else {
        gain /= 2;
      }
      weights = withLoads(ofBest, verified.program, bestRun, gain);
    }
    model.putMapped(std::move(best));
    verified.rounds[chosen].isChosen = true;
    return std::move(verified);
  }

private:
  /// `weights` may be null.
  void map(const Reweighing *weights) {
    CompileOptions weighed = options;
    if (weights) {
      auto control = options.control
                         ? std::make_shared<SearchControl>(*options.control)
                         : std::make_shared<SearchControl>();
      control->reweighing = std::make_shared<Reweighing>(*weights);
      weighed.control = std::move(control);
    }
    MappedProgram mapped = mapProgram(model, weighed);
    program = std::move(mapped.program);
    chip = std::move(mapped.chip);
  }

  void checkSolver() const {
    const std::string &solver = program.mapping().solver();
    if (solver != "default")
      throw Error(fmt::format(
          "map-verify refines what the mapper's search finds, but this "
          "mapping is by '{}'; leave it out, or let the search decide "
          "(solver: default, no --placement)",
          solver));
  }

  sim::RunResult simulate() {
    if (some.empty())
      some = firstOf(given, inputShapes(program));
    sim::RunOptions run;
    run.timing = options.timing;
    run.progress = listener.begin("cycle engine");
    sim::RunResult result = sim::runCycle(program, chip, some, run);
    verified.samples = result.samples;
    verified.ticks = result.ticks;
    return result;
  }

  MapRound judge(const sim::RunResult &run) {
    MapRound round;
    round.cores = uint64_t(program.cores_size());
    for (const image::MappingTerm &term : program.mapping().terms()) {
      if (term.name() == "step")
        round.predictedNs = term.value();
      if (term.name() == "energy")
        round.predictedPj = term.value();
    }
    Evaluation found;
    found.cores = uint32_t(round.cores);
    found.stepPs = meanStep(run).total();
    const double steps = double(run.samples * run.steps);
    const bool priced = ChipModel(chip, options.timing, options.costs).priced;
    if (priced) {
      const std::vector<CostTable> tables =
          report::chooseCosts(options.costs, chip);
      for (const CostTable &table : tables) {
        const sim::Energy bill = sim::price(run.counts, table, run.timePs);
        found.workPj += (bill.total + bill.staticEnergy.value_or(0)) / steps /
                        double(tables.size());
      }
    }
    round.simulatedNs = found.stepPs / 1000;
    round.simulatedPj = found.energyPj();
    round.price = found.value(goalOf(options.mapFor), priced);
    round.closedBy = mostOftenLast(run);
    auto cores = coresOfNeurons(program);
    round.isNew = !std::count(mappings.begin(), mappings.end(), cores);
    mappings.push_back(std::move(cores));
    return round;
  }

  static std::string mostOftenLast(const sim::RunResult &run) {
    report::Result times = report::emptyResult();
    report::addTimes(times, run);
    uint64_t most = 0;
    std::string last;
    for (const auto &[who, count] : times.json["latency"]["closed_by"].items())
      if (count.get<uint64_t>() > most) {
        most = count.get<uint64_t>();
        last = fmt::format("{} ({} steps)", who, count.get<uint64_t>());
      }
    return last;
  }

  Compilation &model;
  const CompileOptions &options;
  const Listener &listener;
  const std::map<std::string, Samples> &given;
  std::map<std::string, Samples> some; // that are simulated
  image::Program program;              // of the round
  Target chip;
  std::vector<std::map<std::string, std::vector<uint32_t>>> mappings;
  VerifiedMapping verified;
  size_t chosen = 0;
};

} // namespace

VerifiedMapping mapVerified(Compilation &model, const ModelRequest &request,
                            const std::map<std::string, Samples> &samples) {
  if (samples.empty())
    throw Error("map-verify simulates mappings on samples, of which there "
                "are none; give them with --calibrate");
  return Refinement(model, request, samples).run(request.mapVerify);
}

std::string formatRounds(const VerifiedMapping &verified) {
  const bool priced = verified.rounds.front().simulatedPj > 0;
  report::TextTable table({"round", "cores", "ns/step", "simulated", "pJ/step",
                           "simulated", "price", "closed most steps", ""});
  const double before = verified.rounds.front().price;
  for (size_t i = 0; i < verified.rounds.size(); ++i) {
    const MapRound &round = verified.rounds[i];
    auto energy = [&](double pj) {
      return priced ? fmt::format("{:.4g}", pj) : std::string();
    };
    table.add({std::to_string(i), std::to_string(round.cores),
               fmt::format("{:.4g}", round.predictedNs),
               fmt::format("{:.4g}", round.simulatedNs),
               energy(round.predictedPj), energy(round.simulatedPj),
               fmt::format("{:+.2f} %", 100 * (round.price / before - 1)),
               round.closedBy,
               round.isChosen ? "chosen"
               : !round.isNew ? "as before"
                              : ""});
  }
  return fmt::format("Mapping refined on the cycle engine ({} samples of {} "
                     "ticks; predicted, then simulated; price beside round "
                     "0):\n{}",
                     verified.samples, verified.ticks, table.text());
}

nlohmann::ordered_json toJson(const VerifiedMapping &verified) {
  nlohmann::ordered_json json = {{"samples", verified.samples},
                                 {"ticks", verified.ticks}};
  for (const MapRound &round : verified.rounds)
    json["rounds"].push_back({{"cores", round.cores},
                              {"predicted_ns", round.predictedNs},
                              {"simulated_ns", round.simulatedNs},
                              {"predicted_pJ", round.predictedPj},
                              {"simulated_pJ", round.simulatedPj},
                              {"price", round.price},
                              {"closed_by", round.closedBy},
                              {"new", round.isNew},
                              {"chosen", round.isChosen}});
  for (nlohmann::ordered_json &round : json["rounds"])
    for (const char *energy : {"predicted_pJ", "simulated_pJ"})
      if (round[energy] == 0)
        round[energy] = nullptr;
  return json;
}

namespace {

// A part of a step never counts more than so many times longer or shorter.
constexpr double kMostFactor = 4;

double predicted(const image::Program &program, const std::string &term) {
  for (const image::MappingTerm &row : program.mapping().terms())
    if (row.name() == term)
      return row.value() * 1000; // from ns
  return 0;
}

/// How much longer a part took. Where next to nothing was predicted and found
/// of a step, there is nothing to learn.
double factorOf(double predicted, double found, double step) {
  if (predicted <= 1e-3 * step || found <= 1e-3 * step)
    return 1;
  return std::clamp(found / predicted, 1 / kMostFactor, kMostFactor);
}

/// ps that steps waited for each core, by id.
std::map<uint32_t, double> waitsFor(const sim::RunResult &run) {
  std::map<uint32_t, double> waits;
  for (const std::vector<sim::StepTime> &sample : run.stepTimes)
    for (const sim::StepTime &step : sample) {
      if (step.updateCore != sim::StepTime::nobody)
        waits[step.updateCore] += double(step.update + step.waiting);
      if (step.receiveCore != sim::StepTime::nobody)
        waits[step.receiveCore] += double(step.receive);
    }
  return waits;
}

} // namespace

StepParts meanStep(const sim::RunResult &run) {
  StepParts mean;
  double steps = 0;
  for (const std::vector<sim::StepTime> &sample : run.stepTimes)
    for (const sim::StepTime &step : sample) {
      mean.update += double(step.update + step.waiting);
      mean.noc += double(step.noc);
      mean.receive += double(step.receive);
      mean.barrier += double(step.barrier);
      ++steps;
    }
  for (double *part : {&mean.update, &mean.noc, &mean.receive, &mean.barrier})
    *part /= std::max(steps, 1.0);
  return mean;
}

std::map<std::string, std::vector<uint32_t>>
coresOfNeurons(const image::Program &program) {
  std::map<std::string, std::vector<uint32_t>> cores, numbers;
  for (const image::Population &population : program.populations()) {
    cores[population.name()].resize(population.size(), 0);
    numbers[population.name()] = decodeU32(population.numbers());
  }
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups()) {
      const std::vector<uint32_t> &number = numbers[group.population()];
      std::vector<uint32_t> &of = cores[group.population()];
      const uint64_t first = group.first_neuron();
      for (uint64_t n = first; n < first + group.count(); ++n)
        of[number.empty() ? n : number[n]] = core.id();
    }
  return cores;
}

Reweighing withParts(Reweighing weights, const image::Program &program,
                     const sim::RunResult &run) {
  const StepParts found = meanStep(run);
  const double step = found.total();
  auto factor = [&](const char *term, double of) {
    return factorOf(predicted(program, term), of, step);
  };
  weights.update = factor("update", found.update);
  weights.network = factor("network", found.noc);
  weights.receive = factor("receive", found.receive);
  weights.barrier = factor("barrier", found.barrier);
  return weights;
}

Reweighing withLoads(Reweighing weights, const image::Program &program,
                     const sim::RunResult &run, double gain) {
  const std::map<uint32_t, double> waits = waitsFor(run);
  double mean = 0;
  for (const auto &[core, wait] : waits)
    mean += wait / std::max(program.cores_size(), 1);
  if (mean <= 0)
    return weights;
  double sum = 0, neurons = 0;
  for (const auto &[population, cores] : coresOfNeurons(program)) {
    std::vector<float> &load = weights.load[population];
    load.resize(cores.size(), 1);
    for (size_t n = 0; n < cores.size(); ++n) {
      const auto known = waits.find(cores[n]);
      const double wait = known == waits.end() ? 0 : known->second;
      load[n] *= float(1 + gain * (wait - mean) / (wait + mean));
      sum += load[n];
      ++neurons;
    }
  }
  // Only the differences are known: on the whole, loads stay.
  for (auto &[population, load] : weights.load)
    for (float &of : load)
      of *= float(neurons / sum);
  return weights;
}

} // namespace dendrolith::session
