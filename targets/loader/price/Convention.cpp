// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/price/Convention.h"

#include "targets/loader/files/Discovery.h"
#include "targets/loader/yaml/RecordReader.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace dendrolith {

using namespace yaml;

const std::vector<std::string> &countsOf(CountScope scope) {
  static const std::vector<std::string> layer = {
      "neurons",      "steps",        "updates",  "sent",
      "binary_sent",  "graded_sent",  "synapses", "inputs",
      "branch_pairs", "branch_modes", "weights"};
  static const std::vector<std::string> projection = [] {
    std::vector<std::string> all = layer;
    for (const char *own :
         {"source_neurons", "source_steps", "from_input", "events", "values",
          "accumulates", "multiplies", "dense", "weight_bits", "biases",
          "convolution", "channels_in", "channels_out", "kernel_height",
          "kernel_width", "stride_height", "stride_width", "groups", "sites"})
      all.push_back(own);
    return all;
  }();
  return scope == CountScope::Layer ? layer : projection;
}

double PriceCurve::at(double size) const {
  if (size <= points.front().first)
    return points.front().second;
  for (size_t i = 1; i < points.size(); ++i)
    if (size <= points[i].first) {
      const auto &[x0, y0] = points[i - 1];
      const auto &[x1, y1] = points[i];
      return y0 + (y1 - y0) * (size - x0) / (x1 - x0);
    }
  return points.back().second;
}

bool Convention::isPriced() const {
  return std::any_of(terms.begin(), terms.end(),
                     [](const auto &term) { return !term.each.text.empty(); });
}

namespace {

const Node &sequence(const Node &node, const std::string &what) {
  if (node.type != Node::Type::Sequence || node.items.empty())
    fail(node,
         fmt::format("expected a list for '{}', found {}", what, node.found()));
  return node;
}

const Node &mapping(const Node &node, const std::string &what) {
  if (node.type != Node::Type::Map)
    fail(node,
         fmt::format("expected a map for '{}', found {}", what, node.found()));
  return node;
}

class ConventionReader {
public:
  ConventionReader(const Node &root, const std::string &filename)
      : fields(
            root, "convention",
            {"name", "description", "node", "leaves_out", "sources", "terms"},
            {"prices", "curves", "requires", "network"}) {
    read.filename = filename;
  }

  Convention execute() {
    readNames();
    if (const Node *prices = fields.find("prices"))
      readPrices(mapping(*prices, "prices"));
    if (const Node *curves = fields.find("curves"))
      readCurves(mapping(*curves, "curves"));
    if (const Node *needs = fields.find("requires"))
      for (const Node &need : sequence(*needs, "requires").items)
        readNeed(need);
    for (const Node &term : sequence(fields.at("terms"), "terms").items)
      readTerm(term);
    return std::move(read);
  }

private:
  void readNames() {
    read.name = readText(fields.at("name"), "name");
    if (!isName(read.name))
      fail(fields.at("name"), "expected a name of letters, digits, '.', '-' "
                              "and '_', found " +
                                  fields.at("name").found());
    read.description = readText(fields.at("description"), "description");
    read.node = readText(fields.at("node"), "node");
    if (const Node *network = fields.find("network"))
      read.isArtificial = readWord(*network, "network",
                                   {"spiking", "artificial"}) == "artificial";
    for (const Node &item :
         sequence(fields.at("leaves_out"), "leaves_out").items)
      read.leavesOut.push_back(readText(item, "leaves_out"));
    read.sources = readSources(fields.at("sources"));
  }

  /// Names of prices and curves stand in formulas beside those of counts.
  void checkNew(const Node &key) {
    const auto &counts = countsOf(CountScope::Projection);
    const bool word =
        !key.text.empty() &&
        key.text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
            std::string::npos &&
        (key.text[0] < '0' || key.text[0] > '9');
    if (!word)
      fail(key, "expected a name of small letters, digits and '_', found " +
                    key.found());
    if (std::find(counts.begin(), counts.end(), key.text) != counts.end() ||
        read.prices.count(key.text))
      fail(key, fmt::format("'{}' is the name of a {}", key.text,
                            read.prices.count(key.text) ? "price" : "count"));
  }

