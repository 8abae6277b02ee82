// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/ReadAxes.h"

#include "targets/loader/yaml/Expression.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace dendrolith::explore {
namespace {

using yaml::fail;
using yaml::Fields;
using yaml::Node;

constexpr uint64_t kValues = 1000000; // of one axis

std::string valueText(const Node &node, const std::string &axis) {
  if (node.type != Node::Type::Scalar || node.text.empty())
    fail(node,
         fmt::format("expected a value of '{}', found {}", axis, node.found()));
  return yaml::readText(node, axis);
}

double end(const Fields &range, const char *key, const std::string &axis) {
  const Node &node = range.at(key);
  const auto number = yaml::numberIn(valueText(node, axis));
  if (!number || node.quoted)
    fail(node, fmt::format("expected a number for '{}' of '{}', found {}", key,
                           axis, node.found()));
  return *number;
}

bool isWhole(const Node &node) {
  return node.text.find_first_not_of("-0123456789") == std::string::npos;
}

/// Whole numbers between whole numbers, where that leaves them different, else
/// six digits, which are the same on every machine whatever its last bit of a
/// logarithm is.
std::vector<std::string> readRange(const Node &node, const std::string &axis) {
  const Fields range(node, axis, {"from", "to", "steps"}, {"scale"});
  const double from = end(range, "from", axis), to = end(range, "to", axis);
  const uint64_t steps =
      yaml::readUnsigned(range.at("steps"), "steps", 1, kValues);
  const Node *scale = range.find("scale");
  const bool log =
      scale && yaml::readWord(*scale, "scale", {"linear", "log"}) == "log";
  if (log && !(from > 0 && to > 0))
    fail(*scale, fmt::format("a log scale of '{}' needs ends above 0, found {} "
                             "and {}",
                             axis, from, to));
  if (steps == 1 && from != to)
    fail(range.at("steps"),
         fmt::format("one step of '{}' cannot be at both {} and {}", axis, from,
                     to));
  const auto valuesAs = [&](const char *form) {
    std::vector<std::string> values;
    for (uint64_t i = 0; i < steps; ++i) {
      const double part = steps == 1 ? 0 : double(i) / double(steps - 1);
      const double value =
          log ? from * std::pow(to / from, part) : from + (to - from) * part;
      values.push_back(fmt::format(fmt::runtime(form), value));
    }
    return values;
  };
  const auto distinct = [](const std::vector<std::string> &values) {
    return std::set<std::string>(values.begin(), values.end()).size();
  };
  std::vector<std::string> values = valuesAs("{:.0f}");
  const bool whole = isWhole(range.at("from")) && isWhole(range.at("to"));
  if (!whole || distinct(values) < steps)
    values = valuesAs("{:.6g}");
  if (distinct(values) < steps)
    fail(range.at("steps"),
         fmt::format("{} steps of '{}' from {} to {} are only {} different "
                     "values, ask for fewer",
                     steps, axis, from, to, distinct(values)));
  return values;
}

std::vector<std::string> readList(const Node &node, const std::string &axis) {
  if (node.items.empty())
    fail(node, fmt::format("'{}' has no values, so there is no design", axis));
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const Node &item : node.items) {
    values.push_back(valueText(item, axis));
    if (!seen.insert(values.back()).second)
      fail(item, fmt::format("'{}' has the value '{}' twice", axis,
                             printable(values.back())));
  }
  return values;
}

std::vector<std::string> axisNames(const std::vector<Axis> &axes) {
  std::vector<std::string> names;
  for (const Axis &axis : axes)
    names.push_back(axis.name);
  return names;
}

const Axis &axisNamed(const Node &node, const std::string &name,
                      const std::vector<Axis> &axes) {
  for (const Axis &axis : axes)
    if (axis.name == name)
      return axis;
  const auto names = axisNames(axes);
  fail(node, fmt::format("no axis under 'vary' is named '{}'{}",
                         printable(name), suggestion(name, names)));
}

} // namespace

std::vector<Axis> readAxes(const Node &vary) {
  if (vary.type != Node::Type::Map)
    fail(vary, "expected a map of axes and their values for 'vary', found " +
                   vary.found());
  if (vary.keys.empty())
    fail(vary, "'vary' has no axis; with no axis, use `dendrolith run`");
  std::vector<Axis> axes;
  for (size_t i = 0; i < vary.keys.size(); ++i) {
    const std::string name = yaml::readText(vary.keys[i], "vary");
    if (name == "model" || name == "target")
      fail(vary.keys[i], fmt::format("'{}' is no axis, write a list under "
                                     "'{}' instead",
                                     name, name == "model" ? "models" : name));
    const Node &node = vary.items[i];
    std::vector<std::string> values;
    if (node.type == Node::Type::Map)
      values = readRange(node, name);
    else if (node.type == Node::Type::Sequence)
      values = readList(node, name);
    else
      values = {valueText(node, name)};
    axes.push_back({name, std::move(values), vary.keys[i].place()});
  }
  return axes;
}

std::vector<std::vector<std::string>>
readTogether(const Node &node, const std::vector<Axis> &axes) {
  if (node.type != Node::Type::Sequence)
    fail(node, "expected a list of lists of axes for 'together', found " +
                   node.found());
  std::vector<std::vector<std::string>> groups;
  std::set<std::string> taken;
  for (const Node &list : node.items) {
    if (list.type != Node::Type::Sequence || list.items.size() < 2)
      fail(list, "expected a list of two or more axes in 'together', such as "
                 "[[microcode.lanes, limits.core_memory_bytes]], found " +
                     list.found());
    std::vector<std::string> group;
    const Axis *first = nullptr;
    for (const Node &item : list.items) {
      const Axis &axis =
          axisNamed(item, yaml::readText(item, "together"), axes);
      if (!taken.insert(axis.name).second)
        fail(item, fmt::format("'{}' is in 'together' twice", axis.name));
      first = first ? first : &axis;
      if (axis.values.size() != first->values.size())
        fail(item, fmt::format("'{}' has {} values and '{}' has {}, so they "
                               "cannot change together",
                               axis.name, axis.values.size(), first->name,
                               first->values.size()));
      group.push_back(axis.name);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

std::map<std::string, std::string> readBaseline(const Node &node,
                                                const std::vector<Axis> &axes) {
  if (node.type != Node::Type::Map)
    fail(node, "expected a map of axes and a value of each for 'baseline', "
               "found " +
                   node.found());
  std::map<std::string, std::string> baseline;
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const Axis &axis = axisNamed(node.keys[i], node.keys[i].text, axes);
    const std::string value = valueText(node.items[i], axis.name);
    if (std::find(axis.values.begin(), axis.values.end(), value) ==
        axis.values.end())
      fail(node.items[i],
           fmt::format("the baseline's {} = {} is none of the values of that "
                       "axis: {}",
                       axis.name, printable(value), joinWords(axis.values)));
    baseline[axis.name] = value;
  }
  return baseline;
}

} // namespace dendrolith::explore
