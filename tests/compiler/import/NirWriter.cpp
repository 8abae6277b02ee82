// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/compiler/import/NirWriter.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dendrolith::testing {

std::string temporary(const std::string &name) {
  // Each test is its own process under ctest; the folder goes with it.
  struct Folder {
    std::filesystem::path path =
        std::filesystem::path(::testing::TempDir()) /
        ("dendrolith-import-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static Folder folder;
  return (folder.path / name).string();
}

NirWriter::NirWriter(const std::string &name, bool bare)
    : filePath(temporary(name)), storedType(H5T_IEEE_F64LE) {
  id = H5Fcreate(filePath.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  text("/version", "1.0.7");
  if (!bare)
    graph("/node");
}

const std::string &NirWriter::close() {
  if (id >= 0)
    H5Fclose(id);
  id = -1;
  return filePath;
}

void NirWriter::group(const std::string &path) {
  H5Gclose(H5Gcreate2(id, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

NirWriter &NirWriter::graph(const std::string &path) {
  group(path);
  text(path + "/type", "NIRGraph");
  group(path + "/nodes");
  return *this;
}

NirWriter &NirWriter::node(const std::string &name, const std::string &type,
                           const std::string &graph) {
  lastNode = graph + "/nodes/" + name;
  group(lastNode);
  text(lastNode + "/type", type);
  return *this;
}

NirWriter &NirWriter::set(const std::string &key,
                          const std::vector<hsize_t> &shape,
                          const std::vector<double> &values) {
  numbers(lastNode + "/" + key, shape, values);
  return *this;
}

static hid_t variableString() {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

void NirWriter::text(const std::string &path, const std::string &value) {
  hid_t type = variableString(), space = H5Screate(H5S_SCALAR);
  hid_t data = H5Dcreate2(id, path.c_str(), type, space, H5P_DEFAULT,
                          H5P_DEFAULT, H5P_DEFAULT);
  const char *pointer = value.c_str();
  H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer);
  H5Dclose(data);
  H5Sclose(space);
  H5Tclose(type);
}

void NirWriter::fixedTexts(const std::string &path, hsize_t width,
                           const std::vector<std::string> &values) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, width);
  hsize_t count = values.size();
  hid_t space = H5Screate_simple(1, &count, nullptr);
  hid_t data = H5Dcreate2(id, path.c_str(), type, space, H5P_DEFAULT,
                          H5P_DEFAULT, H5P_DEFAULT);
  std::string block;
  for (std::string value : values) {
    value.resize(width);
    block += value;
  }
  H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.data());
  H5Dclose(data);
  H5Sclose(space);
  H5Tclose(type);
}

void NirWriter::numbers(const std::string &path,
                        const std::vector<hsize_t> &shape,
                        const std::vector<double> &values) {
  hid_t space = shape.empty() ? H5Screate(H5S_SCALAR)
                              : H5Screate_simple(static_cast<int>(shape.size()),
                                                 shape.data(), nullptr);
  hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  if (compress && !shape.empty()) {
    H5Pset_chunk(properties, static_cast<int>(shape.size()), shape.data());
    H5Pset_deflate(properties, 4);
  }
  hid_t data = H5Dcreate2(id, path.c_str(), storedType, space, H5P_DEFAULT,
                          properties, H5P_DEFAULT);
  if (!values.empty())
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             values.data());
  H5Dclose(data);
  H5Pclose(properties);
  H5Sclose(space);
}

NirWriter &NirWriter::edges(const Edges &edges, const std::string &graph) {
  std::string path = graph + "/edges";
  if (edges.empty()) {
    numbers(path, {0}, {}); // as the official writer does
    return *this;
  }
  hid_t type = variableString();
  hsize_t shape[2] = {edges.size(), 2};
  hid_t space = H5Screate_simple(2, shape, nullptr);
  hid_t data = H5Dcreate2(id, path.c_str(), type, space, H5P_DEFAULT,
                          H5P_DEFAULT, H5P_DEFAULT);
  std::vector<const char *> pointers;
  for (const auto &edge : edges) {
    pointers.push_back(edge.first.c_str());
    pointers.push_back(edge.second.c_str());
  }
  H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
  H5Dclose(data);
  H5Sclose(space);
  H5Tclose(type);
  return *this;
}

} // namespace dendrolith::testing
