// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/FunctionalEngine.h"

#include "runtime/host/Workers.h"
#include "simulator/functional/rows/Rows.h"
#include "simulator/ranks/Exchange.h"

#include <thread>

namespace dendrolith::sim {

static constexpr uint64_t kReportEvery = 64; // in steps
static constexpr size_t kAhead = 2;          // rows fetched before their turn

FunctionalEngine::FunctionalEngine(const Machine &machine,
                                   const RowShares &rows, const Inputs &inputs,
                                   Recorder &recorder,
                                   const RunOptions &options,
                                   const EmissionCosts *costs,
                                   const LimitedTraffic *limited)
    : machine(machine), rows(rows), inputs(inputs), recorder(recorder),
      options(options), costs(costs), limited(limited),
      compiled(compileGroups(machine, options, inputs.ticks(), inputs.samples(),
                             workersFor(options.threads, UINT64_MAX))),
      visitsAt(rows.size(), std::vector<std::vector<Visit>>(machine.period())),
      total(machine), limits(limited) {
  if (options.ranks && options.ranks->size() > 1)
    exchange.emplace(*options.ranks, machine, rows,
                     /*all=*/limited && options.ranks->first());
  planVisits();
}

void FunctionalEngine::planVisits() {
  for (uint32_t s = 0; s < rows.size(); ++s) {
    bands.push_back(findBands(machine, rows.cores(s)));
    auto band = bands.back().begin();
    for (uint32_t g = 0; g < machine.groups().size();) {
      Visit visit{g};
      if (band != bands.back().end() && band->firstGroup == g) {
        visit = {g, band->groups, &*band};
        ++band;
      }
      if (rows.cores(s).has(machine.groups()[g].core))
        for (uint64_t step : machine.stepsOfGroup(g))
          visitsAt[s][step].push_back(visit);
      g += visit.groups;
    }
  }
}

EventCounter FunctionalEngine::run() {
  const unsigned threads = machine.carriesState() || rows.size() > 1 || exchange
                               ? 1
                               : workersFor(options.threads, inputs.samples());
  if (threads == 1) {
    work();
  } else {
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < threads; ++i)
      workers.emplace_back([this] { work(); });
    for (std::thread &worker : workers)
      worker.join();
  }
  if (failure)
    std::rethrow_exception(failure);
  return total;
}

void FunctionalEngine::work() {
  try {
    Run run(machine, rows, costs, limited);
    run.state.compiled = compiled;
    for (uint64_t s; (s = nextSample++) < inputs.samples();)
      runSample(s, run);
    std::lock_guard<std::mutex> lock(mutex);
    total.merge(run.events);
    limits.merge(run.counted);
  } catch (...) {
    std::lock_guard<std::mutex> lock(mutex);
    failure = std::current_exception();
    nextSample = inputs.samples();
  }
}

void FunctionalEngine::Emitted::append(const Emitted &other) {
  spikes.insert(spikes.end(), other.spikes.begin(), other.spikes.end());
  values.insert(values.end(), other.values.begin(), other.values.end());
}

void FunctionalEngine::Emitted::copyTo(std::vector<Injection> &to) const {
  to.clear();
  for (uint32_t source : spikes)
    to.push_back({source, 1});
  to.insert(to.end(), values.begin(), values.end());
}

void FunctionalEngine::deliver(const Emitted &emitted, uint64_t step,
                               const Rows &rows, State &state) {
  RowBatch batch(rows, step, state);
  const auto sendAll = [&](const auto &all, auto sourceOf, auto payloadOf) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (i + 4 * kAhead < all.size())
        rows.prefetchPlace(sourceOf(all[i + 4 * kAhead]));
      const size_t next = std::min(i + kAhead, all.size() - 1);
      batch.send(sourceOf(all[i]), payloadOf(all[i]), sourceOf(all[next]));
    }
  };
  const std::vector<uint32_t> &spikes = emitted.spikes;
  if (rows.areFlat(state.layout.counted))
    rows.sendSpikes({spikes.data(), spikes.data() + spikes.size()}, step,
                    state);
  else
    sendAll(
        spikes, [](uint32_t source) { return source; },
        [](uint32_t) { return int64_t(1); });
  sendAll(
      emitted.values, [](const Injection &each) { return each.source; },
      [](const Injection &each) { return each.payload; });
  batch.flush();
}

void FunctionalEngine::count(uint64_t sample, uint64_t step,
                             const Emitted &emitted, StepLimits &counted) {
  if (!counted.counting())
    return;
  for (uint32_t source : emitted.spikes)
    counted.emit(source, step, 1);
  for (const Injection &each : emitted.values)
    counted.emit(each.source, step, each.units);
  counted.closeBefore(sample, step + 1);
}

