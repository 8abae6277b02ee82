// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith silicon`: what was measured on chips, beside what is predicted.

#include "runtime/driver/SiliconCommand.h"

#include "runtime/driver/Command.h"
#include "runtime/driver/RunCommand.h"
#include "runtime/driver/Terminal.h"
#include "runtime/explore/silicon/FittedChip.h"
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
                "'; make it, and fetch into it what --format sh prints");
  made.emplace(scratch ? scratch->folder : models, !scratch,
               silicon::Commands{ofFile(generateSilently), ofFile(requestOf)});
}

namespace {

struct SiliconFlags {
  MeasuredFlags measured;
  std::string target, format;
};

void showSilicon(const SiliconFlags &flags) {
  const auto measured = loadMeasured(flags.measured.files);
  if (flags.format == "sh") {
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
  command.run = [flags] { showSilicon(*flags); };
}

// `dendrolith calibrate`: numbers of a chip, fitted to measurements.

namespace {

struct CalibrateFlags {
  MeasuredFlags measured;
  silicon::CalibrateRequest request;
  std::string out;
};

silicon::Calibration fit(const std::vector<silicon::Measurements> &measured,
                         silicon::Workbench &bench,
                         silicon::CalibrateRequest request) {
  ProgressLine line("calibrate");
  request.progress = [&line](uint64_t replays) {
    line.say(std::to_string(replays) + " times a network was replayed");
  };
  return silicon::calibrate(measured, bench, request);
}

void fitChip(const CalibrateFlags &flags) {
  const auto measured = loadMeasured(flags.measured.files);
  SiliconBench work(flags.measured.models);
  const auto fitted = fit(measured, work.bench(), flags.request);
  if (!flags.out.empty())
    silicon::writeChip(fitted, flags.out);
  std::fputs(silicon::formatCalibration(fitted).c_str(), stdout);
  if (!flags.out.empty())
    std::printf("wrote %s\n", flags.out.c_str());
}

} // namespace

void addCalibrate(Command &command) {
  auto flags = std::make_shared<CalibrateFlags>();
  options::CommandOptions &options = command.options;
  bindMeasured(options, flags->measured);
  options.bind("target", flags->request.target);
  options.bind("fit", flags->request.fit);
  options.bind("leave-one-out", flags->request.leaveOneOut);
  options.bind("out", flags->out);
  command.run = [flags] { fitChip(*flags); };
}

} // namespace dendrolith::driver
