// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/BitsText.h"

#include "targets/loader/yaml/Yaml.h"
#include "targets/support/InputFile.h"

#include <algorithm>
#include <cctype>

namespace dendrolith::session {
namespace {

constexpr uint64_t kBitsBytes = 1 << 20;

bool endsWith(const std::string &text, const std::string &ending) {
  return text.size() > ending.size() &&
         text.compare(text.size() - ending.size(), ending.npos, ending) == 0;
}

bool isNumber(const std::string &text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isdigit(c); });
}

std::string numberIn(const yaml::Node &node) {
  if (node.type != yaml::Node::Type::Scalar || node.quoted ||
      !isNumber(node.text))
    yaml::fail(node, "expected a number of bits, found " + node.found());
  return node.text;
}

std::string textOf(const yaml::Node &root) {
  if (root.type == yaml::Node::Type::Scalar)
    return numberIn(root);
  if (root.items.empty())
    yaml::fail(root, "expected bits of layers, found nothing");
  std::string text;
  for (size_t i = 0; i < root.items.size(); ++i) {
    text += i ? "," : "";
    if (root.type == yaml::Node::Type::Map) {
      const yaml::Node &key = root.keys[i];
      if (key.text.find_first_of(",=") != std::string::npos)
        yaml::fail(key, "expected the name of a layer without ',' and '=', "
                        "found " +
                            key.found());
      text += key.text + "=";
    }
    text += numberIn(root.items[i]);
  }
  return text;
}

} // namespace

std::string bitsText(const std::string &flag, const std::string &value) {
  if (endsWith(value, ".yaml") || endsWith(value, ".yml") ||
      endsWith(value, ".json"))
    return textOf(yaml::parse(readFile(value, kBitsBytes), value));
  std::string text;
  for (size_t at = 0; at <= value.size();) {
    const size_t end = std::min(value.find(',', at), value.size());
    const std::string part = value.substr(at, end - at);
    const size_t equals = part.rfind('=');
    const bool named = equals != std::string::npos;
    if (!isNumber(named ? part.substr(equals + 1) : part) || equals == 0 ||
        named != (value.find('=') != std::string::npos))
      throw Error(flag +
                  ": expected 4, 8,4,4, L1=4,R=8 or a .yaml or .json "
                  "file, found '" +
                  value + "'");
    text += (at ? "," : "") + part;
    at = end + 1;
  }
  return text;
}

} // namespace dendrolith::session
