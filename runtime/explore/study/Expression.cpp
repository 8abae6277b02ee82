// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Expression.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith::explore {
namespace {

class DesignMeaning : public yaml::Meaning {
public:
  explicit DesignMeaning(const Design &design) : design(design) {}

  double number(const std::string &name) const override {
    const std::string value = text(name);
    if (const auto number = yaml::numberIn(value))
      return *number;
    throw Error(
        fmt::format("'{}' is '{}', expected a number", name, printable(value)));
  }

  std::string text(const std::string &name) const override {
    if (name == "model")
      return design.model;
    if (name == "target")
      return design.target;
    for (const auto &[axis, value] : design.values)
      if (axis == name)
        return value;
    throw Error("a design has no value for '" + name + "'");
  }

  double call(const std::string &, const std::vector<double> &) const override {
    return 0; // `where` has no functions
  }

private:
  const Design &design;
};

} // namespace

Vocabulary vocabularyOf(const Study &study) {
  Vocabulary names = {{"model", {}}, {"target", study.targets}};
  for (const StudyModel &model : study.models)
    names[0].second.push_back(model.name);
  for (const Axis &axis : study.axes)
    names.emplace_back(axis.name, axis.values);
  return names;
}

Expression::Expression(const std::string &text, const Vocabulary &names,
                       const TextPlace &place) {
  if (!text.empty())
    root = yaml::parseTruth(text, {names, {}}, place);
}

bool Expression::holds(const Design &design) const {
  return !root || yaml::truthOf(*root, DesignMeaning(design));
}

} // namespace dendrolith::explore
