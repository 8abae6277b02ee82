// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pickle of a dict of tensors needs twenty of pickle's operations and three
// functions of torch, which stand for what their arguments say.

#include "compiler/import/torch/Stored.h"

#include "runtime/arrays/Zip.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <memory>
#include <vector>

namespace dendrolith::torch {
namespace {

constexpr size_t kMaxPickle = size_t(1) << 24;
constexpr unsigned kMaxDepth = 32;
constexpr size_t kMaxTensorElements = size_t(1) << 27; // of all tensors

/// What a pickle can make here.
struct Item {
  enum class Kind {
    Other,
    Mark,
    Text,
    Integer,
    Tuple,
    Dict,
    Name,
    Storage,
    Tensor
  };
  Kind kind = Kind::Other;
  std::string text; ///< of Text and Name; the member of a Storage and a Tensor
  int64_t integer = 0;
  std::vector<std::shared_ptr<Item>> items; ///< of a Dict key, value, key, ...
  RawTensor tensor;                         ///< of a Storage its code alone
  unsigned depth = 0;
};
using Ref = std::shared_ptr<Item>;

int codeOf(const std::string &storage) {
  static const std::map<std::string, int> codes = {
      {"Byte", 1},  {"Char", 2},           {"Short", 3},
      {"Int", 4},   {"Long", 5},           {"Half", 6},
      {"Float", 7}, {"Double", 8},         {"ComplexFloat", 10},
      {"Bool", 12}, {"ComplexDouble", 11}, {"BFloat16", 13}};
  for (const auto &[name, code] : codes)
    if (storage == "torch " + name + "Storage")
      return code;
  return 0;
}

class Unpickler {
public:
  Unpickler(const std::string &bytes, const std::string &place)
      : bytes(bytes), place(place) {}

  Ref run() {
    while (true) {
      const char op = text(1)[0];
      if (op == '.')
        return pop();
      step(uint8_t(op));
    }
  }

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw Error(
        fmt::format("{}{} at byte {}, expected a dict of tensors as "
                    "torch.save writes it; nothing in a pickle is called",
                    place, what, at));
  }

  std::string text(size_t count) {
    if (count > bytes.size() - at)
      fail("ends early");
    at += count;
    return bytes.substr(at - count, count);
  }
  int64_t number(size_t count) {
    const std::string raw = text(count);
    uint64_t value = 0;
    for (size_t i = count; i-- > 0;)
      value = value << 8 | uint8_t(raw[i]);
    return int64_t(value);
  }
  std::string line() {
    const size_t end = bytes.find('\n', at);
    if (end == std::string::npos)
      fail("ends early");
    std::string found = text(end - at);
    ++at;
    return found;
  }

  Ref make(Item::Kind kind, std::string text = {}, int64_t integer = 0) {
    auto item = std::make_shared<Item>();
    item->kind = kind;
    item->text = std::move(text);
    item->integer = integer;
    return item;
  }
  void push(Item::Kind kind, std::string text = {}, int64_t integer = 0) {
    stack.push_back(make(kind, std::move(text), integer));
  }
  Ref pop() {
    if (stack.empty())
      fail("takes from an empty stack");
    Ref top = stack.back();
    stack.pop_back();
    return top;
  }
  /// What lies above the last mark, which goes.
  std::vector<Ref> marked() {
    size_t from = stack.size();
    while (from > 0 && stack[from - 1]->kind != Item::Kind::Mark)
      --from;
    if (from == 0)
      fail("has no mark");
    std::vector<Ref> found(stack.begin() + long(from), stack.end());
    stack.resize(from - 1);
    return found;
  }
  void addTo(Item &whole, const std::vector<Ref> &parts) {
    for (const Ref &part : parts) {
      whole.depth = std::max(whole.depth, part->depth + 1);
      whole.items.push_back(part);
    }
    if (whole.depth > kMaxDepth)
      fail("is nested too deeply");
  }
  void tuple(const std::vector<Ref> &parts) {
    push(Item::Kind::Tuple);
    addTo(*stack.back(), parts);
  }
  void tupleOf(size_t count) {
    std::vector<Ref> parts(count);
    for (size_t i = count; i-- > 0;)
      parts[i] = pop();
    tuple(parts);
  }
  void set(const std::vector<Ref> &entries) {
    if (stack.empty() || stack.back()->kind != Item::Kind::Dict ||
        entries.size() % 2)
      fail("sets an entry of no dict");
    for (const Ref &entry : entries)
      if (entry->kind == Item::Kind::Dict && !entry->items.empty())
        fail("has a dict in a dict");
    addTo(*stack.back(), entries);
  }

  const Item &argument(const Item &tuple, size_t i, Item::Kind kind) const {
    if (tuple.kind != Item::Kind::Tuple || tuple.items.size() <= i ||
        tuple.items[i]->kind != kind)
      fail("has other arguments");
    return *tuple.items[i];
  }
  Shape numbers(const Item &tuple) const {
    Shape found;
    for (size_t i = 0; i < tuple.items.size(); ++i)
      found.push_back(argument(tuple, i, Item::Kind::Integer).integer);
    return found;
  }
  /// ("storage", its class, its member, where it was, elements)
  void storage() {
    const Ref tuple = pop();
    auto item =
        make(Item::Kind::Storage, argument(*tuple, 2, Item::Kind::Text).text);
    item->tensor.code = codeOf(argument(*tuple, 1, Item::Kind::Name).text);
    stack.push_back(item);
  }
  void call() {
    const Ref tuple = pop(), name = pop();
    if (name->kind != Item::Kind::Name)
      fail("calls what has no name");
    if (name->text == "collections OrderedDict" && tuple->items.empty())
      return push(Item::Kind::Dict);
    if (name->text == "torch._utils _rebuild_parameter" ||
        name->text == "torch._utils _rebuild_parameter_with_state") {
      argument(*tuple, 0, Item::Kind::Tensor);
      return stack.push_back(tuple->items[0]);
    }
    if (name->text != "torch._utils _rebuild_tensor_v2")
      fail("calls " + quotedName(name->text));
    const Item &from = argument(*tuple, 0, Item::Kind::Storage);
    auto item = make(Item::Kind::Tensor, from.text);
    item->tensor = {from.tensor.code,
                    numbers(argument(*tuple, 2, Item::Kind::Tuple)),
                    numbers(argument(*tuple, 3, Item::Kind::Tuple)),
                    argument(*tuple, 1, Item::Kind::Integer).integer};
    stack.push_back(item);
  }

