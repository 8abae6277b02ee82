// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Reevaluate.h"

#include <algorithm>

namespace dendrolith {

namespace {

/// A mapping that seems to cost up to so many times what the best one does may
/// be better than it once all steps are replayed. For mappings of one network,
/// a brief evaluation is off by much the same factor.
constexpr double kNear = 1.06;

using CandidateList = std::vector<Candidate *>;

bool isSame(const Candidate &a, const Candidate &b) {
  return a.cores == b.cores && a.starts == b.starts && a.order == b.order;
}

/// A sweep often ends in the same mapping several times.
CandidateList withoutRepeats(const CandidateList &all) {
  CandidateList first;
  for (Candidate *each : all)
    if (std::none_of(first.begin(), first.end(), [&](const Candidate *known) {
          return isSame(*known, *each);
        }))
      first.push_back(each);
  return first;
}

/// Briefly evaluated candidates near the best one.
CandidateList nearTheBest(const SearchSpace &space,
                          std::vector<Candidate> &found) {
  CandidateList near;
  for (Candidate &each : found)
    if (each.brief &&
        space.valueOf(each) <= kNear * space.valueOf(space.bestOf(found)))
      near.push_back(&each);
  return near;
}

} // namespace

void reevaluate(const SearchSpace &space, std::vector<Candidate> &found) {
  // A full evaluation may raise the best value, which brings others near it.
  for (;;) {
    const CandidateList near = nearTheBest(space, found);
    if (near.empty())
      break;
    const CandidateList first = withoutRepeats(near);
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
