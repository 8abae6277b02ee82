// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of a command beside its result: the page of --html, and a folder for
// what only this process needs.

#ifndef DENDROLITH_RUNTIME_DRIVER_OUTPUTFILES_H
#define DENDROLITH_RUNTIME_DRIVER_OUTPUTFILES_H

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

/// A folder for this process and its user alone, which goes when this does, or
/// with a signal that ends the process.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  std::string folder;

private:
  int slot = -1;
};

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_OUTPUTFILES_H
