// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/constraints/PlacementFile.cpp,
// compiler/mapping/constraints/EarlierMapping.cpp. One text as the placement of
// a network and as its earlier mapping; or, behind the byte 0, the message of a
// program image as the latter.

#include "compiler/mapping/constraints/EarlierMapping.h"
#include "targets/support/Sha256.h"
#include "tests/fuzz/SmallNetwork.h"

using namespace dendrolith;

/// Reads an earlier mapping; the counts are those of its neurons.
static void readsAsEarlier(const std::string &bytes, const MapNetwork &network,
                           const Target &target) {
  fuzz::MemoryFile file(bytes);
  EarlierMapping earlier = readEarlierMapping(file.path(), network, target);
  uint64_t placed = 0, all = 0;
  for (const std::vector<uint32_t> &cores : earlier.core)
    for (uint32_t core : cores) {
      ++all;
      placed += core != noCore;
      fuzz::require(core == noCore || core < target.numCores(),
                    "an earlier mapping onto a core that does not exist");
    }
  fuzz::require(placed == earlier.placed && all == placed + earlier.unplaced,
                "neurons of the earlier mapping that do not add up");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const MapNetwork network = fuzz::smallNetwork();
  static const Target target = Target::load("tiny");
  std::string bytes(reinterpret_cast<const char *>(data), size);
  if (size && data[0] == 0) {
    const std::string message = bytes.substr(1);
    bytes = "DENDROLITH\n" + sha256(message) + "\n" + message;
    return fuzz::accepted([&] { readsAsEarlier(bytes, network, target); }) ? 0
                                                                           : -1;
  }
  bool taken = fuzz::accepted([&] { readsAsEarlier(bytes, network, target); });
  taken |= fuzz::accepted([&] {
    fuzz::MemoryFile file(bytes);
    MappingOptions options;
    options.placementFile = file.path();
    fuzz::mapsOnto(network, target, options);
  });
  return taken ? 0 : -1;
}
