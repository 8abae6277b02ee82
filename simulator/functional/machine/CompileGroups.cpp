// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/CompileGroups.h"

#include "runtime/host/Workers.h"

#include <map>
#include <string>

namespace dendrolith::sim {

/// What interpreting a visit of the group comes to.
static double groupWork(const Machine::Group &group) {
  const std::vector<micro::Instruction> &code = group.micro->code();
  double operations = 0;
  for (const micro::Instruction &instruction : code)
    for (uint64_t elements : micro::workOf(instruction))
      operations += double(elements);
  return operations * group.count + double(code.size() * kInstruction);
}

/// What programs have in common that share machine code, as a compiler lets
/// programs do that differ in numbers alone: the instructions without amounts
/// of shifts and places of parameters.
static std::string formOf(std::vector<micro::Instruction> code) {
  for (micro::Instruction &each : code) {
    each.shift = each.shift < 0 ? -1 : each.shift > 0;
    for (micro::Operand *operand : {&each.a, &each.b, &each.c})
      if (operand->space == micro::Space::Param)
        operand->index = 0;
  }
  return micro::encodeCode(code);
}

namespace {
/// The groups of a form, and what interpreting them in all of a run comes to.
struct ProgramForm {
  double work = 0;
  std::vector<size_t> groups;
};
} // namespace

std::shared_ptr<const CompiledGroups>
compileGroups(const Machine &machine, const RunOptions &options, uint64_t ticks,
              uint64_t samples, unsigned threads) {
  if (!options.compiler)
    return nullptr;
  std::map<std::string, ProgramForm> forms;
  for (size_t g = 0; g < machine.groups().size(); ++g) {
    const Machine::Group &group = machine.groups()[g];
    if (!group.micro)
      continue;
    ProgramForm &form = forms[formOf(group.micro->code())];
    form.work += groupWork(group) * double(ticks) *
                 double(group.schedule.ticks) * double(samples);
    form.groups.push_back(g);
  }
  std::vector<const ProgramForm *> worth;
  for (const auto &[code, form] : forms) {
    const MicroProgram &first = *machine.groups()[form.groups.front()].micro;
    if (options.alwaysCompile ||
        form.work >= double(kWorthCompiling * first.code().size()))
      worth.push_back(&form);
  }
  if (worth.empty())
    return nullptr;
  auto compiled = std::make_shared<CompiledGroups>(machine.groups().size());
  inParallel(worth.size(), threads, [&](size_t i) {
    for (size_t g : worth[i]->groups)
      (*compiled)[g] = options.compiler->compile(*machine.groups()[g].micro);
  });
  return compiled;
}

} // namespace dendrolith::sim
