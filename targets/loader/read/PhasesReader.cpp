// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/read/PhasesReader.h"

namespace dendrolith::yaml {

static SequencerTiming readSequencer(const Node &node, RecordReader reader) {
  Fields fields(node, "sequencer",
                {"per_core", "per_spike", "idle", "busy", "per_entry"});
  auto time = [&](const char *key) {
    return reader.number(fields, key, "ps", 0, maxTime);
  };
  SequencerTiming sequencer;
  sequencer.perCore = time("per_core");
  sequencer.perSpike = time("per_spike");
  sequencer.idle = time("idle");
  sequencer.busy = time("busy");
  sequencer.perEntry = time("per_entry");
  return sequencer;
}

std::optional<SerialPhases> readPhases(const Node &node, RecordReader reader) {
  if (node.type == Node::Type::Scalar) {
    if (node.text != "overlapped")
      fail(node, "expected the word 'overlapped' or a map 'serial' for "
                 "'phases', found " +
                     node.found());
    return std::nullopt;
  }
  Fields forms(node, "phases", {"serial"});
  RecordReader section = reader.under("serial");
  Fields fields(forms.at("serial"), "serial",
                {"all_slots", "host_lists", "per_spike", "per_due"},
                {"sequencer"});
  SerialPhases phases;
  phases.allSlots = section.flag(fields, "all_slots");
  phases.hostLists = section.flag(fields, "host_lists");
  phases.perSpike = section.number(fields, "per_spike", "ps", 0, maxTime);
  phases.perDue = section.number(fields, "per_due", "ps", 0, maxTime);
  if (const Node *sequencer = fields.find("sequencer"))
    phases.sequencer = readSequencer(*sequencer, section.under("sequencer"));
  return phases;
}

} // namespace dendrolith::yaml
