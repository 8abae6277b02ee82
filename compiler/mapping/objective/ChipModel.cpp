// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/ChipModel.h"

#include "targets/loader/Target.h"
#include "targets/loader/chip/Counters.h"
#include "targets/loader/price/CostTable.h"

#include <algorithm>

namespace dendrolith {

namespace {

double priceOf(const CostTable &table, const std::string &event) {
  const Price *price = table.find(event);
  return price && price->form == Price::Decision::Priced ? price->value : 0;
}

/// Adds `share` of what a table says.
void addPrices(const CostTable &table, double share, Prices &to) {
  auto add = [&](double &price, const char *event) {
    price += share * priceOf(table, event);
  };
  add(to.send, "messages");
  for (const char *event : {"within_tile", "axon_reads"})
    add(to.message, event);
  add(to.hopEw, "hops_ew");
  add(to.hopNs, "hops_ns");
  add(to.crossing, "crossings");
  // The mapping changes none of these, but how much they weigh beside what it
  // does change. One kind stands for all that are alike.
  add(to.spike, "spikes.binary");
  add(to.synop, "synops.sparse");
  add(to.word, "synmem_words");
  add(to.updateActive, "neuron_updates_active");
  add(to.updateInactive, "neuron_updates_inactive");
  add(to.barrier, "barriers");
  const char *const counters[] = {
#define MICRO_CLASS(Name, text, counter) counterName(Counter::counter),
#include "targets/loader/chip/MicroOps.def"
  };
  add(to.issue, "microcode.issue");
  for (size_t c = 0; c < kMicroClasses; ++c)
    add(to.element[c], counters[c]);
  if (table.staticPower)
    to.staticMilliwatts += share * table.staticPower->milliwatts;
}

} // namespace

ChipModel::ChipModel(const Target &target, const std::string &timing,
                     const std::string &costs)
    : timing(target.timing(timing)), timingName(this->timing.name) {
  if (costs.empty() && target.costBand) {
    auto [low, high] = CostTable::loadBand(target);
    addPrices(low, 0.5, prices);
    addPrices(high, 0.5, prices);
    costsName = low.name + " to " + high.name;
  } else if (!costs.empty() || !target.defaultCosts.empty()) {
    CostTable table = CostTable::load(costs, target);
    addPrices(table, 1, prices);
    costsName = table.name;
  }
  priced = prices.send + prices.message + prices.hopEw + prices.hopNs +
               prices.synop + prices.updateActive + prices.staticMilliwatts >
           0;
}

double ChipModel::serviceOf(const ListPlan &list, bool convolution) const {
  const auto &each = timing.perSynapse;
  const uint64_t perEntry = !list.sparse  ? each.dense
                            : convolution ? each.conv
                                          : each.sparse;
  return double(timing.messageIn) +
         double(list.words) * double(timing.perWord) +
         double(list.count) * double(perEntry);
}

double ChipModel::timeOf(const ProgramWork &work) const {
  if (work.instructions == 0) // this is asked for each neuron
    return 0;
  double cycles = double(work.instructions) * double(timing.microcode.issue);
  for (size_t c = 0; c < kMicroClasses; ++c)
    cycles += double(work.slots[c]) * double(timing.microcode.cycles[c]);
  return cycles * double(timing.microcode.cycle);
}

double ChipModel::energyOf(const ProgramWork &work) const {
  double energy = double(work.instructions) * prices.issue;
  for (size_t c = 0; c < kMicroClasses; ++c)
    energy += double(work.elements[c]) * prices.element[c];
  return energy;
}

} // namespace dendrolith
