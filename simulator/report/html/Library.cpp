// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/Library.h"

#include "targets/support/Error.h"
#include "targets/support/InputFile.h"

#include <cstdlib>
#include <filesystem>

namespace dendrolith::report::html {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLibraryBytes = uint64_t(1) << 24;

std::optional<Library> libraryIn(const fs::path &folder) {
  std::error_code ignored;
  for (const char *name : {"echarts.min.js", "LICENSE", "NOTICE"})
    if (!fs::is_regular_file(folder / name, ignored))
      return std::nullopt;
  auto read = [&](const char *name) {
    return readFile((folder / name).string(), kLibraryBytes);
  };
  return Library{read("echarts.min.js"), read("LICENSE"), read("NOTICE")};
}

} // namespace

std::optional<Library> findLibrary() {
  if (const char *given = std::getenv("DENDROLITH_ECHARTS"); given && *given) {
    std::optional<Library> library = libraryIn(given);
    if (!library)
      throw Error(std::string("DENDROLITH_ECHARTS: expected a folder with "
                              "echarts.min.js, LICENSE and NOTICE, found '") +
                  given + "'");
    return library;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return std::nullopt;
  return libraryIn(program.parent_path().parent_path() / "share" /
                   "dendrolith" / "echarts");
}

std::string missingLibrary() {
  return "pictures do not zoom, as ECharts is not installed: install npm and "
         "configure Dendrolith again (cmake), or set DENDROLITH_ECHARTS to a "
         "folder "
         "with echarts.min.js, LICENSE and NOTICE";
}

} // namespace dendrolith::report::html
