// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/lava/Lava.cpp, compiler/import/lava/Build.cpp.
// The message of a .lava.pb file, read and built.

#include "tests/fuzz/Lava.h"

#include "llvm/Support/raw_ostream.h"

using namespace dendrolith;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ImportedModel model;
  if (!fuzz::buildLava({reinterpret_cast<const char *>(data), size}, model))
    return -1;
  model.module->print(llvm::nulls());
  return 0;
}
