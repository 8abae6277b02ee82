// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/lava/NetxLayer.h"
#include "targets/support/Text.h"

#include <cmath>

namespace dendrolith::lava {

/// More neurons than any chip of today has.
static constexpr uint64_t kMostLayerNeurons = uint64_t(1) << 24;

std::string elementText(const Shape &shape, uint64_t flat) {
  if (shape.empty())
    return "";
  Shape index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = flat % shape[i];
    flat /= shape[i];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

const hdf5::Node *NetxLayer::find(const std::string &key) const {
  size_t slash = key.find('/');
  const hdf5::Node *node = group->find(key.substr(0, slash));
  return slash == key.npos || !node ? node : node->find(key.substr(slash + 1));
}

std::string NetxLayer::text(const std::string &key) const {
  const hdf5::Node *node = find(key);
  if (!node)
    refuse(key, "missing, expected a text; export the network again");
  if (node->kind != hdf5::Node::Content::Strings || node->strings.size() != 1)
    refuse(key, "expected one text, found {}",
           node->kind == hdf5::Node::Content::Group     ? "a group"
           : node->kind == hdf5::Node::Content::Numbers ? "numbers"
                                                        : "an array of texts");
  return node->strings[0];
}

const hdf5::Node &NetxLayer::numbers(const std::string &key,
                                     const char *meaning) const {
  const hdf5::Node *node = find(key);
  if (!node)
    refuse(key, "missing, expected {}; export the network again", meaning);
  if (node->kind != hdf5::Node::Content::Numbers)
    refuse(key, "expected {}, found {}", meaning,
           node->kind == hdf5::Node::Content::Group ? "a group" : "text");
  if (node->values.empty())
    refuse(key, "expected {}, found none: shape {}", meaning,
           shapeText(node->shape));
  return *node;
}

int64_t NetxLayer::integer(const std::string &key, int64_t low,
                           int64_t high) const {
  const hdf5::Node &node = numbers(key, "an integer");
  if (node.values.size() != 1)
    refuse(key,
           "expected one integer for the layer, found shape {}; NetX "
           "takes no values by neuron here",
           shapeText(node.shape));
  return integers(key, low, high)[0];
}

std::vector<int64_t> NetxLayer::integers(const std::string &key, int64_t low,
                                         int64_t high) const {
  const hdf5::Node &node = numbers(key, "integers");
  if (node.number == hdf5::NumberClass::Float)
    refuse(key,
           "expected an integer type, found {}-bit floats (the first is {}), "
           "with which Lava's fixed-point model fails; write integers",
           8 * node.bytes, node.values[0]);
  std::vector<int64_t> out;
  out.reserve(node.values.size());
  for (size_t i = 0; i < node.values.size(); ++i) {
    double value = node.values[i];
    if (!(value >= double(low) && value <= double(high)))
      refuse(key, "expected {} to {}, found {}{}{}", low, high, value,
             node.shape.empty() ? "" : " at ", elementText(node.shape, i));
    out.push_back(int64_t(value));
  }
  return out;
}

std::vector<int64_t> NetxLayer::whole(const std::string &key, int64_t low,
                                      int64_t high, Warnings &notes) const {
  const hdf5::Node &node = numbers(key, "numbers");
  std::vector<int64_t> out;
  out.reserve(node.values.size());
  bool cut = false;
  for (size_t i = 0; i < node.values.size(); ++i) {
    double value = std::trunc(node.values[i]);
    if (!(value >= double(low) && value <= double(high)))
      refuse(key, "expected {} to {}, found {}{}{}", low, high, node.values[i],
             node.shape.empty() ? "" : " at ", elementText(node.shape, i));
    if (value != node.values[i] && !cut) {
      cut = true;
      notes.push_back(
          {"cut-fraction", place + ": " + key,
           fmt::format("{}{}{} is no whole number; cut toward zero, as NetX "
                       "does",
                       node.values[i], node.shape.empty() ? "" : " at ",
                       elementText(node.shape, i))});
    }
    out.push_back(int64_t(value));
  }
  return out;
}

Shape NetxLayer::shape() const {
  const hdf5::Node &node = numbers("shape", "(channel, height, width) or (N)");
  if (node.shape.size() > 1 || node.values.size() > 3 ||
      node.values.size() == 2)
    refuse("shape",
           "expected (channel, height, width) or (N), found an array "
           "of shape {}",
           shapeText(node.shape));
  Shape out;
  uint64_t neurons = 1;
  for (int64_t size : integers("shape", 1, int64_t(kMostLayerNeurons))) {
    out.push_back(uint64_t(size));
    neurons *= out.back();
    if (neurons > kMostLayerNeurons)
      refuse("shape", "expected at most {} neurons, found {}",
             kMostLayerNeurons, fmt::join(node.values, " * "));
  }
  return out;
}

} // namespace dendrolith::lava
