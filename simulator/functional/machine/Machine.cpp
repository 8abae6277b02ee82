// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/Machine.h"

#include "runtime/image/Tables.h"
#include "simulator/functional/machine/InAxonTable.h"
#include "targets/loader/chip/Sections.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace dendrolith::sim {

static std::vector<uint64_t>
shapeOf(const google::protobuf::RepeatedField<uint64_t> &shape) {
  return {shape.begin(), shape.end()};
}

/// Whether a list has one weight for neurons side by side, each at the same of
/// its accumulators, or for accumulators side by side. Between two neurons lie
/// all accumulators of one, so that such a list has indices where neurons have
/// several.
static bool isUniform(const Machine &machine, const Axon &axon) {
  auto offset = [&](uint32_t k) {
    return axon.kind == ListKind::Dense ? k
                                        : machine.offsets()[axon.offset + k];
  };
  const uint32_t first = axon.accumulator + offset(0);
  uint32_t each = 1;
  const Machine::Core &core = machine.cores()[axon.core];
  for (uint32_t g = core.firstGroup; g < core.firstGroup + core.groups; ++g)
    if (const Machine::Group &group = machine.groups()[g];
        first - group.firstAccumulator < group.allAccumulators())
      each = group.accumulators;
  const int16_t *weights = machine.weights().data() + axon.weight;
  const uint32_t step = axon.count > 1 ? offset(1) - offset(0) : 1;
  for (uint32_t k = 1; k < axon.count; ++k)
    if (weights[k] != weights[0] || offset(k) != offset(k - 1) + step)
      return false;
  return step == 1 || step == each;
}

Machine::Machine(const image::Program &program, Lists lists)
    : numPeriod(program.schedule().period()),
      numDepth(program.schedule().depth()), lists(lists) {
  addPopulations(program);
  if (lists != Lists::Left)
    reserveLists(program);
  addInputs(program);
  for (const image::Core &core : program.cores())
    addCore(core);
  if (lists != Lists::Left)
    addMessages(program);
  sortPopulations();
  addOutputs(program);
}

/// Arrays of millions that grow would hold up to twice as much.
void Machine::reserveLists(const image::Program &program) {
  size_t axons = 0, weights = 0, offsets = 0, messages = 0;
  for (const image::Input &input : program.inputs())
    messages += countRows(input.axons().rows());
  for (const image::Core &core : program.cores()) {
    axons += countRows(core.in_axons());
    weights += countRows(core.synapses().weights());
    offsets += countRows(core.synapses().offsets());
    for (const image::Group &group : core.groups())
      messages += countRows(group.axons().rows());
  }
  rows.reserve(messages);
  if (lists == Lists::Timed)
    return kindOfAxon.reserve(axons);
  axonTable.reserve(axons);
  weightTable.reserve(weights);
  offsetTable.reserve(offsets);
}

void Machine::addPopulations(const image::Program &program) {
  for (const image::Population &p : program.populations()) {
    populationIndex[p.name()] = static_cast<uint32_t>(populationTable.size());
    Population population;
    population.name = p.name();
    population.size = p.size();
    population.ticks = std::max<uint64_t>(p.ticks(), 1);
    population.numbers = decodeU32(p.numbers());
    for (const auto &state : p.calibrated())
      population.calibrated.push_back(state.state());
    populationTable.push_back(std::move(population));
  }
}

void Machine::addInputs(const image::Program &program) {
  for (const image::Input &in : program.inputs()) {
    Input input;
    input.name = in.name();
    input.shape = shapeOf(in.shape());
    input.size = product(input.shape);
    input.source = numSources;
    input.schedule = TickSchedule(in);
    input.integer = in.kind() != image::Input::BINARY;
    input.split = in.kind() == image::Input::SPLIT;
    input.unary = input.split || in.kind() == image::Input::UNARY;
    input.graded = input.integer && !input.unary;
    if (input.integer) {
      input.low = in.low();
      input.high = in.high();
      input.scale = in.scale();
      input.payloadBits = input.unary ? 1 : payloadBits(input.low, input.high);
    }
    addAxons(in.axons());
    inputTable.push_back(std::move(input));
  }
}

