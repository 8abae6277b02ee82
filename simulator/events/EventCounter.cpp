// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/EventCounter.h"

#include "simulator/events/Expansion.h"
#include "targets/loader/chip/Microcode.h"
#include "targets/loader/chip/Sections.h"

#include <algorithm>
#include <array>

namespace dendrolith::sim {

EventCounter::EventCounter(const Machine &machine, const EmissionCosts *costs)
    : emissions(machine.sources()), lost(machine.sources()),
      gradedEmissions(machine.sources()), active(machine.groups().size()),
      inactive(machine.groups().size()), work(machine.groups().size()),
      issued(machine.groups().size()), wrapped(machine.populations().size()),
      clipped(machine.populations().size()),
      ended(machine.populations().size()),
      membraneUpdates(machine.populations().size()),
      delivered(machine.cores().size(),
                std::vector<uint64_t>(machine.outputs().size())),
      machine(machine), spikeCounter(machine) {
  for (const Machine::Population &population : machine.populations())
    peaks.emplace_back(population.calibrated.size());
  if (costs)
    sampleCounter.emplace(machine, *costs);
}

void EventCounter::inject(const Inputs &inputs, uint64_t sample, uint64_t step,
                          const std::vector<Injection> &injections) {
  for (const Injection &injection : injections)
    emissions[injection.source] += injection.units;
  for (uint32_t i = 0; i < machine.inputs().size(); ++i) {
    const Machine::Input &input = machine.inputs()[i];
    uint64_t tick = 0;
    if (!input.graded ||
        !machine.tickAt(input.schedule, step, inputs.ticksOf(sample), tick) ||
        inputs.unitValued(i, sample, inputs.shownTick(sample, tick)))
      continue;
    for (const Injection &injection : injections)
      if (injection.source - input.source < input.sources())
        ++gradedEmissions[injection.source];
  }
}

void EventCounter::update(uint32_t groupIndex, uint64_t tick,
                          const GroupUpdate &update) {
  const Machine::Group &group = machine.groups()[groupIndex];
  active[groupIndex] += update.active;
  inactive[groupIndex] += update.inactive;
  wrapped[group.population] += update.wrapped;
  clipped[group.population] += update.clipped;
  ended[group.population] += update.ended;
  for (size_t w = 0; w < update.peaks.size(); ++w) {
    int64_t &peak = peaks[group.population][group.watched[w].state];
    peak = std::max(peak, update.peaks[w]);
  }
  membraneUpdates[group.population] += tick == 0 ? group.count : update.changed;
  for (size_t c = 0; c < update.work.size(); ++c)
    work[groupIndex][c] += update.work[c];
  issued[groupIndex] += update.issued;
  for (const Emission &emission : update.emissions)
    ++emissions[group.sourceOf(emission.neuron, emission.source)];
  spikeCounter.count(group, update);
  for (const HostMessage &message : update.hostMessages)
    ++delivered[group.core][message.output];
}

void EventCounter::update(const Band &band, uint64_t tick,
                          const BandUpdate &update) {
  const Machine::Group &first = machine.groups()[band.firstGroup];
  for (uint32_t g = 0; g < band.groups; ++g) {
    active[band.firstGroup + g] += update.active[g];
    inactive[band.firstGroup + g] +=
        band.begins[g + 1] - band.begins[g] - update.active[g];
  }
  wrapped[first.population] += update.totals.wrapped;
  clipped[first.population] += update.totals.clipped;
  membraneUpdates[first.population] +=
      tick == 0 ? band.count : update.totals.changed;
  for (uint32_t neuron : update.spiked)
    ++emissions[first.source + neuron];
  spikeCounter.countSpikes(first.population, update.spiked.size());
}

void EventCounter::endSample(const Inputs &inputs, uint64_t sample) {
  ++samples;
  tokens += inputs.ticks();
  updates += inputs.ticksOf(sample);
  steps += inputs.stepsOf(sample);
  if (const EventPlan *order = inputs.order())
    for (uint32_t source : order->lost[sample]) {
      --emissions[source];
      ++lost[source];
    }
  if (sampleCounter)
    sampleCounts.push_back(
        {sample,
         sampleCounter->take(*this, inputs.stepsOf(sample), inputs.ticks())});
}

static void add(std::vector<uint64_t> &to, const std::vector<uint64_t> &from) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] += from[i];
}
/// Writes nothing where there is nothing to add.
static void add(ZeroedVector<uint64_t> &to,
                const ZeroedVector<uint64_t> &from) {
  for (size_t i = 0; i < to.size(); ++i)
    if (from[i])
      to[i] += from[i];
}

