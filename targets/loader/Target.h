// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip as data, and the questions the compiler and the simulator ask of it.
// Nothing outside targets/ contains a chip's number.

#ifndef NEURITE_TARGETS_LOADER_TARGET_H
#define NEURITE_TARGETS_LOADER_TARGET_H

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

namespace neurite {

/// Tiles in a rectangle, each with a router and some cores. Routing is
/// dimension order, x first.
struct Mesh {
  uint64_t tilesX = 1, tilesY = 1, coresPerTile = 1;
  uint64_t flitBits = 32; // payloads beyond this take more flits
  bool multicast = false; // one message per tree instead of one per core
  std::string place;      // file:line:column where its size is, for messages
};

/// Capacities; per core unless said. Absent = unlimited.
struct Limits {
  std::optional<uint64_t> compartmentsPerCore;
  std::optional<uint64_t> synapseMemoryWords; // words of SynapseFormat
  std::optional<uint64_t> inAxons, outAxons;  // table entries
  std::optional<uint64_t> maxDelay; // steps programmable into a connection (c)
  std::optional<uint64_t> decayProfiles;     // distinct (decay_u, decay_v, ...)
  std::optional<uint64_t> thresholdProfiles; // distinct thresholds
  std::optional<uint64_t> synapseFormats;    // distinct list formats
  std::optional<uint64_t> joinChildren;      // children of one compartment
  /// One budget for synapse words, axon tables, accumulators, neuron state,
  /// parameters and programs, where a core divides its memory freely.
  std::optional<uint64_t> coreMemoryBytes;
};

/// What one entry takes of a core's memory; see Limits::coreMemoryBytes.
struct CoreMemory {
  uint64_t inAxonBytes = 0, outAxonBytes = 0; // of a table entry
  uint64_t instructionBytes = 0; // of a program; 0 without microcode
};

/// Number formats of the fixed-function engine. A weight mantissa m with
/// exponent e contributes m << (weightShift + e); a threshold mantissa t is
/// worth t << thresholdShift; a bias is mantissa << exponent.
struct NumberFormats {
  uint64_t weightBits = 8; // magnitude, plus a sign
  int64_t weightExponentMin = -6, weightExponentMax = 7;
  uint64_t weightShift = 6;
  uint64_t decayBits = 12; // u' = u * (2^decayBits - decay) >> decayBits
  uint64_t stateBits = 24; // u and v, sign included
  uint64_t inputBits = 22; // accumulated input, sign included
  uint64_t thresholdBits = 17, thresholdShift = 6;
  uint64_t biasMantissaBits = 13; // sign included: +-(2^12 - 1)
  uint64_t biasExponentMax = 7;
  uint64_t refractoryMax = 63; // steps

  int64_t weightMagnitudeMax() const { return (int64_t(1) << weightBits) - 1; }
  int64_t thresholdMantissaMax() const {
    return (int64_t(1) << thresholdBits) - 1;
  }
  int64_t biasMantissaMax() const {
    return (int64_t(1) << (biasMantissaBits - 1)) - 1;
  }
  int64_t decayMax() const { return (int64_t(1) << decayBits) - 1; }
  /// Largest magnitude of u and v: 2^(stateBits-1) - 1.
  int64_t stateMax() const { return (int64_t(1) << (stateBits - 1)) - 1; }
};

/// What a spike may carry.
struct SpikeAbility {
  bool binary = true;
  bool graded = false;
  uint64_t payloadBits = 0; // of a graded spike, sign included
  bool sign = false;        // graded values may be negative
};

/// Which neuron engines a core has.
struct Engines {
  std::vector<std::string> kinds; // of "cuba", "microcode"
  /// Of fixed-function trees: add, max, min, or, and, pass.
  std::vector<std::string> joins;
  bool has(const std::string &engine) const;
  bool hasJoin(const std::string &join) const;
};

/// Which steps a group of compartments is visited in.
struct Scheduling {
  bool gating = false;     // groups can sit out steps; else period must be 1
  bool groupStart = false; // a group can begin at a later step than 0
  Kind gatingKind = Kind::Assumed, groupStartKind = Kind::Assumed;
};

struct TileXY {
  uint64_t x = 0, y = 0;
};

/// Router-to-router links of an XY route.
struct Hops {
  uint64_t ew = 0, ns = 0;
};

/// A validated chip description. A value type: copy it freely.
class Target {
public:
  /// By name ("loihi1") or by path (contains '/' or ends in ".yaml").
  /// Names are looked up as <dir>/<name>/chip.yaml, see searchDirs(). Changes
  /// may follow, as set() takes them: "loihi2,mesh.tiles_x=19".
  /// Throws Error with file:line:column.
  static Target load(const std::string &nameOrPath);

  /// From text; `filename` is used in messages and to find cost tables. Text
  /// with a `base` holds only what differs from that other target; yamlText
  /// then holds all of it.
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

  std::vector<Record> records; // all but timing, in file order
  std::vector<std::pair<std::string, std::string>> sources; // key, citation
  std::vector<std::string> overriddenLimits;

  /// The set of that name, "" = the default. Throws Error naming those known.
  const TimingSet &timing(const std::string &name = "") const;

  /// Lifts one limit by its name in the file ("compartments_per_core",
  /// "registers") and records it in overriddenLimits. Throws Error naming those
  /// known.
  void overrideLimit(const std::string &limit);

  /// Replaces one number or flag by its place in the file: the name of a record
  /// of the chip ("mesh.tiles_x"), or "timing.<set>." and the name of a record
  /// of that set ("timing.scaled.microcode.cycles.mac"). Lists, and the entries
  /// of a barrier table, cannot be set; limits also take `unlimited`. The
  /// record becomes `assumed`, its source "command line", and yamlText and hash
  /// are those of the changed chip. Throws Error, and changes nothing, when
  /// there is no such number or the value is not allowed there.
  void set(const std::string &key, const std::string &value);

  /// The energy events a run on this target can produce, in a fixed order and
  /// as dotted names ("synops.dense"). A cost table must decide each.
  std::vector<std::string> events() const;

  uint64_t numTiles() const { return mesh.tilesX * mesh.tilesY; }
  uint64_t numCores() const { return numTiles() * mesh.coresPerTile; }
  /// Cores are numbered tile by tile, tiles row by row (id = y * tilesX + x).
  uint64_t tileOf(uint64_t core) const { return core / mesh.coresPerTile; }
  TileXY tileXY(uint64_t tile) const {
    return {tile % mesh.tilesX, tile / mesh.tilesX};
  }
  TileXY coreXY(uint64_t core) const { return tileXY(tileOf(core)); }
  Hops hops(uint64_t fromCore, uint64_t toCore) const;
};

/// Directories searched for names, in order: $NEURITE_TARGETS alone if set,
/// else beside the executable (../share/neurite/targets, ../../targets), else
/// the source tree the library was built from.
std::vector<std::string> searchDirs();

/// Names of all targets in the search directories, sorted.
std::vector<std::string> listTargets();

/// A table of everything known about the target, each number with its kind and
/// source, for `neurite targets NAME`.
std::string describe(const Target &target);

/// One line: name, cores, description.
std::string summary(const Target &target);

} // namespace neurite

#endif // NEURITE_TARGETS_LOADER_TARGET_H
