// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Shadow.h"

#include "targets/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace neurite::sim {

void Shadow::send(uint32_t source, int64_t payload, uint64_t step) {
  for (const Machine::Message &message : machine.messages(source))
    state.accumulators.deliver(message.axon, payload, step);
}

void Shadow::inject(const std::vector<Injection> &injections, uint64_t step) {
  for (const Injection &injection : injections)
    send(injection.source, injection.payload, step);
}

std::string Shadow::place(uint32_t position) const {
  const std::vector<Machine::Core> &cores = machine.cores();
  auto core = std::upper_bound(
      cores.begin(), cores.end(), position,
      [](uint32_t p, const Machine::Core &core) { return p < core.position; });
  --core;
  return fmt::format("core {}, compartment {}", core->id,
                     position - core->position);
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
    throw Error(fmt::format("verify: {}, step {}: expected emission {}, found "
                            "{}; the timing of messages changed a result",
                            place(group.position + neuron * group.accumulators),
                            step, valueIn(mine), valueIn(theirs)));
  }
  for (const Emission &emission : mine.emissions)
    send(group.sourceOf(emission.neuron, emission.source), emission.value,
         step);
}

void Shadow::compare(const State &theirs, uint64_t sample,
                     uint64_t step) const {
  if (auto found = state.accumulators.compare(theirs.accumulators))
    throw Error(fmt::format(
        "verify: {}, step {} of sample {}: expected an accumulator of {}, "
        "found {} after all messages were served",
        place(found->position), step, sample, found->mine, found->others));
  struct {
    const char *name;
    const std::vector<int32_t> &mine, &others;
  } words[] = {{"u", state.u, theirs.u},
               {"v", state.v, theirs.v},
               {"refractory", state.refractory, theirs.refractory}};
  for (const auto &word : words) {
    auto [a, b] =
        std::mismatch(word.mine.begin(), word.mine.end(), word.others.begin());
    if (a != word.mine.end())
      throw Error(fmt::format(
          "verify: {}, step {} of sample {}: expected {} = {}, found {}",
          place(static_cast<uint32_t>(a - word.mine.begin())), step, sample,
          word.name, *a, *b));
  }
  struct {
    const char *name;
    const std::vector<int64_t> &mine, &others;
  } more[] = {{"state word", state.words, theirs.words},
              {"held sum", state.held, theirs.held},
              {"unit to send", state.left, theirs.left}};
  for (const auto &words : more) {
    auto [a, b] = std::mismatch(words.mine.begin(), words.mine.end(),
                                words.others.begin());
    if (a != words.mine.end())
      throw Error(fmt::format(
          "verify: step {} of sample {}: expected {} {} to be {}, found {}",
          step, sample, words.name, a - words.mine.begin(), *a, *b));
  }
}

} // namespace neurite::sim
