// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy estimate of the DendriCL paper (Appendix H, Table 9), evaluated on
// the spikes of one run. It multiplies the binary spikes of all LIF neurons in
// a forward pass by a price per spike, 0.9 pJ ("Intel Loihi") or 30 pJ
// ("SpiNNaker"). It has no term for synapses, for the apical compartment or for
// graded messages.
//
// DendriCL is described in J. Shen, Y. Wu, C. Chen, Dendritic In-Context
// Learning in a Single-LayerSpikes Spiking Neural Network, 2026,
// https://arxiv.org/abs/2607.02283

#ifndef DENDROLITH_SIMULATOR_REPORT_PAPER_DENDRICLPAPER_H
#define DENDROLITH_SIMULATOR_REPORT_PAPER_DENDRICLPAPER_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith::report {

/// The paper takes these prices of a spike, in pJ.
constexpr double kPaperLoihiPj = 0.9, kPaperSpinnakerPj = 30;

struct SpikeCount {
  struct LayerSpikes {
    std::string name;
    double spikes = 0;  // per sample
    double updates = 0; // of its neurons, per sample
  };
  double tokens = 0; // ticks of a sample
  std::vector<LayerSpikes> layers;

  double spikes() const;
};

/// Counts the spikes of all populations in a result.json whose outputs are
/// binary spikes. Throws Error when there are none.
SpikeCount countSpikes(const nlohmann::ordered_json &result,
                       const std::string &where);

/// Writes Table 9's row, the counted energy by groups of events, their ratios,
/// the events that dominate, and why the figures differ. `result` is priced.
std::string formatDendriclPaper(const nlohmann::ordered_json &result,
                                const SpikeCount &count);

/// The row and its counts as JSON.
nlohmann::ordered_json dendriclPaperJson(const SpikeCount &count);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_PAPER_DENDRICLPAPER_H