void EventCounter::merge(const EventCounter &other) {
  samples += other.samples;
  tokens += other.tokens;
  updates += other.updates;
  steps += other.steps;
  saturatedInputs += other.saturatedInputs;
  add(emissions, other.emissions);
  add(lost, other.lost);
  add(gradedEmissions, other.gradedEmissions);
  add(active, other.active);
  add(inactive, other.inactive);
  add(issued, other.issued);
  for (size_t c = 0; c < work.size(); ++c)
    for (size_t k = 0; k < work[c].size(); ++k)
      work[c][k] += other.work[c][k];
  add(wrapped, other.wrapped);
  add(clipped, other.clipped);
  add(ended, other.ended);
  for (size_t p = 0; p < peaks.size(); ++p)
    for (size_t s = 0; s < peaks[p].size(); ++s)
      peaks[p][s] = std::max(peaks[p][s], other.peaks[p][s]);
  spikeCounter.merge(other.spikeCounter);
  add(membraneUpdates, other.membraneUpdates);
  for (size_t c = 0; c < delivered.size(); ++c)
    add(delivered[c], other.delivered[c]);
  sampleCounts.insert(sampleCounts.end(), other.sampleCounts.begin(),
                      other.sampleCounts.end());
}

void EventCounter::clear() {
  samples = tokens = updates = steps = saturatedInputs = 0;
  clearWritten(emissions);
  clearWritten(lost);
  clearWritten(gradedEmissions);
  for (auto *numbers : {&active, &inactive, &issued, &wrapped, &clipped, &ended,
                        &membraneUpdates})
    std::fill(numbers->begin(), numbers->end(), 0);
  std::fill(work.begin(), work.end(), micro::Work{});
  for (std::vector<uint64_t> &outputs : delivered)
    std::fill(outputs.begin(), outputs.end(), 0);
  for (std::vector<int64_t> &states : peaks)
    std::fill(states.begin(), states.end(), 0);
  spikeCounter.clear();
}

Saturations EventCounter::saturations() const {
  Saturations result;
  result.inputs = saturatedInputs;
  for (size_t p = 0; p < wrapped.size(); ++p) {
    const Machine::Population &population = machine.populations()[p];
    const std::string &name = population.name;
    for (size_t s = 0; s < peaks[p].size(); ++s)
      result.peaks[name][population.calibrated[s]] = peaks[p][s];
    if (wrapped[p])
      result.wrapped[name] = wrapped[p];
    if (clipped[p])
      result.clipped[name] = clipped[p];
    if (ended[p])
      result.ended[name] = ended[p];
  }
  return result;
}

Expanded EventCounter::expand(const Target &target,
                              const Traffic &traffic) const {
  return Expansion(machine, *this, target, traffic).run();
}

std::vector<CoreCounts> EventCounter::bySample() const {
  std::vector<CoreCounts> all(sampleCounts.size());
  for (const auto &[sample, counts] : sampleCounts)
    all[sample] = counts;
  return all;
}

SpikeForm spikeForm(const Machine::Group &group, uint32_t source) {
  SpikeForm form;
  if (!group.micro)
    return form;
  for (const MicroProgram::Output &output : group.micro->outputs()) {
    if (source >= output.source + output.elements * output.sourcesPerElement)
      continue;
    if (output.isUnary()) {
      form.counter = Counter::SpikesUnary;
    } else if (output.kind == image::Microprogram::Emission::GRADED) {
      form.counter = Counter::SpikesGraded;
      form.graded = true;
      form.payloadBits = payloadBits(output.low, output.high);
    }
    break;
  }
  return form;
}

void countWork(CoreCounts &counts, const micro::Work &work, uint64_t issued) {
  static constexpr std::array<Counter, kMicroClasses> counters = {
#define MICRO_CLASS(Name, text, counter) Counter::counter,
#include "targets/loader/chip/MicroOps.def"
  };
  counts[Counter::MicrocodeIssue] += issued;
  for (size_t c = 0; c < work.size(); ++c)
    counts[counters[c]] += work[c];
}

} // namespace dendrolith::sim
