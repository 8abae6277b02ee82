// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip as data, and the questions the compiler and the simulator ask of it.
// Nothing outside targets/ contains a chip's number.

#ifndef DENDROLITH_TARGETS_LOADER_TARGET_H
#define DENDROLITH_TARGETS_LOADER_TARGET_H

#include "targets/loader/AreaData.h"
#include "targets/loader/Chip.h"
#include "targets/loader/Microcode.h"
#include "targets/loader/Record.h"
#include "targets/loader/SynapseFormat.h"
#include "targets/loader/Timing.h"
#include "targets/support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// A validated chip description. It is a value and may be copied freely.
class Target {
public:
  /// Loads a target by name ("loihi1"), which is looked up as Discovery.h says,
  /// or by path. Changes may follow, as set() takes them:
  /// "loihi2,mesh.tiles_x=19". Throws Error with file:line:column.
  static Target load(const std::string &nameOrPath);

  /// Reads a target from text; `filename` is used in messages and to find cost
  /// tables. Text with a `base` holds only what differs from that other target;
  /// yamlText then holds all of it.
  static Target parse(const std::string &text, const std::string &filename);

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
  /// Of `area`, `leakage`, `clock` and `voltage`, which shape no program.
  std::vector<Record> physicalRecords;
  /// Of `board`, how chips are put together. A chip that has none cannot be.
  std::vector<Record> boardRecords;
  std::vector<std::pair<std::string, std::string>> sources; // key, citation
  std::vector<std::string> overriddenLimits;
  /// What set() changed, in order of the first change of each key. It stands in
  /// yamlText, so that programs and results carry it.
  std::vector<Override> overrides;

  /// The set of that name, "" = the default. Throws Error naming those known.
  const TimingSet &timing(const std::string &name = "") const;

  /// Lifts one limit by its name in the file ("compartments_per_core",
  /// "registers") and records it in overriddenLimits. Throws Error naming those
  /// known.
  void overrideLimit(const std::string &limit);

  /// Replaces one number, flag or list by its place in the file: the name of a
  /// record of the chip ("mesh.tiles_x"), "timing.<set>." and the name of a
  /// record of that set ("timing.scaled.microcode.cycles.mac"), or
  /// "costs.<table>." and an event or `static` ("costs.davies2018.hops_ew").
  /// Words of a list are joined by + ("add+max"; "none" for no word), limits
  /// also take `unlimited` and prices `unpriced`; the entries of a barrier
  /// table cannot be set. The record becomes `assumed`, its source "command
  /// line", and yamlText and hash are those of the changed chip, in which a
  /// cost table finds its changed prices when it is loaded. Throws Error, and
  /// changes nothing, when there is no such number or the value is not allowed
  /// there.
  void set(const std::string &key, const std::string &value);

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

/// A table of everything known about the target, each number with its kind and
/// source, for `dendrolith targets NAME`.
std::string describe(const Target &target);

/// One line: name, cores, description.
std::string summary(const Target &target);

/// The first record that shapes programs (all but times) and differs between
/// two chips, as text for an error; "" where a program of one runs on the
/// other.
std::string shapeDifference(const Target &compiled, const Target &wanted);

/// The names of those targets whose cores have an instruction. A file that
/// cannot be read is left out: it is no answer to this question.
std::vector<std::string> targetsWith(MicroOp op);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_TARGET_H
