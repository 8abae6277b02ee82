// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/OutputFiles.h"

#include "runtime/host/Parts.h"
#include "targets/support/Error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace dendrolith::driver {

PageFile::PageFile(std::string path)
    : path(path), library(report::html::findLibrary()), file(std::move(path)) {}

std::string PageFile::write(const report::html::Page &page) {
  file.write(page.text(library));
  file.commit();
  return "wrote " + path +
         (library ? "" : ": its " + report::html::missingLibrary()) + "\n";
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const auto below = std::filesystem::temp_directory_path(error);
  if (error)
    throw Error("TMPDIR: expected a folder for temporary files, found none: " +
                error.message());
  std::string name = (below / "dendrolith-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw Error("cannot make a folder for temporary files: " + name + ": " +
                std::strerror(errno) +
                "; set TMPDIR to one that can be written");
  folder = name;
  slot = addPart(folder, Part::Tree);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  dropPart(slot);
}

} // namespace dendrolith::driver
