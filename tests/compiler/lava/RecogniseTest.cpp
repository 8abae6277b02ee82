// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form that import writes is recognised as itself, whatever things are
// called, and a body that differs in one constant is not.

#include "compiler/lava/Processes.h"

#include "compiler/lava/Recognise.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

namespace dendrolith::lava {
namespace {

using namespace mlir;

class Recognise : public testing::Test {
protected:
  Recognise() : builder(&context) {
    context.getOrLoadDialect<dend::DendDialect>();
  }
  OwningOpRef<dend::NeuronOp> build(const NeuronForm &form) {
    return buildNeuron(builder, builder.getUnknownLoc(), "any", form);
  }

  MLIRContext context;
  OpBuilder builder;
};

std::string describe(const NeuronForm &form) {
  std::string text = form.lavaClass + " '" + form.variant + "'";
  for (const auto &terms : form.inputs) {
    text += " |";
    for (const Term &term : terms)
      text +=
          " " + std::to_string(term.width) + ">>" + std::to_string(term.shift);
  }
  return text + (form.fired ? " fired" : "");
}

const std::vector<std::vector<Term>> &termLists() {
  static const std::vector<std::vector<Term>> all{
      {{}}, {{32, 3}}, {{}, {24, 0}, {32, 1}}};
  return all;
}

TEST_F(Recognise, EveryFormIsItself) {
  for (const NeuronClass &neuron : neuronClasses())
    for (const std::string &variant : neuron.variants)
      for (const auto &first : termLists())
        for (const auto &second : termLists())
          for (bool fired : {false, true}) {
            NeuronForm form{neuron.lavaClass, variant, {first}, fired};
            if (neuron.inputs.size() == 2)
              form.inputs.push_back(second);
            if (variant == "cuba")
              form.inputs = {{{64, 0}}};
            auto model = build(form);
            std::optional<NeuronForm> found = recognise(*model);
            ASSERT_TRUE(found) << describe(form);
            EXPECT_EQ(describe(*found), describe(form));
          }
}

TEST_F(Recognise, AnotherConstantIsAnotherNeuron) {
  auto model = build({"lava.proc.lif.process.LIF", "plain", {{Term()}}, false});
  auto literal = *model->getBlock().getOps<dend::LiteralOp>().begin();
  auto value = cast<IntegerAttr>(literal.getValue());
  literal.setValueAttr(IntegerAttr::get(value.getType(), value.getInt() + 1));
  EXPECT_FALSE(recognise(*model));
}

TEST_F(Recognise, StatesThatOutliveASampleAreNotLavas) {
  auto model = build({"lava.proc.sdn.process.Sigma", "", {{Term()}}, false});
  dend::StateAttr state = model->getState(0);
  model->setStatesAttr(builder.getArrayAttr(dend::StateAttr::get(
      &context, state.getName(), builder.getStringAttr("never"), {})));
  EXPECT_FALSE(recognise(*model));
}

} // namespace
} // namespace dendrolith::lava
