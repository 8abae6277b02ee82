// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of a chip file, from tree to struct. README.md lists the keys.

#ifndef NEURITE_TARGETS_LOADER_SCHEMA_H
#define NEURITE_TARGETS_LOADER_SCHEMA_H

#include "targets/loader/RecordReader.h"
#include "targets/loader/Target.h"
#include "targets/loader/Timing.h"

namespace neurite::yaml {

/// A limit of a section, with the field it fills.
template <typename Section> struct SectionLimit {
  const char *key;
  const char *unit;
  uint64_t min;
  std::optional<uint64_t> Section::*field;
};
using LimitKey = SectionLimit<Limits>;
using MicrocodeLimitKey = SectionLimit<MicrocodeAbility>;

/// The keys of `limits`, in file order.
const std::vector<LimitKey> &limitKeys();
/// Those keys of `microcode` that are limits.
const std::vector<MicrocodeLimitKey> &microcodeLimitKeys();

Mesh readMesh(const Node &node, RecordReader reader);
Limits readLimits(const Node &node, RecordReader reader);
NumberFormats readFormats(const Node &node, RecordReader reader);
SpikeAbility readSpikes(const Node &node, RecordReader reader);
Engines readEngines(const Node &node, RecordReader reader);
MicrocodeAbility readMicrocode(const Node &node, RecordReader reader);
/// The size of an instruction is stated exactly where there are programs.
CoreMemory readMemory(const Node &node, RecordReader reader, bool microcode);
Scheduling readScheduling(const Node &node, RecordReader reader,
                          const std::vector<Record> &records);
SynapseFormat readSynapseFormat(const Node &node, RecordReader reader);

/// One timing set; computes its hash. `microcode`: whether it must say how long
/// programs take; `numCores`: of the mesh.
TimingSet readTiming(const std::string &name, const Node &node,
                     const Sources &sources, bool microcode, uint64_t numCores);

} // namespace neurite::yaml

#endif // NEURITE_TARGETS_LOADER_SCHEMA_H
