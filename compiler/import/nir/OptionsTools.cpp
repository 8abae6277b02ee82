// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How networks compute that a tool has trained, found in the tools' sources and
// held by recordings of them (tests/e2e/tools_test.py). A tool's own importer
// may make another network of its file: that is a preset.

#include "compiler/import/nir/Options.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith::nir {

static void inOwnTerms(NirOptions &) {}

/// snn.Leaky and snn.Synaptic with their defaults: decay factors of 0 to 1 and
/// input as it is, v > threshold fires, and the threshold is taken off one step
/// later (reset_mechanism "subtract", reset_delay).
static void trainedBySnntorch(NirOptions &options) {
  options.reset = Reset::Subtract;
  options.resetNext = true;
  options.resetsAgain = true; // where reset_delay is False
  options.currentGain = options.potentialGain = Gain::One;
  options.clampsDecay = true;
  options.zeroTakesInput = true;
}

/// Cells take Euler steps from v_leak on and reset to v_reset; input is added
/// to the current of a LIFCell as it is. A loop is silent at first.
static void trainedByNorse(NirOptions &options) {
  options.currentGain = Gain::One;
  options.ifConvention = IfConvention::Unit;
  options.start = Start::Leak;
  options.silentLoops = true;
}

/// v >= v_threshold fires and leads to v_reset, where v has begun.
static void trainedBySpikingjelly(NirOptions &options) {
  options.inclusive = true;
  options.ifConvention = IfConvention::Dt;
  options.start = Start::Reset;
}

/// Defaults of sinabs.layers: tau in steps, as many spikes as thresholds fit
/// (MultiSpike), no least potential. exp(-1/tau) is kept, and the rest of it is
/// the share of the input (norm_input) but in ExpLeak.
static void trainedBySinabs(NirOptions &options) {
  options.timeUnit = TimeUnit::Steps;
  options.integrator = Integrator::Exact;
  options.plainReadout = true;
  options.reset = Reset::Subtract;
  options.inclusive = true;
  options.manySpikes = true;
}

/// Input enters the synapse before it decays, the membrane decays before the
/// synapse is added, and as many spikes leave as thresholds fit.
static void trainedByRockpool(NirOptions &options) {
  options.integrator = Integrator::ExpDecay;
  options.reset = Reset::Subtract;
  options.inclusive = true;
  options.manySpikes = true;
  options.currentGain = Gain::Kept;
  options.potentialGain = Gain::One;
}

/// Spikes are decided on what the last step left, and the threshold is taken
/// off behind decay and input, by a CuBaLIF before the decay. r of its files is
/// no gain. What comes round a loop are the spikes of the same step.
static void trainedBySpyx(NirOptions &options) {
  options.reset = Reset::Subtract;
  options.resetNext = true;
  options.emitNext = true;
  options.ifConvention = IfConvention::Unit;
  options.currentGain = options.potentialGain = Gain::One;
  options.clampsDecay = true;
  options.currentResetsFirst = true;
  options.loopDelay = 0;
  options.entersNeuron = true;
}

namespace {
struct Tool {
  const char *name, *version; ///< of a tool the newest is last
  void (*apply)(NirOptions &);
  ToolWords words;
};
} // namespace

static const Tool kTools[] = {
    {"snntorch",
     "1.0",
     trainedBySnntorch,
     {"snnTorch",
      "reset_mechanism, reset_delay, graded_spikes_factor and inhibition; "
      "trained otherwise, give --import reset=zero or reset=none, "
      "reset-when=same (reset_delay=False), spike-value=2 (a factor of 2), "
      "each also for one node as NODE:reset=zero; inhibition has no key",
      "reset=subtract"}},
    {"norse",
     "1.1",
     trainedByNorse,
     {"Norse",
      "v_reset, which is taken as 0; trained otherwise, give --import "
      "v-reset=-0.1, or NODE:v-reset=-0.1 for one node",
      "v-reset=0"}},
    {"spikingjelly", "2.0", trainedBySpikingjelly, {"SpikingJelly", "", ""}},
    {"sinabs",
     "3.1",
     trainedBySinabs,
     {"Sinabs",
      "spike_fn, norm_input, min_v_mem and tau_syn; trained otherwise, give "
      "--import spikes-per-step=one (SingleSpike), v-min=0.5 (min_v_mem of "
      "half a threshold below 0), or in place of all preset=sinabs "
      "(norm_input=False); tau_syn has no key",
      "spikes-per-step=many"}},
    {"rockpool",
     "3.1",
     trainedByRockpool,
     {"Rockpool",
      "bias and w_rec of spiking layers, which are taken as none; a network "
      "that has them comes in from Python alone",
      "from=rockpool"}},
    {"spyx", "1.0", trainedBySpyx, {"Spyx", "", ""}},
    {"nir", "", inOwnTerms, {"", "", ""}}};

static const Tool *toolOf(const std::string &name) {
  const Tool *found = nullptr;
  for (const Tool &tool : kTools)
    if (name == tool.name ||
        (*tool.version &&
         name == fmt::format("{}@{}", tool.name, tool.version)))
      found = &tool;
  return found;
}

ToolWords wordsOf(const std::string &tool) {
  const Tool *found = toolOf(tool);
  return found ? found->words : ToolWords{"", "", ""};
}

void setTool(NirOptions &options, const std::string &name) {
  const Tool *found = toolOf(name);
  if (!found) {
    std::string known;
    for (const Tool &tool : kTools)
      known += fmt::format("{}{}{}{}", known.empty() ? "" : ", ", tool.name,
                           *tool.version ? "@" : "", tool.version);
    throw Error(fmt::format("--import from: expected one of {}, or a tool "
                            "without its version, found {}; preset has other "
                            "tools' importers",
                            known, quotedName(name)));
  }
  if (!options.preset.empty())
    throw Error("--import from: says how a network was trained, preset how a "
                "tool's importer would read it; give one of them");
  found->apply(options);
  options.tool = found->name;
  options.toolVersion = found->version;
}

} // namespace dendrolith::nir
