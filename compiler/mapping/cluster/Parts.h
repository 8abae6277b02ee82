// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part each vertex is in, and what follows from it: on how many pins each
// net is in each part, what each part uses, and what a move would change. All
// of it is kept up to date move by move.

#ifndef NEURITE_COMPILER_MAPPING_CLUSTER_PARTS_H
#define NEURITE_COMPILER_MAPPING_CLUSTER_PARTS_H

#include "compiler/mapping/cluster/Limits.h"

namespace neurite::cluster {

/// What a message costs by part of its source and part of its targets. Without
/// prices it costs 1 to any part but the source's own.
struct Prices {
  const double *between = nullptr; // parts * parts
  const double *host = nullptr;    // parts: of an input's messages
};

class Parts {
public:
  /// `part` is by vertex; none = in no part yet.
  Parts(const Hypergraph &graph, const CoreLimits &limits, uint32_t parts,
        std::vector<uint32_t> part, Prices prices = {});

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

  /// What the vertex would change in another part.
  struct Option {
    uint32_t part = none;
    double cost = 0; ///< change of cost()
    /// Change of excess(), and excess of that part afterwards. Both take the
    /// words of a list that is there already to grow evenly.
    double excess = 0, there = 0;
  };
  /// Options of a vertex, which may be in no part yet: the parts that it has
  /// something in common with, and `extra` unless that is none. Valid until the
  /// next call.
  const std::vector<Option> &optionsOf(uint32_t v, uint32_t extra = none);
  /// Whether profiles and programs leave room for the vertex.
  bool tokensFit(uint32_t v, uint32_t to) const;

  /// Moves or puts a vertex. `to` is a part.
  void move(uint32_t v, uint32_t to);
  /// Whether the last move pushed the out-axons of any part beyond its limit.
  bool pushedOut() const { return pushed; }

private:
  struct Entry {
    uint32_t part, synapses;
  };
  struct Net {
    uint64_t begin = 0; // in `entries`
    double rate = 0;
    uint32_t size = 0;      // parts that it has pins in
    uint32_t core = none;   // part of its source
    uint32_t source = none; // vertex
    uint16_t table = fixedNet;
    bool own = false; // the source is a pin as well
  };
  void enter(uint32_t e, uint32_t p, uint32_t weight);
  void leave(uint32_t e, uint32_t p, uint32_t weight);
  void changeOut(const Net &net, double by);
  double wordsOf(const Net &net, uint32_t synapses) const {
    return limits.wordsOf[net.table][std::min<size_t>(
        synapses, limits.wordsOf[net.table].size() - 1)];
  }
  void touch(uint32_t p) {
    if (touchedAt[p] == stamp)
      return;
    touchedAt[p] = stamp;
    common[p] = {};
    touched.push_back(p);
  }
  /// Of a message of the net to a part; sources without a part count as far.
  double priceOf(const Net &net, uint32_t p) const {
    if (!prices.between)
      return 1;
    if (net.source == none)
      return prices.host[p];
    return net.core == none ? 0
                            : prices.between[uint64_t(net.core) * parts() + p];
  }
  void touchTargets(const Net &net, uint32_t from, bool priced, double &total);
  double priceOfPart(uint32_t v, uint32_t from, uint32_t to,
                     double hostRate) const;
  void addToken(uint32_t v, uint32_t p, int by);

  const Hypergraph &graph;
  const CoreLimits &limits;
  const Prices prices;
  std::vector<uint32_t> part;
  std::vector<Net> nets;
  std::vector<Entry> entries;
  std::vector<Needs> use;
  std::vector<double> outOf;        // by vertex: out-axons that go with it
  std::vector<uint32_t> tokenCount; // part * tokens + token
  bool pushed = false;

  // Of the vertex that optionsOf() looks at, by part.
  struct Common {
    double cost = 0, words = 0, axons = 0;
    double fromHere = 0; // rate of nets whose source is there
  };
  std::vector<Common> common;
  std::vector<uint64_t> touchedAt;
  std::vector<uint32_t> touched;
  uint64_t stamp = 0;
  std::vector<uint32_t> ownLast; // own nets with no other pin in its part
  std::vector<Option> options;
};

} // namespace neurite::cluster

#endif // NEURITE_COMPILER_MAPPING_CLUSTER_PARTS_H