static uint64_t accumulatorsOf(const image::Group &group,
                               const image::Core &core) {
  if (group.has_cuba())
    return 1;
  uint64_t count = 0;
  for (const auto &port :
       core.programs(static_cast<int>(group.microcode().program())).ports())
    count += port.elements();
  return count;
}

void Machine::addCore(const image::Core &image) {
  Core core;
  core.id = image.id();
  core.firstAccumulator = numAccumulators;
  core.firstGroup = static_cast<uint32_t>(groupTable.size());
  core.groups = static_cast<uint32_t>(image.groups_size());
  for (const image::Group &group : image.groups())
    core.accumulators =
        std::max(core.accumulators,
                 index32(group.base() + uint64_t(group.count()) *
                                            accumulatorsOf(group, image),
                         "accumulators on a core"));
  numAccumulators =
      index32(uint64_t(numAccumulators) + core.accumulators, "accumulators");
  uint32_t coreIndex = static_cast<uint32_t>(coreTable.size());
  coreTable.push_back(core);
  for (const image::Group &group : image.groups())
    addGroup(group, image, coreIndex);
  if (lists != Lists::Left)
    addLists(image);
}

/// Adds the synapses of the last core, or what serving them takes.
void Machine::addLists(const image::Core &image) {
  Core &core = coreTable.back();
  const bool timed = lists == Lists::Timed;
  std::vector<SynapseList> all = decodeLists(image.synapses().lists());
  std::vector<int16_t> weights = decodeI16(image.synapses().weights());
  std::vector<uint32_t> offsets = decodeU32(image.synapses().offsets());
  core.firstAxon =
      static_cast<uint32_t>(timed ? kindOfAxon.size() : axonTable.size());
  const uint64_t firstWeight = weightTable.size(),
                 firstOffset = offsetTable.size();
  const std::vector<uint16_t> delays = decodeDelays(image.synapses().weights());
  weightTable.insert(weightTable.end(), weights.begin(), weights.end());
  if (!delays.empty())
    delayTable.resize(firstWeight);
  if (!delayTable.empty() || !delays.empty()) {
    delayTable.insert(delayTable.end(), delays.begin(), delays.end());
    delayTable.resize(weightTable.size());
  }
  offsetTable.insert(offsetTable.end(), offsets.begin(), offsets.end());
  for (const InAxon &row : decodeInAxons(image.in_axons())) {
    const SynapseList &list = all[row.list];
    Axon axon;
    axon.weight = firstWeight + list.first;
    axon.offset = firstOffset + list.firstOffset;
    axon.accumulator = core.firstAccumulator + row.base;
    axon.count = list.count;
    axon.words = list.words;
    axon.core = static_cast<uint32_t>(coreTable.size() - 1);
    axon.delay = row.delay;
    axon.kind = list.kind;
    axon.shift = list.shift;
    axon.uniform = isUniform(*this, axon);
    if (!delays.empty())
      axon.later = laterOf(delays.data() + list.first, list.count);
    ++core.axons;
    if (timed)
      kindOfAxon.push_back(axonTable.addKind(axon));
    else
      axonTable.add(axon);
  }
  index32(uint64_t(core.firstAxon) + core.axons, "in-axons");
  if (timed) {
    weightTable.clear();
    offsetTable.clear();
    delayTable.clear();
  }
}

uint32_t Machine::laterOf(const uint16_t *delays, uint32_t count) {
  std::map<uint32_t, uint32_t> entries; // by steps
  for (uint32_t k = 0; k < count; ++k)
    ++entries[delays[k]];
  if (entries.size() == 1 && entries.begin()->first == 0)
    return 0;
  std::vector<Delayed> delayed;
  for (const auto &[steps, of] : entries)
    delayed.push_back({steps, of});
  const auto [at, isNew] =
      laterNumbers.emplace(delayed, uint32_t(delayedTable.size() + 1));
  if (isNew)
    delayedTable.push_back(std::move(delayed));
  return at->second;
}

