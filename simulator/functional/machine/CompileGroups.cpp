// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/CompileGroups.h"

#include <map>
#include <string>

namespace neurite::sim {

/// What interpreting a visit of the group comes to.
static double workOf(const Machine::Group &group) {
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

std::shared_ptr<const CompiledGroups> compileGroups(const Machine &machine,
                                                    const RunOptions &options,
                                                    uint64_t ticks,
                                                    uint64_t samples) {
  if (!options.compiler)
    return nullptr;
  std::map<std::string, double> work; // by form
  std::vector<const double *> worth(machine.groups().size());
  for (size_t g = 0; g < worth.size(); ++g) {
    const Machine::Group &group = machine.groups()[g];
    if (!group.micro)
      continue;
    double &sum = work[formOf(group.micro->code())];
    sum += workOf(group) * double(ticks) * double(group.schedule.ticks) *
           double(samples);
    worth[g] = &sum;
  }
  std::shared_ptr<CompiledGroups> compiled;
  for (size_t g = 0; g < worth.size(); ++g) {
    if (!worth[g])
      continue;
    const MicroProgram &program = *machine.groups()[g].micro;
    if (!options.alwaysCompile &&
        *worth[g] < double(kWorthCompiling * program.code().size()))
      continue;
    if (!compiled)
      compiled = std::make_shared<CompiledGroups>(worth.size());
    (*compiled)[g] = options.compiler->compile(program);
  }
  return compiled;
}

} // namespace neurite::sim
