// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/FrontStatus.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dendrolith::explore {
namespace {

/// The losses of a candidate in two worlds: all unknowns at their low ends, all
/// at their high ones. What is worse in one of them dominates nothing.
struct Ends {
  std::vector<double> low, high;
};

Ends endsOf(const Candidate &candidate) {
  Ends ends;
  for (const Addends &loss : candidate.losses) {
    double low = 0, high = 0;
    for (const Addend &addend : loss) {
      low += addend.low;
      high += addend.high;
    }
    ends.low.push_back(low);
    ends.high.push_back(high);
  }
  return ends;
}

std::vector<double> bothOf(const Ends &ends) {
  std::vector<double> both = ends.low;
  both.insert(both.end(), ends.high.begin(), ends.high.end());
  return both;
}

/// Finds rows of numbers that are nowhere above a corner, without a look at
/// most of the others: rows that lie together have a common least corner.
class CornerTree {
public:
  explicit CornerTree(std::vector<std::vector<double>> given)
      : rows(std::move(given)), order(rows.size()) {
    std::iota(order.begin(), order.end(), 0);
    if (!rows.empty())
      build(0, rows.size(), 0);
  }

  /// The first row before `end` that is nowhere above the corner and that
  /// `good` takes; with `any`, one of them. `end`, if there is none.
  template <typename Good>
  size_t find(const std::vector<double> &corner, size_t end, bool any,
              const Good &good) const {
    size_t best = end;
    if (!rows.empty())
      search(0, corner, end, any, good, best);
    return best;
  }

private:
  static constexpr size_t kFew = 16;
  struct Node {
    size_t first, end, below = 0, above = 0; ///< rows; children, if any
    size_t least;                            ///< row
    std::vector<double> corner;
  };

  static bool isNowhereAbove(const std::vector<double> &a,
                             const std::vector<double> &b) {
    for (size_t k = 0; k < a.size(); ++k)
      if (a[k] > b[k])
        return false;
    return true;
  }

  /// Halves what lies together in the coordinate whose turn it is.
  size_t build(size_t first, size_t end, size_t turn) {
    const size_t node = nodes.size();
    nodes.push_back({first, end, 0, 0, end, {}});
    std::vector<double> corner = rows[order[first]];
    size_t least = order[first];
    for (size_t i = first; i < end; ++i) {
      least = std::min(least, order[i]);
      for (size_t k = 0; k < corner.size(); ++k)
        corner[k] = std::min(corner[k], rows[order[i]][k]);
    }
    nodes[node].least = least;
    nodes[node].corner = std::move(corner);
    if (end - first <= kFew)
      return node;
    const size_t middle = (first + end) / 2, width = rows[order[first]].size(),
                 by = width ? turn % width : 0;
    const auto at = [&](size_t i) {
      return order.begin() + static_cast<ptrdiff_t>(i);
    };
    if (width)
      std::nth_element(at(first), at(middle), at(end), [&](size_t a, size_t b) {
        return std::pair(rows[a][by], a) < std::pair(rows[b][by], b);
      });
    const size_t below = build(first, middle, turn + 1),
                 above = build(middle, end, turn + 1);
    nodes[node].below = below;
    nodes[node].above = above;
    return node;
  }

  template <typename Good>
  void search(size_t at, const std::vector<double> &corner, size_t end,
              bool any, const Good &good, size_t &best) const {
    const Node &node = nodes[at];
    if (node.least >= best || (any && best < end) ||
        !isNowhereAbove(node.corner, corner))
      return;
    if (node.below) {
      const bool swap = nodes[node.above].least < nodes[node.below].least;
      search(swap ? node.above : node.below, corner, end, any, good, best);
      search(swap ? node.below : node.above, corner, end, any, good, best);
      return;
    }
    for (size_t i = node.first; i < node.end; ++i)
      if (order[i] < best && isNowhereAbove(rows[order[i]], corner) &&
          good(order[i]))
        best = order[i];
  }

