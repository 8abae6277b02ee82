// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which datasets a node has, and that their numbers can be used.

#include "compiler/import/nir/Graph.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::nir {

namespace {
struct Fields {
  std::vector<const char *> required, optional;
};
} // namespace

static const Fields &fieldsOf(Type type) {
  static const Fields shape{{"shape"}, {}};
  static const Fields affine{{"weight", "bias"}, {}};
  static const Fields linear{{"weight"}, {}};
  static const Fields scale{{"scale"}, {}};
  static const Fields conv{
      {"weight", "bias", "stride", "padding", "dilation", "groups"},
      {"input_shape"}};
  static const Fields pool{{"kernel_size", "stride", "padding"}, {}};
  static const Fields flatten{{"start_dim", "end_dim"}, {"input_type"}};
  static const Fields delay{{"delay"}, {}};
  static const Fields threshold{{"threshold"}, {}};
  static const Fields i{{"r"}, {}};
  static const Fields ifNode{{"r", "v_threshold"}, {"v_reset"}};
  static const Fields li{{"tau", "r", "v_leak"}, {}};
  static const Fields lif{{"tau", "r", "v_leak", "v_threshold"}, {"v_reset"}};
  static const Fields cubaLi{{"tau_syn", "tau_mem", "r", "v_leak"}, {"w_in"}};
  static const Fields cubaLif{
      {"tau_syn", "tau_mem", "r", "v_leak", "v_threshold"},
      {"v_reset", "w_in"}};
  static const Fields none{{}, {}};
  switch (type) {
  case Type::Input:
  case Type::Output:
    return shape;
  case Type::Affine:
    return affine;
  case Type::Linear:
    return linear;
  case Type::Scale:
    return scale;
  case Type::Conv1d:
  case Type::Conv2d:
    return conv;
  case Type::SumPool2d:
  case Type::AvgPool2d:
    return pool;
  case Type::Flatten:
    return flatten;
  case Type::Delay:
    return delay;
  case Type::Threshold:
    return threshold;
  case Type::I:
    return i;
  case Type::IF:
    return ifNode;
  case Type::LI:
    return li;
  case Type::LIF:
    return lif;
  case Type::CubaLI:
    return cubaLi;
  case Type::CubaLIF:
    return cubaLif;
  case Type::Graph:
    return none;
  }
  return none;
}

/// Indices of element `flat`, for messages: "[3, 2]", nothing for a scalar.
static std::string place(const Shape &shape, uint64_t flat) {
  if (shape.empty())
    return "";
  std::vector<uint64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = flat % shape[i];
    flat /= shape[i];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

/// Whether a time constant and its gain are those of a decay factor of 1, inf,
/// or beyond, negative, as snnTorch and Spyx write them. Who reads it decides.
static bool isDecayOfOne(const Node &node, const std::string &key, size_t i) {
  static const std::pair<const char *, const char *> couples[] = {
      {"tau", "r"}, {"tau_mem", "r"}, {"tau_syn", "w_in"}};
  for (const auto &[time, gain] : couples) {
    const hdf5::Node *tau = node.field(time), *factor = node.field(gain);
    if ((key != time && key != gain) || !tau || !factor ||
        i >= tau->values.size() || i >= factor->values.size())
      continue;
    const double a = tau->values[i], b = factor->values[i];
    if ((std::isinf(a) && a > 0 && b > 0 && (std::isinf(b) || b == 1)) ||
        (a < 0 && b < 0 && std::fabs(a / b - 1e-4) < 1e-9))
      return true;
  }
  return false;
}

static void checkNumbers(const Graph &graph, const Node &node,
                         const std::string &key, const hdf5::Node &data) {
  if (data.kind != hdf5::Node::Content::Numbers)
    graph.refuse(node, "dataset '{}' holds {}, expected numbers", key,
                 data.kind == hdf5::Node::Content::Group ? "a group"
                                                         : "strings");
  const bool isTime = key == "tau" || key == "tau_syn" || key == "tau_mem";
  const bool isDelay = key == "delay";
  for (size_t i = 0; i < data.values.size(); ++i) {
    double value = data.values[i];
    const bool isRefused = !std::isfinite(value) || (isTime && value <= 0) ||
                           (isDelay && value < 0);
    if (!isRefused || isDecayOfOne(node, key, i))
      continue;
    if (!std::isfinite(value))
      graph.refuse(node,
                   "{}{} is {}, expected a finite number; repair the values "
                   "and write the file again",
                   key, place(data.shape, i),
                   std::isnan(value) ? "nan"
                   : value > 0       ? "inf"
                                     : "-inf");
    if (isTime)
      graph.refuse(node,
                   "{}{} is {}, expected a time constant above 0; repair the "
                   "values and write the file again",
                   key, place(data.shape, i), value);
    graph.refuse(node,
                 "{}{} is {}, expected a delay of 0 or more; nothing can be "
                 "read before it is sent",
                 key, place(data.shape, i), value);
  }
  if (data.values.empty())
    graph.refuse(node,
                 "dataset '{}' has shape {} and is empty, expected "
                 "values",
                 key, shapeText(data.shape));
}

void checkFields(const Graph &graph, const Node &node) {
  const Fields &fields = fieldsOf(node.type);
  auto listed = [](const std::vector<const char *> &keys,
                   const std::string &name) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](const char *key) { return name == key; });
  };
  Collector faults;
  for (const char *key : fields.required)
    if (!node.field(key))
      faults.attempt([&] {
        graph.refuse(node,
                     "dataset '{}' is missing, expected {}; write the file "
                     "again with it",
                     key, fmt::join(fields.required, ", "));
      });
  for (const hdf5::Member &member : node.data->members) {
    if (member.name == "type" || member.name == "metadata")
      continue;
    faults.attempt([&] {
      if (!listed(fields.required, member.name) &&
          !listed(fields.optional, member.name))
        graph.refuse(node,
                     "unknown dataset {}, expected {}{}{}; nothing is dropped "
                     "silently: remove it or keep it in metadata",
                     quotedName(member.name), fmt::join(fields.required, ", "),
                     fields.optional.empty() ? "" : " and perhaps ",
                     fmt::join(fields.optional, ", "));
      bool mayBeText = isConvolution(node.type) && member.name == "padding";
      if (!mayBeText || member.node.kind != hdf5::Node::Content::Strings)
        checkNumbers(graph, node, member.name, member.node);
    });
  }
  faults.raise();
}

} // namespace dendrolith::nir
