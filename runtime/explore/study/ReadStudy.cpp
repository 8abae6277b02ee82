// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/ReadStudy.h"

#include "runtime/explore/study/AxisNames.h"
#include "runtime/explore/study/Designs.h"
#include "runtime/explore/study/PointsFile.h"
#include "runtime/explore/study/ReadAxes.h"
#include "runtime/explore/study/ReadGoals.h"
#include "targets/loader/files/Discovery.h"
#include "targets/support/InputFile.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace dendrolith::explore {
namespace {

using yaml::fail;
using yaml::Fields;
using yaml::Node;

constexpr uint64_t kManyPoints = 1000000, kMostPoints = 10000000;
const yaml::Bounds kBounds = {1000000, size_t(1) << 24};

/// Reads one study; the source and what is read so far are at hand.
class StudyReader {
public:
  explicit StudyReader(const StudySource &source) : source(source) {
    study.file = source.file;
    study.folder = source.folder;
  }

  Study read(const Node &root) {
    const Fields fields(root, "study", {"name", "models", "target"},
                        {"engine", "vary", "together", "where", "mapping",
                         "repeat", "seed", "objectives", "constraints",
                         "strategy", "budget", "baseline"});
    study.name = yaml::readText(fields.at("name"), "name");
    readModels(fields.at("models"));
    readTargets(fields.at("target"));
    if (const Node *node = fields.find("engine"))
      study.engine = yaml::readWord(*node, "engine", {"cycle", "functional"});
    if (const Node *node = fields.find("mapping"))
      study.mapping = yaml::readWord(*node, "mapping", {"baseline", "each"});
    if (const Node *node = fields.find("repeat"))
      study.repeat = yaml::readUnsigned(*node, "repeat", 1, 1000000);
    if (const Node *node = fields.find("seed"))
      study.seed = yaml::readUnsigned(*node, "seed", 0, yaml::maxNumber);
    if (const Node *node = fields.find("budget"))
      readBudget(*node);
    if (const Node *node = fields.find("strategy"))
      readStrategy(*node);
    readVary(fields);
    if (source.checked)
      checkAxes();
    if (const Node *node = fields.find("together"))
      study.together = readTogether(*node, study.axes);
    if (const Node *node = fields.find("baseline"))
      study.baseline = readBaseline(*node, study.axes);
    if (const Node *node = fields.find("where"))
      readWhere(*node);
    if (const Node *node = fields.find("objectives"))
      study.objectives = readObjectives(*node);
    if (const Node *node = fields.find("constraints"))
      study.constraints = readConstraints(*node);
    checkCount(fields.find("strategy") ? fields.at("strategy") : root);
    return std::move(study);
  }

private:
  /// A file of the study, from where the command runs.
  std::string file(const Node &node, const std::string &what,
                   const std::string &text) const {
    const std::string path = fromStudy(study, text);
    std::error_code ignored;
    if (source.checked && !std::filesystem::exists(path, ignored))
      fail(node, fmt::format("'{}' names '{}', which is not there; paths start "
                             "from the study's folder",
                             what, printable(path, 256)));
    return path;
  }

  std::string file(const Node &node, const std::string &what) const {
    return file(node, what, yaml::readText(node, what));
  }

  /// X.npy or NAME=X.npy, or a list of such.
  std::vector<std::string> inputs(const Node &node,
                                  const std::string &what) const {
    std::vector<std::string> paths;
    std::vector<Node> one = {node};
    for (const Node &each :
         node.type == Node::Type::Sequence ? node.items : one) {
      const std::string text = yaml::readText(each, what);
      const size_t equals = text.find('=');
      paths.push_back(equals == std::string::npos
                          ? file(each, what, text)
                          : text.substr(0, equals + 1) +
                                file(each, what, text.substr(equals + 1)));
    }
    return paths;
  }

