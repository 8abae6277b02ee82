// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libFuzzer in ordinary builds: runs a target over the files and
// folders named on the command line, in order of name.

#include "tests/fuzz/Fuzz.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace fs = std::filesystem;

int main(int argc, char **argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      files.emplace_back(argv[i]);
      continue;
    }
    for (const auto &entry : fs::recursive_directory_iterator(argv[i]))
      if (entry.is_regular_file())
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  size_t taken = 0;
  for (const fs::path &file : files) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    if (!in.is_open()) {
      std::fprintf(stderr, "%s: cannot be read\n", file.c_str());
      return 1;
    }
    std::printf("%s\n", file.c_str()); // the one that ends the process is last
    std::fflush(stdout);
    taken +=
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()),
                               bytes.size()) == 0;
  }
  std::printf("%zu files: %zu read, %zu refused\n", files.size(), taken,
              files.size() - taken);
  // A corpus of which nothing is read, or nothing at all, tests little.
  return taken ? 0 : 1;
}
