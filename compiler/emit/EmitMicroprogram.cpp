// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/emit/EmitMicroprogram.h"

#include "dialects/dend/Constants.h"

#include "runtime/microcode/Isa.h"

using namespace mlir;

namespace dendrolith {

using Emission = image::Microprogram::Emission;

// chip::EmissionAttr writes its kind into the message as a number.
static_assert(int(chip::EmissionKind::Binary) == Emission::BINARY &&
              int(chip::EmissionKind::Graded) == Emission::GRADED &&
              int(chip::EmissionKind::Unary) == Emission::UNARY &&
              int(chip::EmissionKind::Split) == Emission::SPLIT);

FailureOr<image::Microprogram> emitMicroprogram(chip::ProgramOp op) {
  image::Microprogram program;
  program.set_model(op.getModel().str());
  program.set_registers(static_cast<uint32_t>(op.getRegisters()));
  for (auto port : op.getPorts().getAsRange<chip::PortAttr>())
    port.writeTo(*program.add_ports());
  for (auto state : op.getStates().getAsRange<chip::StateAttr>())
    state.writeTo(*program.add_states());
  for (auto param : op.getParams().getAsRange<chip::ParamAttr>())
    param.writeTo(*program.add_params());
  for (auto output : op.getOutputs().getAsRange<chip::EmissionAttr>())
    output.writeTo(*program.add_outputs());
  if (std::optional<ArrayAttr> names = op.getNames())
    for (auto name : names->getAsRange<StringAttr>())
      program.add_names(name.str());
  auto code = dend::readInts(op.getCode());
  auto constants = dend::readInts(op.getConstants());
  if (failed(code) || failed(constants))
    return op.emitError("its code cannot be read as integers");
  program.set_code(micro::encodeI64(*code));
  program.set_constants(micro::encodeI64(*constants));
  return program;
}

} // namespace dendrolith
