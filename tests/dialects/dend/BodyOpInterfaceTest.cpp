// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/BodyOpInterface.td with BodyTraits.cpp, Interval.cpp
// and BodyTraits.h: every body op answers, and the answers are those that
// passes rely on.
#include "dialects/dend/Dend.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <set>

using namespace dendrolith::dend;

namespace {

/// Ops around the step bodies of neuron models, and the terminators of bodies.
const std::set<std::string> kNoBodyOps = {
    "dend.network", "dend.clock",      "dend.constant", "dend.neuron",
    "dend.input",   "dend.population", "dend.project",  "dend.output",
    "dend.yield",   "dend.give"};

/// The body ops of the dialect for which `holds`.
template <typename F> std::set<std::string> bodyOpsThat(F holds) {
  mlir::MLIRContext context;
  context.loadDialect<DendDialect>();
  std::set<std::string> names;
  for (mlir::RegisteredOperationName name :
       context.getRegisteredOperationsByDialect("dend"))
    if (name.hasInterface<BodyOpInterface>() && holds(name))
      names.insert(name.getStringRef().str());
  return names;
}

/// The last op of a body with some arguments of usual types.
class Body {
public:
  explicit Body(const std::string &ops) {
    context.loadDialect<DendDialect>();
    context.allowUnregisteredDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "\"test.body\"() ({\n^bb0(%c : i1, %x : !dend.fx<8, 0>, %y : "
        "!dend.fx<8, 0>, %f : f64, %v : tensor<3xf64>, %w : tensor<3xf64>, %m "
        ": tensor<3x3xf64>):\n" +
            ops + "\n}) : () -> ()",
        &context);
  }

