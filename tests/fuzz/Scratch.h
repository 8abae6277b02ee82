// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files for readers that take a path: written anew for each input, in memory
// where a single file is enough.

#ifndef DENDROLITH_TESTS_FUZZ_SCRATCH_H
#define DENDROLITH_TESTS_FUZZ_SCRATCH_H

#include "tests/fuzz/Fuzz.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace dendrolith::fuzz {

/// A file without a folder, as long as this lives.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view bytes)
      : descriptor(memfd_create("fuzz", MFD_CLOEXEC)) {
    require(write(descriptor, bytes.data(), bytes.size()) ==
                ssize_t(bytes.size()),
            "no memory file");
  }
  ~MemoryFile() { close(descriptor); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

private:
  const int descriptor;
};

/// A folder of the process, for all inputs.
class Folder {
public:
  Folder()
      : path((std::filesystem::temp_directory_path() / "dendrolith-fuzz-XXXXXX")
                 .string()) {
    require(mkdtemp(path.data()) != nullptr, "no folder");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  void put(const std::string &name, std::string_view bytes) const {
    std::ofstream file(path + "/" + name, std::ios::binary);
    file.write(bytes.data(), std::streamsize(bytes.size()));
    require(bool(file.flush()), "no file");
  }
  void take(const std::string &name) const {
    std::filesystem::remove(path + "/" + name);
  }

  std::string path;
};

} // namespace dendrolith::fuzz

#endif // DENDROLITH_TESTS_FUZZ_SCRATCH_H
