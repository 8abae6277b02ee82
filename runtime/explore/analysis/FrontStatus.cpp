// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/FrontStatus.h"

#include <algorithm>
#include <numeric>

namespace dendrolith::explore {
namespace {

double low(const Band &band) { return band.low; }
double high(const Band &band) { return band.high; }

/// Whether a candidate at one of its ends is nowhere worse and somewhere better
/// than another one at the other of its ends.
template <typename Mine, typename Theirs>
bool beats(const Candidate &a, Mine mine, const Candidate &b, Theirs theirs) {
  bool better = false;
  for (size_t k = 0; k < a.losses.size(); ++k) {
    const double x = mine(a.losses[k]), y = theirs(b.losses[k]);
    if (x > y)
      return false;
    better |= x < y;
  }
  return better;
}

/// The candidates that are at least so certain to keep their constraints,
/// sorted by one end of their first loss: only the first of them can beat a
/// candidate.
template <typename End>
std::vector<size_t> rising(const std::vector<Candidate> &candidates, Met least,
                           End end) {
  std::vector<size_t> order;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (candidates[i].met >= least)
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return end(candidates[a].losses[0]) < end(candidates[b].losses[0]);
  });
  return order;
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
  if (candidates.empty() || candidates[0].losses.empty())
    return all;
  const std::vector<size_t> sure = rising(candidates, Met::Certainly, high),
                            able = rising(candidates, Met::Possibly, low);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Candidate &mine = candidates[i];
    Dominance &dominance = all[i];
    if (mine.met == Met::No) {
      dominance.status = FrontStatus::Unmet;
      continue;
    }
    for (size_t j : sure) {
      if (high(candidates[j].losses[0]) > low(mine.losses[0]))
        break;
      if (j != i && beats(candidates[j], high, mine, low))
        dominance.by = std::min(dominance.by.value_or(j), j);
    }
    if (dominance.by) {
      dominance.status = FrontStatus::Dominated;
      continue;
    }
    dominance.status = mine.met == Met::Certainly ? FrontStatus::Certain
                                                  : FrontStatus::Possible;
    for (size_t j : able) {
      if (dominance.status == FrontStatus::Possible ||
          low(candidates[j].losses[0]) > high(mine.losses[0]))
        break;
      if (j != i && beats(candidates[j], low, mine, high))
        dominance.status = FrontStatus::Possible;
    }
  }
  return all;
}

} // namespace dendrolith::explore
