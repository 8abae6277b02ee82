// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NIR leaves open: it fixes differential equations, neither a time step
// nor a unit nor what a spike does between two steps.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_OPTIONS_H
#define DENDROLITH_COMPILER_IMPORT_NIR_OPTIONS_H

#include "compiler/import/common/Choices.h"
#include "compiler/import/hdf5/Tree.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::nir {

/// The unit of tau and delay in the file. With Steps, one unit is one step.
enum class TimeUnit { Seconds, Milliseconds, Steps };

/// How a step is computed, with h = dt/tau. Euler: v += h (v_leak + r x - v).
/// Exact: the solution for a constant x. ExpDecay: v = v_leak + (v - v_leak)
/// exp(-h) + h r x. Mixed: the synaptic current by Euler, the membrane exact.
enum class Integrator { Euler, Exact, ExpDecay, Mixed };

/// What a spike does to v: v_reset, zero whatever the file says, or v_threshold
/// taken off.
enum class Reset { Value, Zero, Subtract };

/// What input adds to I and IF neurons. R: v += r x (most importers); Dt: v +=
/// dt r x (the ODE); Unit: v += x, r ignored; Leaky: v = 0.9 v + x, r must be
/// 1.
enum class IfConvention { R, Dt, Unit, Leaky };

/// Where the least potential holds: in all nodes that spike, in IF nodes, or in
/// LIF and CubaLIF nodes.
enum class LeastOf { All, If, Leaky };

struct NirOptions {
  std::optional<double> dt; ///< seconds; else the file's metadata, else usualDt
  double usualDt = 1e-4;
  TimeUnit timeUnit = TimeUnit::Seconds;
  Integrator integrator = Integrator::Euler;
  Reset reset = Reset::Value;
  int64_t loopDelay = 1; ///< ticks on an edge that closes a cycle
  IfConvention ifConvention = IfConvention::R;
  bool resetNext = false;     ///< a step late, after decay and input
  bool emitNext = false;      ///< spikes leave a step late
  bool oldCurrent = false;    ///< the membrane reads the current of before
  bool inclusive = false;     ///< fires at v >= v_threshold
  bool manySpikes = false;    ///< floor(v / v_threshold) spikes in a step
  std::optional<double> vMin; ///< v >= -vMin v_threshold
  LeastOf leastOf = LeastOf::All;
  bool diracSpikes = false;  ///< a spike is worth 1/dt
  bool silentLoops = false;  ///< loop edges carry not even a bias at first
  bool startsAtLeak = false; ///< states begin at v_leak, else at 0
  /// Conventions that only presets have: r of LI and LIF is taken as 1; their
  /// input is added as it is; v_leak drives the synaptic current too; a CubaLIF
  /// resets before its potential decays, and without a loop once more behind
  /// it; and what the tool's importer refuses is refused.
  bool ignoreR = false, plainInput = false, leakInCurrent = false;
  bool currentResetsFirst = false;
  bool needsUnitR = false, needsUnitROfLi = false, needsNoLeak = false;
  bool needsNoLoop = false, needsOwnLoops = false, needsFilteredLoops = false;
  std::string preset, presetVersion; ///< which version, empty if none is known
  hdf5::Limits limits;
};

/// Options by name on the command line, with what to say of each; `preset`
/// comes first, as the others change what it sets.
const std::vector<std::pair<const char *, const char *>> &optionNames();

/// Sets one option. Throws dendrolith::Error.
void setOption(NirOptions &options, const std::string &name,
               const std::string &value);

/// The conventions of norse, snntorch, spyx, sinabs or nengo
/// (OptionsPresets.cpp). "snntorch@1.0" are those of a version, a name alone
/// those of the newest that is known.
void setPreset(NirOptions &options, const std::string &name);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_OPTIONS_H
