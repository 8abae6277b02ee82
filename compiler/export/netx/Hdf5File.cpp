// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/export/netx/Hdf5File.h"
#include "compiler/import/hdf5/Handle.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dendrolith::lava {

using hdf5::check;
using hdf5::Handle;
using hdf5::Node;

static void writeDataset(hid_t parent, const std::string &name,
                         const Node &node) {
  std::vector<hsize_t> dims(node.shape.begin(), node.shape.end());
  Handle space(dims.empty()
                   ? H5Screate(H5S_SCALAR)
                   : H5Screate_simple(int(dims.size()), dims.data(), nullptr),
               H5Sclose, name);
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  check(H5Pset_obj_track_times(properties, false), name);
  auto write = [&](hid_t stored, hid_t memory, const void *data) {
    Handle dataset(H5Dcreate2(parent, name.c_str(), stored, space, H5P_DEFAULT,
                              properties, H5P_DEFAULT),
                   H5Dclose, name);
    check(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
  };
  if (node.kind == Node::Content::Strings) {
    size_t width = 1;
    for (const std::string &text : node.strings)
      width = std::max(width, text.size());
    std::string block;
    for (std::string text : node.strings) {
      text.resize(width);
      block += text;
    }
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
    check(H5Tset_size(type, width), name);
    check(H5Tset_strpad(type, H5T_STR_NULLPAD), name);
    write(type, type, block.data());
  } else if (node.number == hdf5::NumberClass::Float) {
    write(node.isFloat32() ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
          node.values.data());
  } else if (node.bytes == 8) {
    std::vector<int64_t> values(node.values.begin(), node.values.end());
    write(H5T_STD_I64LE, H5T_NATIVE_INT64, values.data());
  } else {
    std::vector<int32_t> values(node.values.begin(), node.values.end());
    write(H5T_STD_I32LE, H5T_NATIVE_INT32, values.data());
  }
}

static void writeMembers(hid_t parent, const Node &group) {
  for (const hdf5::Member &member : group.members) {
    if (member.node.kind != Node::Content::Group) {
      writeDataset(parent, member.name, member.node);
      continue;
    }
    Handle child(H5Gcreate2(parent, member.name.c_str(), H5P_DEFAULT,
                            H5P_DEFAULT, H5P_DEFAULT),
                 H5Gclose, member.name);
    writeMembers(child, member.node);
  }
}

std::string hdf5Bytes(const Node &tree) {
  try {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    // The file is made in memory, and HDF5's driver writes none of its own.
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "/");
    check(H5Pset_fapl_core(access, 1 << 16, false), "/");
    Handle file(H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access),
                H5Fclose, "/");
    writeMembers(file, tree);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "/");
    ssize_t size = H5Fget_file_image(file, nullptr, 0);
    check(size < 0 ? -1 : 0, "/");
    std::string bytes(size_t(size), '\0');
    check(H5Fget_file_image(file, bytes.data(), bytes.size()) < 0 ? -1 : 0,
          "/");
    return bytes;
  } catch (const std::runtime_error &error) {
    throw Error(std::string("the HDF5 library cannot write: ") + error.what());
  }
}

} // namespace dendrolith::lava
