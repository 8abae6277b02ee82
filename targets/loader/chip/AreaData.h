// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a chip file says of silicon: unit areas and leakages. Area.h multiplies
// them by the structure of the chip. None of it shapes a program.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_AREADATA_H
#define DENDROLITH_TARGETS_LOADER_CHIP_AREADATA_H

#include "targets/loader/chip/Record.h"

#include <cstdint>
#include <optional>
#include <string>

namespace dendrolith {

/// What is not known exactly lies between two ends.
struct LowHigh {
  double low = 0, high = 0;
};

/// A number of the sections `area` and `leakage`, as it holds for the chip.
struct UnitNumber {
  LowHigh value;
  Provenance kind =
      Provenance::Assumed; ///< Scaled where it comes from another node
  std::string source;
};

/// The section `area`. Areas hold at the chip's node.
struct AreaData {
  uint64_t node = 0;        ///< nm
  UnitNumber cell;          ///< um2 of a bit of memory
  UnitNumber efficiency;    ///< cells / macro
  UnitNumber checkBits;     ///< bits that check a bit, 0.125 = 8 of 64
  uint64_t otherBits = 0;   ///< of a core, beside those that limits declare
  UnitNumber cuba;          ///< um2 of a core's fixed-function engine
  UnitNumber microcode;     ///< um2 of a core that runs programs, without lanes
  UnitNumber adderBit;      ///< um2 for each bit that is added
  UnitNumber multiplierBit; ///< um2 for each pair of bits that is multiplied
  UnitNumber routerBit;     ///< um2 for each bit of a flit, by tile
  UnitNumber bufferBit;     ///< um2 for each bit that a router holds
  UnitNumber fixed;         ///< mm2 of all that is no tile
  /// Published areas in mm2, to compare with.
  std::optional<UnitNumber> publishedDie, publishedCore;
};

/// The section `leakage`, at the nominal supply.
struct LeakageData {
  UnitNumber bit;   ///< pW of a bit of memory
  UnitNumber logic; ///< uW of a mm2 of everything else
};

/// The section `voltage`. A core is ((V - threshold)^alpha / V) times as fast
/// as at V = nominal, an event costs (V / nominal)^2, a leak (V / nominal)^3.
struct VoltageData {
  uint64_t supply = 0, nominal = 0, threshold = 0; ///< mV
  double alpha = 1;

  double speed() const;  ///< against the nominal supply
  double energy() const; ///< of an event, likewise
  double leak() const;   ///< likewise
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_AREADATA_H
