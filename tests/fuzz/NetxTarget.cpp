// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/lava/Netx.cpp, compiler/export/netx/Netx.cpp.
// A NetX file as the HDF5 child sends it, as a hostile child might: a byte, of
// which the highest bit says that the frames are in the input too, then the
// tree. What is read is built; what can be written must read as what is written
// again.

#include "compiler/export/netx/Netx.h"
#include "compiler/import/lava/Lava.h"
#include "compiler/import/lava/Netx.h"
#include "tests/fuzz/Tree.h"

using namespace dendrolith;

static bool sameNode(const hdf5::Node &a, const hdf5::Node &b) {
  bool isSame = a.kind == b.kind && a.shape == b.shape &&
                a.values == b.values && a.strings == b.strings &&
                a.members.size() == b.members.size();
  for (size_t i = 0; isSame && i < a.members.size(); ++i)
    isSame = a.members[i].name == b.members[i].name &&
             sameNode(a.members[i].node, b.members[i].node);
  return isSame;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  std::optional<hdf5::Node> tree =
      fuzz::treeOf(data + 1, size - 1, data[0] >> 7, fuzz::smallLimits());
  if (!tree)
    return -1;
  lava::NetxNetwork network;
  bool taken = fuzz::accepted([&] {
    network = lava::readNetx(*tree, "fuzz.net");
    ImportedModel model = buildLava(fuzz::context(), network.model, "fuzz.net");
    model.module->print(llvm::nulls());
  });
  if (!taken)
    return -1;
  fuzz::accepted([&] {
    hdf5::Node written = lava::netxFile(network.model).tree;
    lava::Model again = lava::readNetx(written, "fuzz.net").model;
    fuzz::require(sameNode(lava::netxFile(again).tree, written),
                  "what was written reads otherwise");
  });
  return 0;
}
