// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/StepLimits.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::sim {

bool LimitedTraffic::isNeeded(const Target &target) {
  const Limits &limits = target.limits;
  return limits.spikesPerStep || limits.delayedPerStep ||
         limits.injectionsPerStep || limits.injectionsPerNeuron;
}

std::unique_ptr<const LimitedTraffic>
LimitedTraffic::of(const image::Program &program, const Target &target) {
  if (!isNeeded(target))
    return nullptr;
  return std::make_unique<const LimitedTraffic>(Machine(program), target);
}

LimitedTraffic::LimitedTraffic(const Machine &machine, const Target &target)
    : limits(target.limits), target(target.name) {
  for (const Machine::Core &core : machine.cores()) {
    ids.push_back(core.id);
    firstAccumulator.push_back(core.firstAccumulator);
  }
  coreOfSource.assign(machine.sources(), uint32_t(ids.size()));
  for (const Machine::Group &group : machine.groups())
    std::fill_n(coreOfSource.begin() + group.source,
                size_t(group.count) * group.sources, group.core);
  for (uint32_t source = 0; source < machine.sources(); ++source) {
    for (const Machine::Message &message : machine.messages(source)) {
      const Axon axon = machine.axons()[message.axon];
      machine.forEachDelay(axon, [&](uint32_t steps, uint32_t entries) {
        if (steps)
          all.push_back({axon.core, entries, steps});
      });
      if (axon.core == coreOfSource[source])
        continue;
      for (uint32_t k = 0; k < axon.count; ++k)
        accumulators.push_back(axon.accumulator +
                               (axon.kind == ListKind::Dense
                                    ? k
                                    : machine.offsets()[axon.offset + k]));
    }
    delayedBegin.push_back(all.size());
    reachedBegin.push_back(accumulators.size());
  }
}

uint32_t LimitedTraffic::coreWith(uint32_t accumulator) const {
  return uint32_t(std::upper_bound(firstAccumulator.begin(),
                                   firstAccumulator.end(), accumulator) -
                  firstAccumulator.begin()) -
         1;
}

void StepLimits::emit(uint32_t source, uint64_t step, uint32_t times) {
  if (!traffic)
    return;
  Tally &tally = open[step];
  const uint32_t core = traffic->coreOf(source);
  const bool host = traffic->isHost(core);
  if (!host)
    tally.spikes[core] += times;
  for (const LimitedTraffic::Delayed &list : traffic->delayed(source))
    tally.delayed[{list.core, step + 1 + list.steps}] +=
        uint64_t(list.synapses) * times;
  for (uint32_t accumulator : traffic->reached(source)) {
    if (host) {
      tally.written.insert(accumulator);
      continue;
    }
    tally.injected += times;
    tally.hits[accumulator] += times;
  }
}

void StepLimits::closeBefore(uint64_t sample, uint64_t step) {
  while (!open.empty() && open.begin()->first < step) {
    close(sample, open.begin()->first, open.begin()->second);
    open.erase(open.begin());
  }
}

void StepLimits::endSample(uint64_t sample) {
  closeBefore(sample, UINT64_MAX);
  waiting.clear();
}

void StepLimits::look(StepLimit kind, const std::optional<uint64_t> &limit,
                      const Excess &found, bool &counted) {
  if (!limit || found.count <= *limit)
    return;
  const uint64_t steps = first[kind] ? first[kind]->steps : 0;
  if (!first[kind])
    first[kind] = found;
  first[kind]->steps = steps + !counted;
  counted = true;
}

void StepLimits::close(uint64_t sample, uint64_t step, const Tally &tally) {
  std::array<bool, kKinds> counted{};
  for (auto [core, count] : tally.spikes)
    look(Spikes, traffic->limits.spikesPerStep, {sample, step, core, count},
         counted[Spikes]);
  for (auto at = waiting.begin(); at != waiting.end();)
    at = at->first.second <= step ? waiting.erase(at) : std::next(at);
  for (auto [place, count] : tally.delayed)
    look(Waiting, traffic->limits.delayedPerStep,
         {sample, step, place.first, waiting[place] += count, place.second},
         counted[Waiting]);
  look(Injected, traffic->limits.injectionsPerStep,
       {sample, step, 0, tally.injected}, counted[Injected]);
  // The lowest accumulator goes first, in whatever order they are kept.
  std::vector<std::pair<uint32_t, uint32_t>> hits(tally.hits.begin(),
                                                  tally.hits.end());
  std::sort(hits.begin(), hits.end());
  for (auto &[accumulator, count] : hits)
    count += uint32_t(tally.written.count(accumulator));
  for (auto [accumulator, count] : hits)
    look(Replaced, traffic->limits.injectionsPerNeuron,
         {sample, step, traffic->coreWith(accumulator), count},
         counted[Replaced]);
}

void StepLimits::merge(const StepLimits &other) {
  for (size_t kind = 0; kind < kKinds; ++kind) {
    const std::optional<Excess> &theirs = other.first[kind];
    if (!theirs)
      continue;
    const uint64_t steps = first[kind] ? first[kind]->steps : 0;
    if (!first[kind] || theirs->place() < first[kind]->place())
      first[kind] = theirs;
    first[kind]->steps = steps + theirs->steps;
  }
}

Warnings StepLimits::warnings() const {
  Warnings found;
  auto add = [&](StepLimit kind, const char *limit, const std::string &where,
                 const std::string &what, uint64_t most) {
    const Excess &excess = *first[kind];
    found.push_back(
        {"step-limit", where,
         fmt::format("step {} of sample {} has {}, a chip '{}' takes {} ({}) "
                     "and loses, moves or replaces the others, so that values "
                     "after it are not the chip's; {} such steps in the run; "
                     "use fewer or rarer spikes, or other delays",
                     excess.step, excess.sample, what, traffic->target, most,
                     limit, excess.steps)});
  };
  auto core = [&](StepLimit kind) {
    return fmt::format("core {}", traffic->ids[first[kind]->core]);
  };
  if (first[Spikes])
    add(Spikes, "spikes_per_step", core(Spikes),
        fmt::format("{} spikes", first[Spikes]->count),
        *traffic->limits.spikesPerStep);
  if (first[Waiting])
    add(Waiting, "delayed_per_step", core(Waiting),
        fmt::format("{} synapses that wait for step {}", first[Waiting]->count,
                    first[Waiting]->due),
        *traffic->limits.delayedPerStep);
  if (first[Injected])
    add(Injected, "injections_per_step", "the chip",
        fmt::format("{} synapses between cores", first[Injected]->count),
        *traffic->limits.injectionsPerStep);
  if (first[Replaced])
    add(Replaced, "injections_per_neuron", core(Replaced),
        fmt::format("{} contributions from elsewhere to one neuron",
                    first[Replaced]->count),
        *traffic->limits.injectionsPerNeuron);
  return found;
}

} // namespace dendrolith::sim
