// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of body ops is complete, and every entry holds: a small body with
// the op lowers to the instruction that the table names, or is refused.

#include "compiler/lowering/microcode/Select.h"
#include "tests/compiler/lowering/Body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace dendrolith::test {
namespace {

const std::string kVec = "tensor<4x!dend.fx<16, -4>>";
const std::string kM = "tensor<3x4x!dend.fx<16, -4>>";
const std::string kS = "!dend.fx<16, -4>";

/// A body around `ops`, which define %out of a type; %s, %t scalars, %v, %w
/// vectors, %m a matrix of fixed point, %c a boolean, %i an i32.
std::string bodyOf(const std::string &ops, const std::string &type) {
  return "dend.neuron @n ports(%I : " + kS + ") states(%s : " + kS +
         " reset sample, %t : " + kS + " reset sample, %v : " + kVec +
         " reset sample, %w : " + kVec + " reset sample, %m : " + kM +
         " reset sample, %c : i1 reset sample, %i : i32 reset sample, %out0 "
         ": " +
         type + " reset sample) {\n" + ops +
         "\n dend.yield states(%s, %t, %v, %w, %m, %c, %i, %out : " + kS +
         ", " + kS + ", " + kVec + ", " + kVec + ", " + kM + ", i1, i32, " +
         type + ")\n}";
}

struct Example {
  std::string ops, type;
};

/// An op of every kind in fixed point.
const std::map<std::string, Example> &examples() {
  static const std::string two = " : (" + kS + ", " + kS + ") -> " + kS;
  static const std::string one = " : (" + kS + ") -> " + kS;
  static const std::map<std::string, Example> all = {
      {"dend.abs", {"%out = dend.abs %s" + one, kS}},
      {"dend.add", {"%out = dend.add %s, %t" + two, kS}},
      {"dend.clamp",
       {"%out = dend.clamp %s, %t, %I : (" + kS + ", " + kS + ", " + kS +
            ") -> " + kS,
        kS}},
      {"dend.clz", {"%out = dend.clz %s : (" + kS + ") -> i32", "i32"}},
      {"dend.cmp",
       {"%out = dend.cmp lt %s, %t : (" + kS + ", " + kS + ") -> i1", "i1"}},
      {"dend.concat",
       {"%out = dend.concat %v, %s : (" + kVec + ", " + kS +
            ") -> tensor<5x!dend.fx<16, -4>>",
        "tensor<5x!dend.fx<16, -4>>"}},
      {"dend.dot",
       {"%out = dend.dot %v, %w : (" + kVec + ", " + kVec + ") -> " + kS, kS}},
      {"dend.element",
       {"%out = dend.element %v[2] : (" + kVec + ") -> " + kS, kS}},
      {"dend.fire",
       {"%o, %out = dend.fire %s, %t reset subtract : (" + kS + ", " + kS +
            ") -> (i1, " + kS + ")",
        kS}},
      {"dend.join",
       {"%out = dend.join sum(%s, %t) : (" + kS + ", " + kS + ") -> " + kS,
        kS}},
      {"dend.literal", {"%out = dend.literal 7 : i64 as " + kS, kS}},
      {"dend.math",
       {"%out = dend.math tanh %s : (" + kS + ") -> !dend.fx<12, -10>",
        "!dend.fx<12, -10>"}},
      {"dend.matvec",
       {"%out = dend.matvec %m, %v : (" + kM + ", " + kVec +
            ") -> tensor<3x!dend.fx<16, -4>>",
        "tensor<3x!dend.fx<16, -4>>"}},
      {"dend.max", {"%out = dend.max %s, %t" + two, kS}},
      {"dend.min", {"%out = dend.min %s, %t" + two, kS}},
      {"dend.mul",
       {"%out = dend.mul %s, %t : (" + kS + ", " + kS + ") -> !dend.fx<32, -8>",
        "!dend.fx<32, -8>"}},
      {"dend.neg", {"%out = dend.neg %s" + one, kS}},
      {"dend.outer_add",
       {"%k = dend.slice %v[0, 3] : (" + kVec +
            ") -> tensor<3x!dend.fx<16, -4>>"
            "\n%out = dend.outer_add %m, %k, %w : (" +
            kM + ", tensor<3x!dend.fx<16, -4>>, " + kVec + ") -> " + kM,
        kM}},
      {"dend.reduce",
       {"%out = dend.reduce sum %v : (" + kVec + ") -> " + kS, kS}},
      {"dend.rescale",
       {"%out = dend.rescale %s round floor overflow saturate : (" + kS +
            ") -> !dend.fx<8, -2>",
        "!dend.fx<8, -2>"}},
      {"dend.roll",
       {"%out = dend.roll %v by 1 : (" + kVec + ") -> " + kVec, kVec}},
      {"dend.select",
       {"%out = dend.select %c, %s, %t : (i1, " + kS + ", " + kS + ") -> " + kS,
        kS}},
      {"dend.shift",
       {"%out = dend.shift %s by %i round floor : (" + kS + ", i32) -> " + kS,
        kS}},
      {"dend.slice",
       {"%out = dend.slice %v[1, 2] : (" + kVec +
            ") -> tensor<2x!dend.fx<16, "
            "-4>>",
        "tensor<2x!dend.fx<16, -4>>"}},
      {"dend.splat", {"%out = dend.splat %s : (" + kS + ") -> " + kVec, kVec}},
      {"dend.ssf",
       {"%k = dend.literal 9 : i64 as " + kS +
            "\n%out = dend.ssf %s shift %t scale %k vth 1.0 u 4.0 : (" + kS +
            ", " + kS + ", " + kS + ") -> i32",
        "i32"}},
      {"dend.sub", {"%out = dend.sub %s, %t" + two, kS}},
      {"dend.table",
       {"%out = dend.table %s in %v from 0.0 step 1.0 : (" + kS + ", " + kVec +
            ") -> " + kS,
        kS}},
      {"dend.topk",
       {"%out = dend.topk %v, 2 : (" + kVec + ") -> tensor<4xi1>",
        "tensor<4xi1>"}},
      {"dend.vecmat",
       {"%k = dend.slice %v[0, 3] : (" + kVec +
            ") -> tensor<3x!dend.fx<16, -4>>"
            "\n%out = dend.vecmat %k, %m : (tensor<3x!dend.fx<16, -4>>, " +
            kM + ") -> " + kVec,
        kVec}},
      {"dend.when",
       {"%out = dend.when %c keep(%s : " + kS + ") -> (" + kS +
            ") { %n = dend.neg %t" + one + "\n dend.give %n : " + kS + " }",
        kS}},
  };
  return all;
}

/// Ops that may stand in a step body, from the dialect itself.
std::set<std::string> bodyOps() {
  mlir::MLIRContext context;
  context.loadDialect<dend::DendDialect>();
  std::set<std::string> ops;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    std::string text = name.getStringRef().str();
    if (name.hasInterface<dend::BodyOpInterface>())
      ops.insert(text);
  }
  return ops;
}

