// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A projection of an integer network as plain data, wherever it comes from.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_WIRE_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_WIRE_H

#include "dialects/dend/Window.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::lava {

struct Wire {
  std::string source, output; // names; an input has no output
  std::string target, port;
  uint64_t sources = 0, targets = 0; // elements
  int64_t low = 0, high = 1;         // what a source sends
  int64_t delay = 0;                 // logical ticks
  bool dense = false;                // a matrix without structure
  bool diagonal = false;             // source i reaches target i only

  /// The synapses are in any order, and several of one pair add up.
  std::vector<uint32_t> targetOf, sourceOf;
  std::vector<int64_t> weights; // complete: mantissa << shift
  std::vector<int64_t> later;   // further ticks of each synapse; empty: none

  /// The window of a convolution, which has its kernel in place of a weight per
  /// synapse.
  std::optional<dend::Window> window;
  std::vector<int64_t> kernel;

  int64_t largestMessage() const {
    return -low > high ? -low : high; // low > INT64_MIN
  }
};

/// Puts wires together that differ in delay alone, as one of the least delay
/// whose synapses come `later`: where no pair of neurons is joined twice and
/// the whole is no sparse matrix. Wires of equal `groups` belong together.
std::vector<Wire> joinDelays(const std::vector<Wire> &wires,
                             const std::vector<std::string> &groups);
/// Does the same for wires between the same ports.
std::vector<Wire> joinDelays(const std::vector<Wire> &wires);

/// Whether a matrix is written with its zeros.
bool isDense(const Wire &wire);

/// The largest |sum| that can reach each target, as a double, which is exact up
/// to 2^53.
std::vector<double> largestSums(const Wire &wire);

/// Whether every weight is a multiple of 2^bits.
bool divisible(const Wire &wire, unsigned bits);

/// Whether the wire only hands on: it is diagonal and has that weight
/// everywhere.
bool handsOn(const Wire &wire, int64_t weight);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_WIRE_H
