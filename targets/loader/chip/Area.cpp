// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Area.h"

#include <algorithm>

namespace dendrolith {

constexpr double kSquareMicrons = 1e6; // in a mm2

static LowHigh operator+(LowHigh a, LowHigh b) {
  return {a.low + b.low, a.high + b.high};
}
static LowHigh operator*(double factor, LowHigh a) {
  return {factor * a.low, factor * a.high};
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Bits of a fixed-function neuron: current, voltage, the sum of its input,
/// bias, and the steps that it still rests.
static uint64_t stateBits(const NumberFormats &formats) {
  return 2 * formats.stateBits + formats.inputBits + formats.biasMantissaBits +
         bitsFor(formats.biasExponentMax) + bitsFor(formats.refractoryMax);
}

std::optional<std::vector<MemoryBits>> memoriesOf(const Chip &target) {
  const Limits &limits = target.limits;
  const MicrocodeAbility &microcode = target.microcode;
  const bool programs = target.engines.has("microcode");
  std::vector<MemoryBits> memories;
  bool known = true;
  auto add = [&](const char *name, std::optional<uint64_t> entries,
                 uint64_t bitsOfOne) {
    known = known && entries;
    if (entries && *entries && bitsOfOne)
      memories.push_back({name, *entries * bitsOfOne});
  };
  if (limits.coreMemoryBytes) {
    add("core memory", limits.coreMemoryBytes, 8);
  } else {
    add("synapses", limits.synapseMemoryWords, target.synapses.wordBits);
    add("in-axons", limits.inAxons, 8 * target.memory.inAxonBytes);
    add("out-axons", limits.outAxons, 8 * target.memory.outAxonBytes);
    if (target.engines.has("cuba"))
      add("state", limits.compartmentsPerCore, stateBits(target.formats));
    if (programs) {
      add("programs", microcode.programWords,
          8 * target.memory.instructionBytes);
      add("program state", limits.compartmentsPerCore,
          8 * microcode.stateBytes.value_or(0));
      known = known && microcode.stateBytes;
    }
  }
  if (programs)
    add("registers", microcode.registers, microcode.wordBits);
  if (target.area && target.area->otherBits)
    memories.push_back({"other memory", target.area->otherBits});
  if (!known)
    return std::nullopt;
  return memories;
}

/// um2 of adders for so many bits and of multipliers for so many pairs.
static LowHigh arithmetic(const AreaData &area, uint64_t bits, uint64_t pairs) {
  return double(bits) * area.adderBit.value +
         double(pairs) * area.multiplierBit.value;
}

//===----------------------------------------------------------------------===//
// The bill
//===----------------------------------------------------------------------===//

namespace {

/// A queue of more flits lies in memory, not in registers.
constexpr uint64_t kDeepQueue = 64;

class Bill {
public:
  Bill(const Chip &target, const TimingSet &timing)
      : target(target), area(*target.area), ports(timing.noc),
        leak(target.voltage ? target.voltage->leak() : 1) {}

  Silicon make(const std::vector<MemoryBits> &memories) {
    addMemories(memories);
    addEngines();
    addRouters();
    silicon.core = (1 / kSquareMicrons) * ofCore;
    addLogic("fixed", 1, kSquareMicrons * area.fixed.value, area.fixed);
    if (target.leakage)
      silicon.leakage.emplace();
    for (const SiliconPart &part : silicon.parts) {
      silicon.area = silicon.area + part.area;
      if (silicon.leakage)
        silicon.leakage = *silicon.leakage + part.leakage;
    }
    return std::move(silicon);
  }

private:
  void add(SiliconPart part) {
    part.area = (double(part.count) / kSquareMicrons) * part.each;
    if (part.area.high > 0)
      silicon.parts.push_back(std::move(part));
  }

  void addMemories(const std::vector<MemoryBits> &memories) {
    const LowHigh macro = {area.cell.value.low / area.efficiency.value.high,
                           area.cell.value.high / area.efficiency.value.low};
    double checked = 0;
    auto addBits = [&](const std::string &name, double bits, Provenance kind,
                       const std::string &source) {
      SiliconPart part;
      part.name = name;
      part.isMemory = true;
      part.count = target.coresPerChip();
      part.each = bits * macro;
      ofCore = ofCore + part.each;
      if (target.leakage) // 1 mW = 10^9 pW
        part.leakage = (leak * bits * double(part.count) * 1e-9) *
                       target.leakage->bit.value;
      part.kind = kind;
      part.source = source;
      add(std::move(part));
    };
    for (const MemoryBits &memory : memories) {
      checked += double(memory.bits);
      addBits(memory.name, double(memory.bits), area.cell.kind,
              area.cell.source);
    }
    addBits("check bits", checked * area.checkBits.value.high,
            area.checkBits.kind, area.checkBits.source);
  }

  /// What is no memory leaks by its area.
  void addLogic(const char *name, uint64_t count, LowHigh each,
                const UnitNumber &from) {
    SiliconPart part;
    part.name = name;
    part.count = count;
    part.each = each;
    part.kind = from.kind;
    part.source = from.source;
    if (target.leakage) { // uW/mm2 times um2 is 10^-9 mW
      const LowHigh &logic = target.leakage->logic.value;
      const double all = leak * double(count) * 1e-9;
      part.leakage = {all * each.low * logic.low, all * each.high * logic.high};
    }
    add(std::move(part));
  }

  void addEngines() {
    const NumberFormats &formats = target.formats;
    auto addToCore = [&](const char *name, uint64_t inCore, LowHigh each,
                         const UnitNumber &from) {
      ofCore = ofCore + double(inCore) * each;
      addLogic(name, inCore * target.coresPerChip(), each, from);
    };
    if (target.engines.has("cuba")) {
      addToCore("fixed engine", 1, area.cuba.value, area.cuba);
      // Sums of weights, of current and of voltage; the two decays.
      addToCore("fixed arithmetic", 1,
                arithmetic(area,
                           formats.weightBits + formats.inputBits +
                               2 * formats.stateBits,
                           2 * formats.stateBits * formats.decayBits),
                area.multiplierBit);
    }
    if (target.engines.has("microcode")) {
      const MicrocodeAbility &core = target.microcode;
      addToCore("program engine", 1, area.microcode.value, area.microcode);
      addToCore("lanes", core.lanes,
                arithmetic(area, core.wordBits, core.wordBits * core.wordBits),
                area.multiplierBit);
    }
  }

  void addRouters() {
    const uint64_t flit = target.mesh.flitBits;
    auto addToTile = [&](const char *name, LowHigh each,
                         const UnitNumber &from) {
      ofCore = ofCore + (1 / double(target.mesh.coresPerTile)) * each;
      addLogic(name, target.mesh.tilesPerChip(), each, from);
    };
    addToTile("routers", double(flit) * area.routerBit.value, area.routerBit);
    // A deep queue of what a core receives lies in the core's memory.
    const bool isDeep = ports.local.buffer > kDeepQueue;
    const uint64_t queued =
        isDeep ? 0 : target.mesh.coresPerTile * ports.local.buffer;
    const uint64_t flits = ports.north.buffer + ports.south.buffer +
                           ports.east.buffer + ports.west.buffer + queued;
    addToTile("router buffers", double(flits * flit) * area.bufferBit.value,
              area.bufferBit);
  }

  const Chip &target;
  const AreaData &area;
  const NocTiming &ports;
  const double leak;
  LowHigh ofCore; // um2
  Silicon silicon;
};

} // namespace

std::optional<Silicon> siliconOf(const Chip &target, const TimingSet &timing) {
  const auto memories = memoriesOf(target);
  if (!target.area || !memories)
    return std::nullopt;
  return Bill(target, timing).make(*memories);
}

std::optional<LowHigh> areaOf(const Chip &target, const TimingSet &timing) {
  const std::optional<Silicon> silicon = siliconOf(target, timing);
  return silicon ? std::optional<LowHigh>(silicon->area) : std::nullopt;
}

std::optional<LowHigh> leakageOf(const Chip &target, const TimingSet &timing) {
  const std::optional<Silicon> silicon = siliconOf(target, timing);
  return silicon ? silicon->leakage : std::nullopt;
}

} // namespace dendrolith