  void readModels(const Node &node) {
    if (node.type != Node::Type::Sequence || node.items.empty())
      fail(node, "expected a list of {name, model, input, ...} for 'models', "
                 "found " +
                     node.found());
    for (const Node &item : node.items) {
      StudyModel model = readModel(item);
      for (const StudyModel &other : study.models)
        if (other.name == model.name)
          fail(item, fmt::format("a second model is named '{}'",
                                 printable(model.name)));
      study.models.push_back(std::move(model));
    }
  }

  StudyModel readModel(const Node &node) const {
    const Fields fields(node, "models", {"name", "model"},
                        {"calibrate", "input", "labels", "weights", "metric",
                         "samples", "minimum"});
    StudyModel model;
    model.name = yaml::readText(fields.at("name"), "name");
    model.path = file(fields.at("model"), "model");
    if (const Node *each = fields.find("calibrate"))
      model.calibrate = inputs(*each, "calibrate");
    if (const Node *each = fields.find("input"))
      model.input = inputs(*each, "input");
    if (const Node *each = fields.find("labels"))
      model.labels = file(*each, "labels");
    if (const Node *each = fields.find("weights"))
      model.weights = file(*each, "weights");
    if (const Node *each = fields.find("metric"))
      model.metric = yaml::readText(*each, "metric");
    if (const Node *each = fields.find("samples"))
      model.samples = yaml::readUnsigned(*each, "samples", 1, yaml::maxNumber);
    if (const Node *each = fields.find("minimum")) {
      if (each->type != Node::Type::Map)
        fail(*each, "expected a map such as {accuracy: 0.9} for 'minimum', "
                    "found " +
                        each->found());
      for (size_t i = 0; i < each->keys.size(); ++i)
        model.minimum[readValueName(each->keys[i], "minimum")] =
            yaml::readReal(each->items[i], each->keys[i].text);
    }
    return model;
  }

  void readTargets(const Node &node) {
    std::vector<Node> one = {node};
    const bool list = node.type == Node::Type::Sequence;
    if (list && node.items.empty())
      fail(node, "expected a chip or a list of chips for 'target', found none");
    for (const Node &item : list ? node.items : one) {
      const std::string name = yaml::readText(item, "target");
      if (std::count(study.targets.begin(), study.targets.end(), name))
        fail(item, fmt::format("'{}' is in 'target' twice", printable(name)));
      study.targets.push_back(name);
      if (source.checked)
        chips.push_back(load(item, name));
    }
  }

  Target load(const Node &node, const std::string &name) const {
    try {
      return Target::load(chipOf(study, name));
    } catch (const Error &error) {
      const std::string message = error.what();
      const auto known = listTargets();
      // An error in the chip's own file has its place there.
      if (isPath(name) ||
          std::find(known.begin(), known.end(), name) != known.end())
        throw;
      fail(node, message);
    }
  }

  void readBudget(const Node &node) {
    const Fields fields(node, "budget", {},
                        {"points", "seconds", "point_seconds"});
    const auto number = [&](const char *key, uint64_t &into) {
      if (const Node *each = fields.find(key))
        into = yaml::readUnsigned(*each, key, 1, yaml::maxNumber);
    };
    number("points", study.mostPoints);
    number("seconds", study.mostSeconds);
    number("point_seconds", study.pointSeconds);
  }

  void readStrategy(const Node &node) {
    using Method = Strategy::Method;
    Strategy &strategy = study.strategy;
    if (node.type != Node::Type::Map) {
      const std::string word =
          yaml::readWord(node, "strategy", {"grid", "one-at-a-time"});
      strategy.method = word == "grid" ? Method::Grid : Method::OneAtATime;
      return;
    }
    const Fields fields(node, "strategy", {},
                        {"random", "latin", "sobol", "file", "ask"});
    if (node.keys.size() != 1)
      fail(node,
           fmt::format("expected one strategy, found {}", node.keys.size()));
    const std::string &word = node.keys[0].text;
    const Node &value = node.items[0];
    if (word == "file" || word == "ask") {
      strategy.method = word == "file" ? Method::File : Method::Ask;
      strategy.path = word == "ask"
                          ? fromStudy(study, yaml::readText(value, "ask"))
                      : source.pointsFile.empty() ? file(value, "file")
                                                  : source.pointsFile;
      return;
    }
    strategy.method = word == "random"  ? Method::Random
                      : word == "latin" ? Method::Latin
                                        : Method::Sobol;
    strategy.points = yaml::readUnsigned(value, word, 1, yaml::maxNumber);
  }

