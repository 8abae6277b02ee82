// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part each vertex is in, and what follows from it: on how many pins each
// net is in each part, what each part uses, and what a move would change. All
// of it is kept up to date move by move.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_PARTS_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_PARTS_H

#include "compiler/mapping/cluster/Limits.h"
#include "compiler/mapping/cluster/PartOptions.h"

#include <array>

namespace dendrolith::cluster {

/// Costs of a message by part of its source and part of its targets. Without
/// prices it costs 1 to any part but the source's own.
struct MessagePrices {
  const double *between = nullptr; // parts * parts
  const double *host = nullptr;    // parts: of an input's messages
};

class Parts {
public:
  /// `part` is by vertex; none = in no part yet.
  Parts(const Hypergraph &graph, const CoreLimits &limits, uint32_t parts,
        std::vector<uint32_t> part, MessagePrices prices = {});

  uint32_t parts() const { return uint32_t(use.size()); }
  uint32_t partOf(uint32_t v) const { return part[v]; }
  const std::vector<uint32_t> &all() const { return part; }
  const Needs &useOf(uint32_t p) const { return use[p]; }
  /// Sum of rate times price over all messages, counted anew.
  double cost() const;
  /// Sum over parts of what exceeds limits.
  double excess() const;
  /// Words by Hypergraph::table, as the tables bound them.
  std::vector<double> wordsByTable(size_t tables) const;
  double excessOf(uint32_t p) const { return limits.excess(use[p]); }
  /// Whether profiles and programs exceed the limits of a part.
  bool tokensExceed(uint32_t p) const;

  using Option = PartOption;
  /// Options of a vertex, which may be in no part yet: the parts that it has
  /// something in common with, and `extra` unless that is none. Valid until the
  /// next call with the same scratch memory.
  const std::vector<Option> &optionsOf(uint32_t v, OptionScratch &scratch,
                                       uint32_t extra = none) const;
  /// optionsOf() with scratch memory of its own, for callers with one thread.
  const std::vector<Option> &optionsOf(uint32_t v, uint32_t extra = none);
  /// Whether profiles and programs leave room for the vertex.
  bool tokensFit(uint32_t v, uint32_t to) const;

  /// Moves or puts a vertex. `to` is a part.
  void move(uint32_t v, uint32_t to);
  /// Whether the last move pushed the out-axons of any part beyond its limit.
  bool pushedOut() const { return pushed; }

private:
  struct PinCount {
    uint32_t part, synapses;
  };
  /// Parts as bits, of so many.
  static constexpr uint32_t kSetParts = 128;
  struct PartSet {
    std::array<uint64_t, kSetParts / 64> bits{};
    void flip(uint32_t p) {
      if (p < kSetParts)
        bits[p / 64] ^= uint64_t(1) << p % 64;
    }
    bool operator==(const PartSet &other) const { return bits == other.bits; }
  };
  struct Net {
    uint64_t begin = 0; // in `entries`
    double rate = 0;
    uint32_t size = 0;      // parts that it has pins in
    uint32_t core = none;   // part of its source
    uint32_t source = none; // vertex
    uint16_t table = fixedNet;
    bool own = false; // the source is a pin as well
    PartSet reached;  // those that it has pins in
  };
  /// Nets lie anywhere in memory, so they are asked for before their turn. gcc
  /// 12 takes a function that only prefetches for one without an effect, and
  /// drops it unless it is always inline.
  [[gnu::always_inline]] void fetchAhead(const Lists &rows, uint64_t at,
                                         uint64_t end) const {
    if (at + 12 < end)
      __builtin_prefetch(&nets[rows.value[at + 12]]);
    if (at + 5 < end) {
      const PinCount *entry = &entries[nets[rows.value[at + 5]].begin];
      __builtin_prefetch(entry);
      __builtin_prefetch(entry + 8);
    }
  }
  void enter(uint32_t e, uint32_t p, uint32_t weight);
  void leave(uint32_t e, uint32_t p, uint32_t weight);
  void changeOut(const Net &net, double by);
  double wordsOf(const Net &net, uint32_t synapses) const {
    return limits.wordsOf[net.table][std::min<size_t>(
        synapses, limits.wordsOf[net.table].size() - 1)];
  }
  /// The cost of a message of the net, by part that it goes to.
  const double *pricesOf(const Net &net) const {
    return net.source == none || net.core == none
               ? prices.host
               : prices.between + uint64_t(net.core) * parts();
  }
  /// Sums over the nets that a vertex is a pin of.
  struct Heard {
    double total = 0;    // cost of a part without anything in common
    double hostRate = 0; // of inputs
    Needs enters, leaves;
  };
  template <bool kPriced>
  Heard hear(uint32_t v, uint32_t home, OptionScratch &scratch) const;
  [[gnu::always_inline]] NetReach reachOf(const Net &net, uint32_t v,
                                          uint32_t weight) const;
  template <bool kPriced>
  [[gnu::always_inline]] void addTo(Heard &heard, const Net &net, uint32_t home,
                                    bool last, bool isThere, bool reachesSource,
                                    const NetReach &reach,
                                    OptionScratch &scratch) const;
  /// The nets from place `pin` on that reach the same parts, without prices;
  /// the answer is the place behind them. Sources of a dense layer are such.
  uint64_t hearAlike(uint32_t v, uint32_t home, uint64_t pin, uint64_t end,
                     Heard &heard, OptionScratch &scratch) const;
  void touchTargets(const Net &net, uint32_t home, OptionScratch &scratch,
                    double &total) const;
  double priceOfPart(uint32_t v, uint32_t home, uint32_t to, double hostRate,
                     const OptionScratch &scratch) const;
  void addToken(uint32_t v, uint32_t p, int by);

  const Hypergraph &graph;
  const CoreLimits &limits;
  const MessagePrices prices;
  std::vector<uint32_t> part;
  std::vector<Net> nets;
  std::vector<PinCount> entries;
  std::vector<Needs> use;
  std::vector<double> outOf;        // by vertex: out-axons that go with it
  std::vector<uint32_t> tokenCount; // part * tokens + token
  bool pushed = false;
  OptionScratch own;
};

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_PARTS_H
