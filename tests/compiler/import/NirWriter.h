// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes small NIR files, good and bad ones, straight with the HDF5 library.

#ifndef DENDROLITH_TESTS_COMPILER_IMPORT_NIRWRITER_H
#define DENDROLITH_TESTS_COMPILER_IMPORT_NIRWRITER_H

#include <hdf5.h>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::testing {

using Edges = std::vector<std::pair<std::string, std::string>>;

class NirWriter {
public:
  /// Creates the file in the test's temporary folder with /version and, unless
  /// `bare`, the outermost graph.
  explicit NirWriter(const std::string &name, bool bare = false);
  ~NirWriter() { close(); }
  NirWriter(const NirWriter &) = delete;
  NirWriter &operator=(const NirWriter &) = delete;

  /// A nested graph; `path` is relative to the file, as all paths here.
  NirWriter &graph(const std::string &path);
  /// A node of the outermost graph, or of `graph`.
  NirWriter &node(const std::string &name, const std::string &type,
                  const std::string &graph = "/node");
  /// A dataset of the node that was added last.
  NirWriter &set(const std::string &key, const std::vector<hsize_t> &shape,
                 const std::vector<double> &values);
  NirWriter &scalar(const std::string &key, double value) {
    return set(key, {}, {value});
  }
  /// Stored type and compression of the datasets that follow.
  NirWriter &stored(hid_t type) {
    storedType = type;
    return *this;
  }
  NirWriter &gzip(bool on) {
    compress = on;
    return *this;
  }
  NirWriter &edges(const Edges &edges, const std::string &graph = "/node");

  void group(const std::string &path);
  void text(const std::string &path, const std::string &value);
  void fixedTexts(const std::string &path, hsize_t width,
                  const std::vector<std::string> &values);
  void numbers(const std::string &path, const std::vector<hsize_t> &shape,
               const std::vector<double> &values);

  hid_t file() const { return id; }
  const std::string &path() const { return filePath; }
  /// Closes the file and gives its path.
  const std::string &close();

private:
  std::string filePath, lastNode;
  hid_t id = -1, storedType;
  bool compress = false;
};

/// A path in the folder for this run's files.
std::string temporary(const std::string &name);

} // namespace dendrolith::testing

#endif // DENDROLITH_TESTS_COMPILER_IMPORT_NIRWRITER_H
