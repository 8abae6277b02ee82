// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices and nets. A net is one source of a projection; its pins are the
// vertices that it has synapses to. Sources of rate 0 are nets as well, because
// their lists and axons take room.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_HYPERGRAPH_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_HYPERGRAPH_H

#include <cstdint>
#include <limits>
#include <vector>

namespace dendrolith::cluster {

constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

/// The resources of a core that a vertex takes whatever lies beside it. Axons
/// and words of lists of free populations depend on other vertices and are no
/// part of it.
struct Needs {
  double slots = 0, words = 0, in = 0, out = 0, bytes = 0, work = 0;
  Needs &operator+=(const Needs &other) {
    slots += other.slots, words += other.words, in += other.in;
    out += other.out, bytes += other.bytes, work += other.work;
    return *this;
  }
  Needs &operator-=(const Needs &other) {
    slots -= other.slots, words -= other.words, in -= other.in;
    out -= other.out, bytes -= other.bytes, work -= other.work;
    return *this;
  }
};

/// Compressed rows of numbers.
struct Lists {
  std::vector<uint64_t> begin = {0};
  std::vector<uint32_t> value;
  uint64_t size(uint32_t row) const { return begin[row + 1] - begin[row]; }
};

/// Marks a net whose lists and axons are in the fixed needs of vertices.
constexpr uint16_t fixedNet = std::numeric_limits<uint16_t>::max();

struct Hypergraph {
  Lists pins; ///< by net, vertices
  Lists in;   ///< by vertex, nets that it is a pin of
  Lists out;  ///< by vertex, nets whose source it is
  /// How many synapses a pin stands for, as `pins` and as `in` have them. If
  /// there are none, each stands for one.
  std::vector<uint32_t> pinWeight, inWeight;
  std::vector<double> rate;     // by net
  std::vector<uint32_t> source; // by net, a vertex or none
  std::vector<uint16_t> table;  // by net, which words its lists take; fixedNet
  std::vector<Needs> needs;     // by vertex
  /// By vertex, the tokens (numbers of CoreLimits::tokens, rising) that it may
  /// share with others.
  Lists tokens;

  uint32_t vertices() const { return uint32_t(needs.size()); }
  uint32_t nets() const { return uint32_t(rate.size()); }
  uint32_t weightOfPin(uint64_t at) const {
    return pinWeight.empty() ? 1 : pinWeight[at];
  }
  uint32_t weightOfIn(uint64_t at) const {
    return inWeight.empty() ? 1 : inWeight[at];
  }

  /// Makes `in` and `out` from `pins` and `source`.
  void transpose();
};

/// One vertex for all vertices with the same label; labels are 0 to `count`
/// - 1.
Hypergraph contract(const Hypergraph &graph, const std::vector<uint32_t> &label,
                    uint32_t count);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_HYPERGRAPH_H