void Machine::addGroup(const image::Group &image, const image::Core &program,
                       uint32_t core) {
  Group group;
  group.core = core;
  group.population = populationIndex.at(image.population());
  group.firstNeuron = image.first_neuron();
  group.count = image.count();
  group.firstAccumulator = coreTable[core].firstAccumulator + image.base();
  group.source = numSources;
  group.schedule = TickSchedule(image);
  group.held = numHeldSums; // of a group without any, where the next begins
  group.left = numLeftUnits;
  if (image.has_cuba())
    addCuba(image.cuba(), group.cuba);
  else
    addMicrocode(image, program, group);
  addWatched(group);
  populationTable[group.population].groups.push_back(
      static_cast<uint32_t>(groupTable.size()));
  addAxons(image.axons());
  groupTable.push_back(std::move(group));
}

void Machine::addAxons(const image::Axons &axons) {
  size_t sources = std::max<size_t>(countRows(axons.begin()), 1) - 1;
  numSources = index32(numSources + sources, "sources");
}

/// Adds what all sources send, in their order, once all cores and in-axons are
/// known.
void Machine::addMessages(const image::Program &program) {
  uint32_t ids = 0;
  for (const Core &core : coreTable)
    ids = std::max(ids, core.id + 1);
  std::vector<uint32_t> firstAxon(ids); // by core id
  for (const Core &core : coreTable)
    firstAxon[core.id] = core.firstAxon;
  auto add = [&](const image::Axons &axons) {
    const AxonTable table = decodeAxons(axons);
    const uint64_t before = rows.size();
    for (size_t source = 1; source < table.begin.size(); ++source)
      rowBegin.push_back(before + table.begin[source]);
    for (const AxonRow &row : table.rows) {
      const uint32_t axon = firstAxon.at(row.core) + row.axon;
      rows.push_back({lists == Lists::Timed ? kindOfAxon[axon] : axon});
    }
  };
  for (const image::Input &input : program.inputs())
    add(input.axons());
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups())
      add(group.axons());
  kindOfAxon = {};
  laterNumbers = {};
  if (lists == Lists::Timed) {
    weightTable = {};
    offsetTable = {};
    delayTable = {};
  }
}

void Machine::sortPopulations() {
  for (Population &population : populationTable)
    std::sort(population.groups.begin(), population.groups.end(),
              [&](uint32_t a, uint32_t b) {
                return groupTable[a].firstNeuron < groupTable[b].firstNeuron;
              });
}

std::vector<Traffic::Messages> ListTraffic::sum(SourceRange sources,
                                                const uint64_t *times) const {
  std::vector<Messages> all;
  for (uint32_t i = 0; i < sources.count; ++i) {
    uint32_t source = sources.first + i * sources.stride;
    if (times[source] == 0)
      continue;
    for (const Machine::Message &row : machine.messages(source))
      all.push_back({row.axon, times[source]});
  }
  return all;
}

void ListTraffic::kindsOf(uint32_t source, std::vector<size_t> &kinds) const {
  kinds.clear();
  for (const Machine::Message &row : machine.messages(source))
    kinds.push_back(row.axon);
}

Delivery ListTraffic::delivery(size_t kind) const {
  const Axon axon = machine.axons()[kind];
  const int16_t *first = machine.weights().data() + axon.weight;
  auto zeros = std::count(first, first + axon.count, 0);
  const uint32_t reached =
      axon.accumulator +
      (axon.kind == ListKind::Dense ? 0 : machine.offsets()[axon.offset]);
  return {axon.core,  machine.populationAt(axon.core, reached),  axon.count,
          axon.words, axon.count - static_cast<uint32_t>(zeros), axon.kind};
}

uint32_t Machine::populationAt(uint32_t core, uint32_t accumulator) const {
  const Group *group = groupTable.data() + coreTable[core].firstGroup;
  const Group *last = group + coreTable[core].groups - 1;
  while (group != last &&
         accumulator - group->firstAccumulator >= group->allAccumulators())
    ++group;
  return group->population;
}

std::vector<uint64_t> Machine::stepsOfGroup(uint32_t index) const {
  const Group &group = groupTable[index];
  std::vector<uint64_t> steps;
  for (uint64_t part = 0; part < group.schedule.ticks; ++part)
    for (uint64_t unit = 0; unit < group.sendSteps; ++unit)
      steps.push_back(
          (group.schedule.phase + part * group.schedule.stride + unit) %
          numPeriod);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

} // namespace dendrolith::sim
