// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group of one layer of a NetX file while it is made.

#ifndef DENDROLITH_COMPILER_EXPORT_NETX_LAYERGROUP_H
#define DENDROLITH_COMPILER_EXPORT_NETX_LAYERGROUP_H

#include "compiler/import/hdf5/Tree.h"
#include "compiler/lava/lava.pb.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace dendrolith::lava {

/// A group under construction, whose members are put in order of their names at
/// the end.
class LayerGroup {
public:
  void text(const std::string &key, const std::string &value, bool isArray);
  void integers(const std::string &key, const std::vector<uint64_t> &shape,
                const std::vector<int64_t> &values);
  void real(const std::string &key, double value);
  void group(const std::string &key, hdf5::Node node);
  hdf5::Node finish();

private:
  void add(const std::string &key, hdf5::Node node);
  hdf5::Node node;
};

/// Gives a text such as "process 'relay' (TernaryLIF)", which opens every
/// refusal.
std::string processText(const Process &process);

template <typename... Args>
[[noreturn]] void refuseNetx(const Process &process,
                             fmt::format_string<Args...> text, Args &&...args) {
  throw Error("no NetX file: " + processText(process) + ": " +
              fmt::format(text, std::forward<Args>(args)...));
}

using Shape = std::vector<uint64_t>;

/// Turns Lava's (width, height, channel) into the file's (channel, height,
/// width).
std::vector<int64_t> fileShape(const Shape &shape);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_NETX_LAYERGROUP_H
