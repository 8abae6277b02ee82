// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/constraints/ConstraintsFile.cpp,
// compiler/mapping/constraints/Constraints.cpp. A text as constraints of a
// mapping, which the mapping then keeps.

#include "compiler/mapping/constraints/CheckConstraints.h"
#include "compiler/mapping/constraints/ConstraintsFile.h"
#include "compiler/mapping/constraints/VerifyConstraints.h"
#include "tests/fuzz/SmallNetwork.h"

using namespace dendrolith;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const MapNetwork network = fuzz::smallNetwork();
  static const Target target = Target::load("tiny");
  const std::string text(reinterpret_cast<const char *>(data), size);
  bool taken = fuzz::accepted([&] {
    Constraints constraints =
        parseConstraints(network, target, text, "fuzz.yaml");
    uint32_t neurons = 0;
    for (const Atom &atom : atomsOf(constraints, network, target))
      neurons += atom.neurons.count;
    fuzz::require(neurons == 17, "atoms that are not all neurons");
    check(constraints, network, target);
    fuzz::MemoryFile file(text);
    MappingOptions options;
    options.constraintsFile = file.path();
    Fit<Mapping> mapping = mapNetwork(network, target, options);
    if (!mapping)
      return;
    const MapNetwork seen = permute(network, mapping->order);
    try {
      verify(constraints, seen, target, mapping->slices, mapping->order);
    } catch (const Error &error) {
      fuzz::require(false, error.what());
    }
  });
  return taken ? 0 : -1;
}
