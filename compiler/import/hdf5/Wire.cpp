// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/hdf5/Wire.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace neurite::hdf5 {

const Node *Node::find(const std::string &name) const {
  for (const Member &member : members)
    if (member.name == name)
      return &member.node;
  return nullptr;
}

static void writeAll(int fd, const void *data, uint64_t size) {
  const char *from = static_cast<const char *>(data);
  while (size) {
    ssize_t n = ::write(fd, from, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      _exit(1);
    from += n;
    size -= n;
  }
}

void FrameWriter::send(Frame kind, const void *data, uint32_t size) {
  char head[5] = {static_cast<char>(kind)};
  std::copy_n(reinterpret_cast<const char *>(&size), 4, head + 1);
  writeAll(fd, head, sizeof head);
  writeAll(fd, data, size);
}

void FrameWriter::bytes(const void *data, uint64_t size) {
  const char *from = static_cast<const char *>(data);
  while (size) {
    uint64_t n = std::min<uint64_t>(size, maxFrame - pending.size());
    pending.append(from, n);
    from += n;
    size -= n;
    if (pending.size() == maxFrame) {
      send(Frame::Data, pending.data(), maxFrame);
      pending.clear();
    }
  }
}

void FrameWriter::text(const std::string &text) {
  number<uint32_t>(text.size());
  bytes(text.data(), text.size());
}

void FrameWriter::error(const std::string &message) {
  send(Frame::Error, message.data(),
       std::min<size_t>(message.size(), maxFrame));
}

void FrameWriter::end() {
  if (!pending.empty())
    send(Frame::Data, pending.data(), pending.size());
  pending.clear();
  send(Frame::End, nullptr, 0);
}

void FrameReader::raw(void *data, uint64_t size) {
  char *to = static_cast<char *>(data);
  while (size) {
    auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    if (wait.count() <= 0)
      throw WireFailure{WireFailure::Kind::TimedOut, {}};
    pollfd poll{fd, POLLIN, 0};
    int ready = ::poll(&poll, 1,
                       static_cast<int>(std::min<int64_t>(wait.count(), 1000)));
    if (ready == 0 || (ready < 0 && errno == EINTR))
      continue;
    ssize_t n = ready < 0 ? -1 : ::read(fd, to, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      throw WireFailure{WireFailure::Kind::Closed, {}};
    to += n;
    size -= n;
  }
}

void FrameReader::nextFrame() {
  char head[5];
  raw(head, sizeof head);
  frame = static_cast<Frame>(head[0]);
  std::copy_n(head + 1, 4, reinterpret_cast<char *>(&left));
  if (left > maxFrame)
    throw WireFailure{WireFailure::Kind::Malformed, {}};
  if (frame == Frame::Error) {
    std::string message(left, '\0');
    raw(message.data(), left);
    throw WireFailure{WireFailure::Kind::Refused, message};
  }
}

void FrameReader::bytes(void *data, uint64_t size) {
  char *to = static_cast<char *>(data);
  while (size) {
    if (left == 0)
      nextFrame();
    if (frame != Frame::Data)
      throw WireFailure{WireFailure::Kind::Malformed, {}};
    uint64_t n = std::min<uint64_t>(size, left);
    raw(to, n);
    to += n;
    size -= n;
    left -= n;
  }
}

void FrameReader::end() {
  if (left == 0)
    nextFrame();
  if (frame != Frame::End || left != 0)
    throw WireFailure{WireFailure::Kind::Malformed, {}};
}

namespace {
/// The decoder's running totals: the child is not trusted to keep the limits.
struct Decoder {
  FrameReader &in;
  Limits left;

  [[noreturn]] static void tooLarge() {
    throw WireFailure{WireFailure::Kind::TooLarge, {}};
  }
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
    if (node.kind == Node::Kind::Strings) {
      for (uint64_t i = 0; i < count; ++i)
        node.strings.push_back(text());
      return;
    }
    node.number = static_cast<NumberClass>(in.number<uint8_t>());
    node.bytes = in.number<uint8_t>();
    if (node.number > NumberClass::Float)
      throw WireFailure{WireFailure::Kind::Malformed, {}};
    node.values.resize(count);
    in.bytes(node.values.data(), count * sizeof(double));
  }
  Node node(uint32_t depth) {
    if (depth == 0 || left.objects == 0)
      tooLarge();
    --left.objects;
    Node node;
    node.kind = static_cast<Node::Kind>(in.number<uint8_t>());
    if (node.kind > Node::Kind::Strings)
      throw WireFailure{WireFailure::Kind::Malformed, {}};
    node.attributes = in.number<uint32_t>();
    if (node.kind != Node::Kind::Group) {
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

} // namespace neurite::hdf5
