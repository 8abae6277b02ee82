// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options/Options.h"

#include "gtest/gtest.h"

#include <map>

namespace dendrolith::options {
namespace {

using Form = OptionType::Form;

template <typename Work> std::string usageErrorOf(Work work) {
  try {
    work();
  } catch (const UsageError &error) {
    return error.what();
  }
  return "no error";
}

TEST(Table, EachRowIsComplete) {
  for (const CommandRow &command : commandRows()) {
    std::map<std::string, int> names;
    for (const Option *row : rowsOf(command.name)) {
      EXPECT_EQ(++names[row->name], 1) << command.name << " " << row->name;
      EXPECT_FALSE(row->help.empty()) << row->name;
      EXPECT_EQ(row->isOnLine(), !row->group.empty()) << row->name;
      if (!row->standard.empty()) {
        EXPECT_EQ(row->wrong(row->standard), "") << row->name;
      }
    }
  }
}

TEST(Table, HelpShowsAtMost25OptionsOfACommandAndAllHaveAtMost70) {
  std::map<std::string, int> all;
  for (const CommandRow &command : commandRows()) {
    int shown = 0;
    for (const Option *row : rowsOf(command.name)) {
      if (row->isArgument() || !row->isOnLine())
        continue;
      ++all[row->name];
      shown += row->place == Place::Line;
    }
    EXPECT_LE(shown, 25) << command.name;
  }
  EXPECT_LE(all.size(), 70u);
}

TEST(Option, SaysWhyATextIsNoValue) {
  const auto row = [](const std::string &command, const std::string &name) {
    for (const Option *each : rowsOf(command))
      if (each->name == name)
        return each;
    throw std::logic_error(name);
  };
  EXPECT_EQ(row("run", "engine")->wrong("cycle"), "");
  EXPECT_EQ(row("run", "engine")->wrong("warp"),
            "warp not in {float,reference,functional,cycle}");
  EXPECT_EQ(row("run", "steps")->wrong("0"),
            "expected a whole number from 1 to 4294967296, found '0'");
  EXPECT_EQ(row("run", "steps")->wrong("-1"),
            "expected a whole number from 1 to 4294967296, found '-1'");
  EXPECT_EQ(row("tune", "held-out")->wrong("nan"),
            "expected a number from 0.01 to 0.99, found 'nan'");
  EXPECT_EQ(row("generate", "leak")->wrong("1.5"),
            "expected a whole number, found '1.5'");
  EXPECT_EQ(row("run", "input")->wrong(""), "expected a value, found ''");
  EXPECT_NE(row("run", "rewrite")->wrong("fold"), "");
}

TEST(CommandOptions, GiveStandardValuesThenThoseThatAreSet) {
  std::string mode;
  uint32_t neurons = 7;
  double scale = 0;
  CommandOptions options("generate");
  options.bind("mode", mode);
  options.bind("neurons", neurons);
  options.bind("scale", scale);
  EXPECT_EQ(mode, "random");
  EXPECT_EQ(neurons, 1000u);
  EXPECT_EQ(scale, 0.1);
  EXPECT_FALSE(options.isGiven("mode"));
  options.set("mode", {"local"});
  options.set("neurons", {"12"});
  EXPECT_EQ(mode, "local");
  EXPECT_EQ(neurons, 12u);
  EXPECT_TRUE(options.isGiven("mode"));
  EXPECT_EQ(usageErrorOf([&] { options.set("neurons", {"few"}); }),
            "--neurons: expected a whole number from 0 to 4294967295, found "
            "'few'");
  options.exclude("scale", "neurons");
  options.check();
  options.set("scale", {"0.5"});
  EXPECT_EQ(usageErrorOf([&] { options.check(); }), "scale excludes --neurons");
}

TEST(CommandOptions, ReadKeysOfARecipe) {
  uint32_t fanout = 0;
  int32_t leak = 0;
  CommandOptions options("generate");
  options.bindKeys("recipe", Place::Recipe);
  options.bind("fanout", fanout);
  options.bind("leak", leak);
  options.set("recipe", {"fanout=5,leak=-3"});
  EXPECT_EQ(fanout, 5u);
  EXPECT_EQ(leak, -3);
  EXPECT_EQ(usageErrorOf([&] { options.set("recipe", {"fan=5"}); }),
            "--recipe: expected KEY=VALUE,... with keys fanout, leak, found "
            "'fan=5'");
}

TEST(CommandOptions, RefuseARowThatIsNotThere) {
  bool value = false;
  CommandOptions options("plan");
  EXPECT_THROW(options.bind("verify", value), std::logic_error);
}

} // namespace
} // namespace dendrolith::options
