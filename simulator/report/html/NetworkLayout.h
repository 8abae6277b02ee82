// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the parts of a picture of a network stand: layers from above in the
// order in which they feed each other, and in each the tree of its states.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKLAYOUT_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKLAYOUT_H

#include "simulator/report/html/NetworkFacts.h"

namespace dendrolith::report::html {

class NetworkLayout {
public:
  static constexpr double kLine = 15;
  /// Edges have texts where there are no more.
  static constexpr size_t kMostLabels = 40;

  struct Box {
    size_t rank = 0;
    double x = 0, y = 0, wide = 0, high = 0;
    double middle() const { return x + wide / 2; }
    double bottom() const { return y + high; }
  };

  /// `lines` of text stand in each node.
  NetworkLayout(const NetworkFacts &facts, const std::vector<size_t> &lines);

  /// Where an edge leaves or enters its node, of all that do there.
  double portOf(size_t edge, bool leaves) const;

  const std::vector<NetworkFacts::Node> &nodes;
  const std::vector<NetworkFacts::Edge> &edges;
  std::vector<Box> boxes;   ///< by node
  std::vector<bool> isBack; ///< the edge closes a cycle
  /// Edges that pass others by run beside all nodes; 0: straight down, or back
  /// to its own node.
  std::vector<size_t> lane;
  std::vector<double> labelY; ///< of edges that run straight down
  double wide = 0, high = 0, left = 0, right = 0;

private:
  void findBack();
  void rank();
  void place();

  const std::vector<size_t> &lines;
  std::vector<size_t> order; ///< sources first
};

/// The states of a node as markup: the soma below, and what feeds it above.
/// Empty where it has none.
std::string stateTree(const NetworkFacts::Node &node,
                      const NetworkLayout::Box &box);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_NETWORKLAYOUT_H
