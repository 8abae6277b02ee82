// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Reevaluate.h"

#include <algorithm>

namespace dendrolith {

namespace {

/// A mapping that seems to cost up to so many times what the best one does may
/// be better than it once all steps are replayed. Of one network's mappings,
/// what a few steps say is off by much the same factor.
constexpr double kNear = 1.06;

using Some = std::vector<Candidate *>;

bool isSame(const Candidate &a, const Candidate &b) {
  return a.cores == b.cores && a.starts == b.starts && a.order == b.order;
}

/// A sweep often ends in the same mapping several times.
Some withoutRepeats(const Some &all) {
  Some first;
  for (Candidate *each : all)
    if (std::none_of(first.begin(), first.end(), [&](const Candidate *known) {
          return isSame(*known, *each);
        }))
      first.push_back(each);
  return first;
}

/// Those near the best one that were looked at briefly.
Some nearTheBest(const SearchSpace &space, std::vector<Candidate> &found) {
  Some near;
  for (Candidate &each : found)
    if (each.brief &&
        space.valueOf(each) <= kNear * space.valueOf(space.bestOf(found)))
      near.push_back(&each);
  return near;
}

} // namespace

void lookCloser(const SearchSpace &space, std::vector<Candidate> &found) {
  // What one of them turns out to cost may bring others near the best.
  for (;;) {
    const Some near = nearTheBest(space, found);
    if (near.empty())
      break;
    const Some first = withoutRepeats(near);
    space.threads->share(first.size(), [&](size_t i) {
      first[i]->eval = space.evaluated(*first[i]->brief, first[i]->cores);
    });
    for (Candidate *each : near) {
      for (const Candidate *known : first)
        if (isSame(*known, *each))
          each->eval = known->eval;
      each->brief = nullptr;
    }
  }
  for (Candidate &each : found)
    each.brief = nullptr;
}

} // namespace dendrolith
