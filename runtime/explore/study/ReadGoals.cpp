// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/ReadGoals.h"

#include "runtime/explore/study/AxisNames.h"
#include "targets/loader/yaml/Expression.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

namespace dendrolith::explore {
namespace {

using yaml::fail;
using yaml::Node;

void checkValueName(const std::string &name, const Node &place) {
  const auto &known = valueNames();
  if (std::find(known.begin(), known.end(), bandName(name)) != known.end())
    return;
  fail(place,
       fmt::format("nothing that is measured is named '{}'{}; known are "
                   "{}, and .low and .high of them",
                   printable(name), suggestion(name, known), joinWords(known)));
}

} // namespace

std::string readValueName(const Node &node, const std::string &what) {
  const std::string name = yaml::readText(node, what);
  checkValueName(name, node);
  return name;
}

std::vector<Goal> readObjectives(const Node &node) {
  if (node.type != Node::Type::Map)
    fail(node, "expected a map such as {latency.mean: min} for 'objectives', "
               "found " +
                   node.found());
  std::vector<Goal> goals;
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const std::string name = readValueName(node.keys[i], "objectives");
    goals.push_back(
        {name, yaml::readWord(node.items[i], name, {"min", "max"}) == "max"});
  }
  return goals;
}

Constraint readConstraint(const std::string &text, const Node &place) {
  static const std::regex form(
      R"(\s*([A-Za-z][\w.]*)\s*(<=|>=|<|>)\s*([-+.\deE]+)\s*([A-Za-z%]\w*)?\s*)");
  std::smatch found;
  if (text.size() > 200 || !std::regex_match(text, found, form))
    fail(place, fmt::format("expected a constraint such as 'energy.high < 60 "
                            "uJ', found '{}'",
                            printable(text)));
  const auto number = yaml::numberIn(found[3]);
  if (!number)
    fail(place, fmt::format("expected a number behind {} in '{}', found '{}'",
                            found[2].str(), text, found[3].str()));
  checkValueName(found[1], place);
  const auto unit = unitOf(found[1], found[4]);
  if (!unit) {
    const auto units = unitsOf(found[1]);
    fail(place, fmt::format(
                    "'{}' is no unit of {}, {}", found[4].str(), found[1].str(),
                    units.empty() ? "which has none"
                                  : "expected one of " + joinWords(units)));
  }
  return {text, found[1], found[2], *number * *unit};
}

std::vector<Constraint> readConstraints(const Node &node) {
  if (node.type != Node::Type::Sequence)
    fail(node, "expected a list such as [\"accuracy >= 0.9\"] for "
               "'constraints', found " +
                   node.found());
  std::vector<Constraint> constraints;
  for (const Node &item : node.items)
    constraints.push_back(
        readConstraint(yaml::readText(item, "constraints"), item));
  return constraints;
}

} // namespace dendrolith::explore
