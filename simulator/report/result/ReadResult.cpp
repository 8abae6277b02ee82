// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/ReadResult.h"

#include "simulator/record/CountsRecord.h"
#include "simulator/record/Json.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/result/ResultFolder.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/JsonText.h"
#include "targets/support/Sha256.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace dendrolith::report {
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
  if (sim::readCount(sim::member(parsed, "samples", stored.path),
                     stored.path + ": samples") == 0)
    throw Error(stored.path + ": samples: expected at least 1, found 0");
  checkChip(parsed, stored.path);
  readParts(stored, parsed, folder);
  return stored;
}

} // namespace dendrolith::report
