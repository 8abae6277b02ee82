// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/store/Store.h"

#include "runtime/explore/ask/AskFolder.h"
#include "runtime/explore/store/EffortLog.h"
#include "runtime/explore/store/Identity.h"
#include "runtime/explore/store/PointFiles.h"
#include "runtime/explore/store/PointIndex.h"
#include "runtime/explore/study/ReadStudy.h"
#include "targets/support/Error.h"
#include "targets/support/Sha256.h"

#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

namespace dendrolith::explore {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The version of what lies in a store; a store of another one is not read.
constexpr int kStoreVersion = 2;
constexpr uint64_t kStudyBytes = uint64_t(1) << 28;

std::string specOf(const std::string &folder) { return folder + "/spec.yaml"; }
std::string tableOf(const std::string &folder) {
  return folder + "/points.csv";
}
std::string identityPath(const std::string &folder) {
  return folder + "/identity.json";
}

/// Two sweeps that begin at once do not both make the store.
class FolderLock {
public:
  explicit FolderLock(const std::string &folder)
      : file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (file >= 0)
      ::flock(file, LOCK_EX); // a file system without locks goes without
  }
  ~FolderLock() {
    if (file >= 0)
      ::close(file);
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int file;
};

Json readAbout(const std::string &folder) {
  const std::string path = identityPath(folder);
  if (!isStore(folder))
    throw Error(folder +
                ": is no store of a study; `dendrolith explore "
                "study.yaml -o " +
                folder + "` makes one");
  const Json about =
      Json::parse(readFile(path, kStudyBytes), nullptr, /*exceptions=*/false);
  if (!about.is_object() || !about.contains("version") ||
      !about.contains("dendrolith") || !about.contains("study_folder") ||
      !about.contains("identity"))
    throw Error(path + ": is corrupt; choose another folder for the study");
  if (about["version"] != kStoreVersion ||
      about["dendrolith"] != DENDROLITH_VERSION)
    throw Error(fmt::format(
        "{}: holds results of dendrolith {} in form {}, and this is dendrolith "
        "{} "
        "with form {}; choose another folder, as results of two versions are "
        "not to be mixed",
        folder, about["dendrolith"].dump(), about["version"].dump(),
        DENDROLITH_VERSION, kStoreVersion));
  return about;
}

/// The study as it lies in a store.
Study studyIn(const std::string &folder, const Json &about, bool checked) {
  StudySource source = sourceOf(specOf(folder));
  source.folder = about["study_folder"].get<std::string>();
  std::error_code ignored;
  if (fs::exists(tableOf(folder), ignored))
    source.pointsFile = tableOf(folder);
  source.checked = checked;
  source.manyPoints = true;
  return readStudy(source);
}

void writeOnDisk(const std::string &path, const std::string &text) {
  AtomicFile file(path);
  file.write(text);
  file.sync();
  file.commit();
}

/// Another sweep of the same study may have begun a store, and have been killed
/// before it was one: its files hold what this one is going to write.
bool isOfBegin(const fs::directory_entry &entry, const StudySource &source,
               const Study &study) {
  const std::string path = entry.path().string(),
                    name = entry.path().filename().string();
  if (writerOf(name))
    return true;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored))
    return false;
  if (name == "spec.yaml")
    return readFile(path, kStudyBytes) == source.text;
  return name == "points.csv" && !study.strategy.rows.empty() &&
         readFile(path, kStudyBytes) ==
             readFile(study.strategy.path, kStudyBytes);
}

/// What is half-written there goes if its writer is gone.
void refuseStrangers(const std::string &folder, const StudySource &source,
                     const Study &study) {
  std::error_code error;
  const bool isBegun = isStore(folder);
  for (const auto &entry : fs::directory_iterator(folder, error)) {
    if (!isBegun && !isOfBegin(entry, source, study))
      throw Error(folder + ": is no store of a study, and not empty; choose "
                           "another folder");
    if (isAbandoned(entry))
      ::unlink(entry.path().c_str());
  }
}

/// As JSON, of which a dump of each design would take long.
std::string jsonText(const std::string &text) {
  for (const char c : text)
    if (c < ' ' || c > '~' || c == '"' || c == '\\')
      return Json(text).dump();
  return '"' + text + '"';
}

} // namespace

bool isStore(const std::string &folder) {
  std::error_code ignored;
  return fs::is_regular_file(identityPath(folder), ignored);
}

Store::Store(std::string folder, Study study, const Json &about)
    : path(std::move(folder)), asked(std::move(study)),
      dependencies(sha256(Json{about["version"], about["dendrolith"],
                               about["identity"]["points"]}
                              .dump())),
      all(std::make_shared<Designs>(asked)) {}

