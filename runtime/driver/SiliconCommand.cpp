// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith silicon`: what was measured on chips, beside what is predicted.

#include "runtime/driver/SiliconCommand.h"

#include "runtime/driver/Command.h"
#include "runtime/driver/RunCommand.h"
#include "runtime/explore/silicon/SiliconText.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace dendrolith::driver {

void bindMeasured(options::CommandOptions &options, MeasuredFlags &flags) {
  options.bind("measured", flags.files);
  options.bind("models", flags.models);
}

std::vector<silicon::Measurements>
loadMeasured(const std::vector<std::string> &files) {
  std::vector<silicon::Measurements> all;
  for (const std::string &file :
       files.empty() ? silicon::shippedMeasurements() : files)
    all.push_back(silicon::readMeasurements(file));
  if (all.empty())
    throw Error("no measurements found; name files with --measured, or set "
                "DENDROLITH_TARGETS to the folder that holds silicon/");
  return all;
}

/// Words of a file that mean nothing are an error of that file.
template <typename Command> static auto ofFile(Command command) {
  return [command](const silicon::Words &words) {
    try {
      return command(words);
    } catch (const options::UsageError &error) {
      throw Error(error.what());
    }
  };
}

SiliconBench::SiliconBench(const std::string &models) {
  if (models.empty())
    scratch.emplace();
  else if (!std::filesystem::is_directory(models))
    throw Error("--models: no folder '" + printable(models) +
                "'; make it, and fetch into it what --fetch-list prints");
  made.emplace(scratch ? scratch->folder : models, !scratch,
               silicon::Commands{ofFile(generateSilently), ofFile(requestOf)});
}

namespace {

struct SiliconFlags {
  MeasuredFlags measured;
  std::string target, format;
  bool fetchList = false;
};

void showSilicon(const SiliconFlags &flags) {
  const auto measured = loadMeasured(flags.measured.files);
  if (flags.fetchList) {
    std::fputs(silicon::fetchScript(measured).c_str(), stdout);
    return;
  }
  SiliconBench work(flags.measured.models);
  const auto all = silicon::compare(measured, work.bench(), flags.target);
  const std::string text = flags.format == "json"
                               ? silicon::toJson(all).dump(2) + "\n"
                               : silicon::formatComparisons(all);
  std::fputs(text.c_str(), stdout);
}

} // namespace

void addSilicon(Command &command) {
  auto flags = std::make_shared<SiliconFlags>();
  options::CommandOptions &options = command.options;
  bindMeasured(options, flags->measured);
  options.bind("target", flags->target);
  options.bind("format", flags->format);
  options.bind("fetch-list", flags->fetchList);
  options.exclude("fetch-list", "format");
  command.run = [flags] { showSilicon(*flags); };
}

} // namespace dendrolith::driver
