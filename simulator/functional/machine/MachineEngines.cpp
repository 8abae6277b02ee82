// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a machine decodes the engines of its groups, and what the outputs show of
// them.

#include "simulator/functional/machine/Machine.h"
#include "simulator/functional/neuron/CubaStep.h"
#include "targets/loader/chip/Sections.h"

#include <algorithm>
#include <limits>

namespace dendrolith::sim {

template <typename Repeated>
static std::vector<int32_t> values(const Repeated &field) {
  return {field.begin(), field.end()};
}

void Machine::addCuba(const image::Cuba &cuba, CubaGroup &group) {
  CubaRules &rules = group.rules;
  rules.inputWrapBits = cuba.input_wrap_bits();
  rules.currentBits = cubaCurrentBits(cuba.current_bits()) - 1;
  rules.vmin = cuba.vmin();
  rules.vmax = cuba.vmax();
  rules.refractory = static_cast<int32_t>(std::min<uint32_t>(
      cuba.refractory(), std::numeric_limits<int32_t>::max()));
  rules.wrapOpenHigh = cuba.wrap_open_high();
  rules.biasWrap = cuba.bias_wrap();
  rules.silent = cuba.silent();
  group.decayU.set(values(cuba.decay_u()), 0);
  group.decayV.set(values(cuba.decay_v()), 0);
  group.threshold.set(values(cuba.threshold()), 0);
  group.bias.set(values(cuba.bias()), 0);
  group.initialU.set(values(cuba.initial_u()), 0);
  group.initialV.set(values(cuba.initial_v()), 0);
  const std::vector<int32_t> &thresholds = group.threshold.all();
  group.quiescent =
      rules.vmin <= 0 && rules.vmax >= 0 &&
      (rules.silent || std::all_of(thresholds.begin(), thresholds.end(),
                                   [](int32_t t) { return t >= 0; }));
  group.sharedStep = hasSharedStep(group);
}

void Machine::addMicrocode(const image::Group &image, const image::Core &core,
                           Group &group) {
  const image::Microcode &microcode = image.microcode();
  auto program = std::make_shared<MicroProgram>(
      core.programs(static_cast<int>(microcode.program())), microcode,
      image.count());
  group.accumulators = program->accumulators();
  group.sources = program->sources();
  group.words = numStateWords;
  numStateWords += program->stateWords() * program->row();
  for (const MicroProgram::Port &port : program->ports())
    if (port.hold > 1)
      numHeldSums += size_t(port.elements) * group.count;
  for (const MicroProgram::Output &output : program->outputs()) {
    if (output.isUnary())
      group.units += output.elements;
    group.sendSteps = std::max(group.sendSteps, output.steps);
  }
  numLeftUnits += size_t(group.units) * group.count;
  for (const MicroProgram::State &state : program->states())
    keepsState |= state.keep;
  group.micro = std::move(program);
}

/// The index of the entry of that name, where "" names the only one. Where
/// there is none, the number of entries.
template <typename Entry>
static uint32_t partOf(const std::vector<Entry> &entries,
                       const std::string &name) {
  auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry &e) {
    return e.name == name || name.empty();
  });
  return static_cast<uint32_t>(at - entries.begin());
}

void Machine::addWatched(Group &group) const {
  const std::vector<std::string> &names =
      populationTable[group.population].calibrated;
  for (uint32_t i = 0; i < names.size(); ++i) {
    uint32_t part = 0;
    if (group.micro) {
      part = partOf(group.micro->states(), names[i]);
      if (part == group.micro->states().size())
        continue;
    } else if (names[i] == "u" || names[i] == "v") {
      part = names[i] == "v";
    } else {
      continue;
    }
    group.watched.push_back({part, i});
  }
}

/// Finds what the program's outputs show, once the groups are known.
void Machine::addOutputs(const image::Program &program) {
  for (const image::Output &image : program.outputs()) {
    Output output;
    output.name = image.name();
    output.kind = image.kind();
    output.population = populationIndex.at(image.population());
    output.shape.assign(image.shape().begin(), image.shape().end());
    output.scale = image.scale() == 0 ? 1 : image.scale();
    bool state = image.kind() == image::Output::STATE;
    output.payloadBits = state ? 32 : 1;
    for (uint32_t g : populationTable[output.population].groups) {
      Group &group = groupTable[g];
      uint32_t part = 0;
      if (!group.micro) {
        part = state && image.from() == "v";
      } else if (state) {
        part = partOf(group.micro->states(), image.from());
        if (part == group.micro->states().size())
          continue;
        output.elements = group.micro->states()[part].elements;
      } else {
        part = partOf(group.micro->outputs(), image.from());
        const MicroProgram::Output &from = group.micro->outputs()[part];
        output.elements = from.elements;
        if (from.kind == image::Microprogram::Emission::GRADED)
          output.payloadBits = payloadBits(from.low, from.high);
      }
      group.outputs.push_back(
          {static_cast<uint32_t>(outputTable.size()), part});
    }
    outputTable.push_back(std::move(output));
  }
}

} // namespace dendrolith::sim
