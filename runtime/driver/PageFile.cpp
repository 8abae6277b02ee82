// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/PageFile.h"

namespace dendrolith::driver {

PageFile::PageFile(std::string path)
    : path(path), library(report::html::findLibrary()), file(std::move(path)) {}

std::string PageFile::write(const report::html::Page &page) {
  file.write(page.text(library));
  file.commit();
  return "wrote " + path +
         (library ? "" : ": its " + report::html::missingLibrary()) + "\n";
}

} // namespace dendrolith::driver