Store::Store(std::string folder) {
  const Json about = readAbout(folder);
  *this = Store(folder, studyIn(folder, about, /*checked=*/false), about);
}

Store Store::of(const StudySource &source, std::string folder) {
  Study study = readStudy(source);
  const Json about = {
      {"version", kStoreVersion},
      {"dendrolith", DENDROLITH_VERSION},
      {"study_folder", fs::absolute(fs::path(source.folder) / "spec.yaml")
                           .lexically_normal()
                           .parent_path()
                           .string()},
      {"identity", identityOf(study)}};
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
    throw Error(folder + ": expected a folder, found a file");
  makeFolder(folder);
  const FolderLock lock(folder);
  refuseStrangers(folder, source, study);
  if (isStore(folder)) {
    const Json before = readAbout(folder)["identity"];
    const std::string differs = difference(before, about["identity"]);
    if (!differs.empty() && !hasGrown(before, about["identity"]))
      throw Error(fmt::format("{}: holds the points of another study than {}: "
                              "{}; choose another folder, as a study may only "
                              "get more values on its axes and more repeats",
                              folder, source.file, differs));
  } else if (!study.strategy.rows.empty()) {
    writeOnDisk(tableOf(folder), readFile(study.strategy.path, kStudyBytes));
  }
  writeOnDisk(specOf(folder), source.text);
  writeOnDisk(identityPath(folder), about.dump(1) + "\n"); // makes it a store
  for (const char *part : {"/points", "/effort", "/claims", "/log"})
    makeFolder(folder + part);
  syncFolder(folder);
  return Store(std::move(folder), std::move(study), about);
}

Store Store::again(std::string folder) {
  const Json about = readAbout(folder);
  Study study = studyIn(folder, about, /*checked=*/true);
  const std::string differs = difference(about["identity"], identityOf(study));
  if (!differs.empty())
    throw Error(fmt::format("{}: what the study depends on has changed since "
                            "its first points: {}; measure it into another "
                            "folder",
                            folder, differs));
  return Store(std::move(folder), std::move(study), about);
}

std::string Store::keyOf(const Design &design) const {
  std::string text = "[" + jsonText(dependencies) + "," +
                     jsonText(design.model) + "," + jsonText(design.target) +
                     ",[";
  for (const auto &[axis, value] : design.values)
    text += (text.back() == '[' ? "[" : ",[") + jsonText(axis) + "," +
            jsonText(value) + "]";
  return sha256(text + "]," + std::to_string(design.repeat) + "]");
}

std::vector<StoredPoint>
Store::collect(uint64_t count, const std::function<Design(uint64_t)> &designAt,
               bool withEffort) const {
  const bool isFew = count <= kFewPoints;
  const PackedPoints copies = isFew ? PackedPoints() : packedPoints(path);
  auto efforts = withEffort ? readEfforts(path)
                            : std::unordered_map<std::string, Effort>();
  std::vector<StoredPoint> points;
  points.reserve(std::min<uint64_t>(count, copies.points.size()));
  for (uint64_t i = 0; i < count; ++i) {
    StoredPoint stored;
    stored.number = i + 1;
    const Design design = designAt(i);
    stored.key = keyOf(design);
    const auto copy = copies.points.find(stored.key);
    const bool isCopied = copy != copies.points.end();
    std::error_code ignored;
    if (isCopied || (isFew && std::filesystem::is_regular_file(
                                  pointPath(path, stored.key), ignored))) {
      stored.point = !isCopied || copy->second.copy->empty()
                         ? pointOf(readPoint(path, stored.key),
                                   pointPath(path, stored.key))
                         : unpacked(*copy->second.copy);
      if (!(stored.point.design == design))
        throw Error(pointPath(path, stored.key) +
                    ": holds the point of another design than its name "
                    "says; remove it, and the next run measures the "
                    "point again");
      if (const auto effort = efforts.find(stored.key); effort != efforts.end())
        stored.effort = std::move(effort->second);
    } else if (const auto reason = all->excluded(design)) {
      stored.point.design = design;
      stored.point.state = PointState::Excluded;
      stored.point.reason = *reason;
    } else {
      continue;
    }
    points.push_back(std::move(stored));
  }
  return points;
}

std::vector<StoredPoint> Store::points(bool withEffort) const {
  if (asked.strategy.method == Strategy::Method::Ask)
    return points(answeredDesigns(asked), withEffort);
  return collect(
      all->size(), [&](uint64_t i) { return all->at(i); }, withEffort);
}

std::vector<StoredPoint> Store::points(const std::vector<Design> &designs,
                                       bool withEffort) const {
  return collect(
      designs.size(), [&](uint64_t i) { return designs[i]; }, withEffort);
}

} // namespace dendrolith::explore
