// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith capsule` packs a result with all that it was made from, and
// `dendrolith verify` runs it again. A capsule is an archive of stored members:
// capsule.json (digests of all others), run.json (the options, whose files are
// members), files/N/NAME, chip.yaml (to read), and the files of the result.

#include "runtime/driver/Command.h"
#include "runtime/driver/OutputFiles.h"
#include "runtime/driver/RunCommand.h"

#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "simulator/report/compare/Difference.h"
#include "simulator/report/result/ResultFolder.h"
#include "targets/support/JsonText.h"
#include "targets/support/Sha256.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace dendrolith::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint64_t kLargestMember = zip::kMaxUnpacked;
/// Differences that are listed.
constexpr size_t kListed = 12;

std::string pathIn(const std::string &folder, const std::string &name) {
  return (fs::path(folder) / name).string();
}

Json jsonIn(const std::string &path) {
  return readJson<Json>(readFile(path, kLargestMember), path);
}

/// Members of a capsule, by name.
using Members = std::map<std::string, std::string>;

class Packer {
public:
  Packer(const std::string &folder, const Json &record)
      : folder(folder), record(record) {}

  Members execute() {
    for (const std::string &name : report::resultFileNames())
      if (name != "run.json" && fs::exists(pathIn(folder, name)))
        members[name] = readFile(pathIn(folder, name), kLargestMember);
    const Json result = Json::parse(members.at("result.json"));
    for (const auto &file : record.at("files").items())
      content(file.key()); // all are still there
    if (result.at("target").is_object())
      members["chip.yaml"] = result.at("target").at("yaml").get<std::string>();
    for (Json &option : record.at("options"))
      for (Json &value : option.at("values"))
        value = packed(value.get<std::string>());
    record["dendrolith"] = result.at("dendrolith");
    members["run.json"] = record.dump(2) + "\n";
    Json digests = Json::object();
    for (const auto &[name, content] : members)
      digests[name] = sha256(content);
    members["capsule.json"] =
        Json{{"schema", 1}, {"files", digests}}.dump(2) + "\n";
    return std::move(members);
  }

private:
  /// The value with members in place of files.
  std::string packed(const std::string &value) {
    const std::vector<std::string> files = filesIn(value);
    if (files.empty())
      return value;
    const std::string room = fmt::format("files/{}", rooms++);
    for (const std::string &file : files)
      members[room + "/" + fs::path(file).filename().string()] = content(file);
    // One file, or the files of a chip's folder.
    const bool isFolder = value.find(files.front()) == value.npos;
    const std::string before =
        isFolder ? fs::path(files.front()).parent_path().string()
                 : files.front();
    const std::string after =
        isFolder ? room
                 : room + "/" + fs::path(files.front()).filename().string();
    std::string changed = value;
    size_t at = changed.find(before);
    return at == changed.npos ? value
                              : changed.replace(at, before.size(), after);
  }

  std::string content(const std::string &file) const {
    const std::string bytes = readFile(file, kLargestMember);
    const Json &known = record.at("files");
    if (!known.contains(file) || known.at(file) != sha256(bytes))
      throw Error(fmt::format(
          "{}: is not the file of the run in '{}': expected "
          "SHA-256 {}, found {}; run again",
          file, folder,
          known.contains(file) ? printable(known.at(file).dump(), 80)
                               : "one that run.json names",
          sha256(bytes)));
    return bytes;
  }

  const std::string folder;
  Json record;
  Members members;
  unsigned rooms = 0;
};

