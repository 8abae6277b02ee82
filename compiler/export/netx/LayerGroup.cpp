// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/export/netx/LayerGroup.h"
#include "compiler/lava/Kwargs.h"

#include <algorithm>

namespace dendrolith::lava {

void LayerGroup::add(const std::string &key, hdf5::Node child) {
  node.members.push_back({key, std::move(child)});
}

void LayerGroup::text(const std::string &key, const std::string &value,
                      bool isArray) {
  hdf5::Node child;
  child.kind = hdf5::Node::Content::Strings;
  if (isArray)
    child.shape = {1};
  child.strings = {value};
  add(key, std::move(child));
}

void LayerGroup::integers(const std::string &key, const Shape &shape,
                          const std::vector<int64_t> &values) {
  hdf5::Node child;
  child.kind = hdf5::Node::Content::Numbers;
  child.number = hdf5::NumberClass::Signed;
  child.bytes = 4;
  child.shape = shape;
  child.values.assign(values.begin(), values.end());
  add(key, std::move(child));
}

void LayerGroup::real(const std::string &key, double value) {
  hdf5::Node child;
  child.kind = hdf5::Node::Content::Numbers;
  child.bytes = 8;
  child.values = {value};
  add(key, std::move(child));
}

void LayerGroup::group(const std::string &key, hdf5::Node child) {
  add(key, std::move(child));
}

hdf5::Node LayerGroup::finish() {
  std::sort(node.members.begin(), node.members.end(),
            [](const hdf5::Member &a, const hdf5::Member &b) {
              return a.name < b.name;
            });
  return std::move(node);
}

std::string processText(const Process &process) {
  return fmt::format("process '{}' ({})", process.name(),
                     className(process.lava_class()));
}

std::vector<int64_t> fileShape(const Shape &shape) {
  return {shape.rbegin(), shape.rend()};
}

} // namespace dendrolith::lava
