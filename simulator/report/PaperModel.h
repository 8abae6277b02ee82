// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy formula of the MMDEND paper (section 5.4 and table 4), evaluated
// for one network and the firing rates of one run:
//   E_MAC Flops_neu + T R E_AC Flops_layer
//
// Flops_neu, table 4, per channel and step: 3K + 1 for each branch (state,
// input and read-out of K modes, each complex one counted once, and the direct
// gain), 2 for each branch at the soma and 3 for the soma. D and the portions
// f_i of channels with i branches only enter as sum f_i i D, which is the
// number of (channel, branch) pairs.
//
// T R: a value of magnitude |S| leaves as |S| binary spikes in Ubar sub-steps,
// so in a sequence of n steps there are n Ubar sub-steps with the firing rate
// R = mean |S| / Ubar, and T R = n mean |S|. Flops_layer is then what one
// sub-step of a fully connected layer takes if every source fires: its synapses
// (table 4 gives D^2 T, which has the steps of the sequence in it once more).
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef NEURITE_SIMULATOR_REPORT_PAPERMODEL_H
#define NEURITE_SIMULATOR_REPORT_PAPERMODEL_H

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace neurite::report {

/// Energy of an FP32 operation at 45 nm, pJ, as the paper takes them.
constexpr double kPaperMacPj = 4.6, kPaperAddPj = 0.9;

struct PaperLayer {
  struct Branch {
    double channels = 0, modes = 0;
  };
  struct Source {
    std::string name;
    double synapses = 0;
    bool fires = false; // else an input, for which the formula has no term
    double steps = 0;   // of the source in a sample
    double units = 1;   // Ubar
    double mean = 0;    // |S|
  };
  std::string name;
  double channels = 0, steps = 0; // D; updates in a sample
  std::vector<Branch> branches;
  std::vector<Source> sources;
};

struct PaperCost {
  double dendriteFlops = 0, somaFlops = 0; // Flops_neu of a sample
  double adds = 0;                         // T R Flops_layer of a sample
  double pJ() const {
    return kPaperMacPj * (dendriteFlops + somaFlops) + kPaperAddPj * adds;
  }
};

/// Of one layer. A layer without branches is no neuron of the paper's: it has
/// the term of its synapses only.
PaperCost paperCost(const PaperLayer &layer);

/// Layers of a result.json. Throws Error when it has no branches or no spike
/// values of a layer that sends.
std::vector<PaperLayer> paperLayers(const nlohmann::ordered_json &result,
                                    const std::string &where);

/// Terms, the counted energy by groups of events, their ratio, and why they
/// differ. `result` is priced.
std::string formatPaperModel(const nlohmann::ordered_json &result,
                             const std::vector<PaperLayer> &layers);

/// The same numbers for machines.
nlohmann::ordered_json paperModelJson(const std::vector<PaperLayer> &layers);

} // namespace neurite::report

#endif // NEURITE_SIMULATOR_REPORT_PAPERMODEL_H
