// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/hdf5/Walk.cpp. The
// bytes of a .nir file, whatever the HDF5 library makes of them in its child:
// a network or an error. What the child does is no part of the coverage.

#include "compiler/import/nir/Nir.h"
#include "tests/fuzz/Scratch.h"
#include "tests/fuzz/Tree.h"

using namespace dendrolith;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz::Folder folder;
  folder.put("fuzz.nir", {reinterpret_cast<const char *>(data), size});
  nir::NirOptions options;
  options.limits = fuzz::smallLimits();
  bool taken = fuzz::accepted(
      [&] { importNir(fuzz::context(), folder.path + "/fuzz.nir", options); });
  return taken ? 0 : -1;
}
