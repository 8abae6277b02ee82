// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the look at a rewritten network finds when a rewrite was wrong.

#include "compiler/pipelines/Rewrites.h"
#include "compiler/pipelines/Diagnostics.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace dendrolith::driver {
namespace {

/// Relays of `type` that add up what @x sends them with `weights`.
std::string network(const std::string &type, const std::string &weights,
                    const std::string &spike, const std::string &element,
                    int size, const std::string &attributes = "") {
  std::string n = std::to_string(size);
  return "dend.network @n { dend.clock @t dend.input @x on @t : tensor<1xf64> "
         "as !dend.spike<" +
         std::string(element == "f64" ? "graded" : "binary") +
         "> dend.neuron @m ports(%I : " + type + ") outputs(y : !dend.spike<" +
         spike + ">) { dend.yield emit(%I : " + type +
         ") } dend.constant @W : tensor<" + n + "x1x" + element + "> = dense<" +
         weights + "> : tensor<" + n + "x1x" + element +
         "> dend.population @p : @m[" + n + "] on @t " + attributes +
         " dend.project @x -> @p[\"I\"] #dend.dense weight @W " +
         (element == "f64" ? "dend.output @y = @p[\"y\"]" : "") + " }";
}

/// The text that the comparison raises, on 3 ticks of 1.
template <typename Verify>
std::string difference(const std::string &one, const std::string &other,
                       Verify verify) {
  mlir::MLIRContext context;
  context.loadDialect<dend::DendDialect>();
  auto a = mlir::parseSourceString<mlir::ModuleOp>(one, &context),
       b = mlir::parseSourceString<mlir::ModuleOp>(other, &context);
  Samples x;
  x.samples = 1;
  x.steps = 3;
  x.shape = {1};
  x.values = {1, 1, 1};
  try {
    DiagnosticsAsError errors(&context);
    errors.check(verify(*a->getOps<dend::NetworkOp>().begin(),
                        *b->getOps<dend::NetworkOp>().begin(),
                        std::map<std::string, Samples>{{"x", x}}),
                 "");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(Rewrites, AnotherOutputInFloatIsAnError) {
  auto verify = [](auto a, auto b, auto inputs) {
    return verifyFloat(a, b, {}, inputs);
  };
  std::string one = network("f64", "1.0", "graded", "f64", 1),
              near = network("f64", "1.0000000000001", "graded", "f64", 1),
              other = network("f64", "1.001", "graded", "f64", 1);
  EXPECT_EQ(difference(one, near, verify), "");
  EXPECT_NE(difference(one, other, verify).find("outputs differ by 0.001"),
            std::string::npos)
      << difference(one, other, verify);
}

// Neurons 0 and 2 of three are left; the one that goes must be silent.
TEST(Rewrites, AnotherSpikeOfAPrunedNetworkIsAnError) {
  auto small = [](const std::string &weights) {
    return network("!dend.fx<8, 0>", weights, "int, -8, 7", "i8", 2,
                   "{removed = array<i64: 1>}");
  };
  auto whole = [](const std::string &weights) {
    return network("!dend.fx<8, 0>", weights, "int, -8, 7", "i8", 3);
  };
  EXPECT_EQ(
      difference(small("[[4], [5]]"), whole("[[4], [0], [5]]"), verifyPruned),
      "");
  for (const char *wrong : {"[[4], [0], [6]]", "[[4], [1], [5]]"})
    EXPECT_NE(difference(small("[[4], [5]]"), whole(wrong), verifyPruned)
                  .find("3 of 9 output values and emissions differ"),
              std::string::npos)
        << wrong;
}

} // namespace
} // namespace dendrolith::driver
