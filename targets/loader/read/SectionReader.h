// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the sections of a chip file from the tree into the structs of Chip.h;
// timing sets have a reader of their own. targets/keys.md lists the keys.

#ifndef DENDROLITH_TARGETS_LOADER_READ_SECTIONREADER_H
#define DENDROLITH_TARGETS_LOADER_READ_SECTIONREADER_H

#include "targets/loader/chip/Microcode.h"
#include "targets/loader/chip/Sections.h"
#include "targets/loader/chip/SynapseFormat.h"
#include "targets/loader/yaml/RecordReader.h"

namespace dendrolith::yaml {

/// A limit of a section, with the field it fills.
template <typename Section> struct SectionLimit {
  const char *key;
  const char *unit;
  uint64_t min;
  std::optional<uint64_t> Section::*field;
  bool mayBeAbsent = false; ///< it is unlimited then
};
using LimitKey = SectionLimit<Limits>;
using MicrocodeLimitKey = SectionLimit<MicrocodeAbility>;

/// The keys of `limits`, in file order.
const std::vector<LimitKey> &limitKeys();
/// The keys of `microcode` that are limits.
const std::vector<MicrocodeLimitKey> &microcodeLimitKeys();

Mesh readMesh(const Node &node, RecordReader reader);
Limits readLimits(const Node &node, RecordReader reader);
NumberFormats readFormats(const Node &node, RecordReader reader);
SpikeAbility readSpikes(const Node &node, RecordReader reader);
HostAbility readHost(const Node &node, RecordReader reader);
Engines readEngines(const Node &node, RecordReader reader);
MicrocodeAbility readMicrocode(const Node &node, RecordReader reader);
/// The size of an instruction is stated exactly where there are programs.
CoreMemory readMemory(const Node &node, RecordReader reader, bool microcode);
Scheduling readScheduling(const Node &node, RecordReader reader,
                          const std::vector<Record> &records);
SynapseFormat readSynapseFormat(const Node &node, RecordReader reader);
/// What the chip's memories hold beyond its formats: records alone, which
/// compiler/export/loader reads.
void readLoader(const Node &node, RecordReader reader);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_READ_SECTIONREADER_H
