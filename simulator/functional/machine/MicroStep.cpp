// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/MicroStep.h"

#include "simulator/functional/machine/WordScan.h"
#include "simulator/functional/neuron/MicroArithmetic.h"
#include "targets/support/Versions.h"

#include <algorithm>
#include <iterator>

namespace dendrolith::sim {
namespace {

// Whether a neuron runs, and why. kMarked is what a mark of the accumulators
// is.
enum : uint8_t { kRests = 0, kMarked = 1, kRuns = 2 };

std::vector<int64_t> &anyWordOf(State &state, const Machine::Group &group) {
  return state.anyWord[size_t(&group - state.machine.groups().data())];
}

void resetStates(State &state, const Machine::Group &group, uint64_t tick) {
  int64_t *words = state.wordsOf(group);
  for (const MicroProgram::State &s : group.micro->states())
    if (s.resetEvery && tick % s.resetEvery == 0) {
      anyWordOf(state, group).clear();
      for (uint32_t w = s.first; w < s.first + s.elements; ++w)
        for (uint32_t n = 0; n < group.count; ++n)
          words[w * group.micro->row() + n] = group.micro->initial(w, n);
    }
}

/// Where the sums and marks of one accumulator of every neuron are, `stride`
/// apart.
struct Column {
  const int64_t *sums;
  const uint8_t *marks;
  size_t stride;
  uint32_t count;
  Wrap wrap;
};

inline void gatherApart(const Column &from, size_t stride, int64_t *to,
                        uint8_t *runs) {
  const Wrap wrap = from.wrap;
  const uint32_t count = from.count;
  for (uint32_t n = 0; n < count; ++n)
    to[n] = wrap(bitsOf(from.sums[n * stride]));
  for (uint32_t n = 0; n < count; ++n)
    runs[n] |= from.marks[n * stride];
}

/// Reads a column, and notes who has input.
void gather(const Column &from, int64_t *to, uint8_t *runs) {
  if (from.stride == 1)
    gatherApart(from, 1, to, runs);
  else
    gatherApart(from, from.stride, to, runs);
}

/// Reads a port of a single neuron, whose accumulators lie in order.
void readAlone(const int64_t *sums, const uint8_t *marks,
               const MicroProgram::Port &port, int64_t *to, uint8_t &run) {
  Wrap wrap(port.width);
  uint8_t any = 0;
  for (uint32_t a = 0; a < port.elements; ++a) {
    to[a] = wrap(bitsOf(sums[a]));
    any |= marks[a];
  }
  run |= any;
}

/// Makes bits[n] other than 0 if a word of neuron n is.
void collect(const int64_t *words, uint32_t count, std::vector<int64_t> &bits) {
  int64_t *to = bits.data();
  for (uint32_t n = 0; n < count; ++n)
    to[n] |= words[n];
}

/// Reads the sums as the program sees them, [element][neuron], and notes who
/// has input.
void readPorts(State &state, const Machine::Group &group, uint64_t tick,
               const int64_t *sums, const uint8_t *marks, GroupUpdate &update) {
  const uint32_t count = group.count, each = group.accumulators;
  update.ports.resize(each * group.micro->row());
  update.runs.assign(count, kRests);
  update.bits.assign(group.micro->row(), 0);
  int64_t *held = state.held.data() + group.held;
  for (const MicroProgram::Port &port : group.micro->ports()) {
    if (count == 1 && port.hold == 1) {
      readAlone(sums + port.first, marks + port.first, port,
                update.ports.data() + port.first, update.runs[0]);
      continue;
    }
    // What is held wraps when it is read.
    const Wrap wrap(port.width), first = port.hold > 1 ? Wrap(64) : wrap;
    for (uint32_t a = port.first; a < port.first + port.elements; ++a) {
      int64_t *to = update.ports.data() + a * group.micro->row();
      versionsOf<gather>().of(bestIsa())(
          {sums + a, marks + a, each, count, first}, to, update.runs.data());
      if (port.hold == 1)
        continue;
      if (tick % port.hold == 0)
        std::fill_n(held, count, 0);
      for (uint32_t n = 0; n < count; ++n) {
        held[n] = static_cast<int64_t>(bitsOf(held[n]) + bitsOf(to[n]));
        to[n] = wrap(bitsOf(held[n]));
      }
      collect(held, count, update.bits);
      held += count;
    }
  }
}

/// Says that neurons with input or bits other than 0 run, and counts them.
void addActive(const int64_t *const &bits, const uint32_t &neurons,
               uint8_t *runs, uint32_t &active) {
  const int64_t *const from = bits;
  const uint32_t count = neurons;
  uint32_t sum = 0;
  // This is bits[n] != 0 in a form that becomes vector code.
  for (uint32_t n = 0; n < count; ++n)
    runs[n] |= (bitsOf(from[n]) | (0 - bitsOf(from[n]))) >> 63;
  for (uint32_t n = 0; n < count; ++n)
    sum += runs[n];
  active = sum;
}

void findActive(State &state, const Machine::Group &group,
                GroupUpdate &update) {
  const uint32_t count = group.count;
  collectStates(state, group, update.bits);
  uint8_t *runs = update.runs.data();
  uint32_t active = 0;
  versionsOf<addActive>().of(bestIsa())(update.bits.data(), count, runs,
                                        active);
  update.active = update.changed = active;
  update.inactive = count - active;
  for (uint32_t n = 0; active < count && n < count; ++n)
    if (runs[n] == kRests && !group.micro->quiescent(n)) {
      runs[n] = kRuns;
      ++update.changed;
    }
}

/// Notes for the next visit who has a state word other than 0. Notes also how
/// many words stand at an end of their range, where sums saturate, and the
/// peaks of watched states. Types of few bits hold codes and counts, whose ends
/// mean nothing.
void lookAtStates(State &state, const Machine::Group &group,
                  GroupUpdate &update) {
  constexpr uint32_t kNumberBits = 12;
  const size_t row = group.micro->row();
  const std::vector<MicroProgram::State> &states = group.micro->states();
  std::vector<int64_t> &any = anyWordOf(state, group);
  any.assign(row, 0);
  update.peaks.resize(group.watched.size());
  for (size_t s = 0; s < states.size();) {
    const size_t first = s;
    WordRange ranges[8];
    for (; s < states.size() && s - first < std::size(ranges); ++s) {
      const uint32_t width = states[s].width;
      const bool number = width >= kNumberBits && width <= 62;
      WordRange &range = ranges[s - first];
      range.words = states[s].elements;
      range.narrow = width <= 32;
      range.high = number ? (int64_t(1) << (width - 1)) - 1 : kNoEnds;
    }
    // States lie behind one another.
    scanWords(
        {state.wordsOf(group) + states[first].first * row, row, group.count},
        ranges, s - first, any.data());
    for (size_t r = first; r < s; ++r)
      update.ended += ranges[r - first].ends;
    for (size_t w = 0; w < group.watched.size(); ++w)
      if (group.watched[w].part >= first && group.watched[w].part < s)
        update.peaks[w] = ranges[group.watched[w].part - first].most;
  }
}

} // namespace

void collectStates(State &state, const Machine::Group &group,
                   std::vector<int64_t> &bits) {
  const std::vector<int64_t> &known = anyWordOf(state, group);
  if (known.empty()) {
    WordRange all;
    all.words = group.micro->stateWords();
    return scanWords({state.wordsOf(group), group.micro->row(), group.count},
                     &all, 1, bits.data());
  }
  for (uint32_t n = 0; n < group.count; ++n)
    bits[n] |= known[n];
}

void updateMicroGroup(State &state, const Machine::Group &group,
                      const CompiledProgram *code, uint64_t tick,
                      const int64_t *sums, const uint8_t *marks,
                      GroupUpdate &update, bool parts) {
  resetStates(state, group, tick);
  readPorts(state, group, tick, sums, marks, update);
  findActive(state, group, update);
  MicroVisit &visit = update.visit;
  const bool all = update.changed == group.count;
  const uint8_t *runs = all ? nullptr : update.runs.data();
  // Neurons that rest have nothing that could meet the end of its range.
  if (const auto &cuba = group.micro->cubaForm()) {
    const CubaOverflow met =
        overflowOf(*cuba, update.ports.data(), state.wordsOf(group),
                   group.micro->row(), group.count);
    update.wrapped = met.wrapped;
    update.clipped = met.clipped;
  }
  if (code)
    group.micro->run(*code, update.ports.data(), state.wordsOf(group), runs,
                     visit, parts);
  else
    group.micro->run(update.ports.data(), state.wordsOf(group), runs, visit,
                     parts);
  update.work = visit.work;
  update.issued = visit.issued;
  lookAtStates(state, group, update);

  MicroSender sender(state, group, update);
  uint64_t active = 0;
  uint32_t counted = 0; // neurons in `active`
  auto activeTo = [&](uint32_t neuron) {
    auto runs = update.runs.begin();
    active += static_cast<uint64_t>(
        std::count(runs + counted, runs + neuron + 1, kMarked));
    counted = neuron + 1;
    return active;
  };
  auto next = visit.emissions.begin();
  if (!sender.showsStates()) {
    for (; next != visit.emissions.end(); ++next)
      sender.send(*next, activeTo(next->neuron));
    return;
  }
  for (uint32_t n = 0; n < group.count; ++n) {
    uint64_t ones = activeTo(n);
    for (; next != visit.emissions.end() && next->neuron == n; ++next)
      sender.send(*next, ones);
    sender.showStates(n, ones);
  }
}

// Values that leave unit by unit: what is sent in the steps between visits.
void sendUnits(State &state, uint32_t groupIndex, GroupUpdate &update) {
  const Machine::Group &group = state.machine.groups()[groupIndex];
  update.clear();
  MicroSender sender(state, group, update);
  const std::vector<MicroProgram::Output> &outputs = group.micro->outputs();
  update.bits.assign(group.micro->row(), 0);
  collectStates(state, group, update.bits);
  for (uint32_t n = 0; n < group.count; ++n) {
    bool any = update.bits[n] != 0;
    update.active += any;
    for (uint32_t o = 0; o < outputs.size(); ++o) {
      if (!outputs[o].isUnary())
        continue;
      for (uint32_t e = 0; e < outputs[o].elements; ++e) {
        int64_t &left = state.left[sender.leftAt(outputs[o], n, e)];
        if (left == 0)
          continue;
        update.active += !any;
        any = true;
        int64_t unit = left > 0 ? 1 : -1;
        left -= unit;
        Emission message = unitOf(outputs[o], n, e, unit);
        message.active = static_cast<uint32_t>(update.active);
        update.emissions.push_back(message);
        sender.toHost(o, n, e, unit, update.active);
      }
    }
  }
  update.inactive = group.count - update.active;
}

} // namespace dendrolith::sim
