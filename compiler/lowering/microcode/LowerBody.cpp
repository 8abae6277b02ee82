// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/microcode/LowerBody.h"

#include "compiler/lowering/microcode/VirtualCode.h"
#include "compiler/transforms/network/Refusal.h"
#include "dialects/dend/Constants.h"
#include "targets/loader/Describe.h"
#include "llvm/ADT/StringExtras.h"

#include <tuple>

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

namespace {

/// Which chips to choose instead of one that lacks the instruction.
std::string whoHas(MicroOp op) {
  std::vector<std::string> names = targetsWith(op);
  return names.empty() ? "no target has it"
                       : llvm::join(names, ", ") + " have it";
}

std::string theNeuronOf(const Target &chip) {
  return "cores of '" + chip.name +
         "' have one neuron: give the layers that of targets/" + chip.name +
         "/neuron.mlir, in integers";
}

/// Where a message is about, and what it calls that: what a file's text names,
/// else the layer, as nobody wrote the operations that a tool's neuron became.
struct Subject {
  Subject(dend::NeuronOp model, Location at, const std::string &operation = "")
      : at(at), name((operation.empty() ? "" : "'" + operation + "' of ") +
                     "model '@" + model.getSymName().str() + "'") {
    if (at->findInstanceOf<FileLineColLoc>())
      return;
    for (auto population :
         dend::networkOf(model).getOps<dend::PopulationOp>()) {
      if (population.getModel() != model.getSymName())
        continue;
      this->at = population.getLoc();
      name = "the step of population '" + population.getSymName().str() + "'";
      return;
    }
  }
  Location at;
  std::string name;
};

LogicalResult checkInstructions(dend::NeuronOp model, const VirtualCode &code,
                                const Target &chip) {
  for (const VirtualInstruction &i : code.code) {
    if (chip.microcode.has(i.code.op) &&
        i.code.width <= chip.microcode.wordBits)
      continue;
    const Subject subject(model, i.location, i.name);
    if (!chip.microcode.has(i.code.op))
      return refuse(emitError(subject.at),
                    subject.name + " needs the instruction '" +
                        toString(i.code.op) + "', which target '" + chip.name +
                        "' lacks",
                    hasOneNeuron(chip) ? theNeuronOf(chip) : whoHas(i.code.op));
    return refuse(emitError(subject.at),
                  subject.name + " has a value of " + Twine(int(i.code.width)) +
                      " bits, target '" + chip.name + "' has words of " +
                      Twine(chip.microcode.wordBits),
                  hasOneNeuron(chip) ? theNeuronOf(chip)
                                     : "rescale to fewer bits");
  }
  return success();
}

LogicalResult checkSizes(dend::NeuronOp model, const VirtualCode &code,
                         const Microprogram &program, const Target &chip) {
  auto refused = [&](uint64_t needs, const Twine &what, uint64_t has,
                     StringRef limit, StringRef remedy) {
    const Subject subject(model, model.getLoc());
    const std::string reason =
        (Twine(subject.name) + " needs " + Twine(needs) + " " + what +
         ", target '" + chip.name + "' has " + Twine(has))
            .str();
    return refuse(emitError(subject.at)
                      << reason << "; " << remedy
                      << ", or lift the limit (--override-limit " << limit
                      << ")",
                  Refusal{reason, /*oneNeuron=*/true, limit.str(), needs, has});
  };
  const MicrocodeAbility &has = chip.microcode;
  if (has.registers && program.registers > *has.registers)
    return refused(program.registers, "registers", *has.registers, "registers",
                   "use shorter vectors or fewer values at a time");
  uint64_t words = code.code.size() + code.constants.size();
  if (has.programWords && words > *has.programWords)
    return refused(words, "program words", *has.programWords, "program_words",
                   "use fewer operations or smaller tables");
  uint64_t bits = 0;
  for (const auto &state : program.states)
    bits += uint64_t(state.elements * state.width);
  uint64_t bytes = (bits + 7) / 8;
  if (has.stateBytes && bytes > *has.stateBytes)
    return refused(bytes, "bytes of state per neuron", *has.stateBytes,
                   "state_bytes", "use fewer or narrower states");
  return success();
}

LogicalResult checkSpikes(dend::NeuronOp model, const Microprogram &program,
                          const Target &chip) {
  for (const auto &output : program.outputs) {
    auto refused = [&](const Twine &why, const Twine &advice = "") {
      return refuse(model.emitError(),
                    "output '" + output.name + "' of model '@" +
                        model.getSymName() + "' sends " + Twine(output.low) +
                        " to " + Twine(output.high) + why,
                    advice);
    };
    if (output.kind != chip::EmissionKind::Graded)
      continue;
    if (!chip.spikes.graded)
      return refused(", target '" + chip.name + "' has no graded spikes");
    if (output.low < 0 && !chip.spikes.sign)
      return refused(", payloads of target '" + chip.name + "' have no sign");
    const uint32_t bits = payloadBits(output.low, output.high);
    if (bits > chip.spikes.payloadBits)
      return refused(", which takes " + Twine(bits) + " bits of payload",
                     "target '" + chip.name + "' has " +
                         Twine(chip.spikes.payloadBits));
  }
  return success();
}

} // namespace

LogicalResult checkLegal(dend::NeuronOp model, const VirtualCode &code,
                         const Microprogram &program, const Target &chip) {
  return failure(failed(checkInstructions(model, code, chip)) ||
                 failed(checkSizes(model, code, program, chip)) ||
                 failed(checkSpikes(model, program, chip)));
}

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
