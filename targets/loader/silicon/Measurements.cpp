// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/silicon/Measurements.h"

#include "targets/loader/chip/Counters.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/silicon/Quantities.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace dendrolith::silicon {
namespace {

using namespace yaml;

/// Digits and letters of a digest or a commit.
std::string readHex(const Node &node, const std::string &what, size_t digits) {
  const std::string text = readText(node, what);
  if (text.size() != digits ||
      text.find_first_not_of("0123456789abcdef") != text.npos)
    fail(node, fmt::format("expected {} hexadecimal digits for '{}', found {}",
                           digits, what, node.found()));
  return text;
}

/// Names go into a script for a shell.
bool isPlain(const std::string &name, const std::string &besides) {
  return !name.empty() && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [&](unsigned char c) {
           return std::isalnum(c) || besides.find(char(c)) != besides.npos;
         });
}

/// The name of a file, without a folder.
void checkName(const Node &key) {
  if (!isPlain(key.text, ".-_"))
    fail(key, "expected a name of letters, digits, '.', '-' and '_', found " +
                  key.found());
}

std::string readPath(const Node &node, const std::string &what) {
  const std::string text = readText(node, what);
  if (!isPlain(text, ".-_/"))
    fail(node, fmt::format("expected names of letters, digits, '.', '-' and "
                           "'_', joined by '/', for '{}', found {}",
                           what, node.found()));
  return text;
}

std::string textAt(const Fields &fields, const std::string &key) {
  const Node *node = fields.find(key);
  return node ? readText(*node, key) : "";
}

const Node &listOf(const Node &node, const std::string &what) {
  if (node.type != Node::Type::Sequence || node.items.empty())
    fail(node,
         fmt::format("expected a list for '{}', found {}", what,
                     node.items.empty() && node.type == Node::Type::Sequence
                         ? "nothing in it"
                         : node.found()));
  return node;
}

std::vector<std::string> namesOf(const Node &map, const std::string &what) {
  if (map.type != Node::Type::Map)
    fail(map,
         fmt::format("expected a map for '{}', found {}", what, map.found()));
  std::vector<std::string> names;
  for (const Node &key : map.keys)
    names.push_back(key.text);
  return names;
}

class MeasurementReader {
public:
  MeasurementReader(const Node &root, const std::string &filename)
      : fields(root, "measurements", {"sources", "measurements"},
               {"files", "workloads"}) {
    read.filename = filename;
  }

  Measurements execute() {
    readSources(fields.at("sources"));
    if (const Node *files = fields.find("files"))
      readFiles(*files);
    if (const Node *workloads = fields.find("workloads"))
      readWorkloads(*workloads);
    for (const Node &row :
         listOf(fields.at("measurements"), "measurements").items)
      readRow(row);
    return std::move(read);
  }

private:
  void readSources(const Node &map) {
    const std::vector<std::string> names = namesOf(map, "sources");
    for (size_t i = 0; i < names.size(); ++i) {
      const Fields parts(map.items[i], names[i], {"citation", "licence"},
                         {"repository", "commit"});
      Publication source;
      source.key = names[i];
      checkName(map.keys[i]);
      source.citation = readText(parts.at("citation"), "citation");
      source.licence = readText(parts.at("licence"), "licence");
      if (const Node *repository = parts.find("repository"))
        source.repository = readPath(*repository, "repository");
      if (const Node *commit = parts.find("commit"))
        source.commit = readHex(*commit, "commit", 40);
      sources[names[i]] = source;
      keys.push_back(names[i]);
    }
  }

  Publication sourceOf(const Fields &parts) const {
    return sources.at(readWord(parts.at("source"), "source", keys));
  }

  void readFiles(const Node &map) {
    const std::vector<std::string> names = namesOf(map, "files");
    for (size_t i = 0; i < names.size(); ++i) {
      checkName(map.keys[i]);
      const Fields parts(map.items[i], names[i], {"source", "path", "sha256"});
      FetchedFile file;
      file.name = names[i];
      file.place = map.keys[i].place();
      file.from = sourceOf(parts);
      if (file.from.repository.empty() || file.from.commit.empty())
        fail(parts.at("source"),
             fmt::format("source '{}' names no repository and commit to fetch "
                         "'{}' from",
                         file.from.key, file.name));
      file.path = readPath(parts.at("path"), "path");
      file.sha256 = readHex(parts.at("sha256"), "sha256", 64);
      read.files.push_back(file);
    }
  }

