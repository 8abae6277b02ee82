// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith calibrate`: numbers of a chip, fitted to measurements.

#include "runtime/driver/Command.h"
#include "runtime/driver/SiliconCommand.h"
#include "runtime/driver/Terminal.h"
#include "runtime/explore/silicon/CalibrationText.h"
#include "runtime/explore/silicon/FittedChip.h"

#include <cstdio>
#include <memory>

namespace dendrolith::driver {
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
