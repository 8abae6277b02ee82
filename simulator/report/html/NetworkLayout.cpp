// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/NetworkLayout.h"

#include "simulator/report/html/Markup.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith::report::html {
namespace {

constexpr double kNodeWide = 270, kTreeWide = 74, kNodeGapX = 40,
                 kNetworkMargin = 24;
constexpr double kNodeGapY = 58, kLabelHigh = 30;
constexpr double kLaneWide = 215, kDotPitch = 7;
/// Compartments of a chain, and chains side by side, that are drawn.
constexpr uint64_t kMostDots = 8, kMostLeaves = 8;

size_t leavesOf(const NetworkFacts::Node &node, size_t at) {
  const NetworkFacts::Branch &branch = node.branches[at];
  size_t leaves = branch.isChain ? 1 : std::min(branch.elements, kMostLeaves);
  size_t below = 0;
  for (size_t child : branch.children)
    below += leavesOf(node, child);
  return std::max(leaves, below);
}

double depthOf(const NetworkFacts::Node &node, size_t at) {
  const NetworkFacts::Branch &branch = node.branches[at];
  double below = 0;
  for (size_t child : branch.children)
    below = std::max(below, depthOf(node, child));
  return below + 6 +
         kDotPitch *
             double(branch.isChain ? std::min(branch.elements, kMostDots) : 1);
}

} // namespace

NetworkLayout::NetworkLayout(const NetworkFacts &facts,
                             const std::vector<size_t> &lines)
    : nodes(facts.nodes), edges(facts.edges), lines(lines) {
  findBack();
  rank();
  place();
}

/// Edges that close a cycle, found from the inputs on, and those of a node to
/// itself: they run upwards on the left.
void NetworkLayout::findBack() {
  isBack.assign(edges.size(), false);
  std::vector<std::vector<size_t>> out(nodes.size());
  for (size_t e = 0; e < edges.size(); ++e)
    out[edges[e].from].push_back(e);
  std::vector<int> state(nodes.size()); // 1: on the path, 2: done
  for (size_t start = 0; start < nodes.size(); ++start) {
    if (state[start])
      continue;
    std::vector<std::pair<size_t, size_t>> path{{start, 0}};
    state[start] = 1;
    while (!path.empty()) {
      auto &[node, next] = path.back();
      if (next == out[node].size()) {
        state[node] = 2;
        order.push_back(node);
        path.pop_back();
        continue;
      }
      const size_t edge = out[node][next++], to = edges[edge].to;
      isBack[edge] = state[to] == 1;
      if (!state[to]) {
        state[to] = 1;
        path.emplace_back(to, 0);
      }
    }
  }
  std::reverse(order.begin(), order.end()); // sources first
}

void NetworkLayout::rank() {
  boxes.resize(nodes.size());
  std::vector<std::vector<size_t>> out(nodes.size());
  for (size_t e = 0; e < edges.size(); ++e)
    if (!isBack[e])
      out[edges[e].from].push_back(edges[e].to);
  for (size_t node : order)
    for (size_t to : out[node])
      boxes[to].rank = std::max(boxes[to].rank, boxes[node].rank + 1);
}

/// Rows by rank, each in the order of what its nodes read from.
void NetworkLayout::place() {
  std::map<size_t, std::vector<size_t>> rows;
  for (size_t n = 0; n < nodes.size(); ++n) {
    rows[boxes[n].rank].push_back(n);
    double tree = 14;
    for (size_t root : nodes[n].roots)
      tree = std::max(tree, depthOf(nodes[n], root) + 26);
    boxes[n].high = std::max(tree, 14 + kLine * double(lines[n] + 1));
  }
  size_t most = 1, lanesLeft = 0, lanesRight = 0;
  for (const auto &[rank, row] : rows)
    most = std::max(most, row.size());
  lane.assign(edges.size(), 0);
  for (size_t e = 0; e < edges.size(); ++e)
    if (isBack[e] && edges[e].from != edges[e].to)
      lane[e] = ++lanesLeft;
    else if (!isBack[e] &&
             boxes[edges[e].to].rank > boxes[edges[e].from].rank + 1)
      lane[e] = ++lanesRight;
  const bool isLabelled = edges.size() <= kMostLabels;
  labelY.assign(edges.size(), 0);
  auto room = [&](size_t lanes) {
    return lanes ? 14 * double(lanes) + (isLabelled ? kLaneWide : 10) : 0;
  };
  const double inner = double(most) * (kNodeWide + kNodeGapX) - kNodeGapX;
  left = kNetworkMargin + room(lanesLeft);
  right = left + inner;
  wide = right + room(lanesRight) + kNetworkMargin;
  double y = kNetworkMargin;
  std::vector<double> wish(nodes.size(), 0);
  for (auto &[rank, row] : rows) {
    for (size_t n : row) {
      double sum = 0, count = 0;
      for (size_t e = 0; e < edges.size(); ++e)
        if (edges[e].to == n && !isBack[e]) {
          sum += boxes[edges[e].from].middle();
          ++count;
        }
      wish[n] = count > 0 ? sum / count : 0;
    }
    std::stable_sort(row.begin(), row.end(),
                     [&](size_t a, size_t b) { return wish[a] < wish[b]; });
    double x = left + (inner - double(row.size()) * (kNodeWide + kNodeGapX) +
                       kNodeGapX) /
                          2,
           tallest = 0;
    for (size_t n : row) {
      boxes[n].x = x;
      boxes[n].wide = kNodeWide;
      boxes[n].y = y;
      x += kNodeWide + kNodeGapX;
      tallest = std::max(tallest, boxes[n].high);
    }
    high = y + tallest + kNetworkMargin;
    y += tallest;
    // The texts of the edges below lie one under the other.
    double below = 0;
    for (size_t e = 0; e < edges.size(); ++e)
      if (!lane[e] && !isBack[e] && boxes[edges[e].from].rank == rank)
        labelY[e] = y + 26 + (isLabelled ? kLabelHigh * below++ : 0);
    y += std::max(kNodeGapY, kLabelHigh * below + 28);
  }
}

