// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/microcode/LowerBody.h"

#include "compiler/lowering/microcode/Legality.h"
#include "compiler/lowering/microcode/VirtualCode.h"

using namespace mlir;

namespace dendrolith {
namespace {

int64_t widthOf(Type type) {
  if (dend::FxType fixed = dend::fixedType(type))
    return fixed.getWidth();
  return dend::elementType(type).isInteger(1) ? 1 : 32;
}

/// Ports, states, parameters and outputs as the program's rows.
void describe(dend::NeuronOp model, const BodyContext &context,
              Microprogram &program) {
  program.model = model.getSymName().str();
  for (auto [i, argument] : llvm::enumerate(model.getPortArgs())) {
    auto &port = program.ports.emplace_back();
    port.name = model.getPort(i).getName().str();
    port.elements = dend::elementCount(argument.getType());
    port.width = widthOf(argument.getType());
    port.hold = context.hold[i];
  }
  for (auto [i, argument] : llvm::enumerate(model.getStateArgs())) {
    auto &state = program.states.emplace_back();
    state.name = model.getState(i).getName().str();
    state.elements = dend::elementCount(argument.getType());
    state.width = widthOf(argument.getType());
    state.reset_every = context.resetEvery[i];
    state.keep = context.keep[i];
  }
  auto addParam = [&](const std::string &name, Type type, bool perNeuron) {
    auto &param = program.params.emplace_back();
    param.name = name;
    param.elements = dend::elementCount(type);
    param.width = widthOf(type);
    param.per_neuron = perNeuron;
  };
  for (auto [i, argument] : llvm::enumerate(model.getParamArgs()))
    addParam(model.getParam(i).getName().str(), argument.getType(),
             model.getParam(i).getPerNeuron());
  for (auto [i, argument] : llvm::enumerate(model.getPortArgs()))
    if (context.biased[i])
      addParam(model.getPort(i).getName().str() + ".bias", argument.getType(),
               true);
  for (unsigned i = 0; i < model.getOutputs().size(); ++i) {
    dend::OutputAttr output = model.getOutput(i);
    auto &emission = program.outputs.emplace_back();
    emission.name = output.getName().str();
    emission.elements = output.getElements();
    emission.low = output.getType().getLow();
    emission.high = output.getType().getHigh();
    emission.kind = context.outputs[i].kind;
    emission.steps = context.outputs[i].steps;
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

FailureOr<Microprogram> lowerBody(dend::NeuronOp model,
                                  const BodyContext &context) {
  if (failed(refuseReals(model)))
    return failure();
  auto code = selectInstructions(model, context.biased);
  if (failed(code))
    return failure();
  storeDirectly(*code);
  Microprogram program;
  describe(model, context, program);
  VirtualCode roomy = *code;
  program.registers = allocateRegisters(*code);
  auto most = context.chip->microcode.registers;
  if (most && program.registers > *most) {
    *code = std::move(roomy);
    keepInState(*code);
    program.registers = allocateRegisters(*code);
  }
  std::vector<micro::Instruction> plain;
  for (const VirtualInstruction &i : code->code) {
    plain.push_back(i.code);
    program.names.push_back(i.name);
  }
  program.code = micro::decodeI64(micro::encodeCode(plain));
  program.constants = code->constants;
  if (failed(checkLegal(model, *code, program, *context.chip)))
    return failure();
  return program;
}

} // namespace dendrolith
