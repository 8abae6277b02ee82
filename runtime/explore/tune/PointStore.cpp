// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/PointStore.h"

#include "runtime/host/Files.h"
#include "targets/support/JsonText.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace dendrolith::tuning {

// The most that a point with very many layers takes.
constexpr uint64_t kFileBytes = 1 << 20;

PointStore::PointStore(std::string place, nlohmann::ordered_json about)
    : folder(std::move(place)), context(std::move(about)) {
  makeFolder(folder);
}

std::string PointStore::fileOf(const Bits &bits) const {
  nlohmann::ordered_json key = {{"context", context}, {"bits", bits}};
  return folder + "/" + sha256(key.dump()) + ".json";
}

std::optional<Point> PointStore::find(const Bits &bits) const {
  const std::string path = fileOf(bits);
  if (!std::filesystem::exists(path))
    return std::nullopt;
  try {
    const auto json =
        readJson<nlohmann::ordered_json>(readFile(path, kFileBytes), path);
    Point point = pointFrom(json);
    if (point.bits == bits)
      return point;
  } catch (const std::exception &) {
    // The file was changed: the point is measured again.
  }
  return std::nullopt;
}

void PointStore::add(const Point &point) const {
  writeAside(fileOf(point.bits), toJson(point).dump(2) + "\n");
}

} // namespace dendrolith::tuning
