// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/FrontStatus.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

using namespace dendrolith::explore;

namespace {

bool onFront(const std::vector<std::vector<double>> &losses,
             const std::vector<bool> &kept, size_t i) {
  if (!kept[i])
    return false;
  for (size_t j = 0; j < losses.size(); ++j) {
    bool worse = !kept[j], better = false;
    for (size_t k = 0; k < losses[i].size(); ++k) {
      worse |= losses[j][k] > losses[i][k];
      better |= losses[j][k] < losses[i][k];
    }
    if (j != i && !worse && better)
      return false;
  }
  return true;
}

/// Counts through all numbers whose digits have so many values each.
bool next(std::vector<size_t> &digits, const std::vector<size_t> &choices) {
  for (size_t d = 0; d < digits.size(); ++d) {
    digits[d] = (digits[d] + 1) % choices[d];
    if (digits[d] != 0)
      return true;
  }
  return false;
}

/// The definition itself: every world of ends and middles is tried.
std::vector<FrontStatus>
byBruteForce(const std::vector<Candidate> &candidates) {
  const size_t n = candidates.size();
  uint32_t most = 0;
  for (const Candidate &candidate : candidates)
    for (const Addends &loss : candidate.losses)
      for (const Addend &addend : loss)
        most = std::max(most, addend.unknown);
  // Three numbers of an unknown, two answers of a constraint.
  std::vector<size_t> choices(most + 1, 3);
  choices[kExact] = 1;
  for (const Candidate &candidate : candidates)
    choices.push_back(candidate.met == Met::Possibly ? 2 : 1);
  std::vector<bool> always(n, true), ever(n, false);
  std::vector<size_t> digits(choices.size(), 0);
  do {
    std::vector<std::vector<double>> losses(n);
    std::vector<bool> kept;
    for (size_t i = 0; i < n; ++i) {
      for (const Addends &loss : candidates[i].losses) {
        losses[i].push_back(0);
        for (const Addend &addend : loss)
          losses[i].back() += addend.low + double(digits[addend.unknown]) / 2 *
                                               (addend.high - addend.low);
      }
      kept.push_back(
          candidates[i].met == Met::Certainly ||
          (candidates[i].met == Met::Possibly && digits[most + 1 + i]));
    }
    for (size_t i = 0; i < n; ++i) {
      const bool on = onFront(losses, kept, i);
      always[i] = always[i] && on;
      ever[i] = ever[i] || on;
    }
  } while (next(digits, choices));
  std::vector<FrontStatus> all;
  for (size_t i = 0; i < n; ++i)
    all.push_back(candidates[i].met == Met::No ? FrontStatus::Unmet
                  : always[i]                  ? FrontStatus::Certain
                  : ever[i]                    ? FrontStatus::Possible
                                               : FrontStatus::Dominated);
  return all;
}

/// Small whole numbers, so that ties are frequent. With `unknowns` each value
/// is a sum over so many that all candidates share; else each has its own.
std::vector<Candidate> someCandidates(std::mt19937 &random, size_t n,
                                      size_t goals, bool exact,
                                      uint32_t unknowns = 0) {
  std::vector<Candidate> candidates(n);
  uint32_t own = kExact;
  for (Candidate &candidate : candidates) {
    for (size_t k = 0; k < goals; ++k) {
      const double low = double(random() % 5);
      Addends loss = {
          {exact ? kExact : ++own, low, low + (exact ? 0 : random() % 3)}};
      if (unknowns)
        loss = {{kExact, low, low}};
      // Each goal has unknowns of its own, as energy and area do.
      for (uint32_t i = 1; i <= unknowns; ++i) {
        const double times = double(random() % 3);
        loss.push_back({uint32_t(k) * unknowns + i, times, times * (1 + i)});
      }
      candidate.losses.push_back(loss);
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

TEST(FrontStatus, OfSharedUnknownsContradictsNoWorld) {
  std::mt19937 random(5);
  size_t decided = 0, decidedAlone = 0;
  for (int round = 0; round < 300; ++round) {
    const auto candidates = someCandidates(random, 5, 2, false, 2);
    const auto found = statusesOf(candidates),
               worlds = byBruteForce(candidates);
    auto alone = candidates;
    uint32_t own = kExact;
    for (Candidate &candidate : alone)
      for (Addends &loss : candidate.losses)
        for (Addend &addend : loss)
          addend.unknown = ++own;
    const auto apart = statusesOf(alone);
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i] != FrontStatus::Possible) {
        ASSERT_EQ(found[i], worlds[i]) << "round " << round;
      }
      // What bands decide, their unknowns decide in the same way.
      if (apart[i] != FrontStatus::Possible) {
        ASSERT_EQ(found[i], apart[i]) << "round " << round;
      }
      decided += found[i] != FrontStatus::Possible;
      decidedAlone += apart[i] != FrontStatus::Possible;
    }
  }
  EXPECT_GT(decided, decidedAlone + 100);
}

TEST(FrontStatus, NamesOneOnTheFrontThatDominates) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto candidates = someCandidates(random, 20, 2, false);
    const auto dominance = dominanceOf(candidates);
    for (const Dominance &each : dominance) {
      ASSERT_EQ(each.by.has_value(), each.status == FrontStatus::Dominated);
      if (!each.by)
        continue;
      const size_t i = size_t(&each - dominance.data());
      EXPECT_LE(dominance[*each.by].status, FrontStatus::Possible);
      EXPECT_EQ(candidates[*each.by].met, Met::Certainly);
      for (size_t k = 0; k < 2; ++k)
        EXPECT_GE(differenceOf(candidates[*each.by].losses[k],
                               candidates[i].losses[k])
                      .low,
                  0);
    }
  }
}

TEST(FrontStatus, WiderBandsDecideLess) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    const auto candidates = someCandidates(random, 15, 3, false);
    auto wider = candidates;
    for (Candidate &candidate : wider)
      for (Addends &loss : candidate.losses)
        loss[0] = {loss[0].unknown, loss[0].low - double(random() % 2),
                   loss[0].high + double(random() % 2)};
    const auto narrow = statusesOf(candidates), wide = statusesOf(wider);
    for (size_t i = 0; i < wide.size(); ++i)
      if (wide[i] != FrontStatus::Possible) {
        EXPECT_EQ(wide[i], narrow[i]);
      }
  }
}

TEST(FrontStatus, OfAHundredThousandPointsTakesSeconds) {
  // None dominates another, which is the most work.
  std::vector<Candidate> candidates;
  uint32_t own = kExact;
  const auto value = [&](double low, double high) {
    return Addends{{++own, low, high}};
  };
  for (int i = 0; i < 100000; ++i)
    candidates.push_back({{value(i, i + 0.5), value(1e5 - i, 1e5 + 0.5 - i),
                           value(i % 7, i % 7 + 1.0)},
                          Met::Certainly});
  const auto start = std::chrono::steady_clock::now();
  for (const Dominance &dominance : dominanceOf(candidates))
    ASSERT_EQ(dominance.status, FrontStatus::Certain);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(FrontStatus, OfNothingIsNothing) { EXPECT_TRUE(dominanceOf({}).empty()); }
