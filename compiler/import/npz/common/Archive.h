// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of a checkpoint by key, with their shapes and values checked.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_ARCHIVE_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_ARCHIVE_H

#include "compiler/import/common/Findings.h"
#include "runtime/arrays/Npy.h"
#include "runtime/host/Signals.h"

#include <functional>
#include <set>

namespace dendrolith::npz {

using Shape = std::vector<uint64_t>;
using Values = std::vector<double>;

/// The elements of an array as reals; integers are converted.
Values flat(const Array &array);

/// Every function throws Error that begins with the file and the key.
class Archive {
public:
  explicit Archive(const std::string &path);

  bool has(const std::string &key) const { return keys.count(key) != 0; }
  /// All keys, sorted.
  std::vector<std::string> names() const { return {keys.begin(), keys.end()}; }
  const std::string &file() const { return path; }
  /// Says whose checkpoint this is, for the message about a key that is
  /// missing.
  void describe(const std::string &network, const std::string &folder);
  /// Reads a text of NumPy's type U, as UTF-8.
  std::string text(const std::string &key);
  /// The number of axes of an array of finite numbers.
  size_t rank(const std::string &key) { return read(key).shape.size(); }
  /// Reads finite numbers of any shape with `rank` axes, none of which is
  /// empty.
  const Array &array(const std::string &key, size_t rank);
  /// Reads finite numbers of a known shape; `why` ends the message about any
  /// other shape. Where they are not so, readAll() throws that later, and all
  /// are 0 here, so that other faults are found, too.
  Values reals(const std::string &key, const Shape &shape,
               const std::string &why);
  double real(const std::string &key);
  int64_t integer(const std::string &key);
  /// Reads samples of steps of `inputs` numbers: an array (samples, steps,
  /// inputs).
  Samples samples(const std::string &key, int64_t inputs);
  /// Does what reads a network, and throws all faults that were found.
  void readAll(const std::function<void()> &work);
  /// Marks a key as one that may be there and that nothing needs.
  void ignore(const std::string &key) { used.insert(key); }

  /// Keys that nothing has asked for.
  std::vector<std::string> unused() const;
  /// "FILE: 'KEY'", the place in a message, and with ": " behind it.
  std::string where(const std::string &key) const;
  std::string place(const std::string &key) const { return where(key) + ": "; }

private:
  const Array &read(const std::string &key);
  Values shaped(const std::string &key, const Shape &shape,
                const std::string &why);
  void require(const std::string &key);

  std::string path, bytes, help;
  std::set<std::string> keys, used;
  std::map<std::string, Array> arrays; // those that were read
  uint64_t elements = 0;               // in them
  std::set<std::string> replaced;      // keys whose numbers are none of theirs
  Collector faults;
};

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_ARCHIVE_H
