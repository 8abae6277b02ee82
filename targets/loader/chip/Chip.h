// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip as plain data. Target.h adds how it is loaded and changed. Nothing
// outside targets/ contains a chip's number.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_CHIP_H
#define DENDROLITH_TARGETS_LOADER_CHIP_CHIP_H

#include "targets/loader/chip/AreaData.h"
#include "targets/loader/chip/Microcode.h"
#include "targets/loader/chip/Record.h"
#include "targets/loader/chip/Sections.h"
#include "targets/loader/chip/SynapseFormat.h"
#include "targets/loader/chip/Timing.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// What a chip file says, and what follows from it alone.
struct Chip {
  std::string name, description;
  std::string
      yamlText;     // the file as read; with `base` or set(), as it came out
  std::string hash; // SHA-256 (hex) of yamlText
  std::string filename;

  Mesh mesh;
  Limits limits;
  NumberFormats formats;
  SpikeAbility spikes;
  HostAbility host;
  Engines engines;
  MicrocodeAbility microcode; // no ops without that engine
  CoreMemory memory;
  Scheduling scheduling;
  SynapseFormat synapses;
  std::vector<TimingSet> timings;
  std::string defaultTiming;
  std::string defaultCosts; // empty where the target has a band
  /// Names of the tables of a low and a high end, for a chip whose prices are
  /// not known; each result is then an interval.
  std::optional<std::pair<std::string, std::string>> costBand;
  std::string costsFrom; // other target whose tables serve too; may be empty

  std::optional<AreaData> area;
  std::optional<LeakageData> leakage;
  std::optional<VoltageData> voltage;
  /// How fast the engines of all cores are, in thousandths of what the timing
  /// sets say. The times of `timings` are scaled by it and by the voltage.
  uint64_t clock = 1000;

  std::vector<Record> records; // those that shape programs, in file order
  /// Records of `area`, `leakage`, `clock` and `voltage`, which shape no
  /// program.
  std::vector<Record> physicalRecords;
  /// Records of `board`, which says how chips are put together. A chip without
  /// the section cannot be put together with others.
  std::vector<Record> boardRecords;
  std::vector<std::pair<std::string, std::string>> sources; // key, citation
  std::vector<std::string> overriddenLimits;
  /// What set() changed, in order of the first change of each key. It stands in
  /// yamlText, so that programs and results carry it.
  std::vector<Override> overrides;

  /// The set of that name, "" = the default. Throws Error naming those known.
  const TimingSet &timing(const std::string &name = "") const;

  /// The energy events a run on this target can produce, in a fixed order and
  /// as dotted names ("synops.dense"). A cost table must decide each.
  std::vector<std::string> events() const;

  uint64_t numTiles() const { return mesh.tiles(); }
  uint64_t numCores() const { return numTiles() * mesh.coresPerTile; }
  uint64_t coresPerChip() const { return numCores() / mesh.chips(); }
  /// Cores are numbered tile by tile, tiles as Mesh says.
  uint64_t tileOf(uint64_t core) const { return core / mesh.coresPerTile; }
  TileXY coreXY(uint64_t core) const { return mesh.at(tileOf(core)); }
};

/// The first record that shapes programs (all but times) and differs between
/// two chips, as text for an error; "" where a program of one runs on the
/// other.
std::string shapeDifference(const Chip &compiled, const Chip &wanted);

// How a chip stores the weights of convolutions.

/// The record that says it; a chip without it stores lists.
constexpr const char *kKernelsRecord = "synapse_memory.kernels";

/// Whether a core stores the kernel of a convolution once and finds the weights
/// of a source by its place.
inline bool storesKernels(const Chip &chip) {
  return std::any_of(
      chip.records.begin(), chip.records.end(), [](const Record &record) {
        return record.name == kKernelsRecord && record.value == "true";
      });
}

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_CHIP_H
