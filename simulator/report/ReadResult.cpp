// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/ReadResult.h"

#include "simulator/record/CountsRecord.h"
#include "simulator/record/Json.h"
#include "simulator/report/Result.h"
#include "simulator/report/ResultFolder.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

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
  all = Json::parse(bytes);
  const json &more = sim::member(tables, "counts", path);
  for (const char *key : {"cores", "links"})
    counts[key] = sim::member(more, key, path + ": counts");
  return counts;
}

void readSecond(StoredResult &stored, const json &parsed,
                const std::string &folder) {
  const std::string &path = stored.path;
  sim::member(parsed, "hashes", path);
  checkPresent(folder, stored.json.at("hashes"));
  const json &counts = sim::member(parsed, "counts", path);
  const json &times = sim::member(parsed, "times", path);
  if (!times.is_null())
    stored.timePs =
        sim::readCount(sim::member(times, "run_ps", path + ": times"),
                       path + ": times.run_ps");
  if (counts.is_null())
    return;
  json whole = withTables(counts, folder, stored.tables);
  stored.counts = whole.contains("cores")
                      ? sim::countsFromJson(whole, path + ": counts")
                      : sim::totalsFromJson(whole, path + ": counts");
}

void readFirst(StoredResult &stored, const json &parsed) {
  const std::string &path = stored.path;
  if (sim::member(parsed, "engine", path) == "float" ||
      sim::member(parsed, "engine", path) == "reference")
    return;
  stored.counts = sim::countsFromJson(sim::member(parsed, "counts", path),
                                      path + ": counts");
  stored.timePs =
      sim::readCount(sim::member(parsed, "time_ps", path), path + ": time_ps");
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
  stored.json = Json::parse(bytes);
  const bool isFirst = !parsed.contains("schema");
  if (!isFirst && parsed["schema"] != kResultSchema)
    throw Error(fmt::format("{}: schema {} is not known, expected 1 or {}; a "
                            "newer version wrote it",
                            stored.path, parsed["schema"].dump(),
                            kResultSchema));
  if (sim::readCount(sim::member(parsed, "samples", stored.path),
                     stored.path + ": samples") == 0)
    throw Error(stored.path + ": samples: expected at least 1, found 0");
  if (isFirst)
    readFirst(stored, parsed);
  else
    readSecond(stored, parsed, folder);
  if (isFirst)
    stored.json = upgraded(stored.json);
  return stored;
}

} // namespace dendrolith::report