void writeArchive(const std::string &path, const Members &members) {
  std::vector<zip::Packed> packed;
  for (const auto &[name, content] : members)
    packed.push_back({name, content.size(),
                      [&text = content](const ByteSink &sink) { sink(text); }});
  AtomicFile file(path);
  zip::pack(packed, [&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

/// run.json of a folder, which has to be of the result beside it.
Json recordIn(const std::string &folder) {
  const std::string path = pathIn(folder, "run.json");
  if (!fs::exists(path))
    throw Error(
        fmt::format("{}: expected run.json, which `dendrolith run --out` "
                    "writes, found none; run the network again",
                    folder));
  Json record = jsonIn(path);
  const Json result = jsonIn(pathIn(folder, "result.json"));
  if (!record.contains("hashes") || record.at("hashes") != result.at("hashes"))
    throw Error(path + ": is of another run than the result.json beside it; "
                       "run again");
  return record;
}

/// A capsule in a folder of its own, each member as its digest says.
class Opened {
public:
  explicit Opened(const std::string &path) : path(path) {
    told([&] { open(); });
  }

  /// Calls what reads that which others wrote: its errors name the capsule, and
  /// members in place of this folder.
  template <typename Read> void told(const Read &read) const {
    std::string text;
    try {
      return read();
    } catch (const std::bad_alloc &) {
      throw;
    } catch (const Json::exception &error) {
      text = jsonReason(error);
    } catch (const std::exception &error) {
      text = error.what();
    }
    const std::string room = scratch.folder + "/";
    for (size_t at; (at = text.find(room)) != text.npos;)
      text.erase(at, room.size());
    throw Error(text.find(path + ": ") == 0 ? text : path + ": " + text);
  }

  const std::string &folder() const { return scratch.folder; }

  /// The options, whose files are those of this folder.
  GivenOptions options() const {
    GivenOptions given;
    for (const Json &option : record.at("options")) {
      std::vector<std::string> values;
      for (const Json &value : option.at("values"))
        values.push_back(placed(value.get<std::string>()));
      given.emplace_back(option.at("name").get<std::string>(), values);
    }
    return given;
  }

  const std::string path;
  Json record, result;

private:
  void open() {
    const InputFile file(path, kLargestMember);
    const zip::Bytes bytes(file);
    Members members;
    for (const zip::Member &each : zip::readDirectory(bytes, path))
      if (!members.emplace(each.name, zip::unpack(bytes, each, path)).second)
        throw Error("'" + printable(each.name) + "' is there twice");
    if (!members.count("capsule.json") || !members.count("run.json") ||
        !members.count("result.json"))
      throw Error("is no capsule: expected the members capsule.json, run.json "
                  "and result.json");
    checkDigests(members);
    for (const auto &[name, content] : members)
      place(name, content);
    record = member(members, "run.json");
    if (record.at("schema") != 1)
      throw Error(fmt::format("run.json: expected schema 1, found {}; use the "
                              "dendrolith that wrote it",
                              printable(record.at("schema").dump(), 80)));
    // Files are what the result says, and that is run again.
    result = report::readResult(scratch.folder).json;
    if (members.count("chip.yaml") &&
        result.at("target").at("yaml") != members.at("chip.yaml"))
      throw Error("chip.yaml: is not the chip in result.json; pack it again");
  }

  Json member(const Members &members, const std::string &name) const {
    Json read = readJson<Json>(members.at(name), name);
    if (!read.is_object())
      throw Error(name + ": expected a map, found " + read.type_name());
    return read;
  }

  void checkDigests(const Members &members) const {
    const Json manifest = member(members, "capsule.json");
    for (const auto &[name, digest] : manifest.at("files").items()) {
      const auto found = members.find(name);
      const std::string now =
          found == members.end() ? "none" : sha256(found->second);
      if (digest != now)
        throw Error(fmt::format("'{}' was changed after it was packed: "
                                "expected SHA-256 {}, found {}",
                                printable(name), printable(digest.dump(), 80),
                                now));
    }
    for (const auto &[name, content] : members)
      if (name != "capsule.json" && !manifest.at("files").contains(name))
        throw Error("'" + printable(name) + "' is not in capsule.json");
  }

  void place(const std::string &name, const std::string &content) const {
    const fs::path inside = fs::path(name).lexically_normal();
    if (inside.is_absolute() || inside.empty() || *inside.begin() == "..")
      throw Error("'" + printable(name) + "' would lie outside of the capsule");
    const std::string to = pathIn(scratch.folder, inside.string());
    makeFolder(fs::path(to).parent_path().string());
    writeAside(to, content);
  }

  /// The value with the files of this folder; it names no others.
  std::string placed(const std::string &value) const {
    const size_t at = value.find("files/");
    const bool begins = at == 0 || (at != value.npos && value[at - 1] == '=');
    if (value.find("../") != value.npos ||
        (!begins && value.find('/') != value.npos && !filesIn(value).empty()))
      throw Error("run.json names '" + printable(value) +
                  "', which is no member");
    return begins ? std::string(value).replace(at, 0, scratch.folder + "/")
                  : value;
  }

  ScratchFolder scratch;
};

/// What another machine, folder and moment change in a result.
Json comparable(Json result) {
  for (const char *own : {"wall_s", "peak_rss_bytes", "compare_file"})
    result.erase(own);
  if (result.at("raster").is_object())
    result.at("raster").erase("equal_to");
  for (const char *part : {"model", "target"})
    if (result.at(part).is_object())
      result.at(part).erase("file");
  return result;
}

/// Runs a capsule again. Throws Error where anything differs.
std::string verified(const Opened &capsule) {
  const ScratchFolder again;
  const std::string out = pathIn(again.folder, "out");
  capsule.told([&] { runInto(out, capsule.options()); });
  const Json now = jsonIn(pathIn(out, "result.json"));
  const std::vector<std::string> found =
      report::differentValues(comparable(capsule.result), comparable(now));
  if (!found.empty()) {
    std::string text = fmt::format(
        "{}: {} value{} differ{} from the capsule", capsule.path, found.size(),
        found.size() == 1 ? "" : "s", found.size() == 1 ? "s" : "");
    for (size_t i = 0; i < std::min(found.size(), kListed); ++i)
      text += "\n  " + found[i];
    throw Error(text);
  }
  size_t files = 0;
  for (const auto &[key, digest] : now.at("hashes").items())
    files += digest.is_string();
  return fmt::format("equal: {} files by their SHA-256 and every value of "
                     "result.json but this machine's times and places\n",
                     files);
}

/// "network", "inputs", "chip", "prices", "options", "tool": what both say of
/// each, where it is not the same.
std::string causes(const Opened &a, const Opened &b) {
  std::string text;
  auto row = [&](const char *what, const Json &was, const Json &is) {
    text += fmt::format("  {:<9}{}\n", what,
                        was == is ? "the same"
                                  : printable(was.dump(), 100) + " -> " +
                                        printable(is.dump(), 100));
  };
  auto digest = [](const Json &result, const char *part) {
    return result.at(part).is_object() ? result.at(part).value("sha256", Json())
                                       : Json();
  };
  auto option = [](const Opened &capsule, const std::string &name) {
    Json digests = Json::array();
    for (const Json &each : capsule.record.at("options"))
      if (each.at("name") == name)
        for (const Json &value : each.at("values")) {
          const std::string text = value.get<std::string>();
          const size_t at = text.find("files/");
          digests.push_back(
              at == text.npos
                  ? text
                  : sha256(readFile(pathIn(capsule.folder(), text.substr(at)),
                                    kLargestMember)));
        }
    return digests;
  };
  row("network", digest(a.result, "model"), digest(b.result, "model"));
  row("inputs", option(a, "input"), option(b, "input"));
  row("chip", digest(a.result, "target"), digest(b.result, "target"));
  row("prices", a.result.at("costs"), b.result.at("costs"));
  row("times", a.result.at("timing"), b.result.at("timing"));
  std::map<std::string, Json> was, is;
  for (auto [capsule, to] : {std::make_pair(&a, &was), {&b, &is}})
    for (const Json &each : capsule->record.at("options"))
      (*to)[each.at("name").get<std::string>()] = each.at("values");
  for (const char *shown : {"MODEL", "input", "labels", "calibrate"})
    was.erase(shown), is.erase(shown);
  row("options", Json(was), Json(is));
  row("tool", a.result.at("dendrolith"), b.result.at("dendrolith"));
  return text;
}

std::string difference(const std::string &first, const std::string &second) {
  const Opened a(first), b(second);
  return "What was changed\n" + causes(a, b) + "\n" +
         report::formatDifference(a.result, b.result);
}

struct CapsuleFlags {
  std::string folder, out;
  std::vector<std::string> diff;
};

void capsule(const CapsuleFlags &flags) {
  const std::string &folder = flags.folder;
  if (!flags.diff.empty()) {
    std::fputs(difference(flags.diff[0], flags.diff[1]).c_str(), stdout);
    return;
  }
  if (folder.empty() || flags.out.empty())
    throw options::UsageError("expected a folder of `dendrolith run --out` and "
                              "-o NAME.zip, or --diff A B");
  report::checkPresent(folder, report::readResult(folder).json.at("hashes"));
  const Members members = Packer(folder, recordIn(folder)).execute();
  // Whatever a run read and no option names would be missing: it is run again.
  const ScratchFolder trial;
  const std::string path = pathIn(trial.folder, "capsule.zip");
  writeArchive(path, members);
  const std::string equal = verified(Opened(path));
  writeArchive(flags.out, members);
  std::printf("wrote %s; run from it alone, it is %s", flags.out.c_str(),
              equal.c_str());
}

} // namespace

void addCapsule(Command &command) {
  auto flags = std::make_shared<CapsuleFlags>();
  command.options.bind("DIR", flags->folder);
  command.options.bind("out", flags->out);
  command.options.bind("diff", flags->diff);
  for (const char *other : {"DIR", "out"})
    command.options.exclude("diff", other);
  command.run = [flags] { capsule(*flags); };
}

void addVerify(Command &command) {
  auto file = std::make_shared<std::string>();
  command.options.bind("FILE", *file);
  command.run = [file] {
    std::printf("%s: %s", file->c_str(), verified(Opened(*file)).c_str());
  };
}

} // namespace dendrolith::driver
