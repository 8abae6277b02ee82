// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/StepRecorder.h"

#include "compiler/mapping/result/SliceGraph.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dendrolith {

// So many steps are kept; fewer, but a few, where that would be more messages
// than this, and none where one step alone has more than can be kept at all.
static constexpr uint32_t kKept = 32, kFew = 4;
static constexpr size_t kManyMessages = 400000, kMostMessages = 2000000;

StepRecorder::StepRecorder(const MapNetwork &network, const StepClock &clock,
                           const Visits &visits, const ChipModel &model)
    : network(network), clock(clock), visits(visits),
      spikeEmit(double(model.timing.spikeEmit)), place(clock.steps, -1) {
  if (!clock.sampled)
    return;
  // Evenly spread, but not in the rhythm of a period: multiples of the golden
  // section.
  for (uint32_t k = 1; k <= std::min(kKept, clock.steps); ++k) {
    auto step = uint32_t(std::fmod(k * 0.6180339887498949, 1) * clock.steps);
    while (place[step] >= 0)
      step = (step + 1) % clock.steps;
    place[step] = int(kept.size());
    kept.emplace_back().step = step;
  }
  engines.resize(kept.size());
}

void StepRecorder::openSlice(uint32_t p, uint32_t slice, uint32_t first) {
  population = p;
  for (ReplayStep &step : kept)
    step.tail.resize(slice + 1);
  std::fill(engines.begin(), engines.end(), Engine{-1, first, 0});
  clock.forEachUpdate(network.populations[p].schedule,
                      [&](uint32_t step, uint32_t bit) {
                        if (place[step] >= 0)
                          engines[size_t(place[step])].bit = int(bit);
                      });
}

void StepRecorder::advance(Engine &engine, uint32_t end) const {
  if (engine.bit >= 0)
    for (; engine.neuron < end; ++engine.neuron)
      engine.work +=
          visits.time(population, engine.neuron, uint32_t(engine.bit));
}

void StepRecorder::emit(uint32_t at, uint32_t slice, uint32_t element,
                        const std::vector<ReplayStep::Message> &messages,
                        uint32_t toHost) {
  if (place[at] < 0)
    return;
  ReplayStep &step = kept[size_t(place[at])];
  Engine &engine = engines[size_t(place[at])];
  if (slice != host) {
    advance(engine, element / network.populations[population].sources + 1);
    engine.work += spikeEmit;
  }
  auto endBurst = [&] {
    step.bursts.push_back({slice, float(std::exchange(engine.work, 0)),
                           uint32_t(step.messages.size())});
  };
  if (!messages.empty()) {
    step.messages.insert(step.messages.end(), messages.begin(), messages.end());
    endBurst();
  }
  if (toHost > 0) {
    step.messages.resize(step.messages.size() + toHost, {host, 0});
    endBurst();
  }
  all += messages.size() + toHost;
  keepFew();
}

void StepRecorder::closeSlice(uint32_t slice, uint32_t end) {
  for (size_t k = 0; k < kept.size(); ++k) {
    advance(engines[k], end);
    kept[k].tail[slice] = float(engines[k].work);
  }
}

void StepRecorder::keepFew() {
  while (!kept.empty() &&
         all > (kept.size() > kFew ? kManyMessages : kMostMessages)) {
    all -= kept.back().messages.size();
    place[kept.back().step] = -1;
    kept.pop_back();
    engines.pop_back();
  }
}

std::vector<ReplayStep> StepRecorder::take() {
  for (uint32_t k = 0; k < kept.size(); ++k) {
    uint32_t &like = kept[k].like;
    for (like = 0; like < k; ++like)
      if (kept[like].like == like && kept[k].sendsLike(kept[like]))
        break;
  }
  return std::move(kept);
}

Visits::Visits(const MapNetwork &network, const StepClock &clock,
               const ChipModel &model)
    : network(network), clock(clock), model(model) {
  if (clock.sampled &&
      (model.timing.updateActive != model.timing.updateInactive ||
       model.prices.updateActive != model.prices.updateInactive))
    findActive();
}

