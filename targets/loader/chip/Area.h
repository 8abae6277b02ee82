// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The area of a chip and what it leaks: its structure (bits, lanes, cores,
// tiles, buffers) times the unit numbers of the sections `area` and `leakage`.
// It follows from the chip alone and needs no run.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_AREA_H
#define DENDROLITH_TARGETS_LOADER_CHIP_AREA_H

#include "targets/loader/chip/Chip.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// Bits of one kind of memory of a core; check bits are apart.
struct MemoryBits {
  std::string name; ///< "core memory", "synapses", "state"
  uint64_t bits = 0;
};

/// The memories of a core, by what its limits declare. Nothing where a memory
/// is `unlimited`.
std::optional<std::vector<MemoryBits>> memoriesOf(const Chip &target);

/// A row of the bill.
struct SiliconPart {
  std::string name;   ///< "core memory", "engine", "router", "fixed"
  bool isMemory = false;
  uint64_t count = 0; ///< how many of it the chip has
  LowHigh each;       ///< um2 of one
  LowHigh area;       ///< mm2 of all of them
  LowHigh leakage;    ///< mW of all of them; 0 where no leakage is stated
  Provenance kind = Provenance::Assumed;
  std::string source; ///< keys of the chip's sources
};

struct Silicon {
  std::vector<SiliconPart> parts;
  LowHigh core; ///< mm2 of one core with its share of the router
  LowHigh area; ///< mm2 of the chip
  std::optional<LowHigh> leakage; ///< mW of the chip; none without the section
};

/// Nothing for a chip without the section `area`, or one with a memory that is
/// unlimited. Router buffers are those of the timing set.
std::optional<Silicon> siliconOf(const Chip &target, const TimingSet &timing);

/// mm2 of the chip.
std::optional<LowHigh> areaOf(const Chip &target, const TimingSet &timing);
/// mW that the chip leaks.
std::optional<LowHigh> leakageOf(const Chip &target, const TimingSet &timing);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_AREA_H
