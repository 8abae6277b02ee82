// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/microcode/LowerBody.h"

#include "compiler/lowering/microcode/Legality.h"
#include "compiler/lowering/microcode/VirtualCode.h"

using namespace mlir;

namespace neurite {
namespace {

uint32_t widthOf(Type type) {
  if (dend::FxType fixed = dend::fixedType(type))
    return fixed.getWidth();
  return dend::elementType(type).isInteger(1) ? 1 : 32;
}

uint32_t elementsOf(Type type) {
  return static_cast<uint32_t>(dend::elementCount(type));
}

/// Ports, states, parameters and outputs as the image describes them.
void describe(dend::NeuronOp model, const BodyContext &context,
              image::Microprogram &program) {
  program.set_model(model.getSymName().str());
  for (auto [i, argument] : llvm::enumerate(model.getPortArgs())) {
    auto &port = *program.add_ports();
    port.set_name(model.getPort(i).getName().getValue().str());
    port.set_elements(elementsOf(argument.getType()));
    port.set_width(widthOf(argument.getType()));
    port.set_hold(static_cast<uint32_t>(context.hold[i]));
  }
  for (auto [i, argument] : llvm::enumerate(model.getStateArgs())) {
    auto &state = *program.add_states();
    state.set_name(model.getState(i).getName().getValue().str());
    state.set_elements(elementsOf(argument.getType()));
    state.set_width(widthOf(argument.getType()));
    state.set_reset_every(static_cast<uint32_t>(context.resetEvery[i]));
    state.set_keep(context.keep[i]);
  }
  auto addParam = [&](const std::string &name, Type type, bool perNeuron) {
    auto &param = *program.add_params();
    param.set_name(name);
    param.set_elements(elementsOf(type));
    param.set_width(widthOf(type));
    param.set_per_neuron(perNeuron);
  };
  for (auto [i, argument] : llvm::enumerate(model.getParamArgs()))
    addParam(model.getParam(i).getName().getValue().str(), argument.getType(),
             model.getParam(i).getPerNeuron());
  for (auto [i, argument] : llvm::enumerate(model.getPortArgs()))
    if (context.biased[i])
      addParam(model.getPort(i).getName().getValue().str() + ".bias",
               argument.getType(), true);
  for (unsigned i = 0; i < model.getOutputs().size(); ++i) {
    dend::OutputAttr output = model.getOutput(i);
    auto &emission = *program.add_outputs();
    emission.set_name(output.getName().getValue().str());
    emission.set_elements(static_cast<uint32_t>(output.getElements()));
    emission.set_low(output.getType().getLow());
    emission.set_high(output.getType().getHigh());
    emission.set_kind(context.outputs[i].kind);
    emission.set_steps(context.outputs[i].steps);
  }
}

LogicalResult refuseReals(dend::NeuronOp model) {
  auto isReal = [](Type type) {
    return dend::isReal(type) || isa<ComplexType>(dend::elementType(type));
  };
  for (BlockArgument argument : model.getBlock().getArguments())
    if (isReal(argument.getType()))
      return model.emitError("model '@")
             << model.getSymName() << "' has a real value of type "
             << argument.getType()
             << "; a program computes in integers: quantise the network first";
  for (unsigned i = 0; i < model.getOutputs().size(); ++i)
    if (model.getOutput(i).getType().getKind() == dend::SpikeKind::Graded)
      return model.emitError("output '")
             << model.getOutput(i).getName().getValue() << "' of model '@"
             << model.getSymName()
             << "' is graded without a range; a chip sends integers: "
                "!dend.spike<int, low, high>";
  return success();
}

} // namespace

FailureOr<LoweredBody> lowerBody(dend::NeuronOp model,
                                 const BodyContext &context) {
  if (failed(refuseReals(model)))
    return failure();
  auto code = selectInstructions(model, context.biased);
  if (failed(code))
    return failure();
  storeDirectly(*code);
  LoweredBody body;
  image::Microprogram &program = body.program;
  describe(model, context, program);
  program.set_registers(allocateRegisters(*code));
  std::vector<micro::Instruction> plain;
  for (const VirtualInstruction &i : code->code) {
    plain.push_back(i.code);
    program.add_names(i.name);
  }
  program.set_code(micro::encodeCode(plain));
  program.set_constants(micro::encodeI64(code->constants));
  if (failed(checkLegal(model, *code, program, *context.chip)))
    return failure();
  return body;
}

} // namespace neurite
