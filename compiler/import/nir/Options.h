// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NIR leaves open: it fixes differential equations, neither a time step
// nor a unit nor what a spike does between two steps.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_OPTIONS_H
#define DENDROLITH_COMPILER_IMPORT_NIR_OPTIONS_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/hdf5/Tree.h"

#include <map>
#include <optional>
#include <set>
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

/// What a spike does to v: v_reset, zero whatever the file says, v_threshold
/// taken off, or nothing.
enum class Reset { Value, Zero, Subtract, None };

/// Where potentials are before the first step.
enum class Start { Zero, Leak, Reset };

/// What a drive adds to a current or a potential: what the equations say, as
/// much as it is, or the share that the state itself keeps in a step.
enum class Gain { Equations, One, Kept };

/// What input adds to I and IF neurons. R: v += r x (most importers); Dt: v +=
/// dt r x (the ODE); Unit: v += x, r ignored; Leaky: v = 0.9 v + x, r must be
/// 1.
enum class IfConvention { R, Dt, Unit, Leaky };

/// Where the least potential holds: in all nodes that spike, in IF nodes, or in
/// LIF and CubaLIF nodes.
enum class LeastOf { All, If, Leaky };

/// Keys of --import and their values.
using Settings = std::vector<std::pair<std::string, std::string>>;

struct NirOptions {
  std::optional<double> dt; ///< seconds; else the file's metadata, else usualDt
  double usualDt = 1e-4;
  TimeUnit timeUnit = TimeUnit::Seconds;
  Integrator integrator = Integrator::Euler;
  Reset reset = Reset::Value;
  int64_t loopDelay = 1; ///< ticks on an edge that closes a cycle
  IfConvention ifConvention = IfConvention::R;
  bool resetNext = false; ///< a step late, after decay and input
  /// What a reset by subtraction in the spike's step leaves above the threshold
  /// is reset once more before the next spike is decided.
  bool resetsAgain = false;
  bool emitNext = false;      ///< spikes leave a step late
  bool oldCurrent = false;    ///< the membrane reads the current of before
  bool inclusive = false;     ///< fires at v >= v_threshold
  bool manySpikes = false;    ///< floor(v / v_threshold) spikes in a step
  std::optional<double> vMin; ///< v >= -vMin v_threshold
  LeastOf leastOf = LeastOf::All;
  bool diracSpikes = false;     ///< a spike is worth 1/dt
  bool silentLoops = false;     ///< loop edges carry not even a bias at first
  std::optional<double> vReset; ///< in place of the file's v_reset
  double spikeValue = 1;        ///< what a spike is worth
  Start start = Start::Zero;
  Gain currentGain = Gain::Equations, potentialGain = Gain::Equations;
  /// Conventions that only presets and tools have: r of LI and LIF is taken as
  /// 1; v_leak drives the synaptic current too, which begins there; a CubaLIF
  /// resets before its potential decays, and without a loop once more behind
  /// it; decay factors are held in 0 to 1; a reset to zero of a CubaLIF, or of
  /// what feeds itself, takes the next input with it; what enters a loop enters
  /// its neuron; LI adds its input as it is; and what the tool's importer
  /// refuses is refused.
  bool ignoreR = false, leakInCurrent = false;
  bool currentResetsFirst = false, currentResetsTwice = false;
  bool clampsDecay = false, zeroTakesInput = false, entersNeuron = false;
  bool plainReadout = false;
  bool needsUnitR = false, needsUnitROfLi = false, needsNoLeak = false;
  bool needsNoLoop = false, needsOwnLoops = false, needsFilteredLoops = false;
  std::string preset, presetVersion; ///< which version, empty if none is known
  std::string tool, toolVersion;     ///< whose network it is, as it was trained
  bool isOfFile = false; ///< the file says its rule, and nobody another
  /// Keys and values that somebody said, in their order, and the keys.
  Settings said;
  std::set<std::string> given;
  /// Keys of single nodes, by the node: "reset" and "zero".
  std::map<std::string, Settings> ofNode;
  bool isStrict = false; ///< assumptions are refused
  hdf5::Limits limits;
};

/// Options by name on the command line, with what to say of each; `preset`
/// comes first, as the others change what it sets.
const std::vector<std::pair<const char *, const char *>> &optionNames();

/// Sets one option, of one node where its name is "NODE:KEY". Throws
/// dendrolith::Error.
void setOption(NirOptions &options, const std::string &name,
               const std::string &value);

/// The conventions of norse, snntorch, spyx, sinabs or nengo
/// (OptionsPresets.cpp). "snntorch@1.0" are those of a version, a name alone
/// those of the newest that is known.
void setPreset(NirOptions &options, const std::string &name);

/// The rule of the networks that a tool trains (OptionsTools.cpp): snntorch,
/// norse, spikingjelly, sinabs, rockpool or spyx, with a version as above;
/// "nir" is none of them.
void setTool(NirOptions &options, const std::string &name);

/// What people call the tool, "" for "nir"; what its networks have that no file
/// holds, with the keys that say it; and the key that ends the question, "" if
/// none does.
struct ToolWords {
  const char *title, *open, *settles;
};
ToolWords wordsOf(const std::string &tool);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_OPTIONS_H