  void readWorkloads(const Node &map) {
    const std::vector<std::string> names = namesOf(map, "workloads");
    for (size_t i = 0; i < names.size(); ++i) {
      checkName(map.keys[i]);
      read.workloads.push_back(readWorkload(map.items[i], names[i]));
      read.workloads.back().place = map.keys[i].place();
    }
  }

  Workload readWorkload(const Node &node, const std::string &name) const {
    const Fields parts(node, name, {},
                       {"model", "generate", "fetched", "run", "silent",
                        "split", "first_step", "stands_for"});
    Workload made;
    made.name = name;
    made.generate = textAt(parts, "generate");
    made.run = textAt(parts, "run");
    made.standsFor = textAt(parts, "stands_for");
    if (const Node *model = parts.find("model"))
      made.shipped = (std::filesystem::path(read.filename).parent_path() /
                      readText(*model, "model"))
                         .string();
    if (const Node *fetched = parts.find("fetched")) {
      std::vector<std::string> known;
      for (const FetchedFile &file : read.files)
        known.push_back(file.name);
      made.fetched = readWord(*fetched, "fetched", known);
    }
    if (made.shipped.empty() + made.generate.empty() + made.fetched.empty() !=
        2)
      fail(node, fmt::format("expected one of model, generate and fetched for "
                             "'{}', which say where its network comes from",
                             name));
    if (const Node *first = parts.find("first_step"))
      made.firstStep = readUnsigned(*first, "first_step", 0, 1000000);
    if (const Node *silent = parts.find("silent"))
      for (const Node &extent : listOf(*silent, "silent").items)
        made.silent.push_back(readUnsigned(extent, "silent", 1, 1 << 20));
    if (product(made.silent) > uint64_t(1) << 30)
      fail(parts.at("silent"), "expected at most 2^30 zeros for 'silent'");
    if (const Node *split = parts.find("split"))
      for (const Node &part : listOf(*split, "split").items)
        made.split.push_back(readSplit(part));
    return made;
  }

  static ColumnSplit readSplit(const Node &node) {
    const Fields parts(node, "split",
                       {"population", "columns", "per_core", "first_core"},
                       {"first", "channels", "rows"});
    constexpr uint64_t most = 1 << 24;
    const auto number = [&](const char *key, uint64_t least, uint64_t other) {
      const Node *found = parts.find(key);
      return found ? readUnsigned(*found, key, least, most) : other;
    };
    ColumnSplit split;
    split.population = readText(parts.at("population"), "population");
    split.first = number("first", 0, 0);
    split.channels = number("channels", 1, 1);
    split.rows = number("rows", 1, 1);
    split.columns = number("columns", 1, 1);
    split.perCore = number("per_core", 1, 1);
    split.firstCore = number("first_core", 0, 0);
    if (split.channels * split.rows > most / split.columns)
      fail(node, "expected at most 2^24 neurons in 'split'");
    return split;
  }

  void readRow(const Node &node) {
    const Fields parts(node, "measurement",
                       {"id", "chip", "quantity", "value", "unit", "scope",
                        "source", "where", "read"},
                       {"board", "workload", "because", "counter", "cores",
                        "phase", "uncertainty", "runs", "excludes", "note"});
    Measurement row;
    row.place = node.place();
    row.id = readText(parts.at("id"), "id");
    if (!ids.insert(row.id).second)
      fail(parts.at("id"),
           fmt::format("a measurement '{}' is there already", row.id));
    row.chip = readText(parts.at("chip"), "chip");
    if (!isName(row.chip) || findTarget(row.chip, "").empty())
      fail(parts.at("chip"),
           fmt::format("unknown chip '{}', expected one of {}{}",
                       printable(row.chip), joinWords(listTargets()),
                       suggestion(row.chip, listTargets())));
    row.scope = readWord(parts.at("scope"), "scope",
                         {"cores", "chip", "chip+x86", "board"});
    row.read = readWord(parts.at("read"), "read", {"text", "figure"});
    row.where = readText(parts.at("where"), "where");
    row.source = sourceOf(parts);
    for (auto [key, text] : {std::pair("board", &row.board),
                             {"excludes", &row.excludes},
                             {"note", &row.note},
                             {"because", &row.because}})
      *text = textAt(parts, key);
    readNumber(parts, row);
    readActivity(parts, row, node);
    read.rows.push_back(std::move(row));
  }

