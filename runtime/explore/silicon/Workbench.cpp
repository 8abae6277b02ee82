// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/Workbench.h"

#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Sha256.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <sstream>

namespace dendrolith::silicon {
namespace {

namespace fs = std::filesystem;

/// The largest network that is fetched.
constexpr uint64_t kMostBytes = uint64_t(1) << 32;

Words wordsOf(const std::string &text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// A path as it is typed here: without the folders above, where what remains
/// leads to the same file.
std::string typedHere(const fs::path &path) {
  std::error_code error;
  fs::path rest;
  for (auto part = path.end(); part != path.begin();) {
    rest = rest.empty() ? *--part : *--part / rest;
    if (rest.is_relative() && fs::equivalent(rest, path, error))
      return rest.string();
  }
  return path.string();
}

std::string modelOf(const Workload &workload) {
  if (!workload.shipped.empty())
    return typedHere(workload.shipped);
  return workload.fetched.empty() ? workload.name + ".npz" : workload.fetched;
}

/// The arguments of `run`; `folder` stands before the names of files there.
Words argumentsOf(const Workload &workload, const std::string &chip,
                  const std::string &folder) {
  Words words = {workload.shipped.empty() ? folder + modelOf(workload)
                                          : modelOf(workload),
                 "--target", chip, "--engine", "cycle"};
  if (!workload.silent.empty())
    words.insert(words.end(),
                 {"--input", folder + workload.name + "-silent.npy"});
  if (!workload.split.empty())
    words.insert(words.end(),
                 {"--placement", folder + workload.name + "-split.yaml"});
  for (const std::string &word : wordsOf(workload.run))
    words.push_back(word);
  return words;
}

Words generateArguments(const Workload &workload, const std::string &folder) {
  Words words = {folder + workload.name};
  for (const std::string &word : wordsOf(workload.generate))
    words.push_back(word);
  return words;
}

/// Calls a command. What it refuses is refused at the workload's place.
template <typename Call> auto atPlaceOf(const Workload &workload, Call call) {
  try {
    return call();
  } catch (const Error &error) {
    throw Error(workload.place + ": " + error.what());
  }
}

/// A placement file with a slice for each row of each feature map.
std::string placementOf(const std::vector<ColumnSplit> &splits) {
  std::string text;
  for (const ColumnSplit &split : splits)
    for (uint64_t x = 0; x < split.columns; x += split.perCore)
      for (uint64_t row = 0; row < split.channels * split.rows; ++row)
        text += fmt::format(
            "- {{population: {}, first: {}, count: {}, core: {}}}\n",
            split.population, split.first + row * split.columns + x,
            std::min(split.perCore, split.columns - x),
            split.firstCore + x / split.perCore);
  return text;
}

std::string zeros(const std::vector<uint64_t> &shape) {
  const uint64_t size = product(shape);
  return formatNpy(Array::ofInts(shape, std::vector<int64_t>(size, 0), "|u1"));
}

} // namespace

std::string Workbench::commandOf(const Workload &workload,
                                 const std::string &chip) const {
  const std::string typed = isKept ? folder + "/" : "";
  std::string text;
  if (!workload.generate.empty())
    text = fmt::format("dendrolith generate {} && ",
                       fmt::join(generateArguments(workload, typed), " "));
  return text + fmt::format("dendrolith run {}",
                            fmt::join(argumentsOf(workload, chip, typed), " "));
}

std::string Workbench::prepare(const Measurements &measured,
                               const Workload &workload) {
  const std::string start = folder + "/";
  if (!workload.generate.empty())
    atPlaceOf(workload,
              [&] { commands.generate(generateArguments(workload, start)); });
  if (!workload.fetched.empty()) {
    const FetchedFile &file = measured.file(workload.fetched);
    const std::string path = start + file.name;
    if (!fs::exists(path))
      return fmt::format("{} of {} is not fetched (--format sh says how)",
                         file.name, file.from.repository);
    const std::string digest = sha256OfFile(path, kMostBytes);
    if (digest != file.sha256)
      throw Error(fmt::format("{}: '{}' has the SHA-256 {}, expected {}; it is "
                              "another file than was measured, fetch it again",
                              file.place, path, digest, file.sha256));
  }
  if (!workload.silent.empty())
    writeAside(start + workload.name + "-silent.npy", zeros(workload.silent));
  if (!workload.split.empty())
    writeAside(start + workload.name + "-split.yaml",
               placementOf(workload.split));
  return "";
}

Attempt Workbench::run(const Measurements &measured, const Workload &workload,
                       const std::string &chip) {
  Attempt made;
  made.because = prepare(measured, workload);
  if (!made.because.empty())
    return made;
  session::RunRequest request = atPlaceOf(workload, [&] {
    return commands.run(argumentsOf(workload, chip, folder + "/"));
  });
  try {
    made.activity = std::make_shared<const Activity>(std::move(request),
                                                     workload.firstStep);
  } catch (const Error &error) {
    made.because = error.what();
    // The name of a folder that goes with this process says nothing.
    for (size_t at; !isKept && (at = made.because.find(folder + "/")) !=
                                   std::string::npos;)
      made.because.erase(at, folder.size() + 1);
  }
  return made;
}

Attempt Workbench::attempt(const Measurements &measured,
                           const Workload &workload, const std::string &chip) {
  const std::string key = measured.filename + ":" + workload.name + ":" + chip;
  const auto found = known.find(key);
  return found != known.end()
             ? found->second
             : known.emplace(key, run(measured, workload, chip)).first->second;
}

std::string fetchScript(const std::vector<Measurements> &all) {
  std::string text;
  for (const Measurements &measured : all)
    for (const FetchedFile &file : measured.files) {
      const std::string clone = file.from.key + ".git";
      text += fmt::format(
          "# {0}: {1} of {2}, {3}\n"
          "test -d {4} || git clone --quiet --bare --filter=blob:none "
          "https://github.com/{2} {4}\n"
          "git -C {4} show {5}:'{1}' > {0}\n"
          "echo '{6}  {0}' | sha256sum --check\n",
          file.name, file.path, file.from.repository, file.from.licence, clone,
          file.from.commit, file.sha256);
    }
  return text;
}

} // namespace dendrolith::silicon
