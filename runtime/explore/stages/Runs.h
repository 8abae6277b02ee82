// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages `values` and `time`: what a program computes on its samples, and
// how long that takes. Values never depend on times, so that a program is run
// once, whatever its chip's times are.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_RUNS_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_RUNS_H

#include "runtime/explore/stages/Programs.h"
#include "runtime/explore/study/Study.h"
#include "runtime/image/Program.h"
#include "runtime/session/Recording.h"
#include "simulator/timing/RunCycle.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::explore {

// How right a model's answers are, as `dendrolith run --labels` says it.

struct TaskScore {
  std::string metric; ///< "accuracy" or "r2"
  double score = 0;
  /// By sample; empty where answers are no classes, or several of a sample.
  std::vector<bool> right;
};

/// Nothing for a model without labels. Throws Error for labels that do not fit.
std::optional<TaskScore> scoreTask(const StudyModel &model,
                                   const image::Program &program,
                                   const session::Recording &recording);

struct Values {
  std::optional<TaskScore> score;
  /// Counts and what they belong to, without outputs, traces and times.
  sim::RunResult run;
  /// What sim::Replay takes; empty without a clock.
  std::string record;
};

struct Times {
  uint64_t runPs = 0; // on its system, which draws power for so long
  std::vector<uint64_t> samplePs;
  /// Who closed how many steps, most first.
  std::vector<std::pair<std::string, uint64_t>> closedBy;
};

struct Executed {
  std::shared_ptr<const Values> values;
  std::shared_ptr<const Times> times; ///< null without a clock
};

class Runs {
public:
  Runs(const Study &study, Programs &programs, ChipCache &chips,
       const StageFolder &folder)
      : study(study), programs(programs), chips(chips), folder(folder) {}

  /// `mapped` has a program. Adds to `effort` what was done. Throws Error.
  Executed execute(const DesignSetup &setup, const Mapped &mapped,
                   Effort &effort);

private:
  struct Keys {
    std::string values, time;
  };
  Keys keysOf(const DesignSetup &setup, const Mapped &mapped);
  std::shared_ptr<const Values> findValues(const DesignSetup &setup,
                                           const Mapped &mapped,
                                           const std::string &key);
  std::shared_ptr<const Times> findTimes(const std::string &key);
  Executed run(const DesignSetup &setup, const Mapped &mapped,
               const Keys &keys);
  std::shared_ptr<const Times> replay(const DesignSetup &setup,
                                      const Mapped &mapped,
                                      const std::shared_ptr<const Values> &of,
                                      const Keys &keys);

  const Study &study;
  Programs &programs;
  ChipCache &chips;
  const StageFolder &folder;
  std::vector<std::pair<std::string, std::shared_ptr<const Values>>> values;
  std::vector<std::pair<std::string, std::shared_ptr<const Times>>> times;
  std::shared_ptr<const Values> prepared; ///< what `replays` are of
  std::unique_ptr<const sim::Replay> replays;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_RUNS_H