  void step(uint8_t op);
  bool scalar(uint8_t op);
  bool memory(uint8_t op);

  const std::string &bytes, place;
  size_t at = 0;
  std::vector<Ref> stack;
  std::map<int64_t, Ref> memo;
};

/// Pushes what is no container.
bool Unpickler::scalar(uint8_t op) {
  using Kind = Item::Kind;
  switch (op) {
  case 'X': // BINUNICODE
    push(Kind::Text, text(size_t(number(4))));
    return true;
  case 'K': // BININT1
    push(Kind::Integer, {}, number(1));
    return true;
  case 'M': // BININT2
    push(Kind::Integer, {}, number(2));
    return true;
  case 'J': // BININT
    push(Kind::Integer, {}, int32_t(number(4)));
    return true;
  case 0x8a: { // LONG1
    const size_t count = size_t(number(1));
    if (count > 8)
      fail("has a number beyond 64 bits");
    push(Kind::Integer, {}, number(count));
    return true;
  }
  case 'c': { // GLOBAL
    const std::string module = line();
    push(Kind::Name, module + " " + line());
    return true;
  }
  case 'N':  // NONE
  case 0x88: // NEWTRUE
  case 0x89: // NEWFALSE
    push(Kind::Other);
    return true;
  default:
    return false;
  }
}

/// Keeps what is on top, or pushes what was kept.
bool Unpickler::memory(uint8_t op) {
  const size_t wide = op == 'q' || op == 'h' ? 1 : 4;
  if (op == 'q' || op == 'r') { // BINPUT
    const Ref top = pop();
    memo[number(wide)] = top;
    stack.push_back(top);
    return true;
  }
  if (op != 'h' && op != 'j') // BINGET
    return false;
  auto found = memo.find(number(wide));
  if (found == memo.end())
    fail("asks for what it did not keep");
  stack.push_back(found->second);
  return true;
}

void Unpickler::step(uint8_t op) {
  if (scalar(op) || memory(op))
    return;
  switch (op) {
  case 0x80: // PROTO
    number(1);
    return;
  case '(': // MARK
    return push(Item::Kind::Mark);
  case '}': // EMPTY_DICT
    return push(Item::Kind::Dict);
  case ')': // EMPTY_TUPLE
    return tuple({});
  case 't': // TUPLE
    return tuple(marked());
  case 0x85: // TUPLE1
  case 0x86:
  case 0x87:
    return tupleOf(op - 0x84);
  case 's': { // SETITEM
    const Ref value = pop(), key = pop();
    return set({key, value});
  }
  case 'u': // SETITEMS
    return set(marked());
  case 'b': // BUILD, for metadata of a dict
    pop();
    return;
  case 'Q': // BINPERSID
    return storage();
  case 'R': // REDUCE
    return call();
  default:
    fail(fmt::format("has the operation {} of pickle", op));
  }
}

const zip::Member *memberOf(const std::vector<zip::Member> &members,
                            const std::string &end) {
  for (const zip::Member &member : members)
    if (member.name.substr(member.name.find('/') + 1) == end)
      return &member;
  return nullptr;
}

} // namespace

std::map<std::string, Constant> readStored(const std::string &bytes,
                                           const std::string &place) {
  const std::vector<zip::Member> members = zip::readDirectory(bytes, place);
  auto member = [&](const std::string &name) {
    const zip::Member *found = memberOf(members, name);
    if (!found)
      throw Error(place + "has no " + quotedName(name) +
                  ", expected a file of torch.save");
    return zip::unpack(bytes, *found, place + quotedName(name));
  };
  if (memberOf(members, "byteorder") && member("byteorder") != "little")
    throw Error(place + "expected numbers in little-endian order");
  const std::string pickle = member("data.pkl");
  if (pickle.size() > kMaxPickle)
    throw Error(place + "has a pickle of more than 16 MiB");
  const Ref whole = Unpickler(pickle, place).run();
  std::map<std::string, Constant> tensors;
  size_t elements = 0;
  for (size_t i = 0; i + 1 < whole->items.size(); i += 2) {
    const Item &key = *whole->items[i], &value = *whole->items[i + 1];
    const std::string where = place + quotedName(key.text) + " ";
    if (whole->kind != Item::Kind::Dict || key.kind != Item::Kind::Text ||
        value.kind != Item::Kind::Tensor)
      throw Error(where + "is no tensor, expected a dict of tensors");
    Constant tensor =
        readRaw(member("data/" + value.text), value.tensor, where);
    elements += tensor.values.size();
    if (elements > kMaxTensorElements)
      throw Error(where + "has too many elements, with those before it");
    tensor.name = key.text;
    tensors[key.text] = std::move(tensor);
  }
  return tensors;
}

} // namespace dendrolith::torch
