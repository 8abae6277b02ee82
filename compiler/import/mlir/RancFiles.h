// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a program of RANC (Ranc.h), read and checked.

#ifndef DENDROLITH_COMPILER_IMPORT_MLIR_RANCFILES_H
#define DENDROLITH_COMPILER_IMPORT_MLIR_RANCFILES_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::ranc {

using Place = std::pair<int64_t, int64_t>; // column, row

struct Neuron {
  std::vector<int> connected;   // axons
  std::array<int, 4> weights{}; // by type of an axon
  int start = 0, reset = 0, leak = 0, positive = 0, negative = 0, linear = 0;
  Place offset{0, 0};
  int axon = 0;
  uint32_t wait = 0; // ticks that its packet waits
};

struct Core {
  std::vector<uint32_t> types; // by axon
  std::vector<Neuron> neurons;
  bool isUsed() const {
    return std::any_of(neurons.begin(), neurons.end(),
                       [](const auto &n) { return !n.connected.empty(); });
  }
};

/// A packet from outside, and the tick in which it is seen.
struct Packet {
  size_t core = 0, axon = 0;
  uint64_t tick = 0;
};

struct Program {
  std::vector<Core> cores; // row by row
  size_t axons = 0;        // of a core
  int64_t columns = 0;
  Place bus{0, 0}; // whose core has no neurons
  std::vector<Packet> packets;
  uint64_t ticks = 0; // of the packets, and some more; 0 without any

  /// The number of a place of the grid that has neurons; SIZE_MAX of others.
  size_t coreAt(const Place &place) const;
  /// Where a neuron sends to.
  Place targetOf(size_t core, const Neuron &neuron) const;
  /// Cores that packets go to; without packets those with synapses.
  std::set<size_t> fedCores() const;
};

/// Throws Error that names file and line.
Program read(const std::string &folder);

} // namespace dendrolith::ranc

#endif // DENDROLITH_COMPILER_IMPORT_MLIR_RANCFILES_H
