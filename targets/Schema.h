// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of a chip file, from tree to struct. README.md lists the keys.

#ifndef NEURITE_TARGETS_SCHEMA_H
#define NEURITE_TARGETS_SCHEMA_H

#include "targets/RecordReader.h"
#include "targets/Target.h"
#include "targets/Timing.h"

namespace neurite::yaml {

/// The keys of `limits`, in file order, with the field each one fills.
struct LimitKey {
  const char *key;
  const char *unit;
  uint64_t min;
  std::optional<uint64_t> Limits::*field;
};
const std::vector<LimitKey> &limitKeys();

Mesh readMesh(const Node &node, RecordReader reader);
Limits readLimits(const Node &node, RecordReader reader);
NumberFormats readFormats(const Node &node, RecordReader reader);
SpikeAbility readSpikes(const Node &node, RecordReader reader);
Engines readEngines(const Node &node, RecordReader reader);
Scheduling readScheduling(const Node &node, RecordReader reader,
                          const std::vector<Record> &records);
SynapseFormat readSynapseFormat(const Node &node, RecordReader reader);

/// One timing set; computes its hash.
TimingSet readTiming(const std::string &name, const Node &node,
                     const Sources &sources);

} // namespace neurite::yaml

#endif // NEURITE_TARGETS_SCHEMA_H
