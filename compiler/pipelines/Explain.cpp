// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Explain.h"

#include "compiler/transforms/quantise/CubaShape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace mlir;

namespace dendrolith {
namespace {

class Explainer {
public:
  Explainer(dend::NetworkOp floats, dend::NetworkOp fixed, const Target &chip)
      : floats(floats), isQuantised(bool(fixed)), chip(chip) {
    for (auto output : floats.getOps<dend::OutputOp>())
      readBy[output.getSymName().str()] = output.getPopulation().str();
    ArrayAttr rows = fixed ? fixed.getQuantisationAttr() : ArrayAttr();
    if (rows)
      for (auto row : rows.getAsRange<report::QuantRowAttr>())
        report.push_back(row.fields());
  }

  NodeFate operator()(const ModelNode &node) const {
    NodeFate fate{node.name, node.type, node.weights, Fidelity::Exact, ""};
    if (node.isPopulation)
      population(node.name, fate);
    else if (!node.populations.empty())
      synapses(node, fate);
    return fate;
  }

private:
  using QuantRow = report::QuantRowAttr::Fields;

  void population(const std::string &name, NodeFate &fate) const {
    dend::NetworkOp network = floats;
    auto op = network.lookupSymbol<dend::PopulationOp>(name);
    std::string reason;
    if (op && !chip.engines.has("microcode") &&
        kindOf(op, &reason) == ModelKind::Body) {
      fate.fidelity = Fidelity::Refused;
      fate.how = reason;
      return;
    }
    fate.fidelity = isQuantised ? Fidelity::Approximated : Fidelity::Open;
    for (const QuantRow &row : report)
      if (row.layer == name && row.source.empty()) {
        fate.how = "as integers: " + row.detail;
        if (row.lossless)
          fate.fidelity = Fidelity::Exact;
      }
    if (isQuantised && fate.how.empty()) {
      bool integer = op && kindOf(op) == ModelKind::Integer;
      fate.fidelity = integer ? Fidelity::Exact : Fidelity::Approximated;
      fate.how = integer ? "" : "as integers of the target's state bits";
    }
  }

  /// Every projection that the node is part of.
  void synapses(const ModelNode &node, NodeFate &fate) const {
    if (!isQuantised) {
      fate.fidelity = Fidelity::Open;
      return;
    }
    std::string how;
    for (const QuantRow &row : report) {
      if (!leadsTo(node, row.layer) ||
          std::find(node.sources.begin(), node.sources.end(), row.source) ==
              node.sources.end())
        continue;
      std::string from = fmt::format("from {} to {}", row.source, row.layer);
      if (row.lossless) {
        how += fmt::format("{}{}: exact in {} bits", how.empty() ? "" : "; ",
                           from, row.weight_bits);
        continue;
      }
      fate.fidelity = Fidelity::Approximated;
      how += fmt::format(
          "{}{}: {} bits, error up to {:.2g} % of the largest weight, {} of {} "
          "become 0, {} clipped",
          how.empty() ? "" : "; ", from, row.weight_bits, 100 * row.max_error,
          row.zeroed, row.weights, row.clipped);
      // How they were chosen stands behind the format.
      if (size_t chosen = row.detail.find("; "); chosen != std::string::npos)
        how += " (" + row.detail.substr(chosen + 2) + ")";
    }
    fate.how = how;
  }

  /// Outputs are named after their node, what they read need not be.
  bool leadsTo(const ModelNode &node, const std::string &layer) const {
    for (const std::string &name : node.populations) {
      auto output = readBy.find(name);
      if (name == layer || (output != readBy.end() && output->second == layer))
        return true;
    }
    return false;
  }

  dend::NetworkOp floats;
  bool isQuantised;
  const Target &chip;
  std::vector<QuantRow> report;
  std::map<std::string, std::string> readBy;
};

/// The network's own parts, for models whose files have no nodes.
std::vector<ModelNode> populationsOf(dend::NetworkOp network) {
  std::vector<ModelNode> nodes;
  for (auto population : network.getOps<dend::PopulationOp>())
    nodes.push_back({population.getSymName().str(),
                     population.getModel().str(),
                     0,
                     {population.getSymName().str()},
                     {},
                     true});
  for (auto project : network.getOps<dend::ProjectOp>())
    nodes.push_back({(project.getSource() + " -> " + project.getTarget()).str(),
                     "project",
                     0,
                     {project.getTarget().str()},
                     {project.getSource().str()},
                     false});
  return nodes;
}

} // namespace

std::vector<NodeFate> explainNodes(const ImportedModel &model,
                                   dend::NetworkOp floats,
                                   dend::NetworkOp fixed, const Target &chip) {
  Explainer explain(floats, fixed, chip);
  std::vector<NodeFate> fates;
  for (const ModelNode &node :
       model.nodes.empty() ? populationsOf(floats) : model.nodes) {
    fates.push_back(explain(node));
    // What the importer had to change stands in its warnings.
    for (const Warning &warning : model.warnings)
      if (warning.where == "node '" + node.name + "'")
        fates.back().how +=
            (fates.back().how.empty() ? "" : "; ") + warning.text;
  }
  return fates;
}

} // namespace dendrolith
