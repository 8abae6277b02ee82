// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Shadow.h"

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
  return fmt::format("core {}, compartment {}", core->id,
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

void Shadow::compare(const State &theirs, uint64_t sample,
                     uint64_t step) const {
  if (auto found = state.accumulators.compare(theirs.accumulators))
    failAccumulator(*found, sample, step);
  compareStates(theirs,
                {{0, state.u.size()},
                 {0, state.words.size()},
                 {0, state.held.size()},
                 {0, state.left.size()}},
                sample, step);
}

void Shadow::compareAtOpening(const State &theirs, uint32_t index,
                              uint64_t sample, uint64_t step) const {
  const Machine::Core &core = machine.cores()[index];
  if (auto found =
          state.accumulators.compareDue(theirs.accumulators, core, step))
    failAccumulator(*found, sample, step - 1);
  // A group's part of an array ends where that of the next one begins.
  Part part{{core.firstAccumulator, core.firstAccumulator + core.accumulators},
            {},
            {},
            {}};
  const std::vector<Machine::Group> &groups = machine.groups();
  auto rangeOf = [&](size_t Machine::Group::*first, size_t all) {
    size_t ends[] = {all, all};
    const uint32_t bounds[] = {core.firstGroup, core.firstGroup + core.groups};
    for (int i : {0, 1})
      for (uint32_t g = bounds[i]; g < groups.size(); ++g)
        if (groups[g].micro) {
          ends[i] = groups[g].*first;
          break;
        }
    return Bounds{ends[0], ends[1]};
  };
  part.words = rangeOf(&Machine::Group::words, state.words.size());
  part.held = rangeOf(&Machine::Group::held, state.held.size());
  part.left = rangeOf(&Machine::Group::left, state.left.size());
  compareStates(theirs, part, sample, step - 1);
}

void Shadow::failAccumulator(const Accumulators::Difference &found,
                             uint64_t sample, uint64_t step) const {
  throw Error(fmt::format(
      "verify: {}, step {} of sample {}: expected an accumulator of {}, "
      "found {} after all messages were served",
      place(found.accumulator), step, sample, found.mine, found.others));
}

/// The first index of a range in which two arrays differ; the range's end if
/// they do not.
template <typename T>
static size_t differAt(const ZeroedVector<T> &a, const ZeroedVector<T> &b,
                       size_t first, size_t last) {
  return std::mismatch(a.begin() + static_cast<ptrdiff_t>(first),
                       a.begin() + static_cast<ptrdiff_t>(last),
                       b.begin() + static_cast<ptrdiff_t>(first))
             .first -
         a.begin();
}

/// The first state word in which two machines differ; the range's end if they
/// do not. Rows are longer than there are neurons, and machine code
/// (Compiled.h) leaves other words behind the last neuron than the interpreter.
size_t Shadow::wordAt(const State &theirs, Bounds bounds) const {
  for (const Machine::Group &group : machine.groups()) {
    if (!group.micro || group.words < bounds.first ||
        group.words >= bounds.last)
      continue;
    for (uint32_t w = 0; w < group.micro->stateWords(); ++w) {
      const size_t first = group.words + w * size_t(group.micro->row());
      const size_t at =
          differAt(state.words, theirs.words, first, first + group.count);
      if (at != first + group.count)
        return at;
    }
  }
  return bounds.last;
}

void Shadow::compareStates(const State &theirs, const Part &part,
                           uint64_t sample, uint64_t step) const {
  struct {
    const char *name;
    const ZeroedVector<int32_t> &mine, &others;
  } words[] = {{"u", state.u, theirs.u},
               {"v", state.v, theirs.v},
               {"refractory", state.refractory, theirs.refractory}};
  for (const auto &word : words) {
    size_t at = differAt(word.mine, word.others, part.accumulators.first,
                         part.accumulators.last);
    if (at != part.accumulators.last)
      throw Error(fmt::format(
          "verify: {}, step {} of sample {}: expected {} = {}, found {}",
          place(static_cast<uint32_t>(at)), step, sample, word.name,
          word.mine[at], word.others[at]));
  }
  struct {
    const char *name;
    const ZeroedVector<int64_t> &mine, &others;
    size_t end, at;
  } more[] = {
      {"state word", state.words, theirs.words, part.words.last,
       wordAt(theirs, part.words)},
      {"held sum", state.held, theirs.held, part.held.last,
       differAt(state.held, theirs.held, part.held.first, part.held.last)},
      {"unit to send", state.left, theirs.left, part.left.last,
       differAt(state.left, theirs.left, part.left.first, part.left.last)}};
  for (const auto &words : more) {
    const size_t at = words.at;
    if (at != words.end)
      throw Error(fmt::format(
          "verify: step {} of sample {}: expected {} {} to be {}, found {}",
          step, sample, words.name, at, words.mine[at], words.others[at]));
  }
}

} // namespace dendrolith::sim
