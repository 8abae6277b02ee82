// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/ExploreModel.h"

#include "compiler/import/Import.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/yaml/Yaml.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace dendrolith::driver {
namespace {

std::string absolute(const std::string &path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

/// X.npy or NAME=X.npy, its file by the whole path: the study may lie anywhere.
std::string absoluteInput(const std::string &input) {
  const size_t equals = input.find('=');
  return equals == input.npos
             ? absolute(input)
             : input.substr(0, equals + 1) + absolute(input.substr(equals + 1));
}

std::string listOf(const std::vector<std::string> &texts) {
  std::string list;
  for (const std::string &text : texts)
    list += (list.empty() ? "" : ", ") + yaml::inQuotes(text);
  return "[" + list + "]";
}

std::vector<std::string> inputsOf(std::vector<std::string> inputs) {
  std::transform(inputs.begin(), inputs.end(), inputs.begin(), absoluteInput);
  return inputs;
}

std::vector<std::string> chipsOf(std::vector<std::string> targets) {
  if (targets.empty())
    return {"ideal"};
  for (std::string &target : targets)
    if (isPath(target))
      target = absolute(target);
  return targets;
}

/// A line of `vary`.
std::string axisOf(const std::string &axis) {
  const size_t equals = axis.find('=');
  std::vector<std::string> values;
  std::istringstream texts(equals == axis.npos ? "" : axis.substr(equals + 1));
  for (std::string value; std::getline(texts, value, ',');)
    values.push_back(value);
  if (values.empty())
    throw options::UsageError("--axis: expected KEY=V1,V2,..., found '" +
                              printable(axis) + "'");
  return "  " + yaml::inQuotes(axis.substr(0, equals)) + ": " + listOf(values) +
         "\n";
}

} // namespace

void bindModelToExplore(options::CommandOptions &options,
                        ModelToExplore &model) {
  options.bind("input", model.input);
  options.bind("labels", model.labels);
  options.bind("metric", model.metric);
  options.bind("target", model.targets);
  options.bind("calibrate", model.calibrate);
  options.bind("weights", model.weights);
  options.bind("axis", model.axes);
}

bool isModelFile(const std::string &path) {
  return std::any_of(
      importers().begin(), importers().end(),
      [&](const Importer &importer) { return importer.matches(path); });
}

explore::StudySource studyOf(const ModelToExplore &model) {
  const std::string name =
      yaml::inQuotes(std::filesystem::path(model.path).stem().string());
  std::string text = "name: " + name + "\nmodels:\n  - name: " + name +
                     "\n    model: " + yaml::inQuotes(absolute(model.path)) +
                     "\n";
  auto add = [&](const char *key, const std::string &value) {
    text += std::string("    ") + key + ": " + value + "\n";
  };
  if (!model.input.empty())
    add("input", listOf(inputsOf(model.input)));
  if (!model.calibrate.empty())
    add("calibrate", listOf(inputsOf(model.calibrate)));
  if (!model.labels.empty())
    add("labels", yaml::inQuotes(absolute(model.labels)));
  if (!model.weights.empty())
    add("weights", yaml::inQuotes(absolute(model.weights)));
  if (!model.metric.empty())
    add("metric", yaml::inQuotes(model.metric));
  text += "target: " + listOf(chipsOf(model.targets)) + "\nvary:\n";
  for (const std::string &axis : model.axes)
    text += axisOf(axis);
  explore::StudySource source;
  source.text = text;
  source.file = "--axis";
  source.folder = std::filesystem::current_path().string();
  return source;
}

} // namespace dendrolith::driver
