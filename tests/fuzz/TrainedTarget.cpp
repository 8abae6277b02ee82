// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/npz/Npz.cpp, compiler/import/study/Study.cpp. An
// archive of arrays as the checkpoint of a trained network or as a study's
// network, which is built and verified.

#include "compiler/import/Import.h"
#include "tests/fuzz/Scratch.h"
#include "tests/fuzz/Tree.h"

#include "llvm/Support/raw_ostream.h"

using namespace dendrolith;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz::Folder folder;
  folder.put("fuzz.npz", {reinterpret_cast<const char *>(data), size});
  bool taken = fuzz::accepted([&] {
    ImportedModel model =
        importModel(fuzz::context(), folder.path + "/fuzz.npz");
    model.module->print(llvm::nulls());
  });
  return taken ? 0 : -1;
}