void Visits::findActive() {
  for (const MapPopulation &population : network.populations)
    active.emplace_back(population.size, 0);
  const uint32_t period = std::max(network.period, 1u);
  for (const MapProjection &projection : network.projections) {
    const MapSchedule &from =
        network.schedule(projection.fromInput, projection.source);
    const MapSchedule &to = network.populations[projection.target].schedule;
    // What is sent in step s is there for updates from step s + 1 + delay on.
    auto laterBy = [&](uint32_t delay) {
      const uint32_t arrives = from.phase + 1 + delay;
      return arrives <= to.phase ? 0
                                 : (arrives - to.phase + period - 1) / period;
    };
    const uint32_t later = laterBy(projection.delay);
    std::vector<uint64_t> &of = active[projection.target];
    const uint32_t each = network.populations[projection.target].accumulators;
    for (uint32_t s = 0; s < network.sourceSize(projection); ++s) {
      uint64_t ticks = 0;
      if (const uint64_t *known =
              network.activity(projection.fromInput, projection.source, s))
        for (uint32_t part = 0; part < from.ticks; ++part)
          ticks |= known[part];
      else if (network.rate(projection.fromInput, projection.source, s) > 0)
        ticks = ~uint64_t(0);
      ticks &= clock.all();
      const uint64_t all = clock.delayed(ticks, later);
      if (ticks != 0)
        for (uint64_t i = projection.begin[s]; i < projection.begin[s + 1]; ++i)
          of[projection.accumulator[i] / each] |=
              projection.delays.empty()
                  ? all
                  : clock.delayed(ticks, laterBy(projection.delays[i]));
    }
  }
  for (std::vector<uint64_t> &of : active)
    for (uint64_t &ticks : of)
      ticks = clock.andLater(ticks);
}

Visits::Load Visits::of(uint32_t p, uint32_t first, uint32_t end) const {
  Load load;
  std::array<uint32_t, 64> count{};
  double time = 0, energy = 0; // of what all neurons do
  network.populations[p].forEachRun(
      first, end, [&](const NeuronNeeds &needs, uint32_t, uint32_t neurons) {
        time += neurons * (model.timeOf(needs.work) +
                           double(model.timing.updateInactive));
        energy += neurons *
                  (model.energyOf(needs.work) + model.prices.updateInactive);
      });
  for (uint32_t n = first; n < end; ++n)
    for (uint64_t bits = activeTicks(p, n) & clock.all(); bits != 0;
         bits &= bits - 1)
      ++count[size_t(__builtin_ctzll(bits))];
  const double moreTime =
      double(model.timing.updateActive) - double(model.timing.updateInactive);
  const double moreEnergy =
      model.prices.updateActive - model.prices.updateInactive;
  for (size_t bit = 0; bit < count.size(); ++bit) {
    load.time[bit] = time + count[bit] * moreTime;
    load.energy[bit] = energy + count[bit] * moreEnergy;
  }
  return load;
}

double Visits::time(uint32_t p, uint32_t neuron, uint32_t bit) const {
  return model.timeOf(network.populations[p].needsOf(neuron).work) +
         double(activeTicks(p, neuron) >> bit & 1
                    ? model.timing.updateActive
                    : model.timing.updateInactive);
}

double Visits::meanTime(uint32_t p, uint32_t neuron) const {
  const MapPopulation &population = network.populations[p];
  const double share =
      double(__builtin_popcountll(activeTicks(p, neuron) & clock.all())) /
      __builtin_popcountll(clock.all());
  const double each = model.timeOf(population.needsOf(neuron).work) +
                      double(model.timing.updateInactive) +
                      share * (double(model.timing.updateActive) -
                               double(model.timing.updateInactive));
  // A network with a long period has its turn in few of the steps.
  return each * population.schedule.ticks / std::max(network.period, 1u);
}

} // namespace dendrolith
