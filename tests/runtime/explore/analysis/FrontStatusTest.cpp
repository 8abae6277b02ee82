// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/FrontStatus.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

using namespace dendrolith::explore;

namespace {

/// One number for each value of each candidate, and who keeps the constraints.
struct World {
  std::vector<std::vector<double>> losses;
  std::vector<bool> kept;
};

bool onFront(const World &world, size_t i) {
  if (!world.kept[i])
    return false;
  for (size_t j = 0; j < world.losses.size(); ++j) {
    bool worse = !world.kept[j], better = false;
    for (size_t k = 0; k < world.losses[i].size(); ++k) {
      worse |= world.losses[j][k] > world.losses[i][k];
      better |= world.losses[j][k] < world.losses[i][k];
    }
    if (j != i && !worse && better)
      return false;
  }
  return true;
}

/// The definition itself: every world of ends and middles is tried.
std::vector<FrontStatus>
byBruteForce(const std::vector<Candidate> &candidates) {
  const size_t n = candidates.size(), goals = candidates[0].losses.size();
  std::vector<size_t> choices; // three numbers of a band, two of a constraint
  for (size_t i = 0; i < n; ++i) {
    for (const Band &band : candidates[i].losses)
      choices.push_back(band.low == band.high ? 1 : 3);
    choices.push_back(candidates[i].met == Met::Possibly ? 2 : 1);
  }
  std::vector<bool> always(n, true), ever(n, false);
  std::vector<size_t> digit(choices.size(), 0);
  for (bool more = true; more;) {
    World world{std::vector<std::vector<double>>(n), std::vector<bool>(n)};
    for (size_t i = 0; i < n; ++i) {
      const size_t at = i * (goals + 1);
      for (size_t k = 0; k < goals; ++k) {
        const Band &band = candidates[i].losses[k];
        world.losses[i].push_back(band.low + double(digit[at + k]) / 2 *
                                                 (band.high - band.low));
      }
      world.kept[i] = candidates[i].met == Met::Certainly ||
                      (candidates[i].met == Met::Possibly && digit[at + goals]);
    }
    for (size_t i = 0; i < n; ++i) {
      const bool on = onFront(world, i);
      always[i] = always[i] && on;
      ever[i] = ever[i] || on;
    }
    more = false;
    for (size_t d = 0; d < digit.size() && !more; ++d) {
      digit[d] = (digit[d] + 1) % choices[d];
      more = digit[d] != 0;
    }
  }
  std::vector<FrontStatus> all;
  for (size_t i = 0; i < n; ++i)
    all.push_back(candidates[i].met == Met::No ? FrontStatus::Unmet
                  : always[i]                  ? FrontStatus::Certain
                  : ever[i]                    ? FrontStatus::Possible
                                               : FrontStatus::Dominated);
  return all;
}

/// Small whole numbers, so that ties are frequent.
std::vector<Candidate> someCandidates(std::mt19937 &random, size_t n,
                                      size_t goals, bool exact) {
  std::vector<Candidate> candidates(n);
  for (Candidate &candidate : candidates) {
    for (size_t k = 0; k < goals; ++k) {
      const double low = double(random() % 5);
      candidate.losses.push_back({low, low + (exact ? 0 : random() % 3)});
    }
    candidate.met = random() % 2 ? Met::Certainly : Met(random() % 3);
  }
  return candidates;
}

std::vector<FrontStatus> statusesOf(const std::vector<Candidate> &candidates) {
  std::vector<FrontStatus> all;
  for (const Dominance &dominance : dominanceOf(candidates))
    all.push_back(dominance.status);
  return all;
}

} // namespace

TEST(FrontStatus, IsWhatAllWorldsSay) {
  std::mt19937 random(1);
  std::vector<size_t> met(4);
  for (int round = 0; round < 400; ++round) {
    const size_t goals = 1 + random() % 2, n = goals == 1 ? 4 : 3;
    const auto candidates = someCandidates(random, n, goals, false);
    const auto expected = byBruteForce(candidates);
    ASSERT_EQ(statusesOf(candidates), expected) << "round " << round;
    for (FrontStatus status : expected)
      ++met[size_t(status)];
  }
  for (size_t count : met) // no status is tested by its absence alone
    EXPECT_GT(count, 50u);
}

TEST(FrontStatus, OfExactValuesIsTheUsualFront) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    auto candidates = someCandidates(random, 30, 3, true);
    for (Candidate &candidate : candidates)
      candidate.met = Met::Certainly;
    ASSERT_EQ(statusesOf(candidates), byBruteForce(candidates));
  }
}

TEST(FrontStatus, NamesTheFirstThatCertainlyDominates) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto candidates = someCandidates(random, 20, 2, false);
    const auto dominance = dominanceOf(candidates);
    for (size_t i = 0; i < dominance.size(); ++i) {
      std::optional<size_t> first;
      for (size_t j = 0; j < dominance.size() && !first; ++j) {
        bool nowhere = candidates[j].met == Met::Certainly, once = false;
        for (size_t k = 0; k < 2; ++k) {
          nowhere &=
              candidates[j].losses[k].high <= candidates[i].losses[k].low;
          once |= candidates[j].losses[k].high < candidates[i].losses[k].low;
        }
        if (nowhere && once && candidates[i].met != Met::No)
          first = j;
      }
      ASSERT_EQ(dominance[i].by, first);
    }
  }
}

TEST(FrontStatus, WiderBandsDecideLess) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    const auto candidates = someCandidates(random, 15, 3, false);
    auto wider = candidates;
    for (Candidate &candidate : wider)
      for (Band &band : candidate.losses)
        band = {band.low - double(random() % 2),
                band.high + double(random() % 2)};
    const auto narrow = statusesOf(candidates), wide = statusesOf(wider);
    for (size_t i = 0; i < wide.size(); ++i)
      if (wide[i] != FrontStatus::Possible) {
        EXPECT_EQ(wide[i], narrow[i]);
      }
  }
}

TEST(FrontStatus, OfTenThousandPointsTakesNoMinutes) {
  // None dominates another, which is the most work.
  std::vector<Candidate> candidates;
  for (int i = 0; i < 10000; ++i)
    candidates.push_back({{{double(i), i + 0.5},
                           {10000.0 - i, 10000.5 - i},
                           {double(i % 7), i % 7 + 1.0}},
                          Met::Certainly});
  const auto start = std::chrono::steady_clock::now();
  for (const Dominance &dominance : dominanceOf(candidates))
    ASSERT_EQ(dominance.status, FrontStatus::Certain);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(FrontStatus, OfNothingIsNothing) { EXPECT_TRUE(dominanceOf({}).empty()); }
