// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/InputFeeder.h"

#include "runtime/host/NoInput.h"

namespace dendrolith {

InputFeeder::InputFeeder(const dend::Interpreter &interpreter,
                         const std::map<std::string, Samples> &inputs)
    : inputs(inputs) {
  if (interpreter.inputs().empty()) {
    samples = inputs.at(kNoInput).samples;
    ticks = inputs.at(kNoInput).steps;
  }
  for (const dend::InputInfo &input : interpreter.inputs()) {
    uint64_t each = static_cast<uint64_t>(input.ticks);
    perTick[input.name] = each;
    samples = inputs.at(input.name).samples;
    ticks = inputs.at(input.name).steps / each;
  }
}

const std::map<std::string, std::vector<double>> &
InputFeeder::at(uint64_t sample, uint64_t tick) {
  for (const auto &[name, given] : inputs) {
    if (name == kNoInput)
      continue;
    uint64_t each = perTick.at(name);
    const auto from = ptrdiff_t(given.begin(sample, tick * each));
    if (given.tokens) {
      std::vector<double> &spikes = values[name];
      spikes.assign(each * given.width(), 0);
      for (uint64_t k = 0; k < each; ++k)
        spikes[k * given.width() +
               size_t(given.values[size_t(from) + size_t(k)])] = 1;
      continue;
    }
    const auto to = from + ptrdiff_t(each * given.width());
    given.values.visit([&values = values[name], from, to](const auto &all) {
      values.assign(all.begin() + from, all.begin() + to);
    });
  }
  return values;
}

} // namespace dendrolith
