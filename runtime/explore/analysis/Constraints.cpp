// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Constraints.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::explore {
namespace {

/// `always` at both ends and so between them; `never` likewise.
Met verdict(bool always, bool never) {
  return always ? Met::Certainly : never ? Met::No : Met::Possibly;
}

} // namespace

const char *nameOf(Met met) {
  switch (met) {
  case Met::No:
    return "not met";
  case Met::Possibly:
    return "possibly met";
  case Met::Certainly:
    return "certainly met";
  }
  return "";
}

Met metBy(const Point &point, const Constraint &constraint) {
  const auto value = valueOf(point, constraint.name);
  if (!value)
    return Met::Possibly;
  const auto [low, high] = *value;
  const double bound = constraint.bound;
  const std::string &is = constraint.comparison;
  if (is == "<")
    return verdict(high < bound, low >= bound);
  if (is == "<=")
    return verdict(high <= bound, low > bound);
  if (is == ">")
    return verdict(low > bound, high <= bound);
  if (is == ">=")
    return verdict(low >= bound, high < bound);
  const bool exactly = low == bound && high == bound;
  const bool apart = bound < low || bound > high;
  if (is == "==")
    return verdict(exactly, apart);
  if (is == "!=")
    return verdict(apart, exactly);
  throw Error("expected < <= > >= == or != in '" + constraint.text +
              "', found '" + is + "'");
}

Met metBy(const Point &point, const std::vector<Constraint> &constraints) {
  if (point.state != PointState::Done)
    return Met::No;
  Met met = Met::Certainly;
  for (const Constraint &constraint : constraints)
    met = std::min(met, metBy(point, constraint));
  return met;
}

std::vector<Constraint> constraintsFor(const Study &study,
                                       const std::string &model) {
  std::vector<Constraint> all = study.constraints;
  for (const StudyModel &each : study.models)
    if (each.name == model)
      for (const auto &[name, least] : each.minimum)
        all.push_back(
            {fmt::format("{} >= {:g}", name, least), name, ">=", least});
  return all;
}

} // namespace dendrolith::explore
