// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/Inputs.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/host/Signals.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith::sim {

/// Rounds value * scale half to even, and saturates it to [low, high].
static int64_t payloadOf(const Machine::Input &input, double value,
                         uint64_t &saturated) {
  if (!input.integer)
    return value != 0;
  double scaled = std::nearbyint(value * input.scale);
  // Both ends compare as doubles first: the cast is undefined beyond int64.
  if (scaled >= static_cast<double>(input.high)) {
    saturated += scaled > static_cast<double>(input.high);
    return input.high;
  }
  if (scaled <= static_cast<double>(input.low)) {
    saturated += scaled < static_cast<double>(input.low);
    return input.low;
  }
  return static_cast<int64_t>(scaled);
}

static Injection injectionOf(const Machine::Input &input, uint32_t element,
                             int64_t payload) {
  if (!input.unary)
    return {input.source + element, payload, 1};
  const int64_t units = payload < 0 ? -payload : payload;
  return {input.source + (input.split ? 2 * element + (payload < 0) : element),
          units, static_cast<uint32_t>(units)};
}

/// Calls see(index) for each value other than 0, in order. Of bytes, which most
/// events are, eight are looked at together.
template <typename Value, typename See>
static void eachNonZero(const Value *values, uint64_t count, See see) {
  uint64_t i = 0;
  if constexpr (sizeof(Value) == 1)
    for (; i + 8 <= count; i += 8) {
      uint64_t eight =
          loadLittle<uint64_t>(reinterpret_cast<const char *>(values + i));
      while (eight) {
        const auto byte = static_cast<unsigned>(__builtin_ctzll(eight)) / 8;
        see(i + byte);
        eight &= ~(uint64_t(0xff) << (8 * byte));
      }
    }
  for (; i < count; ++i)
    if (values[i] != 0)
      see(i);
}

/// Checks ids of elements, each of which is a spike of its element.
static void checkTokens(const Machine::Input &input, const Samples &array) {
  const size_t bad = array.values.visit([&](const auto &values) {
    size_t i = 0;
    for (; i < values.size(); ++i)
      if (const double id = values[i];
          !(id >= 0 && id < double(input.size)) || id != std::floor(id))
        break;
    return i;
  });
  if (input.integer || bad < array.values.size())
    throw Error(fmt::format(
        "input '{}': expected {}, found {}", input.name,
        input.integer ? "values"
                      : fmt::format("token ids from 0 to {}", input.size - 1),
        input.integer
            ? "token ids"
            : fmt::format("{} at sample {}, step {}", array.values[bad],
                          bad / array.steps, bad % array.steps)));
}

static void checkValues(const Machine::Input &input, const Samples &array) {
  const size_t bad = input.integer ? array.values.visit([](const auto &values) {
    size_t i = 0;
    while (i < values.size() && std::isfinite(double(values[i])))
      ++i;
    return i;
  })
                                   : firstNoEvent(array.values);
  if (bad < array.values.size()) {
    const double value = array.values[bad];
    uint64_t perSample = array.steps * input.size;
    throw Error(fmt::format(
        "input '{}': expected {}, found {} at sample {}, step {}, element {}{}",
        input.name, input.integer ? "finite values" : "only 0 and 1", value,
        bad / perSample, bad % perSample / input.size, bad % input.size,
        input.integer
            ? ""
            : "; the program's input carries binary events, so encode "
              "the values as events first"));
  }
}

Inputs::Inputs(const Machine &machine,
               const std::map<std::string, Samples> &values)
    : machine(machine) {
  if (machine.inputs().empty()) {
    auto length = values.find(kNoInput);
    if (length == values.end() || values.size() > 1)
      throw Error("program: it has no inputs, expected the number of steps "
                  "alone");
    numSamples = length->second.samples;
    numTicks = length->second.steps;
    return;
  }
  for (const auto &[name, array] : values) {
    bool known = false;
    for (const Machine::Input &input : machine.inputs())
      known |= input.name == name;
    if (!known)
      throw Error(fmt::format("input '{}': the program has no such input; its "
                              "first one is '{}'",
                              name, machine.inputs().front().name));
  }
  for (const Machine::Input &input : machine.inputs()) {
    auto found = values.find(input.name);
    if (found == values.end())
      throw Error(fmt::format("input '{}': expected an array of shape "
                              "(samples, steps) + {}, found none",
                              input.name, shapeText(input.shape)));
    const Samples &array = found->second;
    if (array.shape != input.shape)
      throw Error(fmt::format("input '{}': expected steps of shape {}, found "
                              "{}",
                              input.name, shapeText(input.shape),
                              shapeText(array.shape)));
    const uint64_t wanted = array.samples * array.steps * array.stored();
    if (array.values.size() != wanted)
      throw Error(fmt::format("input '{}': expected {} values for {} samples "
                              "of {} steps, found {}",
                              input.name, wanted, array.samples, array.steps,
                              array.values.size()));
    const uint64_t each = input.schedule.ticks;
    if (array.steps % each != 0)
      throw Error(fmt::format("input '{}': expected a multiple of {} steps, "
                              "the ticks of its clock per tick of the network, "
                              "found {}",
                              input.name, each, array.steps));
    if (arrays.empty()) {
      numSamples = array.samples;
      numTicks = array.steps / each;
    } else if (array.samples != numSamples || array.steps != numTicks * each) {
      throw Error(fmt::format(
          "input '{}': expected {} samples of {} steps as in input '{}', found "
          "{} samples of {} steps",
          input.name, numSamples, numTicks * each,
          machine.inputs().front().name, array.samples, array.steps));
    }
    array.tokens ? checkTokens(input, array) : checkValues(input, array);
    arrays.push_back(&array);
  }
}

