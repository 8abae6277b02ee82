// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/DesignSetup.h"

#include "runtime/explore/study/AxisNames.h"
#include "targets/loader/files/Discovery.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>

namespace dendrolith::explore {
namespace {

const StudyModel &modelOf(const Study &study, const std::string &name) {
  for (const StudyModel &model : study.models)
    if (model.name == name)
      return model;
  throw Error(study.file + ": the study has no model '" + printable(name) +
              "'");
}

const std::string kBits = ".weight_bits", kQuantise = "quantise.",
                  kCompile = "compile.";

void apply(const Study &study, const std::string &name,
           const std::string &value, DesignSetup &setup) {
  switch (aboutOf(name)) {
  case About::Model:
    setup.model = &modelOf(study, value);
    break;
  case About::Chip:
    setup.target = chipOf(study, value);
    break;
  case About::TimingName:
    setup.timing = value;
    break;
  case About::CostsName:
    setup.costs = isPath(value) ? fromStudy(study, value) : value;
    break;
  case About::Flag:
    setup.flags.emplace_back(name.substr(kCompile.size()),
                             namesFiles(name) ? fromStudy(study, value)
                                              : value);
    break;
  case About::Bits:
    setup.bits += (setup.bits.empty() ? "" : ",") +
                  name.substr(kQuantise.size(),
                              name.size() - kQuantise.size() - kBits.size()) +
                  "=" + value;
    break;
  case About::Shape:
    setup.shape.emplace_back(name, value);
    break;
  case About::Times:
    setup.times.emplace_back(name, value);
    break;
  case About::Prices:
    setup.prices.emplace_back(name, value);
    break;
  case About::Areas:
    setup.areas.emplace_back(name, value);
    break;
  }
}

/// Whether a value leaves the program as it is.
bool leavesProgram(const std::string &axis) {
  const About about = aboutOf(axis);
  return about == About::TimingName || about == About::CostsName ||
         about == About::Times || about == About::Prices ||
         about == About::Areas;
}

} // namespace

About aboutOf(const std::string &axis) {
  if (axis == "model")
    return About::Model;
  if (axis == "target")
    return About::Chip;
  if (axis == "timing")
    return About::TimingName;
  if (axis == "costs")
    return About::CostsName;
  if (startsWith(axis, kCompile))
    return About::Flag;
  if (startsWith(axis, kQuantise) && axis.size() > kQuantise.size() &&
      axis.size() > kBits.size() &&
      axis.compare(axis.size() - kBits.size(), kBits.size(), kBits) == 0)
    return About::Bits;
  if (startsWith(axis, "timing.") || startsWith(axis, "voltage.") ||
      axis == "clock")
    return About::Times;
  if (startsWith(axis, "costs."))
    return About::Prices;
  return startsWith(axis, "area.") || startsWith(axis, "leakage.")
             ? About::Areas
             : About::Shape;
}

DesignSetup setupOf(const Study &study, const Design &design) {
  DesignSetup setup;
  setup.model = &modelOf(study, design.model);
  setup.target = chipOf(study, design.target);
  setup.repeat = design.repeat;
  for (const auto &[name, value] : design.values)
    apply(study, name, value, setup);
  return setup;
}

Changes baselineOf(const Study &study) {
  Changes values;
  for (const Axis &axis : study.axes) {
    const auto named = study.baseline.find(axis.name);
    if (named != study.baseline.end())
      values.emplace_back(axis.name, named->second);
    else if (!axis.values.empty())
      values.emplace_back(axis.name, axis.values.front());
  }
  return values;
}

DesignSetup baselineSetup(const Study &study, const Design &design) {
  Design other = design;
  const Changes usual = baselineOf(study);
  auto &values = other.values;
  values.erase(std::remove_if(
                   values.begin(), values.end(),
                   [](const auto &each) { return leavesProgram(each.first); }),
               values.end());
  for (const auto &each : usual)
    if (leavesProgram(each.first))
      values.push_back(each);
  return setupOf(study, other);
}

std::string withChanges(const std::string &target,
                        std::initializer_list<const Changes *> changes) {
  std::string text = target;
  for (const Changes *some : changes)
    for (const auto &[name, value] : *some)
      text += "," + name + "=" + value;
  return text;
}

} // namespace dendrolith::explore
