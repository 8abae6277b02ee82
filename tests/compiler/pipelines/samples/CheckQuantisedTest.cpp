// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the look at a quantised network finds: states without room, spike
// values.

#include "compiler/pipelines/samples/CheckQuantised.h"
#include "compiler/pipelines/Diagnostics.h"
#include "compiler/transforms/network/Refusal.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace dendrolith::driver {
namespace {

/// One neuron that adds its input of 1 to v: `width` bits of 2^-4.
std::string addingNetwork(unsigned width) {
  std::string t = "!dend.fx<" + std::to_string(width) + ", -4>";
  return "dend.network @n { dend.clock @t dend.input @x on @t : tensor<1xf64> "
         "as !dend.spike<binary> dend.neuron @m ports(%I : " +
         t + ") states(%v : " + t +
         " reset sample) outputs(s : !dend.spike<int, -1, 1>) { %w = dend.add "
         "%v, %I : (" +
         t + ", " + t + ") -> " + t + " %p = dend.literal 0 : i64 as " + t +
         " %q = dend.literal 32 : i64 as " + t +
         " %s = dend.ssf %w shift %p scale %q vth 1.0 u 1.0 : (" + t + ", " +
         t + ", " + t + ") -> i32 dend.yield states(%w : " + t +
         ") emit(%s : i32) } dend.constant @W : tensor<1x1xi8> = dense<16> : "
         "tensor<1x1xi8> dend.population @a : @m[1] on @t dend.project @x -> "
         "@a[\"I\"] #dend.dense weight @W }";
}

/// The report's rows after 10 ticks, or what went wrong.
std::string look(unsigned width) {
  mlir::MLIRContext context;
  context.loadDialect<dend::DendDialect>();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(addingNetwork(width), &context);
  dend::NetworkOp fixed = *module->getOps<dend::NetworkOp>().begin();
  Samples x;
  x.samples = 1;
  x.steps = 10;
  x.shape = {1};
  x.values = std::vector<double>(10, 1);
  llvm::StringSet<> programs;
  programs.insert("a");
  try {
    DiagnosticsAsError errors(&context);
    errors.check(checkQuantised(fixed, programs, {{"x", x}}), "");
  } catch (const Error &error) {
    return error.what();
  }
  std::string text;
  for (const Warning &warning : warningsOf(fixed))
    text += warning.code + "; ";
  for (auto row :
       fixed.getQuantisationAttr().getAsRange<report::QuantRowAttr>())
    text += row.getDetail().str();
  return text;
}

// v goes from 1 to 10; the rung of 1 is at 2 = 32 units, that of 0 at 0.
TEST(CheckQuantised, CountsSpikeValuesAndPotentialsAtRungs) {
  EXPECT_EQ(look(10),
            "coarse-potential; "
            "spike values 0: 10.0 %, 1: 90.0 %; 10 % of 10 potentials "
            "within a unit (2^-4) of a rung, the closest 0 away");
}

// 9 bits of 2^-4 end at 16: 10 is more than half of that.
TEST(CheckQuantised, NamesLayerAndStateWithoutRoom) {
  std::string said = look(9);
  for (const char *part : {"layer 'a'", "state 'v' reaches 1.000000e+01",
                           "9 bits end at 1.600000e+01", "calibrate"})
    EXPECT_NE(said.find(part), std::string::npos) << said;
}

} // namespace
} // namespace dendrolith::driver