uint64_t Inputs::mostSteps() const {
  uint64_t most = 0;
  for (uint64_t sample = 0; sample < numSamples; ++sample)
    most = std::max(most, stepsOf(plan ? sample : 0));
  return most;
}

uint64_t Inputs::allSteps() const {
  if (!plan)
    return numSamples * machine.stepsOf(numTicks);
  uint64_t all = 0;
  for (uint64_t sample = 0; sample < numSamples; ++sample)
    all += stepsOf(sample);
  return all;
}

uint64_t Inputs::shownSteps(uint64_t sample, uint64_t steps) const {
  if (!plan)
    return steps;
  const auto &events = plan->events[sample];
  const uint64_t next = steps > 0 ? steps - 1 : 0; // event not yet taken
  const uint64_t over = next < events.size() ? events[next].tick : numTicks;
  return over == 0 ? 0 : machine.stepsOf(over);
}

uint32_t Inputs::hostSources() const {
  return machine.inputs().empty() ? 0
                                  : machine.inputs().back().source +
                                        machine.inputs().back().sources();
}

const EventPlan::Event *Inputs::spikeAt(uint64_t sample, uint64_t step) const {
  if (!plan || step >= plan->events[sample].size())
    return nullptr;
  const EventPlan::Event &event = plan->events[sample][step];
  return event.source != EventPlan::Event::nobody &&
                 event.source >= hostSources()
             ? &event
             : nullptr;
}

void Inputs::at(uint64_t sample, uint64_t step, std::vector<Injection> &out,
                uint64_t &saturated) const {
  out.clear();
  if (plan) {
    if (step >= plan->events[sample].size())
      return;
    const EventPlan::Event &event = plan->events[sample][step];
    for (const Machine::Input &input : machine.inputs())
      if (event.source - input.source < input.sources())
        out.push_back({event.source, event.payload,
                       input.unary ? uint32_t(event.payload) : 1});
    saturated += sample == 0 && step == 0 ? plan->saturated : 0;
    return;
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Machine::Input &input = machine.inputs()[i];
    uint64_t tick = 0;
    if (!machine.tickAt(input.schedule, step, numTicks, tick))
      continue;
    const uint64_t begin = arrays[i]->begin(sample, tick);
    if (arrays[i]->tokens) {
      out.push_back(
          {input.source + static_cast<uint32_t>(arrays[i]->values[begin]), 1,
           1});
      continue;
    }
    arrays[i]->values.visit([&](const auto &values) {
      const auto *first = values.data() + begin;
      const auto inject = [&](uint64_t e) {
        if (int64_t payload =
                payloadOf(input, static_cast<double>(first[e]), saturated))
          out.push_back(injectionOf(input, static_cast<uint32_t>(e), payload));
      };
      if (input.low <= 0 && input.high >= 0)
        eachNonZero(first, input.size, inject);
      else // zeros saturate, too
        for (uint64_t e = 0; e < input.size; ++e)
          inject(e);
    });
  }
}

bool Inputs::unitValued(uint32_t index, uint64_t sample, uint64_t tick) const {
  const uint64_t begin = arrays[index]->begin(sample, tick);
  const uint64_t size = machine.inputs()[index].size;
  return arrays[index]->values.visit([begin, size](const auto &values) {
    for (uint64_t e = 0; e < size; ++e)
      if (const double value = values[begin + e];
          value != 0 && value != 1 && value != -1)
        return false;
    return true;
  });
}

} // namespace dendrolith::sim