  void readVary(const Fields &fields) {
    const Node *vary = fields.find("vary");
    const bool listed = study.strategy.method == Strategy::Method::File;
    if (const Node *together = fields.find("together"); listed && together)
      fail(*together, "the strategy's file says which values go together, so "
                      "'together' has to go");
    if (listed && vary)
      fail(*vary, "the strategy's file names the axes and their values, so "
                  "'vary' has to go");
    if (!listed && !vary)
      fail(fields.node(), "missing key 'vary' in 'study'");
    if (listed)
      readPointsFile(study.strategy.path, study);
    else
      study.axes = readAxes(*vary);
  }

  void checkAxes() const {
    for (const Axis &axis : study.axes) {
      std::vector<std::pair<std::string, std::string>> others;
      for (const Axis &other : study.axes)
        for (const std::string &value : other.values)
          if (&other != &axis)
            others.emplace_back(other.name, value);
      for (const Target &chip : chips)
        if (const auto why = refusal(chip, axis.name, axis.values, others))
          throw Error(axis.place + ": " + *why);
      std::error_code ignored;
      for (const std::string &value : axis.values)
        if (namesFiles(axis.name) && (axis.name != "costs" || isPath(value)) &&
            !std::filesystem::exists(fromStudy(study, value), ignored))
          throw Error(fmt::format("{}: '{}' names '{}', which is not there; "
                                  "paths start from the study's folder",
                                  axis.place, axis.name,
                                  printable(fromStudy(study, value), 256)));
    }
  }

  void readWhere(const Node &node) {
    study.where = yaml::readText(node, "where");
    const Expression check(
        study.where, vocabularyOf(study),
        {source.file, node.line, node.column + (node.quoted ? 1 : 0)});
  }

  /// Before designs are made: a budget ends a grid early, but not the search
  /// for designs that `where` admits.
  void checkCount(const Node &node) const {
    const uint64_t all = countWithoutBudget(study);
    const bool endsEarly = study.strategy.method == Strategy::Method::Grid &&
                           study.where.empty() && study.mostPoints;
    const uint64_t count = endsEarly ? std::min(all, study.mostPoints) : all;
    if (count > kMostPoints)
      fail(node, fmt::format("the study has {} points, and at most {} can be "
                             "measured; take fewer values, a budget of points "
                             "without 'where', or a strategy that samples",
                             count == UINT64_MAX ? "more than 10^19"
                                                 : std::to_string(count),
                             kMostPoints));
    const bool meant = source.manyPoints || count <= study.mostPoints;
    if (count > kManyPoints && !meant)
      fail(node, fmt::format("the study has {} points, more than a million; "
                             "say 'budget: {{points: {}}}' if it is meant",
                             count, count));
    try {
      const Designs check(study);
    } catch (const Error &error) {
      fail(node, error.what());
    }
  }

  const StudySource &source;
  Study study;
  std::vector<Target> chips;
};

} // namespace

StudySource sourceOf(const std::string &file) {
  StudySource source;
  source.file = file;
  source.text = yaml::readFile(file, kBounds);
  source.folder = std::filesystem::path(file).parent_path().string();
  return source;
}

Study readStudy(const StudySource &source) {
  return StudyReader(source).read(
      yaml::parse(source.text, source.file, kBounds));
}

} // namespace dendrolith::explore