void FunctionalEngine::runSample(uint64_t sample, Run &run) {
  const uint64_t steps = inputs.stepsOf(sample);
  recorder.startSample(sample);
  for (size_t share = 1; share < run.parts.size(); ++share)
    run.parts[share].events.emplace(machine);
  for (uint64_t step = 0; step < steps; ++step) {
    // Each process has the host's values, and the first counts them.
    uint64_t saturated = 0;
    inputs.at(sample, step, run.injections, saturated);
    if (first()) {
      run.events.saturatedInputs += saturated;
      run.events.inject(inputs, sample, step, run.injections);
    }
    if (exchange && step > 0)
      hear(sample, step - 1, run);
    run.workers.share(
        static_cast<uint32_t>(run.parts.size()), [&](uint32_t share, unsigned) {
          // What the step before has sent is due now at the
          // earliest.
          if (step > 0)
            deliver(run.emitted, step - 1, rows[share], run.state);
          updateShare(sample, step, share, run);
        });
    // Shares are in the order of groups, so this is, too.
    run.emitted.clear();
    if (!inputs.order())
      for (const SharePart &part : run.parts)
        run.emitted.append(part.emitted);
    else if (const EventPlan::Event *spike = inputs.spikeAt(sample, step))
      run.emitted.spikes.push_back(spike->source);
    if (exchange) {
      run.emitted.copyTo(run.told);
      exchange->begin(run.told);
    }
    for (const Injection &each : run.injections)
      if (each.payload == 1 && each.units == 1)
        run.emitted.spikes.push_back(each.source);
      else
        run.emitted.values.push_back(each);
    if (!exchange)
      count(sample, step, run.emitted, run.counted);
    recorder.finishSteps(sample, inputs.shownSteps(sample, step + 1));
    if ((step + 1) % kReportEvery == 0 || step + 1 == steps)
      report(step % kReportEvery + 1, inputs.allSteps());
  }
  if (exchange && steps > 0)
    hear(sample, steps - 1, run);
  run.state.reset();
  run.counted.endSample(sample);
  for (size_t share = 1; share < run.parts.size(); ++share)
    run.events.merge(*run.parts[share].events);
  if (exchange)
    gather(*options.ranks, machine, run.events);
  if (first())
    run.events.endSample(inputs, sample);
}

void FunctionalEngine::hear(uint64_t sample, uint64_t step, Run &run) {
  run.workers.share(static_cast<uint32_t>(run.parts.size()),
                    [&](uint32_t share, unsigned) {
                      deliver(run.emitted, step, rows[share], run.state);
                    });
  const std::vector<Injection> &others = exchange->end();
  if (run.counted.counting()) {
    run.emitted.values.insert(run.emitted.values.end(), others.begin(),
                              others.end());
    count(sample, step, run.emitted, run.counted);
  }
  run.emitted.spikes.clear();
  run.emitted.values = others;
}

void FunctionalEngine::updateShare(uint64_t sample, uint64_t step,
                                   uint32_t share, Run &run) {
  run.parts[share].emitted.clear();
  for (const Visit &visit : visitsAt[share][step % machine.period()]) {
    if (visit.band && visitBand(sample, step, share, *visit.band, run))
      continue;
    for (uint32_t g = visit.firstGroup; g < visit.firstGroup + visit.groups;
         ++g)
      visitGroup(sample, step, share, g, run);
  }
}

bool FunctionalEngine::visitBand(uint64_t sample, uint64_t step, uint32_t share,
                                 const Band &band, Run &run) {
  const Machine::Group &first = machine.groups()[band.firstGroup];
  uint64_t tick = 0;
  if (!machine.tickAt(first.schedule, step, inputs.ticksOf(sample), tick))
    return true; // of which no group has anything to do
  SharePart &part = run.parts[share];
  if (!updateBand(run.state, band, tick, step, part.band))
    return false;
  EventCounter &events = share == 0 ? run.events : *part.events;
  events.update(band, tick, part.band);
  recorder.record(sample, band, inputs.shownTick(sample, tick), run.state,
                  part.band, share);
  std::vector<uint32_t> &spikes = part.emitted.spikes;
  const size_t before = spikes.size();
  spikes.resize(before + part.band.spiked.size());
  std::transform(part.band.spiked.begin(), part.band.spiked.end(),
                 spikes.begin() + ptrdiff_t(before),
                 [&](uint32_t neuron) { return first.source + neuron; });
  return true;
}

void FunctionalEngine::visitGroup(uint64_t sample, uint64_t step,
                                  uint32_t share, uint32_t g, Run &run) {
  SharePart &part = run.parts[share];
  GroupUpdate &update = part.update;
  const Machine::Group &group = machine.groups()[g];
  uint64_t tick = 0;
  bool more = false;
  if (machine.tickAt(group.schedule, step, inputs.ticksOf(sample), tick))
    updateGroup(run.state, g, tick, step, update);
  else if ((more = machine.sendsAt(group, step, inputs.ticksOf(sample), tick)))
    sendUnits(run.state, g, update);
  else
    return;
  EventCounter &events = share == 0 ? run.events : *part.events;
  events.update(g, tick, update);
  recorder.record(sample, g, inputs.shownTick(sample, tick), run.state, update,
                  more, share);
  for (const Emission &emission : update.emissions)
    if (emission.value == 1)
      part.emitted.spikes.push_back(
          group.sourceOf(emission.neuron, emission.source));
    else
      part.emitted.values.push_back(
          {group.sourceOf(emission.neuron, emission.source), emission.value});
}

void FunctionalEngine::report(uint64_t steps, uint64_t all) {
  if (!options.progress)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  done += steps;
  options.progress(done, all);
}

} // namespace dendrolith::sim
