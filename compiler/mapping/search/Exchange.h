// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves of single vertices and swaps of two, for parts that are so full that no
// vertex can move alone.

#ifndef DENDROLITH_COMPILER_MAPPING_SEARCH_EXCHANGE_H
#define DENDROLITH_COMPILER_MAPPING_SEARCH_EXCHANGE_H

#include "compiler/mapping/cluster/Parts.h"

namespace dendrolith {

/// Lowers the cost of parts and never lets one go farther beyond its limits.
/// Deterministic: what looks random is counted from the seed.
class Exchange {
public:
  Exchange(const cluster::Hypergraph &graph, const cluster::CoreLimits &limits,
           cluster::Parts &parts)
      : graph(graph), limits(limits), parts(parts), look(parts.parts()) {}

  /// Swaps the vertices of two parts that together gain most by it, pass after
  /// pass, at most so many. Whether anything was gained.
  bool swapBest(uint32_t passes);

  /// Tries each vertex in each part and each pair in each other's place until
  /// nothing is gained, which takes long where there are many vertices.
  void swapAll();

  /// Simulated annealing with so many proposals. Limits may be exceeded on the
  /// way; the parts are the best that are within them, or those before it.
  void anneal(uint64_t seed, uint64_t proposals);

private:
  struct Change {
    double cost = 0, excess = 0;
  };
  Change changeOf(uint32_t v, uint32_t to);
  bool move(uint32_t v, uint32_t to);
  bool swap(uint32_t v, uint32_t u);
  bool mayGo(uint32_t v, uint32_t to, double before, uint32_t from);
  void swapBetween(uint32_t a, uint32_t b);
  void listWishes();
  void addOthers(uint32_t v, std::vector<cluster::Parts::Option> &options);
  /// One proposal of the annealing: a move, or a swap unless `with` is none.
  bool propose(uint32_t v, uint32_t to, uint32_t with, double limit);

  struct Wish {
    double cost;
    uint32_t vertex;
  };

  const cluster::Hypergraph &graph;
  const cluster::CoreLimits &limits;
  cluster::Parts &parts;
  cluster::Parts::Look look;
  std::vector<std::vector<Wish>> wishes; // by from * parts + to, best first
  double gained = 0, fine = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_SEARCH_EXCHANGE_H