  BodyOpInterface op() {
    return llvm::cast<BodyOpInterface>(
        module->getBody()->front().getRegion(0).front().back());
  }
  Interval infer(std::vector<Interval> operands) {
    Interval result = rangeOf(op()->getResult(0).getType());
    op().inferIntervals(operands, result);
    return result;
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

const std::string kOne = " : (!dend.fx<8, 0>) -> !dend.fx<8, 0>";
const std::string kTwo = " : (!dend.fx<8, 0>, !dend.fx<8, 0>) -> ";
const std::string kSelect =
    "%r = dend.select %c, %x, %y : (i1, !dend.fx<8, 0>, !dend.fx<8, 0>) -> "
    "!dend.fx<8, 0>";

TEST(BodyOpInterface, EveryOpOfAStepBodyImplementsIt) {
  mlir::MLIRContext context;
  context.loadDialect<DendDialect>();
  size_t count = 0;
  for (mlir::RegisteredOperationName name :
       context.getRegisteredOperationsByDialect("dend")) {
    std::string text = name.getStringRef().str();
    EXPECT_EQ(name.hasInterface<BodyOpInterface>(), !kNoBodyOps.count(text))
        << text;
    ++count;
  }
  EXPECT_GT(count, kNoBodyOps.size());
}

// A new op that is marked here by accident would be split by compartments.
TEST(BodyOpInterface, ElementwiseOpsAreMarked) {
  auto elementwise = [](mlir::RegisteredOperationName name) {
    return name.hasTrait<OpTrait::Elementwise>();
  };
  std::set<std::string> expected = {
      "dend.abs",    "dend.add",   "dend.clamp", "dend.clz",
      "dend.cmp",    "dend.div",   "dend.math",  "dend.max",
      "dend.min",    "dend.mul",   "dend.neg",   "dend.rescale",
      "dend.select", "dend.shift", "dend.sub",   "dend.to_real"};
  EXPECT_EQ(bodyOpsThat(elementwise), expected);
}

TEST(BodyOpInterface, OpsWithoutIntegerFormAreMarked) {
  auto realOnly = [](mlir::RegisteredOperationName name) {
    return name.hasTrait<OpTrait::NoIntegerForm>();
  };
  std::set<std::string> expected = {
      "dend.branch",     "dend.cable", "dend.compartment", "dend.cuba",
      "dend.delta_rule", "dend.div",   "dend.fire",        "dend.join",
      "dend.math",       "dend.soma",  "dend.to_real"};
  EXPECT_EQ(bodyOpsThat(realOnly), expected);
}

TEST(BodyOpInterface, AnswersFollowFromTraits) {
  Body add("%r = dend.add %x, %y" + kTwo + "!dend.fx<8, 0>");
  EXPECT_TRUE(add.op().isElementwise());
  EXPECT_TRUE(add.op().hasIntegerForm());
  EXPECT_TRUE(add.op().givesZero({true, true}));
  EXPECT_FALSE(add.op().givesZero({true, false}));
  EXPECT_FALSE(add.op().saturates());
  add.op().saturate();
  EXPECT_TRUE(add.op().saturates());

  Body div("%r = dend.div %f, %f : (f64, f64) -> f64");
  EXPECT_FALSE(div.op().hasIntegerForm());
  EXPECT_FALSE(div.op().givesZero({true, true}));
  div.op().saturate();
  EXPECT_FALSE(div.op().saturates());

  Body sum("%r = dend.reduce sum %v : (tensor<3xf64>) -> f64");
  EXPECT_FALSE(sum.op().isElementwise());
}

TEST(BodyOpInterface, OneZeroFactorIsEnough) {
  Body mul("%r = dend.mul %x, %y" + kTwo + "!dend.fx<16, 0>");
  EXPECT_TRUE(mul.op().givesZero({true, false}));
  EXPECT_FALSE(mul.op().givesZero({false, false}));
  Body select(kSelect);
  EXPECT_TRUE(select.op().givesZero({false, true, true}));
  EXPECT_FALSE(select.op().givesZero({true, true, false}));
}

TEST(BodyOpInterface, FormatsMeetInGroups) {
  auto groups = [](Body &body) { return body.op().getFormatGroups(); };
  Body add("%r = dend.add %f, %f : (f64, f64) -> f64");
  ASSERT_EQ(groups(add).size(), 1u);
  EXPECT_EQ(groups(add)[0].size(), 3u);
  Body mul("%r = dend.mul %f, %f : (f64, f64) -> f64");
  EXPECT_TRUE(groups(mul).empty());
  Body math("%r = dend.math exp %f : (f64) -> f64");
  ASSERT_EQ(groups(math).size(), 1u);
  EXPECT_EQ(groups(math)[0], FormatGroup{math.op()->getOperand(0)});
  Body outer("%r = dend.outer_add %m, %v, %w : (tensor<3x3xf64>, "
             "tensor<3xf64>, tensor<3xf64>) -> tensor<3x3xf64>");
  ASSERT_EQ(groups(outer).size(), 1u);
  EXPECT_EQ(groups(outer)[0],
            (FormatGroup{outer.op()->getOperand(0), outer.op()->getResult(0)}));
  Body when("%r:2 = dend.when %c keep(%f, %v : f64, tensor<3xf64>) -> (f64, "
            "tensor<3xf64>) { dend.give %f, %w : f64, tensor<3xf64> }");
  ASSERT_EQ(groups(when).size(), 2u);
  EXPECT_EQ(groups(when)[1].size(), 3u);
  EXPECT_EQ(groups(when)[1][2], when.op()->getResult(1));
}

TEST(BodyOpInterface, IntervalsNarrowAndWrap) {
  Body wraps("%r = dend.add %x, %y" + kTwo + "!dend.fx<8, 0>");
  EXPECT_EQ(wraps.infer({{1, 2}, {10, 20}}), (Interval{11, 22}));
  EXPECT_EQ(wraps.infer({{100, 100}, {27, 28}}), (Interval{-128, 127}));
  Body saturates("%r = dend.sub %x, %y overflow saturate" + kTwo +
                 "!dend.fx<8, 0>");
  EXPECT_EQ(saturates.infer({{100, 110}, {-20, -10}}), (Interval{110, 127}));
  Body mul("%r = dend.mul %x, %y" + kTwo + "!dend.fx<16, 0>");
  EXPECT_EQ(mul.infer({{-3, 2}, {-5, 4}}), (Interval{-12, 15}));
  Body neg("%r = dend.neg %x" + kOne);
  EXPECT_EQ(neg.infer({{-128, 0}}), (Interval{-128, 127}));
  EXPECT_EQ(neg.infer({{-127, 3}}), (Interval{-3, 127}));
}

TEST(BodyOpInterface, ComparisonsAndChoicesAreDecided) {
  Body cmp("%r = dend.cmp gt %x, %y" + kTwo + "i1");
  EXPECT_EQ(cmp.infer({{5, 6}, {1, 4}}), (Interval{1, 1}));
  EXPECT_EQ(cmp.infer({{0, 1}, {1, 4}}), (Interval{0, 0}));
  EXPECT_EQ(cmp.infer({{0, 2}, {1, 4}}), (Interval{0, 1}));
  Body select(kSelect);
  EXPECT_EQ(select.infer({{1, 1}, {2, 3}, {7, 9}}), (Interval{2, 3}));
  EXPECT_EQ(select.infer({{0, 1}, {2, 3}, {7, 9}}), (Interval{2, 9}));
}

TEST(BodyOpInterface, WithoutARuleAnIntervalIsAllOfItsType) {
  Body abs("%r = dend.abs %x" + kOne);
  EXPECT_EQ(abs.infer({{-2, 1}}), (Interval{-128, 127}));
}

// InferTypeOpInterface of the ops that are built without a result type.
TEST(BodyOpInterface, ATensorGivesTheResultItsShape) {
  Body body("%r = dend.math exp %v : (tensor<3xf64>) -> tensor<3xf64>");
  mlir::Operation *last = body.op();
  mlir::OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  mlir::Value scalar = last->getBlock()->getArgument(3),
              vector = last->getResult(0);
  auto sum = AddOp::create(builder, last->getLoc(), scalar, vector);
  EXPECT_EQ(sum.getType(), vector.getType());
  auto scalars = MinOp::create(builder, last->getLoc(), scalar, scalar);
  EXPECT_EQ(scalars.getType(), scalar.getType());
  EXPECT_TRUE(mlir::succeeded(mlir::verify(sum)));
}

} // namespace
