// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/StageFolder.h"

#include "runtime/host/Files.h"
#include "simulator/timing/kernel/Kernel.h"
#include "targets/support/Sha256.h"

#include <filesystem>

namespace dendrolith::explore {

// In front of the content: the digest of it and its name, which tells a file
// that is damaged or that stands in another one's place.
static const std::string kMark = "dendrolith stage 2 ";
static constexpr size_t kDigits = 64;
static constexpr uint64_t kMostBytes = uint64_t(1) << 36;

static std::string digestOf(const std::string &stage, const std::string &key,
                            std::string_view bytes) {
  return sha256(stage + "/" + key + " " + sha256(bytes));
}

std::string StageFolder::pathOf(const std::string &stage,
                                const std::string &key) const {
  return folder + "/" + stage + "/" + key.substr(0, 2) + "/" + key.substr(2);
}

std::optional<std::string> StageFolder::find(const std::string &stage,
                                             const std::string &key) const {
  const std::string path = pathOf(stage, key);
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return std::nullopt;
  std::string bytes;
  try {
    bytes = readFile(path, kMostBytes);
  } catch (const Error &) {
    return std::nullopt; // Somebody has just deleted it.
  }
  const size_t begin = kMark.size() + kDigits + 1;
  if (bytes.size() < begin || bytes.compare(0, kMark.size(), kMark) != 0)
    return std::nullopt;
  const std::string digest = bytes.substr(kMark.size(), kDigits);
  bytes.erase(0, begin);
  if (digestOf(stage, key, bytes) != digest)
    return std::nullopt;
  return bytes;
}

void StageFolder::put(const std::string &stage, const std::string &key,
                      std::string_view bytes) const {
  const std::string path = pathOf(stage, key);
  try {
    makeFolder(path.substr(0, path.rfind('/')));
    AtomicFile file(path);
    file.write(kMark + digestOf(stage, key, bytes) + "\n");
    file.write(bytes);
    file.commit();
  } catch (const Error &error) {
    throw Unwritable(error.what());
  }
}

// To be raised when the same design gets other numbers.
static constexpr int kResults = 2;

std::string versionOfResults() {
  return DENDROLITH_VERSION "/" + std::to_string(kResults);
}

const std::string &versionOfBuild() {
  static const std::string hash = [] {
    std::string all;
    for (const std::string &file : sim::programFiles())
      all += sha256OfFile(file, uint64_t(1) << 40);
    return all;
  }();
  return hash;
}

} // namespace dendrolith::explore
