// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random networks of tests/agreement as files, for tests in Python: seeds
// FIRST to FIRST + COUNT - 1 that have one clock, as N.mlir and N.INPUT.npy.
//
//   dendrolith-bodies-tool FOLDER FIRST COUNT

#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "tests/agreement/RandomBodies.h"

#include <cstdlib>

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  std::string folder = argv[1];
  uint32_t first = uint32_t(std::atoi(argv[2])),
           count = uint32_t(std::atoi(argv[3]));
  for (uint32_t seed = first; seed < first + count; ++seed) {
    dendrolith::test::RandomBodies network =
        dendrolith::test::randomBodies(seed);
    if (network.text.find("divides") != std::string::npos)
      continue;
    std::string base = folder + "/" + std::to_string(seed);
    dendrolith::writeAside(base + ".mlir", network.text);
    for (const auto &[name, samples] : network.inputs) {
      dendrolith::Array array;
      array.shape = {samples.samples, samples.steps};
      array.shape.insert(array.shape.end(), samples.shape.begin(),
                         samples.shape.end());
      for (size_t i = 0; i < samples.values.size(); ++i)
        array.real.push_back(samples.values[i]);
      dendrolith::saveNpy(base + "." + name + ".npy", array);
    }
  }
  return 0;
}
