// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/in_order/WireCosts.h against SearchProblem::wire(), its
// plain twin.

#include "compiler/mapping/in_order/WireCosts.h"

#include <gtest/gtest.h>

#include <random>

using namespace dendrolith;

namespace {

/// Some places share a position, as cores of a tile do.
SearchProblem problemOf(std::mt19937 &random, uint32_t items, uint32_t places,
                        bool isPlaced) {
  SearchProblem problem;
  problem.numPlaces = places;
  for (uint32_t p = 0; isPlaced && p < places; ++p)
    problem.position.push_back({p / 2 % 3, p / 6});
  std::map<std::pair<uint32_t, uint32_t>, double> traffic;
  for (uint32_t i = 0; i < 4 * items; ++i)
    traffic[{random() % items, random() % items}] = 1e-3 * (random() % 1000);
  problem.setTraffic(items, traffic);
  for (uint32_t item = 0; item < items; ++item)
    problem.anchor.push_back(0.1 * (random() % 10));
  return problem;
}

TEST(WireCosts, AreThoseOfEachItemAndPlace) {
  for (bool isPlaced : {false, true}) {
    SCOPED_TRACE(isPlaced);
    std::mt19937 random(1);
    const uint32_t items = 14, places = 11;
    const SearchProblem problem = problemOf(random, items, places, isPlaced);
    std::vector<uint32_t> place;
    for (uint32_t item = 0; item < items; ++item)
      place.push_back(random() % places);
    WireCosts costs(problem, place);
    for (int round = 0; round < 3000; ++round) {
      const uint32_t item = random() % items, at = random() % places;
      if (random() % 8 == 0) {
        place[item] = at;
        costs.moved(item);
      } else if (random() % 4 == 0) {
        const double *row = costs.row(item);
        for (uint32_t p = 0; p < places; ++p)
          ASSERT_EQ(row[costs.spotOf(p)], problem.wire(item, p, place));
      }
      ASSERT_EQ(costs.at(item, at), problem.wire(item, at, place));
    }
  }
}

// So many items that there is but one row.
TEST(WireCosts, AreTheSameWithoutRoomForEachItem) {
  std::mt19937 random(1);
  const uint32_t items = 3000, places = 1500;
  const SearchProblem problem = problemOf(random, items, places, false);
  std::vector<uint32_t> place;
  for (uint32_t item = 0; item < items; ++item)
    place.push_back(random() % places);
  WireCosts costs(problem, place);
  for (int round = 0; round < 500; ++round) {
    const uint32_t item = random() % 3, at = random() % places;
    if (random() % 3 == 0) {
      place[item] = at;
      costs.moved(item);
    }
    ASSERT_EQ(costs.row(item)[costs.spotOf(at)], problem.wire(item, at, place));
    ASSERT_EQ(costs.at(item, at), problem.wire(item, at, place));
  }
}

} // namespace
