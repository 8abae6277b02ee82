// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options/ModelOptions.h"

#include "compiler/import/Import.h"
#include "runtime/options/Options.h"
#include "runtime/session/BitsText.h"
#include "targets/loader/yaml/Yaml.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace dendrolith::options {
namespace {

/// "MIN:MAX", "MIN:", ":MAX" or one number for both.
void setCores(const std::string &text, CompileOptions &options) {
  auto number = [&](const std::string &part) -> unsigned {
    if (part.empty())
      return 0;
    unsigned value = 0;
    auto [end, error] =
        std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || value == 0)
      throw UsageError(
          "--cores: expected MIN:MAX with numbers from 1 on, found '" + text +
          "'");
    return value;
  };
  size_t colon = text.find(':');
  options.minCores = number(text.substr(0, colon));
  options.maxCores = colon == std::string::npos
                         ? options.minCores
                         : number(text.substr(colon + 1));
  if (options.maxCores && options.minCores > options.maxCores)
    throw UsageError("--cores: '" + text +
                     "' asks for more cores at the least than at the most");
  if (!options.minCores && !options.maxCores)
    throw UsageError("--cores: expected MIN:MAX, found '" + text + "'");
}

void bindQuantiser(CommandOptions &options, QuantiserOptions &quantiser) {
  options.bind("quantise", quantiser.method);
  options.bind("round", quantiser.rounding);
  options.bind("threshold-scale", quantiser.thresholdScale);
  options.bind("bias-correction", quantiser.correctBias);
  options.bind("rescaling", quantiser.rescaling);
  options.bind("candidates", quantiser.candidates);
}

void bindMapping(CommandOptions &options, CompileOptions &compile) {
  options.bind("map-for", compile.mapFor);
  options.bindTo("cores", [&compile](const CommandOptions::Values &values) {
    setCores(values.back(), compile);
  });
  options.bind("map-constraints", compile.constraints);
  options.bind("map-from", compile.mapFrom);
  options.bind("split-dendrite", compile.splitDendrite);
  options.bind("placement", compile.placement);
  options.bind("override-limit", compile.overrideLimits);
  options.bind("map-time", compile.mapSeconds);
  options.bind("map-seed", compile.mapSeed);
  options.bind("max-moves", compile.maxMoves);
  options.require("max-moves", "map-from");
  options.bind("solver", compile.solver);
}

std::string spelledOf(const Option &row) {
  return row.isOnLine() ? row.spelled() : row.name + " of --tuning";
}

/// The text of an option, or that of the file it names.
void bindBits(CommandOptions &options, const std::string &name,
              std::string &text) {
  options.bindTo(name, [&, name](const CommandOptions::Values &values) {
    text = session::bitsText(spelledOf(*options.find(name)), values.back());
  });
}

/// Puts keys in the order in which they apply: a preset before what changes it,
/// wherever they were given. Throws UsageError for a key that comes twice.
void settleImportKeys(ImportOptions &import) {
  const auto keys = importKeys();
  const auto placeOf = [&](const std::string &name) {
    return std::find_if(keys.begin(), keys.end(), [&](const auto &key) {
      return key.first == importKeyOf(name);
    });
  };
  std::stable_sort(import.begin(), import.end(),
                   [&](const auto &one, const auto &other) {
                     return placeOf(one.first) < placeOf(other.first);
                   });
  std::set<std::string> seen;
  for (const auto &[name, value] : import)
    if (!seen.insert(name).second)
      throw UsageError("--import: " + printable(name) + " is given twice");
}

/// "KEY=VALUE,KEY=VALUE" for the importers.
void addImportKeys(ImportOptions &import, const std::string &text) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const size_t equals = part.find('=');
    if (equals == part.npos || equals + 1 == part.size())
      throw UsageError("--import: expected KEY=VALUE,..., found '" +
                       printable(part) + "'");
    setImportOption(import, part.substr(0, equals), part.substr(equals + 1));
    begin = end + 1;
  }
}

