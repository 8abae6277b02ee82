// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the loaded file does not define itself it finds in the program, which
// exports it (runtime/packages/Linking.cmake), so that there is everything
// once.

#include "simulator/timing/kernel/Kernel.h"

#include "targets/support/Error.h"

#include <dlfcn.h>
#include <filesystem>

namespace dendrolith::sim {

/// Throws Error where it is missing.
static std::string loadedFile() {
  namespace fs = std::filesystem;
  std::error_code error;
  // Where a build and an installation have it, beside the folder of programs.
  const fs::path file =
      fs::read_symlink("/proc/self/exe", error).parent_path().parent_path() /
      "lib" / "dendrolith" / "dendrolith-cycle.so";
  if (!fs::exists(file, error))
    throw Error("the cycle engine is in '" + file.string() +
                "', which is missing; install Dendrolith as a whole, not the "
                "program alone");
  return file;
}

static decltype(&dendrolithElapse) load() {
  const std::string file = loadedFile();
  if (void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
    if (void *symbol = dlsym(library, "dendrolithElapse"))
      return reinterpret_cast<decltype(&dendrolithElapse)>(symbol);
  throw Error(std::string("the cycle engine cannot be loaded: ") + dlerror());
}

std::vector<std::string> programFiles() {
  return {"/proc/self/exe", loadedFile()};
}

static decltype(&dendrolithElapse) loaded() {
  static const auto function = load();
  return function;
}

void loadKernel() { loaded(); }

RunResult elapse(Chip &chip, const Compare &compare) {
  RunResult result;
  loaded()(chip, compare, result);
  return result;
}

} // namespace dendrolith::sim
