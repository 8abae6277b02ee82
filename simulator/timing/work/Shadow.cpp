// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/Shadow.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::sim {

void Shadow::send(uint32_t source, int64_t payload, uint64_t step) {
  for (const Machine::Message &message : machine.messages(source))
    state.accumulators.deliver(message.axon, payload, step);
}

void Shadow::inject(const std::vector<Injection> &injections, uint64_t step) {
  for (const Injection &injection : injections)
    send(injection.source, injection.payload, step);
}

std::string Shadow::place(uint32_t accumulator) const {
  const std::vector<Machine::Core> &cores = machine.cores();
  auto core = std::upper_bound(cores.begin(), cores.end(), accumulator,
                               [](uint32_t p, const Machine::Core &core) {
                                 return p < core.firstAccumulator;
                               });
  --core;
  return fmt::format("core {}, accumulator {}", core->id,
                     accumulator - core->firstAccumulator);
}

void Shadow::visit(uint32_t groupIndex, uint64_t tick, uint64_t step,
                   const GroupUpdate &theirs) {
  updateGroup(state, groupIndex, tick, step, mine);
  compareEmissions(groupIndex, step, theirs);
}

void Shadow::sendUnits(uint32_t groupIndex, uint64_t step,
                       const GroupUpdate &theirs) {
  sim::sendUnits(state, groupIndex, mine);
  compareEmissions(groupIndex, step, theirs);
}

void Shadow::compareEmissions(uint32_t groupIndex, uint64_t step,
                              const GroupUpdate &theirs) {
  const Machine::Group &group = machine.groups()[groupIndex];
  for (size_t i = 0;
       i < std::max(mine.emissions.size(), theirs.emissions.size()); ++i) {
    // The first neuron that emits in one of them only, or another value.
    bool ours = i < mine.emissions.size(), other = i < theirs.emissions.size();
    if (ours && other &&
        mine.emissions[i].neuron == theirs.emissions[i].neuron &&
        mine.emissions[i].source == theirs.emissions[i].source &&
        mine.emissions[i].value == theirs.emissions[i].value)
      continue;
    uint32_t neuron = std::min(ours ? mine.emissions[i].neuron : UINT32_MAX,
                               other ? theirs.emissions[i].neuron : UINT32_MAX);
    auto valueIn = [&](const GroupUpdate &update) {
      return i < update.emissions.size() && update.emissions[i].neuron == neuron
                 ? update.emissions[i].value
                 : 0;
    };
    throw Error(
        fmt::format("verify: {}, step {}: expected emission {}, found "
                    "{}; the timing of messages changed a result",
                    place(group.firstAccumulator + neuron * group.accumulators),
                    step, valueIn(mine), valueIn(theirs)));
  }
  for (const Emission &emission : mine.emissions)
    send(group.sourceOf(emission.neuron, emission.source), emission.value,
         step);
}

/// The first index in which two arrays differ; their end if they do not.
template <typename T>
static size_t differAt(const ZeroedVector<T> &a, const ZeroedVector<T> &b) {
  return std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
}

/// The first state word in which two machines differ; the end if they do not.
/// Rows are longer than there are neurons, and machine code (Compiled.h) leaves
/// other words behind the last neuron than the interpreter.
size_t Shadow::wordAt(const State &theirs) const {
  for (const Machine::Group &group : machine.groups()) {
    if (!group.micro)
      continue;
    for (uint32_t w = 0; w < group.micro->stateWords(); ++w) {
      const auto first =
          state.words.begin() +
          ptrdiff_t(group.words + w * size_t(group.micro->row()));
      const auto found =
          std::mismatch(first, first + group.count,
                        theirs.words.begin() + (first - state.words.begin()));
      if (found.first != first + group.count)
        return found.first - state.words.begin();
    }
  }
  return state.words.size();
}

void Shadow::compare(const State &theirs, uint64_t sample,
                     uint64_t step) const {
  if (auto found = state.accumulators.compare(theirs.accumulators))
    throw Error(fmt::format(
        "verify: {}, step {} of sample {}: expected a sum of {}, found {} "
        "after all messages were served",
        place(found->accumulator), step, sample, found->mine, found->others));
  struct {
    const char *name;
    const ZeroedVector<int32_t> &mine, &others;
  } words[] = {{"u", state.u, theirs.u},
               {"v", state.v, theirs.v},
               {"refractory", state.refractory, theirs.refractory}};
  for (const auto &word : words) {
    const size_t at = differAt(word.mine, word.others);
    if (at != word.mine.size())
      throw Error(fmt::format(
          "verify: {}, step {} of sample {}: expected {} = {}, found {}",
          place(static_cast<uint32_t>(at)), step, sample, word.name,
          word.mine[at], word.others[at]));
  }
  struct {
    const char *name;
    const ZeroedVector<int64_t> &mine, &others;
    size_t at;
  } more[] = {
      {"state word", state.words, theirs.words, wordAt(theirs)},
      {"held sum", state.held, theirs.held, differAt(state.held, theirs.held)},
      {"unit to send", state.left, theirs.left,
       differAt(state.left, theirs.left)}};
  for (const auto &array : more)
    if (array.at != array.mine.size())
      throw Error(fmt::format(
          "verify: step {} of sample {}: expected {} {} to be {}, found {}",
          step, sample, array.name, array.at, array.mine[array.at],
          array.others[array.at]));
}

} // namespace dendrolith::sim
