// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a picture of a network says of each layer and of each bundle of
// synapses.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKFACTS_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKFACTS_H

#include "simulator/report/html/NetworkPicture.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::report::html {

/// "1 neuron", "2 neurons".
std::string counted(uint64_t count, const char *noun);

struct NetworkFacts {
  struct Branch {
    std::string name;
    uint64_t elements = 1;
    bool isChain = false;
    std::vector<size_t> children; ///< places in `branches`
    std::string neurons;          ///< which have it: "0 to 55", or all
  };
  struct Node {
    std::string name, model, outputs;
    bool isInput = false;
    uint64_t neurons = 0;
    std::vector<uint64_t> shape;
    std::vector<Branch> branches;
    std::vector<size_t> roots;             ///< of the tree
    std::optional<double> rate, low, high; ///< energy in pJ of a sample
    std::vector<uint64_t> cores;
  };
  struct Edge {
    size_t from = 0, to = 0;
    std::string kind, port;
    uint64_t synapses = 0;
    std::optional<uint64_t> delay;
    /// Messages of all synapses between the two, in a sample.
    std::optional<double> messages, low, high;
  };

  explicit NetworkFacts(const NetworkView &view);

  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKFACTS_H
