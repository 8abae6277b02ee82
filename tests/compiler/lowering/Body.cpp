// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/lowering/Body.h"

#include "compiler/emit/EmitProgram.h"
#include "compiler/transforms/structure/ExpandStructure.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

namespace dendrolith::test {

Body::Body(const std::string &model, const std::string &target, bool expand) {
  context.loadDialect<dend::DendDialect, chip::ChipDialect>();
  context.printOpOnDiagnostic(false);
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        errors += diagnostic.str() + "\n";
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          errors += note.str() + "\n";
        return mlir::success();
      });
  module = mlir::parseSourceString<mlir::ModuleOp>(
      "dend.network @net {\n  dend.clock @t\n" + model + "\n}\n", &context);
  if (!module)
    return;
  auto network = *module->getOps<dend::NetworkOp>().begin();
  auto neuron = *network.getOps<dend::NeuronOp>().begin();
  if (expand)
    expandStructure(neuron);
  Target chip = Target::load(target);
  BodyContext body;
  body.chip = &chip;
  body.biased.assign(neuron.getPortArgs().size(), false);
  body.hold.assign(neuron.getPortArgs().size(), 1);
  body.resetEvery.assign(neuron.getStateArgs().size(), 0);
  body.keep.assign(neuron.getStateArgs().size(), false);
  body.outputs.resize(neuron.getOutputs().size());
  for (unsigned i = 0; i < neuron.getOutputs().size(); ++i)
    if (neuron.getOutput(i).getType().getKind() == dend::SpikeKind::Int)
      body.outputs[i].kind = chip::EmissionKind::Graded;
  auto lowered = lowerBody(neuron, body);
  ok = mlir::succeeded(lowered);
  if (!ok)
    return;
  mlir::OpBuilder builder(module->getBodyRegion());
  auto op = createProgram(builder, builder.getUnknownLoc(), *lowered, "body");
  program = *emitMicroprogram(op);
  code = micro::decodeCode(program.code());
}

std::string Body::ops() const {
  std::string text;
  for (const micro::Instruction &i : code)
    text += (text.empty() ? "" : " ") + std::string(toString(i.op));
  return text;
}

} // namespace dendrolith::test
