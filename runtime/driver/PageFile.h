// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of --html.

#ifndef DENDROLITH_RUNTIME_DRIVER_PAGEFILE_H
#define DENDROLITH_RUNTIME_DRIVER_PAGEFILE_H

#include "runtime/host/Files.h"
#include "simulator/report/html/Page.h"

#include <optional>
#include <string>

namespace dendrolith::driver {

class PageFile {
public:
  /// Opens it, so that a bad path fails before the work.
  explicit PageFile(std::string path);

  /// Writes the page and returns a line that says so, and what is missing.
  std::string write(const report::html::Page &page);

private:
  std::string path;
  std::optional<report::html::Library> library;
  AtomicFile file;
};

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_PAGEFILE_H
