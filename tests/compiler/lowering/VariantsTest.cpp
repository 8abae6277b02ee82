// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of neurons that are alike, and the bodies that are left for them.

#include "compiler/lowering/Variants.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

/// A network of one model with parameters a and b, and a population of it.
class Network {
public:
  Network(const std::string &body, const std::vector<bool> &a,
          const std::vector<bool> &b) {
    context.loadDialect<dend::DendDialect>();
    std::string size = std::to_string(a.size());
    std::string text =
        "dend.network @net {\n  dend.clock @t\n"
        "  dend.neuron @n ports(%I : !dend.fx<16, 0>)\n"
        "      params(%a : i1 per_neuron, %b : i1 per_neuron)\n" +
        body + constant("a", a) + constant("b", b) +
        "  dend.population @p : @n[" + size +
        "] on @t bind {a = @a, b = @b}\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      throw std::runtime_error(text);
    auto network = *module->getOps<dend::NetworkOp>().begin();
    model = *network.getOps<dend::NeuronOp>().begin();
    population = *network.getOps<dend::PopulationOp>().begin();
  }

  /// Names of the ops, states and parameters of a variant.
  std::string variant(std::initializer_list<unsigned> params,
                      std::initializer_list<bool> values) {
    dend::NeuronOp copy = specialise(model, params, values);
    EXPECT_TRUE(mlir::succeeded(mlir::verify(copy)));
    std::string text;
    for (mlir::Operation &op : copy.getBlock())
      text += op.getName().stripDialect().str() + " ";
    text += "|";
    for (unsigned s = 0; s < copy.getStateArgs().size(); ++s)
      text += " " + copy.getState(s).getName().getValue().str();
    text += " |";
    for (unsigned p = 0; p < copy.getParamArgs().size(); ++p)
      text += " " + copy.getParam(p).getName().getValue().str();
    copy.erase();
    return text;
  }

  dend::NeuronOp model;
  dend::PopulationOp population;

private:
  static std::string constant(const std::string &name,
                              const std::vector<bool> &values) {
    std::string list;
    for (bool value : values)
      list +=
          std::string(list.empty() ? "" : ", ") + (value ? "true" : "false");
    std::string type = "tensor<" + std::to_string(values.size()) + "xi1>";
    return "  dend.constant @" + name + " : " + type + " = dense<[" + list +
           "]> : " + type + "\n";
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

// Two branches; a's is read by the sum only, b's by a's as well.
const char *const kBranches = R"(
      states(%u : !dend.fx<16, 0> reset sample, %v : !dend.fx<16, 0> reset sample init 3,
             %w : !dend.fx<16, 0> reset sample)
      outputs(s : !dend.spike<int, -9, 9>) {
    %zero = dend.literal 0 : i64 as !dend.fx<16, 0>
    %u1, %c = dend.when %a keep(%u, %zero : !dend.fx<16, 0>, !dend.fx<16, 0>) -> (!dend.fx<16, 0>, !dend.fx<16, 0>) {
      %x = dend.sub %I, %w : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
      %y = dend.neg %x : (!dend.fx<16, 0>) -> !dend.fx<16, 0>
      dend.give %y, %x : !dend.fx<16, 0>, !dend.fx<16, 0>
    }
    %v1, %w1 = dend.when %b keep(%v, %w : !dend.fx<16, 0>, !dend.fx<16, 0>) -> (!dend.fx<16, 0>, !dend.fx<16, 0>) {
      %x = dend.max %I, %v : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
      dend.give %x, %x : !dend.fx<16, 0>, !dend.fx<16, 0>
    }
    %sum = dend.add %c, %v1 : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    dend.yield states(%u1, %v1, %w1 : !dend.fx<16, 0>, !dend.fx<16, 0>, !dend.fx<16, 0>)
        emit(%sum : !dend.fx<16, 0>)
  }
)";

TEST(Variants, AbsentRegionsLeaveNothingBehind) {
  Network network(kBranches, {true, false}, {true, true});
  EXPECT_EQ(network.variant({0, 1}, {true, true}),
            "sub neg max add yield | u v w |");
  // v starts at 3 and stays there, so it is no constant 0; w is, which leaves
  // nothing to subtract.
  EXPECT_EQ(network.variant({0, 1}, {true, false}), "neg add yield | u v |");
  EXPECT_EQ(network.variant({0, 1}, {false, true}), "max yield | v w |");
  EXPECT_EQ(network.variant({0, 1}, {false, false}), "yield | v |");
  // A parameter that stays data keeps its region.
  EXPECT_EQ(network.variant({0}, {false}), "when yield | v w | b");
}

TEST(Variants, RunsAreMaximalAndEqualOnesShareABody) {
  Network network(kBranches, {true, true, false, false, true, true, true},
                  {false, false, false, true, false, false, true});
  auto found = findVariants(network.population, network.model);
  ASSERT_TRUE(mlir::succeeded(found));
  EXPECT_EQ(found->params.size(), 2u);
  std::vector<std::array<uint32_t, 3>> runs;
  for (const ProgramRun &run : found->runs)
    runs.push_back({run.first, run.count, run.program});
  EXPECT_EQ(runs, (std::vector<std::array<uint32_t, 3>>{
                      {0, 2, 0}, {2, 1, 1}, {3, 1, 2}, {4, 2, 0}, {6, 1, 3}}));
  ASSERT_EQ(found->values.size(), 4u);
  EXPECT_EQ(found->values[2], (llvm::SmallVector<bool>{false, true}));
}

TEST(Variants, AStateThatNoNeuronMovesCanStillBeShown) {
  Network network(kBranches, {false, false}, {true, false});
  auto found = findVariants(network.population, network.model);
  ASSERT_TRUE(mlir::succeeded(found));
  std::vector<std::vector<std::string>> states;
  for (dend::NeuronOp model : specialiseAll(network.model, *found)) {
    states.emplace_back();
    for (unsigned s = 0; s < model.getStateArgs().size(); ++s)
      states.back().push_back(model.getState(s).getName().getValue().str());
    model.erase();
  }
  EXPECT_EQ(states,
            (std::vector<std::vector<std::string>>{{"u", "v", "w"}, {"v"}}));
}

TEST(Variants, AParameterOfTooManyRunsStaysData) {
  // 64 runs are cut, 65 are not; the other parameter is cut all the same.
  for (size_t runs : {64, 65}) {
    std::vector<bool> a(130, false), b(130, false);
    for (size_t n = 0; n < 130; ++n)
      a[n] = std::min(n, runs - 1) % 2;
    b[129] = b[128] = true;
    Network network(kBranches, a, b);
    auto found = findVariants(network.population, network.model);
    ASSERT_TRUE(mlir::succeeded(found));
    EXPECT_EQ(found->params.front(), runs == 64 ? 0u : 1u);
    EXPECT_EQ(found->params.size(), 1u);
    EXPECT_EQ(found->runs.size(), runs == 64 ? 64u : 2u);
  }
}

TEST(Variants, NeuronsThatAreAlikeHaveTheModelItself) {
  Network network(R"(
      states(%u : !dend.fx<16, 0> reset sample) {
    %x = dend.select %a, %I, %u : (i1, !dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    dend.yield states(%x : !dend.fx<16, 0>)
  }
)",
                  {true, false}, {true, false});
  auto found = findVariants(network.population, network.model);
  ASSERT_TRUE(mlir::succeeded(found));
  EXPECT_TRUE(found->params.empty());
  EXPECT_EQ(found->runs.size(), 1u);
  EXPECT_EQ(found->values.size(), 1u);
}

} // namespace
