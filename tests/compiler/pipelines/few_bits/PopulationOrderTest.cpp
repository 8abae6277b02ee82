// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which weights are chosen: along the data, with the populations
// where a loop closes, and for chains deeper than any stack of calls.

#include "compiler/pipelines/few_bits/PopulationOrder.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace dendrolith {
namespace {

struct Named {
  std::vector<std::string> order, looped;
};

/// Orders relays @p<n>, listed in this order, with projections between them.
Named orderOf(const std::vector<int> &listed,
              const std::vector<std::pair<int, int>> &projections) {
  std::string text =
      "dend.network @n { dend.clock @t dend.neuron @m ports(%I : f64) "
      "outputs(y "
      ": !dend.spike<graded>) { dend.yield emit(%I : f64) } dend.constant @W : "
      "tensor<1x1xf64> = dense<1.0> : tensor<1x1xf64>\n";
  for (int n : listed)
    text += "dend.population @p" + std::to_string(n) + " : @m[1] on @t\n";
  for (auto [from, to] : projections)
    text += "dend.project @p" + std::to_string(from) + " -> @p" +
            std::to_string(to) + "[\"I\"] #dend.dense weight @W\n";
  mlir::MLIRContext context;
  context.loadDialect<dend::DendDialect>();
  // Without the verifier, which walks over the network for each symbol.
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text + "}", mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
  EXPECT_TRUE(module);
  Named found;
  PopulationOrder all =
      orderPopulations(*module->getOps<dend::NetworkOp>().begin());
  for (dend::PopulationOp population : all.populations) {
    found.order.push_back(population.getSymName().str());
    if (all.looped.contains(population))
      found.looped.push_back(population.getSymName().str());
  }
  return found;
}

using Names = std::vector<std::string>;

TEST(PopulationOrder, SourcesComeBeforeTargets) {
  Named found = orderOf({3, 1, 0, 2}, {{0, 1}, {0, 2}, {2, 3}, {1, 3}});
  EXPECT_EQ(found.order, (Names{"p0", "p2", "p1", "p3"}));
  EXPECT_TRUE(found.looped.empty());
}

TEST(PopulationOrder, TellsWhereLoopsClose) {
  // 0 -> 1 -> 2 -> 1, and 3 sees itself.
  Named found = orderOf({0, 1, 2, 3}, {{0, 1}, {1, 2}, {2, 1}, {3, 3}});
  EXPECT_EQ(found.order, (Names{"p0", "p2", "p1", "p3"}));
  EXPECT_EQ(found.looped, (Names{"p2", "p3"}));
}

TEST(PopulationOrder, TakesChainsOfAnyDepth) {
  constexpr int kDepth = 100000;
  std::vector<int> listed;
  std::vector<std::pair<int, int>> projections;
  for (int n = kDepth - 1; n >= 0; --n)
    listed.push_back(n);
  for (int n = 1; n < kDepth; ++n)
    projections.push_back({n - 1, n});
  Named found = orderOf(listed, projections);
  ASSERT_EQ(found.order.size(), size_t(kDepth));
  EXPECT_EQ(found.order.front(), "p0");
  EXPECT_EQ(found.order.back(), "p" + std::to_string(kDepth - 1));
  EXPECT_TRUE(found.looped.empty());
}

} // namespace
} // namespace dendrolith
