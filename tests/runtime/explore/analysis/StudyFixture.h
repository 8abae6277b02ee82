// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A study of two axes with points made by hand.

#ifndef DENDROLITH_TESTS_RUNTIME_EXPLORE_ANALYSIS_STUDYFIXTURE_H
#define DENDROLITH_TESTS_RUNTIME_EXPLORE_ANALYSIS_STUDYFIXTURE_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith::explore {

inline Study laneStudy() {
  Study study;
  study.name = "lanes";
  study.models.resize(1);
  study.models[0].name = "net";
  study.targets = {"loihi2"};
  study.axes = {{"microcode.lanes", {"1", "4"}, ""},
                {"compile.map-for", {"time", "energy"}, ""}};
  study.objectives = {{"latency.mean", false}, {"energy", false}};
  return study;
}

inline StoredPoint lanePoint(uint64_t number, const std::string &lanes,
                             const std::string &mapFor,
                             std::map<std::string, Band> values) {
  StoredPoint stored;
  stored.number = number;
  stored.point.design = {
      "net",
      "loihi2",
      {{"microcode.lanes", lanes}, {"compile.map-for", mapFor}},
      0};
  stored.point.values = std::move(values);
  return stored;
}

} // namespace dendrolith::explore

#endif // DENDROLITH_TESTS_RUNTIME_EXPLORE_ANALYSIS_STUDYFIXTURE_H
