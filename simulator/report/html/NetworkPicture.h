// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network as a picture: layers, the synapses between them, and the states
// of a neuron as a tree; what a run knows of them stands beside.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKPICTURE_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKPICTURE_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report::html {

struct NetworkView {
  /// `network` of result.json; where it is null, its `layers` say less.
  const nlohmann::ordered_json &network;
  const nlohmann::ordered_json &result; ///< null where nothing was run
  const nlohmann::ordered_json &flows;  ///< of tables.json, or null
};

/// Markup of the section, empty where the network is not known.
std::string networkSection(const NetworkView &view);

/// The picture as a file. Throws Error where the network is not known.
std::string networkSvg(const NetworkView &view);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKPICTURE_H
