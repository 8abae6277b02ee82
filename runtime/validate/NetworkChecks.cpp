// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks when groups and inputs have their ticks.

#include "runtime/validate/NetworkChecks.h"
#include "runtime/host/Decode.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>

#include <cstdlib>
#include <set>

using namespace dendrolith;
using check::named;
using check::Populations;
using check::PopulationUse;

void check::checkSchedule(const image::Schedule &schedule) {
  if (schedule.period() < 1 || schedule.period() > check::kMaxPeriod)
    throw Error(fmt::format("schedule: expected a period of 1 to {} steps, "
                            "found {}",
                            check::kMaxPeriod, schedule.period()));
  if (schedule.depth() < 1 || schedule.depth() > check::kMaxDepth)
    throw Error(fmt::format("schedule: expected a depth of 1 to {} steps, "
                            "found {}",
                            check::kMaxDepth, schedule.depth()));
}

static void checkPhase(const std::string &place, uint32_t phase,
                       const image::Schedule &schedule) {
  if (phase >= schedule.depth())
    throw Error(fmt::format("{}: expected a phase below the schedule's depth "
                            "{}, found {}",
                            place, schedule.depth(), phase));
}

void check::checkTickSchedule(const std::string &place, const TickSchedule &own,
                              const image::Schedule &schedule) {
  checkPhase(place, own.phase, schedule);
  if ((own.ticks - 1) * own.stride >= schedule.period())
    throw Error(fmt::format("{}: expected ticks within a period of {} steps, "
                            "found {} ticks {} apart",
                            place, schedule.period(), own.ticks, own.stride));
}

uint64_t check::leastGap(const TickSchedule &own,
                         const image::Schedule &schedule) {
  uint64_t across = schedule.period() - (own.ticks - 1) * own.stride;
  return own.ticks == 1 ? across : std::min(own.stride, across);
}

// This checks the inputs and outputs of a program.

void check::checkInputs(const image::Program &program,
                        const Populations &populations,
                        check::CoreIndex &cores) {
  constexpr int64_t bound = int64_t(1) << 31;
  std::set<std::string> names;
  for (int i = 0; i < program.inputs_size(); ++i) {
    const image::Input &input = program.inputs(i);
    check::checkName(fmt::format("input {}", i), input.name());
    std::string place = named("input", input.name());
    if (!names.insert(input.name()).second || populations.count(input.name()))
      throw Error(place + ": another input or population has this name");
    uint64_t width = check::checkShape(place, input.shape());
    checkTickSchedule(place, TickSchedule(input), program.schedule());
    uint64_t payload = 1;
    const bool isSplit = input.kind() == image::Input::SPLIT;
    if (input.kind() == image::Input::UNARY && input.low() < 0)
      throw Error(fmt::format("{}: expected unit spikes of values from 0 on, "
                              "found a range from {}",
                              place, input.low()));
    if (input.kind() != image::Input::BINARY) {
      if (input.low() > input.high() || input.low() < -bound ||
          input.high() >= bound)
        throw Error(fmt::format("{}: expected a range within 32-bit integers, "
                                "found {} to {}",
                                place, input.low(), input.high()));
      if (input.scale() <= 0)
        throw Error(fmt::format("{}: expected a scale above 0, found {}", place,
                                input.scale()));
      payload = static_cast<uint64_t>(
          std::max(std::abs(input.low()), std::abs(input.high())));
    }
    bool alone = input.has_masks() && !input.has_query();
    if (alone || (input.has_query() && input.query() >= width) ||
        (input.has_masks() && input.masks() >= width))
      throw Error(fmt::format("{}: expected a flag of the query and a masked "
                              "label among its {} elements",
                              place, width));
    if (input.tokens() &&
        (input.kind() != image::Input::BINARY || input.shape_size() != 1))
      throw Error(fmt::format("{}: expected a vector of binary spikes, as it "
                              "takes token ids",
                              place));
    check::checkAxons(place, input.axons(), isSplit ? 2 * width : width,
                      payload * std::max<uint64_t>(input.ticks(), 1), cores);
  }
}

/// How many elements of a neuron an output shows. Checks that `from` exists.
static uint64_t elementsShown(const std::string &place,
                              const image::Output &output,
                              const PopulationUse &use) {
  const bool state = output.kind() == image::Output::STATE;
  auto refuse = [&](const std::string &known) {
    throw Error(fmt::format("{}: expected {} of {}, {}, found '{}'", place,
                            state ? "a state" : "an output",
                            named("population", use.population->name()), known,
                            output.from()));
  };
  if (use.programs.empty()) {
    if (state && output.from() != "u" && output.from() != "v")
      refuse("'u' or 'v'");
    if (!state && output.from() != "s" && !output.from().empty())
      refuse("'s'");
    return 1;
  }
  std::string known;
  std::set<std::string> listed;
  uint64_t elements = 0; // 0 if there is no such output or state
  auto find = [&](const auto &entries) {
    // An output without a name is the only one.
    bool only = !state && output.from().empty() && entries.size() == 1;
    for (const auto &entry : entries) {
      if (entry.name() == output.from() || only)
        elements = entry.elements();
      else if (listed.insert(entry.name()).second)
        known += (known.empty() ? "'" : ", '") + entry.name() + "'";
    }
  };
  // A state may be in some of the programs only; outputs are in all.
  for (const auto &[identity, microprogram] : use.programs) {
    if (elements == 0 && state)
      find(microprogram->states());
    else if (elements == 0)
      find(microprogram->outputs());
  }
  if (elements == 0)
    refuse(known.empty() ? "which has none" : known);
  return elements;
}

void check::checkLayers(const image::Program &program) {
  for (const image::Layer &layer : program.layers())
    for (const image::Layer::Branch &branch : layer.branches())
      if (branch.first() > branch.end() || branch.end() > layer.neurons())
        throw Error(fmt::format("layer '{}': expected branches of neurons 0 to "
                                "{}, found [{}, {})",
                                layer.population(), layer.neurons(),
                                branch.first(), branch.end()));
}

void check::checkOutputs(const image::Program &program,
                         const Populations &populations) {
  std::set<std::string> names;
  for (int i = 0; i < program.outputs_size(); ++i) {
    const image::Output &output = program.outputs(i);
    check::checkName(fmt::format("output {}", i), output.name());
    std::string place = named("output", output.name());
    if (!names.insert(output.name()).second)
      throw Error(place + ": another output has this name");
    auto it = populations.find(output.population());
    if (it == populations.end())
      throw Error(fmt::format("{}: {} does not exist", place,
                              named("population", output.population())));
    if (output.scale() < 0)
      throw Error(fmt::format("{}: expected a scale of at least 0, found {}",
                              place, output.scale()));
    parseDecode(output.decode(), place);
    uint64_t size = check::checkShape(place, output.shape());
    uint64_t expected = it->second.population->size() *
                        elementsShown(place, output, it->second);
    if (size != expected)
      throw Error(fmt::format("{}: expected a shape of {} elements, the size "
                              "of {}, found {}",
                              place, expected,
                              named("population", output.population()), size));
  }
}