  static void readNumber(const Fields &parts, Measurement &row) {
    const QuantityRow &quantity =
        quantityOf(readWord(parts.at("quantity"), "quantity", quantityNames()));
    row.quantity = quantity.quantity;
    row.what = quantity.name;
    row.unit = readWord(parts.at("unit"), "unit", quantity.unitNames());
    row.scale = quantity.scaleOf(row.unit);
    const Node &value = parts.at("value");
    row.value = readReal(value, "value") * row.scale;
    // A counter of 0 says that something was silent.
    if (row.value <= 0 && row.quantity != Quantity::Counter)
      fail(value, "'value' is 0, expected a measured number above 0");
    if (const Node *error = parts.find("uncertainty"))
      row.uncertainty = readReal(*error, "uncertainty") * row.scale;
    if (const Node *runs = parts.find("runs"))
      row.runs = readUnsigned(*runs, "runs", 1, maxNumber);
  }

  /// What of which run is compared.
  void readActivity(const Fields &parts, Measurement &row,
                    const Node &node) const {
    std::vector<std::string> known;
    for (const Workload &each : read.workloads)
      known.push_back(each.name);
    if (const Node *workload = parts.find("workload"))
      row.workload = readWord(*workload, "workload", known);
    const bool needs = row.quantity != Quantity::Other &&
                       row.quantity != Quantity::PowerStatic;
    if (row.because.empty() &&
        (row.quantity == Quantity::Other || (needs && row.workload.empty())))
      fail(node, fmt::format("expected {}'because' for '{}', which says why it "
                             "is not rebuilt",
                             needs ? "'workload' or " : "", row.id));
    const bool counts = row.quantity == Quantity::Counter;
    for (const char *key : {"counter", "cores"})
      if (counts != (parts.find(key) != nullptr))
        fail(node, fmt::format("expected {}'{}' for '{}', a {}",
                               counts ? "" : "no ", key, row.id, row.what));
    if (counts)
      readCounter(parts, row);
    if (const Node *phase = parts.find("phase"))
      readPhase(*phase, row);
  }

  static void readCounter(const Fields &parts, Measurement &row) {
    row.counter = readText(parts.at("counter"), "counter");
    if (eventLeaves(row.counter).empty())
      fail(parts.at("counter"),
           fmt::format("unknown counter '{}', expected one of {}{}",
                       printable(row.counter), joinWords(allEvents()),
                       suggestion(row.counter, allEvents())));
    const Node &cores = listOf(parts.at("cores"), "cores");
    if (cores.items.size() != 2)
      fail(cores, "expected [FIRST, LAST] for 'cores'");
    row.firstCore = readUnsigned(cores.items[0], "cores", 0, 1 << 24);
    row.lastCore =
        readUnsigned(cores.items[1], "cores", row.firstCore, 1 << 24);
  }

  static void readPhase(const Node &phase, Measurement &row) {
    if (row.quantity != Quantity::TimeStep)
      fail(phase, "expected 'phase' for a time_step alone");
    if (listOf(phase, "phase").items.size() != 2)
      fail(phase, "expected [REST, PERIOD] for 'phase'");
    row.period = readUnsigned(phase.items[1], "phase", 1, 1000000);
    row.phase = readUnsigned(phase.items[0], "phase", 0, row.period - 1);
  }

  const Fields fields;
  Measurements read;
  std::map<std::string, Publication> sources;
  std::vector<std::string> keys; ///< of sources, in the order of the file
  std::set<std::string> ids;
};

template <typename Named>
const Named &named(const std::vector<Named> &all, const std::string &name) {
  return *std::find_if(all.begin(), all.end(),
                       [&](const Named &each) { return each.name == name; });
}

} // namespace

const Workload &Measurements::workload(const std::string &name) const {
  return named(workloads, name);
}

const FetchedFile &Measurements::file(const std::string &name) const {
  return named(files, name);
}

Measurements parseMeasurements(const std::string &text,
                               const std::string &filename) {
  const Node root = yaml::parse(text, filename);
  return MeasurementReader(root, filename).execute();
}

Measurements readMeasurements(const std::string &filename) {
  return parseMeasurements(yaml::readFile(filename), filename);
}

std::vector<std::string> shippedMeasurements() {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> byName; // the first folder wins
  for (const std::string &dir : searchDirs()) {
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(dir + "/silicon", error))
      if (entry.path().extension() == ".yaml")
        byName.emplace(entry.path().filename().string(), entry.path().string());
  }
  std::vector<std::string> files;
  for (const auto &[name, path] : byName)
    files.push_back(path);
  return files;
}

} // namespace dendrolith::silicon
