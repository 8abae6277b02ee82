// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/Passes.h"
#include "compiler/native/code/Function.h"
#include "compiler/native/program/WriteProgram.h"
#include "dialects/dend/Constants.h"
#include "runtime/microcode/Isa.h"

#include "compiler/native/MachineCode.h"
#include "compiler/native/body/BodyOps.h"
#include "compiler/native/body/BodyToVector.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/DenseSet.h"

namespace dendrolith {

#define GEN_PASS_DEF_CHIPPROGRAMTOVECTOR
#include "compiler/native/Passes.h.inc"

namespace {

using native::program::Program;

template <typename Row>
std::vector<unsigned> bitsOfWords(mlir::ArrayAttr rows) {
  std::vector<unsigned> bits;
  for (auto row : rows.getAsRange<Row>())
    bits.insert(bits.end(), size_t(row.getElements()),
                unsigned(row.getWidth()));
  return bits;
}

mlir::FailureOr<Program> programOf(chip::ProgramOp op) {
  auto code = dend::readInts(op.getCode());
  auto constants = dend::readInts(op.getConstants());
  if (failed(code) || failed(constants))
    return op.emitError("its code cannot be read as integers");
  Program program;
  program.code = micro::decodeCode(micro::encodeI64(*code));
  program.registers = uint32_t(op.getRegisters());
  for (auto output : op.getOutputs().getAsRange<chip::EmissionAttr>())
    program.outputs.push_back({output.getLow(), output.getHigh()});
  // Words that neurons share lie apart from rows of words of their own.
  size_t shared = 0, own = 0;
  for (auto param : op.getParams().getAsRange<chip::ParamAttr>())
    for (int64_t e = 0; e < int64_t(param.getElements()); ++e)
      program.params.push_back(
          {param.getPerNeuron(), param.getPerNeuron() ? own++ : shared++});
  program.operandBits =
      micro::operandBits(program.code, program.registers,
                         {bitsOfWords<chip::PortAttr>(op.getPorts()),
                          bitsOfWords<chip::StateAttr>(op.getStates()),
                          bitsOfWords<chip::ParamAttr>(op.getParams())},
                         *constants);
  return program;
}

struct ChipProgramToVector
    : impl::ChipProgramToVectorBase<ChipProgramToVector> {
  using ChipProgramToVectorBase::ChipProgramToVectorBase;

  void runOnOperation() override {
    std::vector<chip::ProgramOp> programs;
    getOperation().walk([&](chip::ProgramOp op) { programs.push_back(op); });
    auto b = mlir::OpBuilder::atBlockEnd(getOperation().getBody());
    llvm::DenseSet<mlir::Attribute> written;
    for (chip::ProgramOp op : programs) {
      if (!written.insert(op->getAttrDictionary()).second)
        continue; // another core runs the same program
      mlir::FailureOr<Program> program = programOf(op);
      if (failed(program))
        return signalPassFailure();
      if (failed(writeProgram(b, *program, lanes,
                              native::freeName(getOperation(), op.getModel()))))
        return signalPassFailure();
    }
  }
};

} // namespace

#define GEN_PASS_DEF_DENDBODYTOVECTOR
#include "compiler/native/Passes.h.inc"

namespace {

struct DendBodyToVector : impl::DendBodyToVectorBase<DendBodyToVector> {
  using DendBodyToVectorBase::DendBodyToVectorBase;

  void runOnOperation() override {
    std::vector<dend::NeuronOp> models;
    getOperation().walk([&](dend::NeuronOp op) { models.push_back(op); });
    auto b = mlir::OpBuilder::atBlockEnd(getOperation().getBody());
    for (dend::NeuronOp model : models)
      if (native::body::isKnown(model) &&
          failed(native::body::writeBody(
              b, model, lanes,
              native::freeName(getOperation(), model.getSymName()))))
        return signalPassFailure();
  }
};

} // namespace

void registerNativePipelines() {
  mlir::PassPipelineRegistration<>(
      "native-to-llvm",
      "Lower vector, scf, math and arith to llvm, as machine code is made",
      native::buildNativeToLLVM);
}

} // namespace dendrolith
