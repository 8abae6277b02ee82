// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith explore STUDY --html R.html`: the points of a study as a page.

#include "runtime/driver/Explore.h"
#include "runtime/driver/PageFile.h"
#include "runtime/explore/page/StudyPage.h"

#include <cstdio>
#include <memory>

namespace dendrolith::driver {

ExploreView addPage(CLI::App &command) {
  auto path = std::make_shared<std::string>();
  command
      .add_option("--html", *path,
                  "R.html: the points as one file for a browser, which needs "
                  "no network")
      ->group("Views");
  return [path](const explore::Store &store) {
    if (path->empty())
      return false;
    PageFile file(*path);
    const std::string said =
        file.write(explore::studyPage(store.study(), store.points()));
    std::fputs(said.c_str(), stdout);
    return true;
  };
}

} // namespace dendrolith::driver
