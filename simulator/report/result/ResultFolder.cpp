// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/ResultFolder.h"

#include "runtime/host/Files.h"
#include "simulator/record/CountsRecord.h"
#include "simulator/record/Json.h"
#include "simulator/report/result/Result.h"
#include "targets/support/Error.h"
#include "targets/support/JsonText.h"
#include "targets/support/Sha256.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>
#include <map>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

std::string pathOf(const std::string &folder, const std::string &name) {
  return (std::filesystem::path(folder) / name).string();
}

bool isThere(const std::string &folder, const std::string &name) {
  std::error_code ignored;
  return std::filesystem::exists(pathOf(folder, name), ignored);
}

/// Names by their member of `hashes`: outputs are in one of two files.
std::map<std::string, std::vector<std::string>>
byHash(const std::string &folder, const Json &hashes) {
  std::map<std::string, std::vector<std::string>> names;
  for (const std::string &name : resultFileNames()) {
    const std::string key = hashKey(name);
    if (name == "result.json" || name == "run.json")
      continue;
    if (!hashes.is_object() || !hashes.contains(key))
      throw Error(pathOf(folder, "result.json") + ": hashes: expected '" + key +
                  "', found none");
    names[key].push_back(name);
  }
  return names;
}

} // namespace

std::vector<std::string> resultFileNames() {
  return {"outputs.npy", "outputs.npz", "predicted.npy", "traces.npz",
          "spikes.npz",  "tables.json", "run.json",      "result.json"};
}

std::string hashKey(const std::string &name) {
  return name.substr(0, name.find('.')) + "_sha256";
}

void checkPresent(const std::string &folder, const Json &hashes) {
  for (const auto &[key, names] : byHash(folder, hashes))
    for (const std::string &name : names) {
      if (!isThere(folder, name))
        continue;
      const Json &expected = hashes.at(key);
      const std::string path = pathOf(folder, name);
      const std::string found =
          sha256OfFile(path, std::numeric_limits<uint64_t>::max());
      if (expected.is_null())
        throw Error(fmt::format("{}: the result.json beside it has no such "
                                "file: expected none, found one whose SHA-256 "
                                "is {}; remove it, or run again",
                                path, found));
      if (expected != found)
        throw Error(fmt::format("{}: not the file of the result.json beside "
                                "it: expected SHA-256 {}, found {}; run again",
                                path, printable(expected.dump(), 80), found));
    }
}

void checkComplete(const std::string &folder, const Json &hashes) {
  const auto files = byHash(folder, hashes);
  std::string missing, expected;
  bool isAlone = true;
  for (const auto &[key, names] : files) {
    bool found = false;
    for (const std::string &name : names)
      found |= isThere(folder, name);
    isAlone &= !found;
    if (!found && !hashes.at(key).is_null() && missing.empty()) {
      missing = pathOf(folder, names.front());
      expected = printable(hashes.at(key).dump(), 80);
    }
  }
  if (!missing.empty() && !isAlone)
    throw Error(fmt::format("{}: expected the file with SHA-256 {} of the "
                            "result.json beside it, found none; run again, or "
                            "take --by, which reads only what it needs",
                            missing, expected));
}

namespace {

using nlohmann::json;
using Json = nlohmann::ordered_json;

constexpr uint64_t kResultBytes = uint64_t(1) << 30;

/// What tables.json adds to `counts`, if it is there; sets `all` to it.
json withTables(json counts, const std::string &folder, Json &all) {
  const std::string path = folder + "/tables.json";
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return counts;
  std::string bytes = readFile(path, kResultBytes);
  json tables = sim::parseJson(bytes, path);
  all = readJson<Json>(bytes, path);
  const json &more = sim::member(tables, "counts", path);
  for (const char *key : {"cores", "links"})
    counts[key] = sim::member(more, key, path + ": counts");
  return counts;
}

void readParts(StoredResult &stored, const json &parsed,
               const std::string &folder) {
  const std::string &path = stored.path;
  sim::member(parsed, "hashes", path);
  checkPresent(folder, stored.json.at("hashes"));
  const json &counts = sim::member(parsed, "counts", path);
  const json &times = sim::member(parsed, "times", path);
  // A result that was written before there was a time of the system has none.
  auto read = [&](const char *key) {
    stored.timePs = sim::readCount(sim::member(times, key, path + ": times"),
                                   fmt::format("{}: times.{}", path, key));
  };
  if (!times.is_null())
    read("run_ps");
  if (times.contains("system_ps"))
    read("system_ps");
  if (counts.is_null())
    return;
  json whole = withTables(counts, folder, stored.tables);
  stored.counts = whole.contains("cores")
                      ? sim::countsFromJson(whole, path + ": counts")
                      : sim::totalsFromJson(whole, path + ": counts");
}

/// Prices are taken from the chip as the result has it.
void checkChip(const json &parsed, const std::string &path) {
  const json &chip = sim::member(parsed, "target", path);
  if (chip.is_null())
    return;
  const std::string where = path + ": target";
  const json &text = sim::member(chip, "yaml", where),
             &digest = sim::member(chip, "sha256", where);
  if (!text.is_string() || digest != sha256(text.get<std::string>()))
    throw Error(where + ": the text of the chip is not the one that its "
                        "sha256 is of; it was altered, run again");
}

} // namespace

StoredResult readResult(const std::string &folder) {
  StoredResult stored;
  stored.path = folder + "/result.json";
  std::string bytes = readFile(stored.path, kResultBytes);
  json parsed = sim::parseJson(bytes, stored.path);
  if (!parsed.is_object())
    throw Error(fmt::format("{}: expected an object, found {}", stored.path,
                            parsed.type_name()));
  stored.json = readJson<Json>(bytes, stored.path);
  const json schema = parsed.value("schema", json());
  if (schema != kResultSchema)
    throw Error(fmt::format(
        "{}: schema: expected {}, found {}; another version "
        "of Dendrolith wrote it",
        stored.path, kResultSchema, schema.is_null() ? "none" : schema.dump()));
  const Result expected = emptyResult();
  for (const auto &[key, value] : expected.json.items())
    sim::member(parsed, key, stored.path);
  if (sim::readCount(sim::member(parsed, "samples", stored.path),
                     stored.path + ": samples") == 0)
    throw Error(stored.path + ": samples: expected at least 1, found 0");
  checkChip(parsed, stored.path);
  readParts(stored, parsed, folder);
  return stored;
}

} // namespace dendrolith::report
