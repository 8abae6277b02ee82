// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/FrontStatus.h"

#include <algorithm>
#include <numeric>

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

bool isNowhereAbove(const std::vector<double> &a,
                    const std::vector<double> &b) {
  for (size_t k = 0; k < a.size(); ++k)
    if (a[k] > b[k])
      return false;
  return true;
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

std::vector<Dominance> dominanceOf(const std::vector<Candidate> &candidates) {
  std::vector<Dominance> all(candidates.size());
  std::vector<Ends> ends;
  std::vector<size_t> order;
  for (size_t i = 0; i < candidates.size(); ++i) {
    ends.push_back(endsOf(candidates[i]));
    if (candidates[i].met == Met::No)
      all[i].status = FrontStatus::Unmet;
    else
      order.push_back(i);
  }
  // What dominates a candidate is less at the low ends, so it comes before it;
  // and what dominates that one dominates the candidate, too: those that
  // nothing dominates are enough to compare with.
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return ends[a].low < ends[b].low;
  });
  std::vector<size_t> sure, left;
  for (size_t i : order) {
    for (size_t j : sure)
      if (isNowhereAbove(ends[j].low, ends[i].low) &&
          isNowhereAbove(ends[j].high, ends[i].high) &&
          beats(candidates[j], candidates[i], &Band::low)) {
        all[i] = {FrontStatus::Dominated, j};
        break;
      }
    if (all[i].by)
      continue;
    left.push_back(i);
    if (candidates[i].met == Met::Certainly)
      sure.push_back(i);
    else
      all[i].status = FrontStatus::Possible;
  }
  for (size_t i : sure)
    if (std::any_of(left.begin(), left.end(), [&](size_t j) {
          return j != i && beats(candidates[j], candidates[i], &Band::high);
        }))
      all[i].status = FrontStatus::Possible;
  return all;
}

} // namespace dendrolith::explore
