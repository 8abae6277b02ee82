// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Study.h"

#include "targets/loader/files/Discovery.h"

#include <filesystem>

namespace dendrolith::explore {

std::string fromStudy(const Study &study, const std::string &path) {
  const std::filesystem::path whole =
      std::filesystem::path(study.folder) / path;
  return whole.lexically_normal().string();
}

std::string chipOf(const Study &study, const std::string &target) {
  return isPath(target) ? fromStudy(study, target) : target;
}

} // namespace dendrolith::explore
