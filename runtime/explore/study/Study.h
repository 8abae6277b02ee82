// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A study as its file says it: which designs there are and what is asked of
// them. Plain data; ReadStudy.h reads it.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_STUDY_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_STUDY_H

#include "runtime/explore/point/Point.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::explore {

struct StudyModel {
  std::string name;
  /// Files, from where the command runs.
  std::string path, labels, weights;
  std::vector<std::string> calibrate, input; ///< X.npy or NAME=X.npy
  std::string metric;                        ///< as --metric
  uint64_t samples = 0;                      ///< the first ones; 0 is all
  std::map<std::string, double> minimum;     ///< {accuracy: 0.9}
};

/// The names of axes are
///   a number of the chip as `dendrolith targets NAME` prints it, with its
///   group
///     (microcode.lanes, timing.scaled.noc.local.buffer, costs.lower.hops_ew)
///   compile.FLAG           an option of `dendrolith compile` (compile.map-for)
///   quantise.LAYER.weight_bits
///   timing, costs: the name of one
/// Models and targets are lists of their own.
struct Axis {
  std::string name;
  std::vector<std::string> values; ///< text as a command line takes it
  std::string place;               ///< file:line:column, for errors
};

struct Goal {
  std::string name; ///< of Point::values, "energy.high"
  bool max = false;
};

/// "energy.high < 60 uJ": name, comparison, number in the unit of the value.
struct Constraint {
  std::string text, name, comparison;
  double bound = 0;
};

struct Strategy {
  /// OneAtATime: the baseline, then each other value of each axis alone.
  enum class Method { Grid, OneAtATime, Random, Latin, Sobol, File, Ask };
  Method method = Method::Grid;
  uint64_t points = 0; ///< of Random, Latin and Sobol
  std::string path;    ///< of File and Ask
  /// Only of a file: for each design the number of its value on each axis.
  std::vector<std::vector<uint32_t>> rows;
};

struct Study {
  std::string name, file; ///< file is where it was read
  std::string folder;     ///< that its paths start from
  std::vector<StudyModel> models;
  std::vector<std::string> targets;
  std::string engine = "cycle";
  std::vector<Axis> axes;
  std::vector<std::vector<std::string>> together;
  std::string where; ///< checked when it is read; "" is true
  /// Which times and prices the mapper minimises. "baseline": those of the
  /// baseline, so that points which differ in nothing else run one program, as
  /// assumptions about one chip do. "each": each point's own, as `dendrolith
  /// run` would map it alone.
  std::string mapping = "baseline";
  uint64_t repeat = 1, seed = 1;
  std::vector<Goal> objectives;
  std::vector<Constraint> constraints;
  Strategy strategy;
  uint64_t mostPoints = 0, mostSeconds = 0; ///< 0 is no bound
  uint64_t pointSeconds = 0;                ///< a point's time; 0 is no bound
  /// Values of axes; those that it does not name are their first.
  std::map<std::string, std::string> baseline;
};

/// A file that a study names (as a value of `costs`, or of an option), from
/// where the command runs.
std::string fromStudy(const Study &study, const std::string &path);
/// What Target::load() takes for a target of the study.
std::string chipOf(const Study &study, const std::string &target);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_STUDY_H
