// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/CheckSamples.h"

#include "compiler/import/common/Findings.h"
#include "runtime/host/SampleValues.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dendrolith::session {
namespace {

/// What an input carries: events, or integers of a range.
struct Carried {
  std::string name;
  bool isEvents = false;
  int64_t low = 0, high = 1;
};

/// The first value that is no whole number of the range, or the size.
size_t firstOutside(const Samples &samples, const Carried &carried) {
  return samples.values.visit([&](const auto &values) {
    size_t at = 0;
    for (; at < values.size(); ++at)
      if (const double value = double(values[at]);
          !(value >= double(carried.low) && value <= double(carried.high)) ||
          value != std::nearbyint(value))
        break;
    return at;
  });
}

void check(const Carried &carried, const Samples &samples,
           const std::string &target) {
  const size_t i = carried.isEvents ? firstNoEvent(samples.values)
                                    : firstOutside(samples, carried);
  if (i == samples.values.size())
    return;
  const uint64_t width = samples.width();
  const std::string found =
      fmt::format("input '{}' is {} at sample {}, step {}, element {}",
                  carried.name, samples.values[i], i / width / samples.steps,
                  i / width % samples.steps, i % width);
  if (carried.isEvents)
    throw Error(fmt::format(
        "{}, but on target '{}' it carries binary events: expected only 0 and "
        "1; encode the values as events, or compile with such values as "
        "samples of --calibrate for a target that takes integers, such as "
        "'ideal' or 'loihi2'",
        found, target));
  throw Error(fmt::format("{}: expected a whole number from {} to {}", found,
                          carried.low, carried.high));
}

void checkAll(const std::vector<Carried> &inputs, const SamplesByInput &all,
              const std::string &target) {
  Collector faults;
  for (const Carried &carried : inputs)
    if (auto given = all.find(carried.name); given != all.end())
      if (!carried.isEvents || !given->second.tokens)
        faults.attempt([&] { check(carried, given->second, target); });
  faults.raise();
}

/// Whether the compiler made integers of real values for an input, as a note of
/// the image says.
bool wasReal(const image::Program &program, const image::Input &input) {
  return std::any_of(program.policies().begin(), program.policies().end(),
                     [&](const image::Note &note) {
                       return note.key() == "input " + input.name();
                     });
}

} // namespace

void checkSamples(const image::Program &program, const SamplesByInput &all) {
  std::vector<Carried> inputs;
  for (const image::Input &input : program.inputs())
    if (input.kind() == image::Input::BINARY)
      inputs.push_back({input.name(), true});
    else if (input.scale() == 1 && !wasReal(program, input))
      inputs.push_back({input.name(), false, input.low(), input.high()});
  checkAll(inputs, all, program.target_name());
}

void checkSamples(Compilation &model, const SamplesByInput &all) {
  std::vector<Carried> inputs;
  for (auto input : model.fixedNetwork().getOps<dend::InputOp>()) {
    auto spike = mlir::cast<dend::SpikeType>(input.getSpike());
    const std::string name = input.getSymName().str();
    if (spike.getKind() == dend::SpikeKind::Binary)
      inputs.push_back({name, true});
    else if (spike.getKind() == dend::SpikeKind::Int && !input.getScale())
      inputs.push_back({name, false, spike.getLow(), spike.getHigh()});
  }
  checkAll(inputs, all, model.target().name);
}

} // namespace dendrolith::session
