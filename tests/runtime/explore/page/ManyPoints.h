// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A study with points of every state, made by a formula.

#ifndef DENDROLITH_TESTS_RUNTIME_EXPLORE_PAGE_MANYPOINTS_H
#define DENDROLITH_TESTS_RUNTIME_EXPLORE_PAGE_MANYPOINTS_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

inline Study memoryStudy() {
  Study study;
  study.name = "memory & lanes";
  study.models.resize(1);
  study.models[0].name = "net";
  study.models[0].samples = 100;
  study.targets = {"loihi2"};
  study.axes = {{"microcode.lanes", {"1", "4", "16"}, ""},
                {"limits.core_memory_bytes", {"32768", "65536", "131072"}, ""},
                {"compile.map-for", {"time", "energy"}, ""}};
  study.objectives = {{"latency.mean", false}, {"energy", false}};
  study.constraints = {{"accuracy >= 0.9", "accuracy", ">=", 0.9}};
  study.baseline = {{"microcode.lanes", "1"}};
  return study;
}

inline std::vector<StoredPoint> memoryPoints(const Study &study) {
  std::vector<StoredPoint> points;
  for (const std::string &lanes : study.axes[0].values)
    for (const std::string &bytes : study.axes[1].values)
      for (const std::string &aim : study.axes[2].values) {
        StoredPoint stored;
        stored.number = points.size() + 1;
        stored.effort = Effort{1.5, 1000, {}};
        Point &point = stored.point;
        point.design = {"net",
                        "loihi2",
                        {{"microcode.lanes", lanes},
                         {"limits.core_memory_bytes", bytes},
                         {"compile.map-for", aim}},
                        0};
        const double l = std::stod(lanes), m = std::stod(bytes) / 32768;
        if (l == 16 && m == 1) {
          point.state = PointState::Unfit;
          point.reason = "core memory: 41200 of 32768 bytes </script><b>";
          point.shortage = Shortage{"core_memory_bytes", 41200, 32768};
        } else {
          const double time = 20 / l + 6 / m + (aim == "time" ? 0 : 3),
                       energy = 1 + 0.3 * m + (aim == "time" ? 0.4 : 0),
                       right = l == 1 && m == 1 ? 0.88 : 0.93;
          point.values = {{"accuracy", {right, right}},
                          {"latency.mean", {time, time}},
                          {"energy", {energy, 1.2 * energy}},
                          {"area", {3 + 2 * m + l / 4, 4 + 3 * m + l / 2}}};
          point.energyByEvent = {{"synops.dense", {energy / 4, energy / 3}},
                                 {"messages", {energy / 8, energy / 2}}};
          point.energyByLayer = {{"</script><b>", {energy / 2, energy}}};
          point.closedBy = {{"core 3 receive", 400}, {"barrier", 200}};
          point.fit = {{"core_memory_bytes", 30000, 32768 * m}};
        }
        points.push_back(std::move(stored));
      }
  return points;
}

} // namespace dendrolith::explore

#endif // DENDROLITH_TESTS_RUNTIME_EXPLORE_PAGE_MANYPOINTS_H
