// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/hdf5/Wire.h"

namespace dendrolith::hdf5 {

const Node *Node::find(const std::string &name) const {
  for (const Member &member : members)
    if (member.name == name)
      return &member.node;
  return nullptr;
}

namespace {
/// `left` holds what the limits leave for the rest of the tree.
struct Decoder {
  FrameReader &in;
  Limits left;

  [[noreturn]] static void tooLarge() { throw TooLarge(); }
  std::string text() {
    uint32_t size = in.number<uint32_t>();
    if (size > left.stringBytes)
      tooLarge();
    left.stringBytes -= size;
    std::string value(size, '\0');
    in.bytes(value.data(), size);
    return value;
  }
  void data(Node &node) {
    uint8_t rank = in.number<uint8_t>();
    if (rank > 32)
      tooLarge();
    uint64_t count = 1;
    for (unsigned i = 0; i < rank; ++i) {
      node.shape.push_back(in.number<uint64_t>());
      if (node.shape[i] && count > left.elements / node.shape[i])
        tooLarge();
      count *= node.shape[i];
    }
    if (count > left.elements)
      tooLarge();
    left.elements -= count;
    if (node.kind == Node::Content::Strings) {
      for (uint64_t i = 0; i < count; ++i)
        node.strings.push_back(text());
      return;
    }
    node.number = static_cast<NumberClass>(in.number<uint8_t>());
    node.bytes = in.number<uint8_t>();
    if (node.number > NumberClass::Float)
      throw FrameFailure{FrameFailure::Reason::Malformed, {}};
    node.values.resize(count);
    in.bytes(node.values.data(), count * sizeof(double));
  }
  Node node(uint32_t depth) {
    if (depth == 0 || left.objects == 0)
      tooLarge();
    --left.objects;
    Node node;
    node.kind = static_cast<Node::Content>(in.number<uint8_t>());
    if (node.kind > Node::Content::Strings)
      throw FrameFailure{FrameFailure::Reason::Malformed, {}};
    node.attributes = in.number<uint32_t>();
    if (node.kind != Node::Content::Group) {
      data(node);
      return node;
    }
    uint32_t count = in.number<uint32_t>();
    for (uint32_t i = 0; i < count; ++i) {
      std::string name = text();
      node.members.push_back({std::move(name), this->node(depth - 1)});
    }
    return node;
  }
};
} // namespace

Node decodeTree(FrameReader &reader, const Limits &limits) {
  Decoder decoder{reader, limits};
  Node root = decoder.node(limits.depth + 1);
  reader.end();
  return root;
}

} // namespace dendrolith::hdf5
