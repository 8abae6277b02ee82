// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/transforms/Expanded.h"
#include "compiler/transforms/structure/ExpandStructure.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace dendrolith::test {
namespace {

std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  return text;
}

} // namespace

std::string bodyNetwork(const std::string &type,
                        const std::vector<Argument> &arguments,
                        const std::string &body, int64_t neurons) {
  std::string text = "dend.clock @step\n", params, bound;
  for (const Argument &a : arguments) {
    text += dend::test::constant(a.name, a.type, a.elements, a.neurons) + "\n";
    params += (params.empty() ? "%" : ", %") + a.name + " : " + a.type +
              (a.neurons ? " per_neuron" : "");
    bound += (bound.empty() ? "" : ", ") + a.name + " = @" + a.name;
  }
  return text + "dend.neuron @model params(" + params +
         ") states(%result : " + type + " reset sample) {\n" + body +
         "\n dend.yield states(%out : " + type +
         ")\n}\ndend.population @P : @model[" + std::to_string(neurons) +
         "] on @step bind {" + bound + "}\n";
}

Expanded::Expanded(const std::string &body) {
  context.loadDialect<dend::DendDialect>();
  module = parseSourceString<ModuleOp>("dend.network @net {\n" + body + "\n}\n",
                                       &context);
  if (!module) {
    ADD_FAILURE() << "no network:\n" << body.substr(0, 2000);
    return;
  }
  for (int round = 0; round < 2; ++round) {
    std::string before = printed;
    for (auto model : network().getOps<dend::NeuronOp>()) {
      expandStructure(model);
      printed = print(model);
    }
    if (round == 1) {
      EXPECT_EQ(printed, before);
    }
  }
  if (failed(verify(*module))) {
    ADD_FAILURE() << "invalid after expansion:\n" << printed;
    return;
  }
  auto made = dend::Interpreter::create(network());
  if (succeeded(made))
    interpreter = std::move(*made);
  else
    ADD_FAILURE() << "not interpreted:\n" << printed;
}

} // namespace dendrolith::test
