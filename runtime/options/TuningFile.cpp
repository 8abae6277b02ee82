// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options/TuningFile.h"

#include "targets/loader/yaml/Yaml.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith::options {
namespace {

using yaml::Node;

/// The row of a key; an unknown one fails at its place.
const Option &rowAt(const CommandOptions &options, const Node &key) {
  const Option *row = options.find(key.text);
  if (row && row->place == Place::Tuning)
    return *row;
  std::vector<std::string> known;
  for (const Option *each : options.bound())
    if (each->place == Place::Tuning)
      known.push_back(each->name);
  yaml::fail(key, fmt::format("unknown key '{}' in --tuning of {}{}; it has {}",
                              printable(key.text), options.command(),
                              suggestion(key.text, known), joinWords(known)));
}

std::string valueAt(const Option &row, const Node &value) {
  const bool isText = value.type == Node::Type::Scalar;
  const bool isNumber =
      row.type.isNumber() || row.type.form == OptionType::Form::Truth;
  const std::string wrong = !isText || (isNumber && value.quoted)
                                ? "expected one value, found " + value.found()
                                : row.wrong(value.text);
  if (!wrong.empty())
    yaml::fail(value, row.name + ": " + wrong);
  return value.text;
}

} // namespace

void readTuning(CommandOptions &options, const std::string &fileOrText) {
  const bool isText = !fileOrText.empty() && fileOrText[0] == '{';
  const Node root =
      yaml::parse(isText ? fileOrText : yaml::readFile(fileOrText),
                  isText ? "--tuning" : fileOrText);
  if (root.type != Node::Type::Map)
    yaml::fail(root,
               "expected a map such as {map-seed: 3}, found " + root.found());
  for (size_t i = 0; i < root.keys.size(); ++i) {
    const Option &row = rowAt(options, root.keys[i]);
    options.set(row.name, {valueAt(row, root.items[i])});
  }
}

} // namespace dendrolith::options
