// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/study/ReadStudy.cpp, runtime/explore/study/Designs.cpp,
// runtime/explore/study/PointsFile.cpp, runtime/explore/study/Expression.cpp. A
// study, and behind a NUL the table of its designs; it is read as views read it
// and as it is measured, and its first and last designs are made.

#include "runtime/explore/study/Designs.h"
#include "runtime/explore/study/ReadStudy.h"
#include "tests/fuzz/Scratch.h"

#include <algorithm>

using namespace dendrolith;
using namespace dendrolith::explore;

/// No design of a study is beyond its count, and each is one of its axes.
static void look(const Study &study) {
  constexpr uint64_t mostSampled = 1 << 12;
  if (study.strategy.points > mostSampled)
    return;
  const Designs designs(study);
  const uint64_t size = designs.size();
  for (uint64_t i : {uint64_t(0), size / 2, size - 1}) {
    if (i >= size)
      continue;
    const Design design = designs.at(i);
    fuzz::require(design.values.size() == study.axes.size(),
                  "a design with other axes than its study");
    for (size_t a = 0; a < study.axes.size(); ++a) {
      const auto &values = study.axes[a].values;
      fuzz::require(
          std::count(values.begin(), values.end(), design.values[a].second) > 0,
          "a design with a value that its axis does not have");
    }
    designs.excluded(design);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz::Folder folder;
  const std::string bytes(reinterpret_cast<const char *>(data), size);
  const size_t end = std::min(bytes.find('\0'), size);
  StudySource source{bytes.substr(0, end), "fuzz.yaml", folder.path};
  source.manyPoints = true;
  if (end < size) {
    folder.put("points.csv", bytes.substr(end + 1));
    source.pointsFile = folder.path + "/points.csv";
  }
  bool taken = false;
  for (bool checked : {false, true}) {
    source.checked = checked;
    taken |= fuzz::accepted([&] { look(readStudy(source)); });
  }
  return taken ? 0 : -1;
}
