// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a chip as plain structs: what the reader fills (Schema.h) and a
// target holds (Target.h).

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_SECTIONS_H
#define DENDROLITH_TARGETS_LOADER_CHIP_SECTIONS_H

#include "targets/loader/chip/Record.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// The tile of its chip at which messages of a host enter and leave the mesh.
constexpr uint64_t kHostTile = 0;

/// The place of a tile: x counts columns, y rows.
struct TileXY {
  uint64_t x = 0, y = 0;
};

/// Tiles in a rectangle, each with a router and some cores. A board of several
/// chips is one such rectangle, too, in which the links from chip to chip have
/// times of their own. Tiles are numbered chip by chip and row by row, chips
/// row by row; routing is dimension order, x first (Routing.h).
struct Mesh {
  uint64_t tilesX = 1, tilesY = 1, coresPerTile = 1; // of all chips together
  uint64_t chipsX = 1, chipsY = 1;
  uint64_t flitBits = 32; // payloads beyond this take more flits
  bool multicast = false; // one message per tree instead of one per core
  std::string place;      // file:line:column where its size is, for messages

  uint64_t tiles() const { return tilesX * tilesY; }
  uint64_t chips() const { return chipsX * chipsY; }
  uint64_t chipTilesX() const { return tilesX / chipsX; }
  uint64_t chipTilesY() const { return tilesY / chipsY; }
  uint64_t tilesPerChip() const { return chipTilesX() * chipTilesY(); }
  uint64_t chipOf(uint64_t tile) const { return tile / tilesPerChip(); }
  TileXY at(uint64_t tile) const {
    if (chips() == 1)
      return {tile % tilesX, tile / tilesX};
    const uint64_t chip = chipOf(tile), inside = tile % tilesPerChip();
    return {chip % chipsX * chipTilesX() + inside % chipTilesX(),
            chip / chipsX * chipTilesY() + inside / chipTilesX()};
  }
  uint64_t tileAt(TileXY place) const {
    if (chips() == 1)
      return place.y * tilesX + place.x;
    const uint64_t chip =
        place.y / chipTilesY() * chipsX + place.x / chipTilesX();
    return chip * tilesPerChip() + place.y % chipTilesY() * chipTilesX() +
           place.x % chipTilesX();
  }
};

/// What a core, or where said so something else, has room for. A limit that is
/// absent is unlimited.
struct Limits {
  std::optional<uint64_t> compartmentsPerCore; // neuron slots
  std::optional<uint64_t> synapseMemoryWords;  // words of SynapseFormat
  std::optional<uint64_t> inAxons, outAxons;   // table entries
  std::optional<uint64_t> maxDelay;      // of a connection's field c, in steps
  std::optional<uint64_t> decayProfiles; // distinct (decay_u, decay_v, ...)
  std::optional<uint64_t> thresholdProfiles; // distinct thresholds
  std::optional<uint64_t> synapseFormats;    // distinct list formats
  std::optional<uint64_t> joinChildren;      // children of one compartment
  std::optional<uint64_t> fanIn, fanOut; // of one neuron: synapses, messages
  /// Synapses of one neuron on other cores, where each takes an entry of a
  /// table that the neuron has for itself.
  std::optional<uint64_t> outAxonsPerNeuron;
  // What a step may bring. A mapping cannot know it; a run counts and warns.
  std::optional<uint64_t> spikesPerStep;  // that a core emits
  std::optional<uint64_t> delayedPerStep; // synapses that wait at a core for
                                          // one later step
  std::optional<uint64_t>
      injectionsPerStep; // synapses between cores, chip-wide
  std::optional<uint64_t> injectionsPerNeuron; // from other cores and the host,
                                               // on one accumulator
  /// This is one budget for synapse words, axon tables, accumulators, neuron
  /// state, parameters and programs, where a core divides its memory freely.
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
  /// By how many bits a core can shift the product of weight and payload to the
  /// right before it is added (dend.project `product_shift`); none where empty.
  std::vector<uint64_t> productShifts;

  bool hasProductShift(uint64_t bits) const {
    return std::find(productShifts.begin(), productShifts.end(), bits) !=
           productShifts.end();
  }

  int64_t weightMagnitudeMax() const { return (int64_t(1) << weightBits) - 1; }
  int64_t thresholdMantissaMax() const {
    return (int64_t(1) << thresholdBits) - 1;
  }
  int64_t biasMantissaMax() const {
    return (int64_t(1) << (biasMantissaBits - 1)) - 1;
  }
  int64_t decayMax() const { return (int64_t(1) << decayBits) - 1; }
  /// The largest magnitude of u and v: 2^(stateBits-1) - 1.
  int64_t stateMax() const { return (int64_t(1) << (stateBits - 1)) - 1; }
};

/// What a spike of the chip may carry.
struct SpikeAbility {
  bool binary = true;
  bool graded = false;
  uint64_t payloadBits = 0; // of a graded spike, sign included
  bool sign = false;        // graded values may be negative
};

/// What the host may inject. Where an integer does not fit its payload, the
/// host sends a unit spike for each unit of it (Payload.h).
struct HostAbility {
  uint64_t payloadBits = 0; // 0: binary spikes alone
  bool sign = false;        // payloads may be negative
};

/// Which neuron engines a core has.
struct Engines {
  std::vector<std::string> kinds; // out of "cuba" and "microcode"
  /// What fixed-function trees can do with their children, out of add, max,
  /// min, or, and, pass.
  std::vector<std::string> joins;
  bool has(const std::string &engine) const {
    return std::find(kinds.begin(), kinds.end(), engine) != kinds.end();
  }
  bool hasJoin(const std::string &join) const {
    return std::find(joins.begin(), joins.end(), join) != joins.end();
  }
};

/// Which freedom there is in the steps that a group of neurons is visited in.
struct Scheduling {
  bool gating = false;     // groups can sit out steps; else period must be 1
  bool groupStart = false; // a group can begin at a later step than 0
  Provenance gatingKind = Provenance::Assumed,
             groupStartKind = Provenance::Assumed;
};

/// Bits that hold every value of [low, high]: two's complement if low < 0.
uint32_t payloadBits(int64_t low, int64_t high);

/// Whether the host of a chip injects each value of [low, high] in one message.
/// Zeros and ones are spikes, which every host injects.
bool hostSends(const HostAbility &host, int64_t low, int64_t high);

/// Flits of a message whose payload has that many bits: 1 unless it exceeds
/// the mesh's flit.
uint64_t flitsOf(const Mesh &mesh, uint32_t payloadBits);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_SECTIONS_H
