// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which errors are refusals (compiler/transforms/network/Refusal.h), after
// which another form of the network may be tried, and which are not.

#include "compiler/pipelines/Diagnostics.h"
#include "compiler/lowering/Passes.h"
#include "compiler/pipelines/Pipelines.h"
#include "compiler/transforms/network/Refusal.h"
#include "dialects/dend/Dend.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

namespace dendrolith {
namespace {

std::string raised(DiagnosticsAsError &errors) {
  try {
    errors.raise("nothing was said");
  } catch (const Error &error) {
    return error.what();
  }
}

TEST(Diagnostics, ARefusalHasItsReasonAndItsWholeText) {
  mlir::MLIRContext context;
  auto place = mlir::FileLineColLoc::get(&context, "n.mlir", 3, 1);
  DiagnosticsAsError errors(&context);
  EXPECT_TRUE(mlir::failed(mlir::LogicalResult(
      refuse(mlir::emitError(place), "two, of one; three", "take fewer"))));
  ASSERT_TRUE(errors.refusal());
  EXPECT_EQ(errors.refusal()->reason, "n.mlir:3:1: two, of one; three");
  EXPECT_FALSE(errors.refusal()->oneNeuron);
  EXPECT_EQ(raised(errors), "n.mlir:3:1: two, of one; three; take fewer");
}

/// What is raised when a network is refused in both of its forms.
std::string raisedBoth(bool wideIsTooLarge, bool partsAreTooLarge) {
  mlir::MLIRContext context;
  DiagnosticsAsError errors(&context);
  auto place = mlir::UnknownLoc::get(&context);
  refuse(mlir::emitError(place), "9 registers of 8", "use fewer",
         wideIsTooLarge)
          .attachNote()
      << "it is here";
  Tried parts{"in parts",
              "5 cores of 4; take more\n  note: there",
              {"5 cores of 4", partsAreTooLarge}};
  try {
    errors.raise("nothing", parts);
  } catch (const Error &error) {
    return error.what();
  }
}

TEST(Diagnostics, TheReasonThatHasToChangeComesFirst) {
  const std::string wideFirst =
      "9 registers of 8; use fewer; in parts: 5 cores of 4\n  note: it is here";
  EXPECT_EQ(raisedBoth(true, false),
            "5 cores of 4; take more; this is in parts; otherwise: 9 registers "
            "of 8\n  note: there");
  EXPECT_EQ(raisedBoth(true, true), wideFirst);
  EXPECT_EQ(raisedBoth(false, false), wideFirst);
}

TEST(Diagnostics, AnErrorIsNoRefusalAndHidesLaterOnes) {
  mlir::MLIRContext context;
  auto place = mlir::UnknownLoc::get(&context);
  DiagnosticsAsError errors(&context);
  mlir::emitError(place) << "it is broken";
  (void)refuse(mlir::emitError(place), "it does not fit");
  EXPECT_FALSE(errors.refusal());
  EXPECT_EQ(raised(errors), "it is broken");
}

/// The text and whether it is a refusal, of a network that is mapped.
std::pair<std::string, bool> mapping(const std::string &body,
                                     const std::string &target,
                                     const std::string &solver = "") {
  mlir::MLIRContext context;
  context.loadDialect<dend::DendDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "dend.network @n { dend.clock @t dend.neuron @m ports(%I : !dend.fx<16, "
      "0>) "
      "outputs(s : !dend.spike<binary>) { " +
          body + " } dend.population @p : @m[100000] on @t }",
      &context);
  EXPECT_TRUE(module);
  ScheduleOptions schedule;
  schedule.target = target;
  DendToChipOptions options;
  options.target = target;
  options.solver = solver;
  mlir::PassManager passes(&context);
  populateSchedulePipeline(passes, schedule);
  passes.addPass(createDendToChip(options));
  DiagnosticsAsError errors(&context);
  EXPECT_TRUE(mlir::failed(passes.run(*module)));
  return {raised(errors), errors.refusal().has_value()};
}

TEST(Diagnostics, OnlyWhatDoesNotFitIsARefusal) {
  const std::string relay =
      "%z = dend.literal 0 : i64 as !dend.fx<16, 0> %s = dend.cmp gt %I, %z : "
      "(!dend.fx<16, 0>, !dend.fx<16, 0>) -> i1 dend.yield emit(%s : i1)";
  auto [engine, noEngine] = mapping(relay, "tiny");
  EXPECT_NE(engine.find("has only the fixed-function neuron"),
            std::string::npos)
      << engine;
  EXPECT_TRUE(noEngine);
  // A wrong name of a solver or of a chip is wrong in every form.
  auto [solver, isRefused] = mapping(relay, "ideal", "best");
  EXPECT_NE(solver.find("no mapping solver 'best'"), std::string::npos)
      << solver;
  EXPECT_FALSE(isRefused);
  EXPECT_FALSE(mapping(relay, "nowhere").second);
}

} // namespace
} // namespace dendrolith