/// Where an edge leaves or enters, of all that do there.
double NetworkLayout::portOf(size_t e, bool leaves) const {
  const size_t node = leaves ? edges[e].from : edges[e].to;
  std::vector<std::pair<double, size_t>> all; // by where they come from
  for (size_t other = 0; other < edges.size(); ++other)
    if (!lane[other] && !isBack[other] &&
        (leaves ? edges[other].from : edges[other].to) == node)
      all.emplace_back(boxes[leaves ? edges[other].to : edges[other].from].x,
                       other);
  std::sort(all.begin(), all.end());
  size_t at = 0;
  while (all.size() > at && all[at].second != e)
    ++at;
  const Box &box = boxes[node];
  return box.x + box.wide * double(at + 1) / double(all.size() + 1);
}

namespace {

/// A state in the strip of `room` from x on, joined to what it feeds.
std::string branchText(const NetworkFacts::Node &node, size_t at, double x,
                       double room, double toX, double toY) {
  const NetworkFacts::Branch &branch = node.branches[at];
  const uint64_t side =
      branch.isChain ? 1 : std::min(branch.elements, kMostLeaves);
  const uint64_t along =
      branch.isChain ? std::min(branch.elements, kMostDots) : 1;
  std::string out = fmt::format(
      "<g><title>{}: {}{}{}</title>", escape(branch.name),
      branch.isChain ? counted(branch.elements, "compartment") + " in a chain"
                     : counted(branch.elements, "value"),
      branch.elements > (branch.isChain ? kMostDots : kMostLeaves)
          ? fmt::format(", {} are drawn", branch.isChain ? along : side)
          : "",
      branch.neurons.empty() ? "" : "; neurons " + branch.neurons);
  double top = toY;
  for (uint64_t s = 0; s < side; ++s) {
    const double own = x + room * (double(s) + .5) / double(side);
    double y = toY - 6 - kDotPitch;
    out += fmt::format("<path class=\"dendrite\" d=\"M{:.1f} {:.1f}L{:.1f} "
                       "{:.1f}V{:.1f}\"/>",
                       toX, toY, own, y, y - kDotPitch * double(along - 1));
    for (uint64_t a = 0; a < along; ++a, y -= kDotPitch)
      out += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" "
                         "r=\"2.4\"/>",
                         own, y);
    top = y + kDotPitch;
  }
  out += "</g>\n";
  const double middle = x + room / 2;
  for (size_t child : branch.children) {
    const double part = room * double(leavesOf(node, child)) /
                        double(std::max(leavesOf(node, at), 1UL));
    out += branchText(node, child, x, part, middle, top);
    x += part;
  }
  return out;
}

} // namespace

std::string stateTree(const NetworkFacts::Node &node,
                      const NetworkLayout::Box &box) {
  if (node.roots.empty() || node.isInput)
    return "";
  size_t leaves = 0;
  for (size_t root : node.roots)
    leaves += leavesOf(node, root);
  const double pitch =
      std::min(12.0, kTreeWide / double(std::max(leaves, 1UL)));
  const double middle = box.x + box.wide - kTreeWide / 2 - 8,
               ground = box.bottom() - 14;
  std::string out;
  double x = middle - pitch * double(leaves) / 2;
  const bool isSoma = node.roots.size() == 1 &&
                      node.branches[node.roots.front()].elements == 1 &&
                      !node.branches[node.roots.front()].isChain;
  if (isSoma) {
    const NetworkFacts::Branch &soma = node.branches[node.roots.front()];
    for (size_t child : soma.children) {
      const double room = pitch * double(leavesOf(node, child));
      out += branchText(node, child, x, room, middle, ground);
      x += room;
    }
  } else {
    for (size_t root : node.roots) {
      const double room = pitch * double(leavesOf(node, root));
      out += branchText(node, root, x, room, middle, ground);
      x += room;
    }
  }
  return out +
         fmt::format("<circle class=\"soma\" cx=\"{:.1f}\" cy=\"{:.1f}"
                     "\" r=\"5\"><title>{}</title></circle>\n",
                     middle, ground,
                     isSoma ? "soma " +
                                  escape(node.branches[node.roots.front()].name)
                            : "output");
}

} // namespace dendrolith::report::html
