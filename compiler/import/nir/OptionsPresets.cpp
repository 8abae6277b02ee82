// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How other tools read NIR, found in their sources and confirmed by their
// traces. A file that such a tool would refuse is refused with its preset too.

#include "compiler/import/nir/Options.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith::nir {

/// Norse takes Euler steps of 1 ms. It ignores r of IF, LI and LIF and the
/// file's v_reset, and v_leak also drives the synapse. Potentials start at
/// v_leak, and so does the synapse. A loop is silent at first.
static void norse(NirOptions &options) {
  options.usualDt = 1e-3;
  options.reset = Reset::Zero;
  options.ifConvention = IfConvention::Unit;
  options.ignoreR = true;
  options.leakInCurrent = true;
  options.start = Start::Leak;
  options.silentLoops = true;
}

/// snnTorch takes steps of 0.1 ms whatever the file says, and an IF as a leaky
/// neuron.
static void snntorch(NirOptions &options) {
  options.dt = 1e-4;
  options.reset = Reset::Zero;
  options.ifConvention = IfConvention::Leaky;
  options.needsNoLeak = true;
}

/// Spyx fires on the potential that the step before has left. IF and LIF (and
/// RIF, RLIF) subtract the threshold behind decay and input. A recurrent
/// CubaLIF (RCuBaLIF) subtracts it before the decay, which is at the end of the
/// step before, and one without a loop (CuBaLIF) does both. What comes round a
/// loop are the spikes of the same call.
static void spyx(NirOptions &options) {
  options.reset = Reset::Subtract;
  options.resetNext = true;
  options.emitNext = true;
  options.currentResetsFirst = options.currentResetsTwice = true;
  options.loopDelay = 0;
  options.needsOwnLoops = true;
}

/// Sinabs takes tau in steps, decays exponentially, adds the input as it is
/// (`norm_input` is off), and sends as many spikes as thresholds fit. It
/// ignores r, which must be 1 in LI. An IF neuron goes no lower than
/// -v_threshold. There is no recurrence.
static void sinabs(NirOptions &options) {
  options.timeUnit = TimeUnit::Steps;
  options.integrator = Integrator::ExpDecay;
  options.reset = Reset::Subtract;
  options.ifConvention = IfConvention::Unit;
  options.manySpikes = true;
  options.vMin = 1;
  options.leastOf = LeastOf::If;
  options.currentGain = options.potentialGain = Gain::One;
  options.needsUnitROfLi = true;
  options.needsNoLeak = true;
  options.needsNoLoop = true;
}

/// Nengo's membranes are exact; the way it maps tau_syn makes the synapse an
/// Euler one. Its LIF, which CubaLIF becomes too, goes no lower than 0. A loop
/// needs a synapse that filters: that of CubaLIF, or LI.
static void nengo(NirOptions &options) {
  options.integrator = Integrator::Mixed;
  options.reset = Reset::Zero;
  options.vMin = 0;
  options.leastOf = LeastOf::Leaky;
  options.needsUnitR = true;
  options.needsNoLeak = true;
  options.needsFilteredLoops = true;
}

namespace {
struct Preset {
  const char *tool, *version; ///< of a tool the newest is last, empty: unknown
  void (*apply)(NirOptions &);
};
} // namespace

static constexpr Preset kPresets[] = {
    {"norse", "1.1", norse},       {"snntorch", "0.9", snntorch},
    {"snntorch", "1.0", snntorch}, {"spyx", "0.1", spyx},
    {"sinabs", "", sinabs},        {"nengo", "", nengo}};

void setPreset(NirOptions &options, const std::string &name) {
  const Preset *found = nullptr;
  std::string known;
  for (const Preset &preset : kPresets) {
    const std::string exact = fmt::format(
        "{}{}{}", preset.tool, *preset.version ? "@" : "", preset.version);
    known += (known.empty() ? "" : ", ") + exact;
    if (name == preset.tool || name == exact)
      found = &preset;
  }
  if (!found)
    throw Error(fmt::format("--import preset: expected one of {}, or a tool "
                            "without its version for the newest, found {}",
                            known, quotedName(name)));
  found->apply(options);
  options.preset = found->tool;
  options.presetVersion = found->version;
}

} // namespace dendrolith::nir
