// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Reweigh.h"

#include "runtime/image/Tables.h"

#include <algorithm>

namespace dendrolith::session {
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
