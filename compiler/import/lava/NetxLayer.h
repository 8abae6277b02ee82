// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One layer's group of a NetX file: datasets with their types checked.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_NETXLAYER_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_NETXLAYER_H

#include "compiler/import/hdf5/Tree.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::lava {

using Shape = std::vector<uint64_t>;

/// "[3, 2]": the place of a row-major element; nothing for a single number.
std::string elementText(const Shape &shape, uint64_t flat);

class NetxLayer {
public:
  /// `group` must outlive this.
  NetxLayer(std::string file, unsigned index, const hdf5::Node &group)
      : place(fmt::format("{}: layer/{}", file, index)), group(&group),
        index(index) {}

  /// A key is a path in the layer: "neuron/vThMant".
  const hdf5::Node *find(const std::string &key) const;
  bool has(const std::string &key) const { return find(key) != nullptr; }

  /// One text, by itself or in an array of one.
  std::string text(const std::string &key) const;
  /// The dataset of numbers; throws where it is missing. `meaning` says what it
  /// should have been.
  const hdf5::Node &numbers(const std::string &key, const char *meaning) const;
  /// One integer of an integer type, by itself or in an array of one.
  int64_t integer(const std::string &key, int64_t low, int64_t high) const;
  /// Such integers, one or more.
  std::vector<int64_t> integers(const std::string &key, int64_t low,
                                int64_t high) const;
  /// Numbers of any type, cut to whole ones toward zero as NumPy's astype(int)
  /// does; a note says so where that changed them.
  std::vector<int64_t> whole(const std::string &key, int64_t low, int64_t high,
                             Warnings &notes) const;
  /// The layer's own `shape`, in the file's order: (channel, height, width) or
  /// one number for flat ones.
  Shape shape() const;

  template <typename... Args>
  [[noreturn]] void refuse(const std::string &key,
                           fmt::format_string<Args...> text,
                           Args &&...args) const {
    throw Error(place + (key.empty() ? ": " : ": " + key + ": ") +
                fmt::format(text, std::forward<Args>(args)...));
  }

  std::string name() const { return fmt::format("layer{}", index); }
  const std::string place; ///< "file: layer/2"

private:
  const hdf5::Node *group;
  unsigned index;
};

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_NETXLAYER_H
