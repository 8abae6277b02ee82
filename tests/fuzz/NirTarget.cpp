// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/nir/Nir.cpp.
// What the HDF5 child sends, as a hostile child might: a byte of import
// options, then the tree of a file. The graph is read and its network built.

#include "compiler/import/nir/Nir.h"
#include "tests/fuzz/Tree.h"

using namespace dendrolith;

/// The low bits of `byte` choose what NIR leaves open; the highest says that
/// the frames around the tree are in the input too.
static nir::NirOptions optionsOf(uint8_t byte) {
  nir::NirOptions options;
  options.limits = fuzz::smallLimits();
  options.integrator = static_cast<nir::Integrator>((byte & 3) % 3);
  options.timeUnit = static_cast<nir::TimeUnit>((byte >> 2 & 3) % 3);
  options.reset = static_cast<nir::Reset>(byte >> 4 & 1);
  options.ifConvention = static_cast<nir::IfConvention>(byte >> 5 & 1);
  options.loopDelay = byte >> 6 & 1;
  return options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  nir::NirOptions options = optionsOf(data[0]);
  std::optional<hdf5::Node> tree =
      fuzz::treeOf(data + 1, size - 1, data[0] >> 7, options.limits);
  if (!tree)
    return -1;
  bool taken = fuzz::accepted([&] {
    ImportedModel model =
        importNir(fuzz::context(), "fuzz.nir", *tree, options);
    model.module->print(llvm::nulls());
  });
  return taken ? 0 : -1;
}
