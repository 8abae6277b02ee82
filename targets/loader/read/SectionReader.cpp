// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/read/SectionReader.h"

#include "targets/support/FixedNeuron.h"

#include <fmt/format.h>

namespace dendrolith::yaml {

namespace {

// Core ids are 32 bits in the program image; this keeps tables allocatable.
constexpr uint64_t maxCores = 1 << 20;
constexpr uint64_t maxSide = 1 << 10;

} // namespace

const std::vector<LimitKey> &limitKeys() {
  static const std::vector<LimitKey> keys = {
      {"compartments_per_core", "compartments", 1,
       &Limits::compartmentsPerCore},
      {"synapse_memory_words", "words", 1, &Limits::synapseMemoryWords},
      {"in_axons", "entries", 1, &Limits::inAxons},
      {"out_axons", "entries", 1, &Limits::outAxons},
      {"max_delay", "steps", 0, &Limits::maxDelay},
      {"decay_profiles", "profiles", 1, &Limits::decayProfiles},
      {"threshold_profiles", "profiles", 1, &Limits::thresholdProfiles},
      {"synapse_formats", "formats", 1, &Limits::synapseFormats},
      {"join_children", "compartments", 0, &Limits::joinChildren},
      {"core_memory_bytes", "bytes", 1, &Limits::coreMemoryBytes},
      {"fan_in", "synapses", 1, &Limits::fanIn, true},
      {"fan_out", "messages", 1, &Limits::fanOut, true},
      {"out_axons_per_neuron", "synapses", 1, &Limits::outAxonsPerNeuron, true},
      {"spikes_per_step", "spikes", 1, &Limits::spikesPerStep, true},
      {"delayed_per_step", "synapses", 1, &Limits::delayedPerStep, true},
      {"injections_per_step", "synapses", 1, &Limits::injectionsPerStep, true},
      {"injections_per_neuron", "synapses", 1, &Limits::injectionsPerNeuron,
       true},
  };
  return keys;
}

const std::vector<MicrocodeLimitKey> &microcodeLimitKeys() {
  static const std::vector<MicrocodeLimitKey> keys = {
      {"registers", "words", 1, &MicrocodeAbility::registers},
      {"program_words", "words", 1, &MicrocodeAbility::programWords},
      {"state_bytes", "bytes", 0, &MicrocodeAbility::stateBytes},
  };
  return keys;
}

Mesh readMesh(const Node &node, RecordReader reader) {
  Fields fields(
      node, "mesh",
      {"tiles_x", "tiles_y", "cores_per_tile", "flit_bits", "multicast"});
  Mesh mesh;
  mesh.tilesX = reader.number(fields, "tiles_x", "tiles", 1, maxSide);
  mesh.place = fields.at("tiles_x").place();
  mesh.tilesY = reader.number(fields, "tiles_y", "tiles", 1, maxSide);
  mesh.coresPerTile =
      reader.number(fields, "cores_per_tile", "cores", 1, maxSide);
  uint64_t cores = mesh.tilesX * mesh.tilesY * mesh.coresPerTile;
  if (cores > maxCores)
    fail(node, fmt::format("the mesh has {} cores, expected at most {}", cores,
                           maxCores));
  mesh.flitBits = reader.number(fields, "flit_bits", "bits", 1, 4096);
  mesh.multicast = reader.flag(fields, "multicast");
  return mesh;
}

Limits readLimits(const Node &node, RecordReader reader) {
  std::vector<std::string> names, optional;
  for (const LimitKey &key : limitKeys())
    (key.mayBeAbsent ? optional : names).push_back(key.key);
  Fields fields(node, "limits", names, optional);
  Limits limits;
  for (const LimitKey &key : limitKeys())
    if (fields.find(key.key))
      limits.*key.field = reader.limit(fields, key.key, key.unit, key.min);
  return limits;
}

NumberFormats readFormats(const Node &node, RecordReader reader) {
  Fields fields(node, "formats",
                {"weight_bits", "weight_exponent_min", "weight_exponent_max",
                 "weight_shift", "decay_bits", "state_bits", "input_bits",
                 "threshold_bits", "threshold_shift", "bias_mantissa_bits",
                 "bias_exponent_max", "refractory_max"},
                {"product_shifts"});
  NumberFormats f;
  // The engines compute in 64 bits; these bounds keep every shift inside.
  f.weightBits = reader.number(fields, "weight_bits", "bits", 1, 16);
  f.weightExponentMin =
      reader.integer(fields, "weight_exponent_min", "1", -16, 16);
  f.weightExponentMax =
      reader.integer(fields, "weight_exponent_max", "1", -16, 16);
  if (f.weightExponentMax < f.weightExponentMin)
    fail(fields.at("weight_exponent_max"),
         "'weight_exponent_max' is below 'weight_exponent_min'");
  f.weightShift = reader.number(fields, "weight_shift", "bits", 0, 16);
  if (f.weightExponentMin + int64_t(f.weightShift) < 0)
    fail(fields.at("weight_exponent_min"),
         "'weight_exponent_min' plus 'weight_shift' is negative, expected a "
         "shift to the left");
  f.decayBits = reader.number(fields, "decay_bits", "bits", 1, kCubaDecayBits);
  f.stateBits =
      reader.number(fields, "state_bits", "bits", 2, kCubaMostStateBits);
  f.inputBits = reader.number(fields, "input_bits", "bits", 2, 32);
  f.thresholdBits = reader.number(fields, "threshold_bits", "bits", 1, 31);
  f.thresholdShift = reader.number(fields, "threshold_shift", "bits", 0, 16);
  f.biasMantissaBits =
      reader.number(fields, "bias_mantissa_bits", "bits", 2, 32);
  f.biasExponentMax = reader.number(fields, "bias_exponent_max", "1", 0, 16);
  f.refractoryMax =
      reader.number(fields, "refractory_max", "steps", 0, kCubaMostRefractory);
  if (const Node *shifts = fields.find("product_shifts")) {
    f.productShifts = reader.rising(fields, "product_shifts", "bits", 31);
    if (f.productShifts.front() == 0)
      fail(*shifts, "a product is shifted by at least 1 bit; leave the key out "
                    "where a core shifts none");
  }
  return f;
}

SpikeAbility readSpikes(const Node &node, RecordReader reader) {
  Fields fields(node, "spikes", {"binary", "graded", "payload_bits", "sign"});
  SpikeAbility spikes;
  spikes.binary = reader.flag(fields, "binary");
  spikes.graded = reader.flag(fields, "graded");
  spikes.payloadBits = reader.number(fields, "payload_bits", "bits", 0, 32);
  spikes.sign = reader.flag(fields, "sign");
  if (spikes.graded != (spikes.payloadBits > 0))
    fail(fields.at("payload_bits"),
         "'payload_bits' is 0 exactly when 'graded' is false");
  if (spikes.sign && !spikes.graded)
    fail(fields.at("sign"), "'sign' needs graded spikes");
  if (!spikes.binary && !spikes.graded)
    fail(node, "a chip without binary and graded spikes can say nothing");
  return spikes;
}

HostAbility readHost(const Node &node, RecordReader reader) {
  Fields fields(node, "host", {"payload_bits", "sign"});
  HostAbility host;
  host.payloadBits = reader.number(fields, "payload_bits", "bits", 0, 32);
  host.sign = reader.flag(fields, "sign");
  if (host.sign && host.payloadBits == 0)
    fail(fields.at("sign"), "'sign' needs a payload");
  return host;
}

Engines readEngines(const Node &node, RecordReader reader) {
  Fields fields(node, "engines", {"kinds", "joins"});
  Engines engines;
  engines.kinds = reader.words(fields, "kinds", {"cuba", "microcode"}, false);
  engines.joins = reader.words(
      fields, "joins", {"add", "max", "min", "or", "and", "pass"}, true);
  if (!engines.joins.empty() && !engines.has("cuba"))
    fail(fields.at("joins"), "'joins' belong to the engine 'cuba', which is "
                             "not in 'kinds', expected an empty list");
  return engines;
}

MicrocodeAbility readMicrocode(const Node &node, RecordReader reader) {
  Fields fields(node, "microcode",
                {"lanes", "word_bits", "registers", "program_words",
                 "state_bytes", "ops"});
  MicrocodeAbility ability;
  ability.lanes = reader.number(fields, "lanes", "elements", 1, 1 << 16);
  ability.wordBits = reader.number(fields, "word_bits", "bits", 8, 64);
  for (const MicrocodeLimitKey &key : microcodeLimitKeys())
    ability.*key.field = reader.limit(fields, key.key, key.unit, key.min);
  std::vector<std::string> known;
  for (size_t i = 0; i < kMicroOps; ++i)
    known.push_back(toString(static_cast<MicroOp>(i)));
  for (const std::string &op : reader.words(fields, "ops", known, false))
    ability.ops[static_cast<size_t>(*microOpOf(op))] = true;
  return ability;
}

CoreMemory readMemory(const Node &node, RecordReader reader, bool microcode) {
  std::vector<std::string> keys = {"in_axon_bytes", "out_axon_bytes"};
  if (microcode)
    keys.push_back("instruction_bytes");
  Fields fields(node, "memory", keys);
  CoreMemory memory;
  memory.inAxonBytes = reader.number(fields, "in_axon_bytes", "bytes", 0, 1024);
  memory.outAxonBytes =
      reader.number(fields, "out_axon_bytes", "bytes", 0, 1024);
  if (microcode)
    memory.instructionBytes =
        reader.number(fields, "instruction_bytes", "bytes", 0, 1024);
  return memory;
}

Scheduling readScheduling(const Node &node, RecordReader reader,
                          const std::vector<Record> &records) {
  Fields fields(node, "scheduling", {"group_gating", "group_start"}, {"queue"});
  Scheduling scheduling;
  scheduling.gating = reader.flag(fields, "group_gating");
  scheduling.gatingKind = records.back().kind;
  scheduling.groupStart = reader.flag(fields, "group_start");
  scheduling.groupStartKind = records.back().kind;
  if (fields.find("queue")) // a record, which queueOf() reads
    reader.number(fields, "queue", "events", 0, 1 << 16);
  return scheduling;
}

SynapseFormat readSynapseFormat(const Node &node, RecordReader reader) {
  Fields fields(node, "synapse_memory",
                {"word_bits", "block_synapses", "header_bits",
                 "weight_bit_codes", "index_bit_codes", "max_delay_bits",
                 "max_tag_bits"},
                {"kernels"});
  SynapseFormat format;
  format.wordBits = reader.number(fields, "word_bits", "bits", 1, 1024);
  format.blockSynapses =
      reader.number(fields, "block_synapses", "synapses", 1, 1 << 16);
  format.headerBits = reader.number(fields, "header_bits", "bits", 0, 1 << 16);
  format.weightBitCodes = reader.rising(fields, "weight_bit_codes", "bits", 32);
  format.indexBitCodes = reader.rising(fields, "index_bit_codes", "bits", 64);
  format.maxDelayBits = reader.number(fields, "max_delay_bits", "bits", 0, 32);
  format.maxTagBits = reader.number(fields, "max_tag_bits", "bits", 0, 32);
  if (fields.find("kernels")) // a record, which storesKernels() reads
    reader.flag(fields, "kernels");
  if (format.weightBitCodes.back() == 0)
    fail(fields.at("weight_bit_codes"),
         "'weight_bit_codes' holds only 0, expected a width");
  return format;
}

void readLoader(const Node &node, RecordReader reader) {
  constexpr int64_t most = 1000000000;
  struct Key {
    const char *name, *unit;
    int64_t min;
  };
  static const std::vector<Key> keys = {
      {"weight_min", "1", -most},      {"weight_max", "1", 0},
      {"numbers", "numbers", 1},       {"axon_types", "types", 1},
      {"threshold_min", "1", -most},   {"threshold_max", "1", 1},
      {"leak_min", "1", -most},        {"leak_max", "1", 0},
      {"start_min", "1", -most},       {"start_max", "1", 0},
      {"list_synapses", "synapses", 1}};
  std::vector<std::string> known = {"one_neuron", "source_sign"};
  for (const Key &key : keys)
    known.emplace_back(key.name);
  Fields fields(node, "loader", {}, known);
  for (const char *key : {"one_neuron", "source_sign"})
    if (fields.find(key))
      reader.flag(fields, key);
  for (const Key &key : keys)
    if (fields.find(key.name))
      reader.integer(fields, key.name, key.unit, key.min, most);
}

} // namespace dendrolith::yaml
