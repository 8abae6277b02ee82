// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy events: the counters a price can be put on. Steps, inputs,
// outputs, flits and stalls are counted too but cost nothing of their own.

#include "targets/loader/CostTable.h"
#include "targets/loader/Microcode.h"

#include <algorithm>

namespace neurite {

static std::vector<std::string> makeEvents() {
  std::vector<std::string> events = {
      "synops.dense",
      "synops.sparse",
      "synops.conv",
      "synmem_words",
      "neuron_updates_inactive",
      "neuron_updates_active",
      "spikes.binary",
      "spikes.unary",
      "spikes.graded",
      "messages",
      "within_tile",
      "hops_ew",
      "hops_ns",
      "axon_reads",
      "join_ops.add",
      "join_ops.max",
      "join_ops.min",
      "join_ops.or",
      "join_ops.and",
      "join_ops.pass",
      "ssf_rungs",
  };
  for (size_t i = 0; i < kMicroClasses; ++i)
    // Rungs have an event of their own.
    if (auto kind = static_cast<MicroClass>(i); kind != MicroClass::Ladder)
      events.push_back(std::string("microcode.") + toString(kind));
  for (const char *event : {"microcode.issue", "barriers", "resets"})
    events.push_back(event);
  return events;
}

const std::vector<std::string> &allEvents() {
  static const std::vector<std::string> events = makeEvents();
  return events;
}

std::vector<std::string> eventLeaves(const std::string &eventOrGroup) {
  std::vector<std::string> leaves;
  for (const std::string &event : allEvents())
    if (event == eventOrGroup || event.rfind(eventOrGroup + ".", 0) == 0)
      leaves.push_back(event);
  return leaves;
}

} // namespace neurite
