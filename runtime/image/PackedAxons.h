// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of messages, read where it lies packed. Its rows name an in-axon by
// how far it is from the one after the core's last, so they are read in order.

#ifndef DENDROLITH_RUNTIME_IMAGE_PACKEDAXONS_H
#define DENDROLITH_RUNTIME_IMAGE_PACKEDAXONS_H

#include "runtime/image/Tables.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace dendrolith {

/// The table. The blobs outlive it. Throws Error as decoders do.
struct PackedAxons {
  explicit PackedAxons(const image::Axons &axons);
  size_t sources() const { return bounds.size == 0 ? 0 : bounds.size - 1; }
  /// Source i has rows [begin(i), begin(i + 1)); i is at most sources().
  uint32_t begin(size_t i) const {
    return bounds.size == 0 ? 0 : bounds.raw[i];
  }

  PackedNumbers bounds;
  size_t size = 0;          // rows
  columns::View core, axon; // `axon` is how far it is from the expected one
  std::vector<std::pair<uint32_t, uint32_t>> starts; // core, its first in-axon
};

/// The next in-axon of each core, if a table takes them in order.
class NextAxon {
public:
  /// The next in-axon of `core`, which is `first` where there is none yet.
  uint32_t &of(uint32_t core, uint32_t first) {
    return core < known.size() && known[core] ? direct[core] : add(core, first);
  }
  size_t size() const { return count; }

private:
  __attribute__((noinline)) uint32_t &add(uint32_t core, uint32_t first) {
    if (core < kDirect) {
      if (core >= direct.size()) {
        direct.resize(core + 1);
        known.resize(core + 1);
      }
      known[core] = true;
      ++count;
      return direct[core] = first;
    }
    auto [at, isNew] = others.emplace(core, first);
    count += isNew;
    return at->second;
  }

  static constexpr uint32_t kDirect = 1 << 16;
  std::vector<uint32_t> direct;
  std::vector<uint8_t> known;
  size_t count = 0;
  std::unordered_map<uint32_t, uint32_t> others;
};

/// Gives the rows of a table in order.
class AxonWalk {
public:
  /// `axons` outlives this.
  explicit AxonWalk(const PackedAxons &axons) : axons(axons) {
    for (auto [core, first] : axons.starts)
      expected.of(core, 0) = first;
  }
  /// The next row, of axons.size.
  AxonRow next() {
    AxonRow row;
    row.core = axons.core[at];
    uint32_t &after = expected.of(row.core, 0);
    row.axon = axons.axon[at++] + after;
    after = row.axon + 1;
    return row;
  }

private:
  const PackedAxons &axons;
  NextAxon expected;
  size_t at = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_IMAGE_PACKEDAXONS_H