  const std::vector<std::vector<double>> rows;
  std::vector<size_t> order;
  std::vector<Node> nodes;
};

/// The first unknown behind what is exact.
uint32_t firstUnknown(const Addends &loss) {
  return loss[loss.front().unknown == kExact && loss.size() > 1].unknown;
}

/// Whether two losses have no unknown in common, as their numbers tell at once.
bool areApart(const Addends &a, const Addends &b) {
  return !a.empty() && !b.empty() &&
         (a.back().unknown < firstUnknown(b) ||
          b.back().unknown < firstUnknown(a));
}

/// Whether `a` is nowhere worse than `b` and somewhere better: with `low` of
/// the differences in every world, with `high` perhaps.
bool beats(const Candidate &a, const Candidate &b, double Band::*end) {
  bool better = false;
  for (size_t k = 0; k < a.losses.size(); ++k) {
    const double more = differenceOf(a.losses[k], b.losses[k]).*end;
    if (more < 0)
      return false;
    better |= more > 0;
  }
  return better;
}

} // namespace

const char *nameOf(FrontStatus status) {
  switch (status) {
  case FrontStatus::Certain:
    return "certain";
  case FrontStatus::Possible:
    return "possible";
  case FrontStatus::Dominated:
    return "dominated";
  case FrontStatus::Unmet:
    return "constraints not met";
  }
  return "";
}

namespace {

/// All candidates that may be on the front, by rising low ends.
class Contest {
public:
  explicit Contest(const std::vector<Candidate> &candidates)
      : candidates(candidates), all(candidates.size()) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      ends.push_back(endsOf(candidates[i]));
      if (candidates[i].met == Met::No)
        all[i].status = FrontStatus::Unmet;
      else
        order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return ends[a].low < ends[b].low;
    });
  }

  std::vector<Dominance> run() {
    findDominated();
    findUncertain();
    return std::move(all);
  }

private:
  /// Most pairs are apart by their ends already.
  bool mayBeat(size_t a, size_t b) const {
    for (size_t k = 0; k < candidates[a].losses.size(); ++k)
      if (ends[a].high[k] > ends[b].low[k] &&
          areApart(candidates[a].losses[k], candidates[b].losses[k]))
        return false;
    return true;
  }

  /// What dominates a candidate is less at the low ends, so it comes before it;
  /// and what dominates that one dominates the candidate, too: the first one
  /// that does is dominated by nothing.
  void findDominated() {
    std::vector<std::vector<double>> corners;
    for (size_t i : order)
      corners.push_back(bothOf(ends[i]));
    const CornerTree tree(corners);
    for (size_t row = 0; row < order.size(); ++row) {
      const size_t i = order[row];
      const size_t by =
          tree.find(corners[row], row, /*any=*/false, [&](size_t other) {
            const size_t j = order[other];
            return candidates[j].met == Met::Certainly && mayBeat(j, i) &&
                   beats(candidates[j], candidates[i], &Band::low);
          });
      if (by < row) {
        all[i] = {FrontStatus::Dominated, order[by]};
        continue;
      }
      left.push_back(i);
      if (candidates[i].met != Met::Certainly)
        all[i].status = FrontStatus::Possible;
    }
  }

  /// What may beat another one is, at its best, no worse than that at its
  /// worst.
  void findUncertain() {
    std::vector<std::vector<double>> corners;
    for (size_t i : left)
      corners.push_back(ends[i].low);
    const CornerTree tree(std::move(corners));
    for (size_t i : left) {
      if (candidates[i].met != Met::Certainly)
        continue;
      const size_t by =
          tree.find(ends[i].high, left.size(), /*any=*/true, [&](size_t other) {
            return left[other] != i &&
                   beats(candidates[left[other]], candidates[i], &Band::high);
          });
      if (by < left.size())
        all[i].status = FrontStatus::Possible;
    }
  }

  const std::vector<Candidate> &candidates;
  std::vector<Dominance> all;
  std::vector<Ends> ends;
  std::vector<size_t> order, left; ///< left: that nothing dominates
};

} // namespace

std::vector<Dominance> dominanceOf(const std::vector<Candidate> &candidates) {
  return Contest(candidates).run();
}

} // namespace dendrolith::explore
