// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Microcode.h"

namespace neurite {

static const std::array<const char *, kMicroOps> kOpNames = {
    "move",  "add",    "sub",    "mul",    "neg",   "abs",   "min",
    "max",   "clamp",  "cmp",    "sel",    "scale", "shift", "clz",
    "table", "dot",    "matvec", "vecmat", "outer", "sum",   "maximum",
    "topk",  "ladder", "skip",   "emit"};

static const std::array<const char *, kMicroClasses> kClassNames = {
    "load",    "store",  "move",  "add",    "multiply", "mac", "shift",
    "compare", "select", "table", "ladder", "control",  "emit"};

const char *toString(MicroOp op) { return kOpNames[static_cast<size_t>(op)]; }
const char *toString(MicroClass kind) {
  return kClassNames[static_cast<size_t>(kind)];
}

template <typename Enum, size_t N>
static std::optional<Enum> find(const std::array<const char *, N> &names,
                                const std::string &name) {
  for (size_t i = 0; i < N; ++i)
    if (name == names[i])
      return static_cast<Enum>(i);
  return std::nullopt;
}

std::optional<MicroOp> microOpOf(const std::string &name) {
  return find<MicroOp>(kOpNames, name);
}
std::optional<MicroClass> microClassOf(const std::string &name) {
  return find<MicroClass>(kClassNames, name);
}

} // namespace neurite
