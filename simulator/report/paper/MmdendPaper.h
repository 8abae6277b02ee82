// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy formula of the MMDEND paper (section 5.4 and table 4), evaluated
// for one network and the firing rates of one run:
//   E_MAC Flops_neu + T R E_AC Flops_layer
//
// Flops_neu, table 4, per channel and step: 3K + 1 for each branch, 2 for each
// branch at the soma and 3 for the soma. The 3K + 1 are state, input and
// read-out of K modes, each complex one counted once, and the direct gain. D
// and the portions f_i of channels with i branches only enter as sum f_i i D,
// which is the number of (channel, branch) pairs.
//
// T R: a value of magnitude |S| leaves as |S| binary spikes in Ubar sub-steps.
// So a sequence of n steps has n Ubar sub-steps with the firing rate R = mean
// |S| / Ubar, and T R = n mean |S|. Flops_layer is then what one sub-step of a
// fully connected layer takes if every source fires: its synapses (table 4
// gives D^2 T, which has the steps of the sequence in it once more).
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef DENDROLITH_SIMULATOR_REPORT_PAPER_MMDENDPAPER_H
#define DENDROLITH_SIMULATOR_REPORT_PAPER_MMDENDPAPER_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith::report {

/// The energies of FP32 operations at 45 nm in pJ, as the paper takes them.
constexpr double kPaperMacPj = 4.6, kPaperAddPj = 0.9;

/// What the formula needs to know of a layer.
struct PaperLayer {
  struct Branch {
    double channels = 0, modes = 0;
  };
  struct Source {
    std::string name;
    double synapses = 0;
    bool fires = false; // false for an input, for which there is no term
    double steps = 0;   // that the source has in a sample
    double units = 1;   // Ubar
    double mean = 0;    // of the magnitude |S|
  };
  std::string name;
  double channels = 0; // D
  double steps = 0;    // updates in a sample
  std::vector<Branch> branches;
  std::vector<Source> sources;
};

/// The terms of the formula for one sample.
struct PaperCost {
  double dendriteFlops = 0, somaFlops = 0; // Flops_neu
  double adds = 0;                         // T R Flops_layer
  double pJ() const {
    return kPaperMacPj * (dendriteFlops + somaFlops) + kPaperAddPj * adds;
  }
};

/// Evaluates the formula for one layer. A layer without branches is no neuron
/// of the paper's: it has the term of its synapses only.
PaperCost paperCost(const PaperLayer &layer);

/// Reads the layers of a result.json. Throws Error when it has no branches or
/// no spike values of a layer that sends.
std::vector<PaperLayer> paperLayers(const nlohmann::ordered_json &result,
                                    const std::string &where);

/// Prints the terms, the counted energy by groups of events, their ratio, and
/// why they differ. `result` is priced.
std::string formatPaperModel(const nlohmann::ordered_json &result,
                             const std::vector<PaperLayer> &layers);

/// The terms as JSON.
nlohmann::ordered_json paperModelJson(const std::vector<PaperLayer> &layers);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_PAPER_MMDENDPAPER_H