  void readPrices(const Node &map) {
    for (size_t i = 0; i < map.keys.size(); ++i) {
      checkNew(map.keys[i]);
      const Fields parts(map.items[i], map.keys[i].text,
                         {"value", "unit", "kind", "source"});
      ConventionPrice price;
      price.value = readReal(parts.at("value"), "value");
      readWord(parts.at("unit"), "unit", {"pJ"});
      price.kind = readKind(parts.at("kind"));
      price.source = readSource(parts.at("source"), read.sources);
      read.prices[map.keys[i].text] = price;
    }
  }

  void readCurves(const Node &map) {
    for (size_t i = 0; i < map.keys.size(); ++i) {
      checkNew(map.keys[i]);
      const Fields parts(map.items[i], map.keys[i].text,
                         {"of", "unit", "kind", "source", "points"});
      PriceCurve curve;
      curve.of = readText(parts.at("of"), "of");
      readWord(parts.at("unit"), "unit", {"pJ"});
      readKind(parts.at("kind"));
      curve.source = readSource(parts.at("source"), read.sources);
      for (const Node &point : sequence(parts.at("points"), "points").items) {
        if (sequence(point, "points").items.size() != 2)
          fail(point, "expected [size, pJ] for a point, found another number "
                      "of members");
        const double size = readReal(point.items[0], "size");
        if (!curve.points.empty() && size <= curve.points.back().first)
          fail(point, "expected points by rising size, found " +
                          point.items[0].found());
        curve.points.emplace_back(size, readReal(point.items[1], "pJ"));
      }
      read.curves[map.keys[i].text] = curve;
    }
  }

  CountScope readScope(const Fields &parts) const {
    return readWord(parts.at("per"), "per", {"layer", "projection"}) == "layer"
               ? CountScope::Layer
               : CountScope::Projection;
  }

  Formula readFormula(const Node &node, const std::string &what,
                      CountScope scope, bool truth) const {
    Words words;
    words.noun = "count or price";
    words.functions = {"min", "max", "ceil", "floor", "log2"};
    for (const std::string &count : countsOf(scope))
      words.names.push_back({count, {}});
    for (const auto &[name, price] : read.prices)
      words.names.push_back({name, {}});
    for (const auto &[name, curve] : read.curves)
      words.functions.push_back(name);
    Formula formula;
    formula.text = readText(node, what);
    const TextPlace place = {read.filename, node.line, node.column};
    formula.term = truth ? parseTruth(formula.text, words, place)
                         : parseNumber(formula.text, words, place);
    return formula;
  }

  void readNeed(const Node &node) {
    const Fields parts(node, "requires", {"per", "else"}, {"that", "some"});
    ConventionNeed need;
    need.scope = readScope(parts);
    const Node *some = parts.find("some");
    need.some = some;
    if (some && parts.find("that"))
      fail(*some, "expected 'that' or 'some' in 'requires', found both");
    need.that = readFormula(some ? *some : parts.at("that"),
                            some ? "some" : "that", need.scope, true);
    need.otherwise = readText(parts.at("else"), "else");
    read.needs.push_back(std::move(need));
  }

  void readTerm(const Node &node) {
    const Fields parts(node, "terms", {"name", "per", "count"},
                       {"each", "when"});
    ConventionTerm term;
    term.name = readText(parts.at("name"), "name");
    term.scope = readScope(parts);
    term.count = readFormula(parts.at("count"), "count", term.scope, false);
    if (const Node *each = parts.find("each"))
      term.each = readFormula(*each, "each", term.scope, false);
    if (const Node *when = parts.find("when"))
      term.when = readFormula(*when, "when", term.scope, true);
    read.terms.push_back(std::move(term));
  }

  const Fields fields;
  Convention read;
};

} // namespace

Convention parseConvention(const std::string &text,
                           const std::string &filename) {
  const Node root = parse(text, filename);
  return ConventionReader(root, filename).execute();
}

Convention readConvention(const std::string &filename) {
  return parseConvention(yaml::readFile(filename), filename);
}

std::vector<Convention> allConventions() {
  namespace fs = std::filesystem;
  std::map<std::string, Convention> byName;
  for (const std::string &dir : searchDirs()) {
    std::error_code error;
    std::vector<std::string> files;
    for (const auto &entry :
         fs::directory_iterator(dir + "/conventions", error))
      if (entry.path().extension() == ".yaml")
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    for (const std::string &file : files) {
      Convention convention = readConvention(file);
      byName.emplace(convention.name, std::move(convention));
    }
  }
  std::vector<Convention> all;
  for (auto &[name, convention] : byName)
    all.push_back(std::move(convention));
  return all;
}

} // namespace dendrolith