bool isImportKey(const std::string &name) {
  for (const auto &[key, help] : importKeys())
    if (key == name)
      return true;
  return false;
}

} // namespace

void bindModel(CommandOptions &options, session::ModelRequest &request) {
  if (options.command() != "check")
    options.bind("target", request.compile.target);
  options.bind("calibrate", request.calibrate);
  options.bind("steps", request.steps);
  options.bind("weights", request.weights);
  options.bindTo("import", [&request](const CommandOptions::Values &values) {
    request.import.clear();
    for (const std::string &value : values)
      addImportKeys(request.import, value);
    settleImportKeys(request.import);
  });
  options.bind("spikes", request.compile.spikes);
  bindBits(options, "weight-bits", request.compile.weightBits);
  bindBits(options, "state-bits", request.compile.stateBits);
  bindBits(options, "input-bits", request.compile.inputBits);
  bindQuantiser(options, request.compile.quantiser);
  bindMapping(options, request.compile);
  options.bind("rewrite", request.compile.rewrites);
  options.bindTo("tuning", [&options](const CommandOptions::Values &values) {
    for (const std::string &value : values)
      readTuning(options, value);
  });
}

CompilerStage axisStageOf(const std::string &option) {
  for (const Option *row : rowsOf("compile"))
    if (row->name == option)
      return row->stage;
  return isImportKey(option) ? CompilerStage::Load : CompilerStage::None;
}

std::vector<std::string> axisNames() {
  std::vector<std::string> names;
  for (const Option *row : rowsOf("compile"))
    if (row->stage != CompilerStage::None)
      names.push_back(row->name);
  for (const auto &[key, help] : importKeys())
    names.push_back(key);
  return names;
}

static void setAxis(session::ModelRequest &request, CommandOptions &options,
                    const std::string &name, const std::string &value) {
  if (isImportKey(name)) {
    setImportOption(request.import, name, value);
    settleImportKeys(request.import);
  } else {
    options.set(name, {value});
  }
}

session::ModelRequest
requestWith(const std::vector<std::pair<std::string, std::string>> &axes) {
  session::ModelRequest request;
  CommandOptions options("compile");
  bindModel(options, request);
  const std::vector<std::string> names = axisNames();
  for (const auto &[name, value] : axes) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error("compile." + printable(name) + ": there is no such option" +
                  suggestion(name, names));
    try {
      setAxis(request, options, name, value);
    } catch (const UsageError &error) {
      throw Error("compile: " + std::string(error.what()));
    }
  }
  return request;
}

std::string givenToCompiler(const CommandOptions &options) {
  std::string given;
  for (const char *name : {"spikes", "input-bits", "weight-bits", "state-bits",
                           "cores", "map-for", "map-constraints", "map-from",
                           "map-verify", "split-dendrite", "rewrite"})
    if (const Option *row = options.find(name); row && options.isGiven(name))
      given += (given.empty() ? "" : ", ") + spelledOf(*row);
  return given;
}

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

static constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyz0123456789-";

/// The key of a study that says what a flag says; empty if there is none.
static std::string keyOf(const std::string &name) {
  if (axisStageOf(name) != CompilerStage::None)
    return "compile." + name;
  for (const char *ofModel : {"calibrate", "input", "labels", "weights"})
    if (name == ofModel)
      return name + " of the model";
  return "";
}

std::string withKeys(const std::string &text) {
  const std::string flag = "--", import = "--import ";
  std::string out;
  size_t done = 0;
  for (size_t at = 0; (at = text.find(flag, at)) != text.npos;) {
    const bool isWord = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' ||
                        text[at - 1] == '\'';
    const size_t begin =
        at +
        (text.compare(at, import.size(), import) == 0 ? import : flag).size();
    const size_t end =
        std::min(text.find_first_not_of(kLetters, begin), text.size());
    const std::string key =
        isWord ? keyOf(text.substr(begin, end - begin)) : std::string();
    if (!key.empty()) {
      out += text.substr(done, at - done) + key;
      done = end;
    }
    at = end;
  }
  return out + text.substr(done);
}

} // namespace dendrolith::options