TEST(OpTable, HasEveryBodyOpOnce) {
  std::set<std::string> ops = bodyOps();
  std::vector<std::string> listed;
  for (const OpEntry &entry : opTable())
    listed.push_back(std::string(entry.op));
  EXPECT_TRUE(std::is_sorted(listed.begin(), listed.end()));
  EXPECT_EQ(listed, std::vector<std::string>(ops.begin(), ops.end()));
}

TEST(OpTable, AgreesWithTheOpsOnTheirIntegerForm) {
  mlir::MLIRContext context;
  context.loadDialect<dend::DendDialect>();
  for (const OpEntry &entry : opTable()) {
    auto name = mlir::RegisteredOperationName::lookup(entry.op, &context);
    ASSERT_TRUE(name) << entry.op;
    bool written =
        entry.form == OpEntry::Instruction || entry.form == OpEntry::Expansion;
    EXPECT_EQ(written, !name->hasTrait<dend::OpTrait::NoIntegerForm>())
        << entry.op;
  }
}

TEST(OpTable, EveryEntryHolds) {
  for (const OpEntry &entry : opTable()) {
    SCOPED_TRACE(std::string(entry.op));
    auto found = examples().find(std::string(entry.op));
    if (found == examples().end()) {
      // Real values only (compartment, soma, branch, delta_rule, div, to_real),
      // and the whole neuron below.
      EXPECT_TRUE(entry.form == OpEntry::RealOnly ||
                  entry.form == OpEntry::Earlier);
      continue;
    }
    Body body(bodyOf(found->second.ops, found->second.type));
    EXPECT_TRUE(body.ok) << body.errors;
    if (entry.instruction) {
      EXPECT_TRUE(std::any_of(body.code.begin(), body.code.end(),
                              [&](const micro::Instruction &i) {
                                return i.op == *entry.instruction;
                              }))
          << body.ops();
    }
    if (entry.form == OpEntry::Earlier) {
      Body direct(bodyOf(found->second.ops, found->second.type), "ideal",
                  /*expand=*/false);
      EXPECT_FALSE(direct.ok);
      EXPECT_NE(direct.errors.find("expand it into body arithmetic first"),
                std::string::npos)
          << direct.errors;
    }
  }
}

TEST(OpTable, Loihi1sNeuronIsAProgramToo) {
  const std::string model =
      "dend.neuron @n ports(%I : !dend.fx<64, 0>) params(%du : i32, %dv : i32, "
      "%theta : i32, %bias : i32) states(%u : !dend.fx<32, 0> reset sample, %v "
      ": !dend.fx<32, 0> reset sample, %r : i32 reset sample) outputs(s : "
      "!dend.spike<binary>) {\n%s, %u1, %v1, %r1 = dend.cuba %I, %u, %v, %r "
      "decay %du, %dv threshold %theta bias %bias : (!dend.fx<64, 0>, "
      "!dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, "
      "!dend.fx<32, 0>, !dend.fx<32, 0>, i32)\ndend.yield states(%u1, %v1, %r1 "
      ": !dend.fx<32, 0>, !dend.fx<32, 0>, i32) emit(%s : i1)\n}";
  Body body(model);
  EXPECT_TRUE(body.ok) << body.errors;
  EXPECT_EQ(body.code.size(), 23u) << body.ops();
  Body direct(model, "ideal", /*expand=*/false);
  EXPECT_FALSE(direct.ok);
}

TEST(OpTable, RealValuesAreRefusedByName) {
  Body body("dend.neuron @n ports(%I : f64) states(%v : f64 reset sample) {\n"
            "%x = dend.div %v, %I : (f64, f64) -> f64\n"
            "dend.yield states(%x : f64)\n}");
  EXPECT_FALSE(body.ok);
  EXPECT_NE(body.errors.find("quantise the network first"), std::string::npos);
}

} // namespace
} // namespace dendrolith::test
