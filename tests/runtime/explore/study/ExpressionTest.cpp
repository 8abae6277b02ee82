// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Expression.h"

#include "tests/runtime/TestSupport.h"

using namespace dendrolith::explore;
using dendrolith::test::errorOf;

namespace {

const Vocabulary kNames = {{"target", {"loihi1", "loihi2"}},
                           {"a.b", {"1", "4"}},
                           {"a.b.c", {"2", "8"}},
                           {"compile.map-for", {"time", "energy"}}};

Design design(const std::string &b, const std::string &c,
              const std::string &mapFor) {
  return {"m",
          "loihi2",
          {{"a.b", b}, {"a.b.c", c}, {"compile.map-for", mapFor}},
          0};
}

bool holds(const std::string &text, const Design &of) {
  return Expression(text, kNames, {"s.yaml", 3, 10}).holds(of);
}

std::string errorIn(const std::string &text) {
  return errorOf([&] { Expression(text, kNames, {"s.yaml", 3, 10}); });
}

} // namespace

TEST(Expression, ComparesNumbers) {
  const Design d = design("4", "2", "time");
  EXPECT_TRUE(holds("a.b * 3 + a.b.c <= 14", d));
  EXPECT_FALSE(holds("a.b * (3 + a.b.c) <= 14", d));
  EXPECT_TRUE(holds("-a.b + 1 == -3 and a.b % 3 == 1", d));
  EXPECT_TRUE(holds("a.b / a.b.c > 1.5 || a.b < 0", d));
  EXPECT_TRUE(holds("10 - 4 - 3 == 3", d)); // from left to right
  EXPECT_TRUE(holds("a.b != 4 and a.b < 1 or a.b == 4", d));
  EXPECT_TRUE(holds("not (a.b < 4 or a.b.c > 2) && !(a.b == 1)", d));
  EXPECT_TRUE(holds("", d));
}

TEST(Expression, ComparesTexts) {
  const Design d = design("4", "2", "time");
  EXPECT_TRUE(holds("compile.map-for == time and target != 'loihi1'", d));
  EXPECT_TRUE(holds("\"time\" == compile.map-for", d));
  EXPECT_FALSE(holds("compile.map-for == energy", d));
}

TEST(Expression, SaysWhereItIsWrong) {
  EXPECT_EQ(errorIn("a.b < x.y"),
            "s.yaml:3:16: no axis is named 'x.y'; known are target, a.b, "
            "a.b.c, compile.map-for");
  EXPECT_NE(errorIn("a.b.d < 1").find("did you mean 'a.b.c'?"),
            std::string::npos);
  EXPECT_EQ(errorIn("compile.map-for == tine"),
            "s.yaml:3:29: 'compile.map-for' has no value 'tine', did you mean "
            "'time'?; it has time, energy");
  EXPECT_EQ(errorIn("compile.map-for < time"),
            "s.yaml:3:26: 'compile.map-for' is a text, expected == or !=, "
            "found <");
  EXPECT_EQ(errorIn("compile.map-for + 1 < 2"),
            "s.yaml:3:10: 'compile.map-for' is a text, expected a number");
  EXPECT_EQ(errorIn("compile.map-for == 4"),
            "s.yaml:3:26: one side is a text and the other one is not");
  EXPECT_NE(errorIn("a.b = 4").find("3:14: expected == for a comparison"),
            std::string::npos);
  EXPECT_NE(errorIn("a.b + 4").find("is no comparison"), std::string::npos);
  EXPECT_NE(errorIn("1 < a.b < 3").find("3:18: expected and, or"),
            std::string::npos);
  EXPECT_NE(errorIn("(a.b < 3").find("3:10: expected a )"), std::string::npos);
  EXPECT_NE(errorIn("a.b <").find("3:15: expected a number"),
            std::string::npos);
  EXPECT_NE(errorIn(std::string(5000, '(')).find("nested too deeply"),
            std::string::npos);
  EXPECT_NE(errorIn(std::string(500, '!')).find("nested too deeply"),
            std::string::npos);
  EXPECT_NE(errorIn(std::string(9000, 'x')).find("8192"), std::string::npos);
}

TEST(Expression, RefusesToDivideByZero) {
  const Design d = design("4", "2", "time");
  EXPECT_NE(errorOf([&] { holds("1 / (a.b - 4) > 0", d); }).find("zero"),
            std::string::npos);
}
