// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How libFuzzer changes JSON texts, several of them parted by NUL: one value at
// any depth, so that most mutants are JSON still. Where a text is none, and now
// and then, libFuzzer changes the bytes itself.

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using OrderedJson = nlohmann::ordered_json;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

class JsonMutator {
public:
  explicit JsonMutator(unsigned seed) : random(seed) {}

  uint64_t below(uint64_t n) { return random() % n; }

  void change(OrderedJson &root) {
    std::vector<OrderedJson *> all;
    collect(root, all);
    OrderedJson &value = *all[below(all.size())];
    if (value.is_structured() && !value.empty() && below(3)) {
      auto at = std::next(value.begin(), int(below(value.size())));
      switch (below(3)) {
      case 0:
        value.erase(at);
        return;
      case 1:
        if (value.is_array())
          value.push_back(OrderedJson(*at));
        else
          value[at.key() + "2"] = OrderedJson(*at);
        return;
      default:
        *at = other(*at, all);
        return;
      }
    }
    value = other(value, all);
  }

private:
  static void collect(OrderedJson &value, std::vector<OrderedJson *> &all) {
    all.push_back(&value);
    if (value.is_structured())
      for (OrderedJson &inner : value)
        collect(inner, all);
  }

  OrderedJson other(const OrderedJson &old,
                    const std::vector<OrderedJson *> &all) {
    static const std::vector<const char *> values = {
        "null", "true",   "0",     "1",
        "-1",   "1.5",    "1e308", "9223372036854775807",
        "\"\"", "\"x\"",  "[]",    "{}",
        "7",    "1e-320", "-0.0",  "18446744073709551615"};
    switch (below(4)) {
    case 0: { // that of another place
      OrderedJson copy = *all[below(all.size())];
      if (copy.dump(-1, ' ', false, OrderedJson::error_handler_t::replace)
              .size() < 4096)
        return copy;
      [[fallthrough]];
    }
    case 1:
      return OrderedJson::parse(values[below(values.size())]);
    case 2:
      if (old.is_number_integer())
        return int64_t(uint64_t(old.get<int64_t>()) + below(3) - 1);
      if (old.is_number())
        return old.get<double>() * double(int64_t(below(9)) - 4);
      return OrderedJson();
    default:
      if (!old.is_string())
        return (uint64_t(1) << below(64)) - below(2);
      std::string text = old.get<std::string>();
      const size_t used = text.size();
      text.resize(used + 1 + below(16));
      text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(text.data()),
                                   used, text.size()));
      return text;
    }
  }

  std::mt19937_64 random;
};

/// False where the text is no JSON.
bool mutate(std::string &text, JsonMutator &mutator) {
  OrderedJson root = OrderedJson::parse(text, nullptr, false);
  if (root.is_discarded())
    return false;
  for (uint64_t changes = 1 + mutator.below(3); changes; --changes)
    mutator.change(root);
  text = root.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  return true;
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  JsonMutator mutator(seed);
  std::string first(reinterpret_cast<char *>(data), size), second;
  const size_t end = first.find('\0');
  if (end != first.npos) {
    second = first.substr(end + 1);
    first.resize(end);
  }
  std::string &text = second.empty() || mutator.below(2) ? first : second;
  if (mutator.below(16) && mutate(text, mutator)) {
    std::string bytes = first;
    if (end != first.npos)
      bytes += '\0' + second;
    if (bytes.size() <= maxSize) {
      std::copy(bytes.begin(), bytes.end(), data);
      return bytes.size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
