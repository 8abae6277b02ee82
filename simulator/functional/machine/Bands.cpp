// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/Bands.h"

#include "simulator/functional/machine/WordScan.h"

#include <algorithm>
#include <tuple>

namespace dendrolith::sim {

namespace {

auto parametersOf(const Machine::Group &group) {
  const CubaRules &rules = group.cuba.rules;
  const CubaParameters p = group.cuba.at(0);
  return std::make_tuple(rules.currentBits, rules.vmin, rules.vmax,
                         rules.wrapOpenHigh, p.decayU, p.decayV, p.threshold,
                         p.bias, group.population, group.schedule.phase,
                         group.schedule.ticks, group.schedule.stride);
}

/// Whether `next` can be updated with `last`, which is the group before it.
bool follows(const Machine::Group &last, const Machine::Group &next) {
  return next.firstAccumulator == last.firstAccumulator + last.count &&
         next.source == last.source + last.count &&
         parametersOf(last) == parametersOf(next);
}

/// How many of flags [from, to) have kActive.
uint64_t countActive(const std::vector<uint8_t> &flags, uint32_t from,
                     uint32_t to) {
  uint64_t active = 0;
  for (uint32_t n = from; n < to; ++n)
    active += flags[n] & kActive;
  return active;
}

} // namespace

std::vector<Band> findBands(const Machine &machine, CoreShare cores) {
  std::vector<Band> bands;
  const std::vector<Machine::Group> &groups = machine.groups();
  auto isOne = [&](uint32_t g) {
    return !groups[g].micro && groups[g].cuba.sharedStep &&
           isPlain(groups[g].cuba) && groups[g].outputs.empty() &&
           groups[g].watched.empty() && cores.has(groups[g].core);
  };
  for (uint32_t g = 0, end = 0; g < groups.size(); g = end) {
    for (end = g + 1; end < groups.size() && isOne(g) && isOne(end) &&
                      follows(groups[end - 1], groups[end]);)
      ++end;
    if (end - g < 2)
      continue;
    Band band{g, end - g, 0, {0}, {}, UINT32_MAX, 0};
    for (uint32_t each = g; each < end; ++each) {
      const Machine::Group &group = groups[each];
      for (uint32_t n = 0; n < group.count; ++n)
        band.numbers.push_back(static_cast<uint32_t>(
            machine.populations()[group.population].numberOf(group.firstNeuron +
                                                             n)));
      band.begins.push_back(band.count += group.count);
    }
    for (uint32_t number : band.numbers) {
      band.lowest = std::min(band.lowest, number);
      band.end = std::max(band.end, number + 1);
    }
    bands.push_back(std::move(band));
  }
  return bands;
}

/// Fills in who was active and who spiked from the flags of a visit.
static void readFlags(const Band &band, BandUpdate &update) {
  update.active.clear();
  for (uint32_t g = 0; g < band.groups; ++g)
    update.active.push_back(
        countActive(update.flags, band.begins[g], band.begins[g + 1]));
  std::vector<uint32_t> &neurons = update.list.neurons;
  neurons.clear();
  if (update.totals.spiked)
    eachSpike(update.flags,
              [&](uint32_t neuron, uint32_t) { neurons.push_back(neuron); });
  update.spiked = {neurons.data(), neurons.data() + neurons.size()};
}

bool updateBand(State &state, const Band &band, uint64_t tick, uint64_t step,
                BandUpdate &update) {
  static const bool lists = canStepListing();
  const Machine::Group &first = state.machine.groups()[band.firstGroup];
  const Accumulators::Due due = state.accumulators.dueAt(first, tick, step);
  if (due.first != due.last)
    return false;
  update.totals = {};
  const uint32_t at = first.firstAccumulator;
  int32_t *const u = state.u.data() + at, *const v = state.v.data() + at;
  if (state.layout.counted.bits && lists) {
    stepListing(first.cuba, band.count, u, v, state.layout.counted,
                state.counted.words(step) + at, update.totals, update.list);
    update.active.resize(band.groups);
    update.list.countActive(band.begins.data(), band.groups,
                            update.active.data());
    const uint32_t *neurons = update.list.neurons.data();
    update.spiked = {neurons, neurons + update.list.count};
    return true;
  }
  update.flags.resize((band.count + 7) / 8 * 8);
  const CubaArrays arrays{band.count, u, v, update.flags.data()};
  if (state.layout.counted.bits) {
    stepShared(first.cuba, arrays, state.layout.counted,
               state.counted.words(step) + at, update.totals);
  } else {
    int64_t *sums = state.accumulators.sums(step) + at;
    uint8_t *marks = state.accumulators.marks(step) + at;
    update.words.resize(band.count);
    if (!stepShared(first.cuba, arrays, sums, marks, update.words.data(),
                    update.totals))
      return false;
    std::fill_n(sums, band.count, 0);
    std::fill_n(marks, band.count, 0);
  }
  readFlags(band, update);
  return true;
}

} // namespace dendrolith::sim
