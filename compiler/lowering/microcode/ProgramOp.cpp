// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/microcode/ProgramOp.h"

#include "dialects/dend/Constants.h"

#include <tuple>

using namespace mlir;

namespace dendrolith {

static auto membersOf(const Microprogram &program) {
  return std::tie(program.model, program.registers, program.ports,
                  program.states, program.params, program.outputs,
                  program.names, program.code, program.constants);
}

bool operator==(const Microprogram &a, const Microprogram &b) {
  return membersOf(a) == membersOf(b);
}

chip::ProgramOp createProgram(OpBuilder &builder, Location loc,
                              const Microprogram &program, StringRef name) {
  MLIRContext *context = builder.getContext();
  SmallVector<StringRef> names(program.names.begin(), program.names.end());
  Type word = builder.getI64Type();
  auto words = [&](ArrayRef<int64_t> shape, StringRef what,
                   const std::vector<int64_t> &values) {
    return dend::makeElements(RankedTensorType::get(shape, word),
                              (name + what).str(), values);
  };
  return chip::ProgramOp::create(
      builder, loc, builder.getStringAttr(program.model),
      builder.getI64IntegerAttr(program.registers),
      report::rowsOf<chip::PortAttr>(context, program.ports),
      report::rowsOf<chip::StateAttr>(context, program.states),
      report::rowsOf<chip::ParamAttr>(context, program.params),
      report::rowsOf<chip::EmissionAttr>(context, program.outputs),
      names.empty() ? ArrayAttr() : builder.getStrArrayAttr(names),
      words({int64_t(program.instructions()),
             int64_t(Microprogram::kWordsPerInstruction)},
            "_code", program.code),
      words({int64_t(program.constants.size())}, "_constants",
            program.constants));
}

} // namespace dendrolith
